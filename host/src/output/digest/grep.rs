//! The digest of `grep`: how many matches each file has, and some matches of as many files as possible.

use serde::Deserialize;

use super::DigestMeta;
use super::json::{Object, array, quoted_len};
use super::prune::Pruned;
use super::share::{Groups, fair_share, fit, quotas};
use super::survey::{LISTING, MAX_SHOWN, Survey, room_left};

/// Bytes for matches, however many files there are to be listed.
const LEAST_FOR_MATCHES: usize = 1500;

/// Bytes of a listed file beside its path.
const FILE_BYTES: usize = r#"{"path":,"count":1000000,"matches":[]},"#.len();

/// Bytes of a match beside its line number and text.
const MATCH_BYTES: usize = r#"{"line":,"text":},"#.len();

/// Bytes of the sign that a text is not whole.
const CLIPPED_BYTES: usize = r#","clipped":true"#.len();

/// Bytes of a text, quotes included, below which rather fewer matches are shown.
const LEAST_TEXT: usize = 60;

#[derive(Deserialize)]
struct Match {
    path: String,
    line: u64,
    text: String,
    #[serde(default)]
    clipped: bool,
}

impl Match {
    /// The line without its indentation, which tells least and would take the room of the match.
    fn text(&self) -> &str {
        self.text.trim_start()
    }

    /// Bytes beside the text, if that is not cut below the least.
    fn bytes_beside_text(&self) -> usize {
        let clipped = self.clipped || quoted_len(self.text()) > LEAST_TEXT;
        MATCH_BYTES + self.line.to_string().len() + if clipped { CLIPPED_BYTES } else { 0 }
    }
}

struct File<'a> {
    path: &'a str,
    matches: Vec<&'a Match>,
}

/// The digest: `{total, …, "files":[{path, count, "matches"?:[{line, text, clipped?}]}], "other_files"?}`.
pub(super) fn digest(survey: &Survey) -> Option<Pruned> {
    let matches: Vec<Match> = survey.items()?;
    let files = by_file(&matches);
    let mut object = survey.begin(matches.len());
    object.count("files_total", files.len());
    let (listed, used) = listed(&files, LISTING);
    let room = room_left(object.len() + used, LEAST_FOR_MATCHES);
    let quotas = (0..=MAX_SHOWN)
        .rev()
        .map(|count| shares(&listed, count))
        .find(|quotas| least_size(&listed, quotas) <= room)
        .unwrap_or_default();
    let beside: usize = shown(&listed, &quotas).map(Match::bytes_beside_text).sum();
    let texts = shown(&listed, &quotas).map(|found| quoted_len(found.text()));
    let share = fair_share(texts, room.saturating_sub(beside));
    let shown: usize = quotas.iter().sum();

    let mut meta = DigestMeta {
        arrays_collapsed: usize::from(shown < matches.len()),
        ..DigestMeta::default()
    };
    let entries: Vec<String> = listed
        .iter()
        .zip(&quotas)
        .map(|(file, quota)| entry(file, *quota, share, &mut meta))
        .collect();
    object.count("matches_shown", shown).json("files", array(entries));
    if listed.len() < files.len() {
        let mut rest = Object::default();
        let in_listed: usize = listed.iter().map(|file| file.matches.len()).sum();
        rest.count("files", files.len() - listed.len())
            .count("matches", matches.len() - in_listed);
        object.json("other_files", rest.finish());
    }
    Some(Pruned {
        text: object.finish(),
        meta,
    })
}

/// The files in the order of their first match.
fn by_file(matches: &[Match]) -> Vec<File<'_>> {
    let mut files: Vec<File> = Vec::new();
    let mut groups = Groups::default();
    for found in matches {
        let at = groups.number(found.path.as_str());
        if at == files.len() {
            files.push(File {
                path: &found.path,
                matches: Vec::new(),
            });
        }
        files[at].matches.push(found);
    }
    files
}

/// The files for which `room` bytes suffice, in their order, and the bytes they take. If not all fit, those with the
/// most matches are there.
fn listed<'a, 'b>(files: &'b [File<'a>], room: usize) -> (Vec<&'b File<'a>>, usize) {
    let mut order: Vec<usize> = (0..files.len()).collect();
    order.sort_by_key(|at| std::cmp::Reverse(files[*at].matches.len()));
    let mut used = 0;
    order.retain(|at| {
        let size = FILE_BYTES + quoted_len(files[*at].path);
        let fits = used + size <= room;
        used += if fits { size } else { 0 };
        fits
    });
    order.sort_unstable();
    (order.into_iter().map(|at| &files[at]).collect(), used)
}

/// How many matches of each file are shown if `count` are shown in all.
fn shares(files: &[&File], count: usize) -> Vec<usize> {
    let sizes: Vec<usize> = files.iter().map(|file| file.matches.len()).collect();
    quotas(&sizes, count)
}

fn shown<'a>(files: &[&File<'a>], quotas: &[usize]) -> impl Iterator<Item = &'a Match> {
    files
        .iter()
        .zip(quotas)
        .flat_map(|(file, quota)| file.matches[..*quota].iter().copied())
}

/// Bytes of these matches if each text is cut to the least.
fn least_size(files: &[&File], quotas: &[usize]) -> usize {
    shown(files, quotas)
        .map(|found| found.bytes_beside_text() + quoted_len(found.text()).min(LEAST_TEXT))
        .sum()
}

fn entry(file: &File, quota: usize, share: usize, meta: &mut DigestMeta) -> String {
    let mut entry = Object::default();
    entry.string("path", file.path).count("count", file.matches.len());
    if quota > 0 {
        let matches = file.matches[..quota].iter().map(|found| {
            let text = fit(found.text(), share);
            let cut = text.len() < found.text().len();
            meta.strings_truncated += usize::from(cut);
            let mut shown = Object::default();
            shown
                .number("line", found.line)
                .string("text", text)
                .flag("clipped", cut || found.clipped);
            shown.finish()
        });
        entry.json("matches", array(matches));
    }
    entry.finish()
}
