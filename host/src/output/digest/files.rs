//! The digest of `read_many_files`: every file with its size, and the head of each (FX-09).

use std::collections::BTreeMap;

use serde::Deserialize;

use super::DigestMeta;
use super::json::{Object, array, quoted_len};
use super::prune::Pruned;
use super::share::{fair_share, fit, head};
use super::survey::{LISTING, Survey, room_left};

/// Bytes of a file that are shown at most.
const HEAD_BYTES: usize = 400;

/// Bytes for the head of each file, as far as there is room, when there are too many files for the target.
const LEAST_HEAD: usize = 80;

/// Bytes of a reason why a file was skipped.
const REASON_BYTES: usize = 200;

/// Reasons that are counted for files which are not listed; further ones are summed up.
const MAX_REASONS: usize = 4;

/// Bytes of a member's name and punctuation around a head.
const MEMBER_BYTES: usize = r#","content":"#.len();

#[derive(Deserialize)]
struct File {
    path: String,
    content: Option<String>,
    total_bytes: Option<u64>,
    total_lines: Option<u64>,
    #[serde(default)]
    truncated: bool,
    skipped: Option<String>,
}

/// The digest: `{total, …, "files":[{path, total_bytes?, total_lines?, truncated?, skipped?, content? | head?}],
/// "other_files"?}`. A file that is shown whole has `content`, one of which only the beginning is shown has `head`.
pub(super) fn digest(survey: &Survey) -> Option<Pruned> {
    let files: Vec<File> = survey.items()?;
    let mut object = survey.begin(files.len());
    let (mut listed, mut rest, mut used) = (Vec::new(), Vec::new(), 0);
    for file in &files {
        let about = about(file);
        if used + about.len() < LISTING {
            used += about.len() + 1;
            listed.push((file, about));
        } else {
            rest.push(file);
        }
    }
    others(&mut object, &rest);

    let wanted = || {
        listed
            .iter()
            .filter_map(|(file, _)| file.content.as_deref())
            .map(wanted)
    };
    let room = room_left(object.len() + used, LEAST_HEAD * wanted().count());
    // With less, no head would tell anything; so rather the first files have one than none.
    let share = fair_share(wanted(), room).max(LEAST_HEAD);
    let mut left = room;
    let mut meta = DigestMeta {
        arrays_collapsed: usize::from(!rest.is_empty()),
        ..DigestMeta::default()
    };
    let entries: Vec<String> = listed
        .iter_mut()
        .map(|(file, about)| {
            let before = about.len();
            let whole = show(about, file, share.min(left).saturating_sub(MEMBER_BYTES));
            left = left.saturating_sub(about.len() - before);
            meta.strings_truncated += usize::from(!whole);
            about.finish()
        })
        .collect();
    object.json("files", array(entries));
    Some(Pruned {
        text: object.finish(),
        meta,
    })
}

/// What is told of a file beside its text.
fn about(file: &File) -> Object {
    let mut object = Object::default();
    object.string("path", &file.path);
    if let Some(bytes) = file.total_bytes {
        object.number("total_bytes", bytes);
    }
    match (file.total_lines, &file.content) {
        (Some(lines), _) => object.number("total_lines", lines),
        (None, Some(content)) if !file.truncated => object.count("total_lines", lines(content)),
        _ => &mut object,
    };
    object.flag("truncated", file.truncated);
    if let Some(reason) = &file.skipped {
        object.string("skipped", fit(reason, REASON_BYTES));
    }
    object
}

/// Line feeds, and one more if the last line has none.
fn lines(text: &str) -> usize {
    text.matches('\n').count() + usize::from(!text.is_empty() && !text.ends_with('\n'))
}

/// Bytes to show a file as far as it may be shown.
fn wanted(content: &str) -> usize {
    MEMBER_BYTES + quoted_len(head(content, HEAD_BYTES, usize::MAX))
}

/// Adds the file's text as far as `room` bytes suffice; returns whether it is all there.
fn show(about: &mut Object, file: &File, room: usize) -> bool {
    let Some(content) = &file.content else {
        return true;
    };
    let head = head(content, HEAD_BYTES, room);
    if head.len() == content.len() {
        about.string("content", head);
        return true;
    }
    if !head.is_empty() {
        about.string("head", head);
    }
    false
}

/// Sums up the files that are not listed, those that were skipped by their reasons.
fn others(object: &mut Object, files: &[&File]) {
    if files.is_empty() {
        return;
    }
    let mut reasons: BTreeMap<&str, usize> = BTreeMap::new();
    for reason in files.iter().filter_map(|file| file.skipped.as_deref()) {
        *reasons.entry(fit(reason, REASON_BYTES)).or_insert(0) += 1;
    }
    let mut rest = Object::default();
    rest.count("files", files.len());
    let mut reasons: Vec<_> = reasons.into_iter().collect();
    reasons.sort_by_key(|(_, count)| std::cmp::Reverse(*count));
    if !reasons.is_empty() {
        let mut skipped = Object::default();
        for (reason, count) in reasons.iter().take(MAX_REASONS) {
            skipped.count(reason, *count);
        }
        let further: usize = reasons.iter().skip(MAX_REASONS).map(|(_, count)| count).sum();
        if further > 0 {
            skipped.count("(other)", further);
        }
        rest.json("skipped", skipped.finish());
    }
    object.json("other_files", rest.finish());
}
