//! What the digests of survey tools have in common: how a result is taken apart, how much room there is, and how
//! the digest begins.

use serde::de::DeserializeOwned;

use super::json::{Object, quoted_len};
use super::level::{Level, read};
use super::prune::{self, Pruned};
use super::share::spread;
use super::{entries, files, grep, paths};

/// Bytes that a digest should not exceed (FX-09).
pub(super) const TARGET: usize = 4000;

/// Bytes that no digest may exceed (FX-09).
const LIMIT: usize = 8000;

/// Bytes up to which every file is listed: that a file was found matters more than the target.
pub(super) const LISTING: usize = 4500;

/// Bytes up to which a digest may grow to show at least something of what it lists.
pub(super) const ROOM: usize = 6500;

/// Bytes of the member that holds the list and of the one that tells how much of it is shown.
const LIST_BYTES: usize = r#","entries_shown":50,"entries":[]"#.len();

/// Most matches or names that are shown.
pub(super) const MAX_SHOWN: usize = 50;

/// Bytes of the members beside the list, such as `truncated`.
const MAX_CARRIED: usize = 600;

/// Members that a digest writes itself; a result that has one is not of the shape it is made for.
const OWN: &[&str] = &[
    "_summary",
    "directories",
    "entries",
    "entries_shown",
    "extensions",
    "files",
    "files_total",
    "matches_shown",
    "paths",
    "paths_shown",
    "types",
];

/// The digest of a survey tool's result. `None` for another tool, or a result of another shape than that tool's.
pub(super) fn digest(tool: &str, raw: &str) -> Option<Pruned> {
    let (key, digest): (_, fn(&Survey) -> Option<Pruned>) = match tool {
        "grep" => ("matches", grep::digest),
        "glob" => ("paths", paths::digest),
        "list_dir" => ("entries", entries::digest),
        "read_many_files" => ("files", files::digest),
        _ => return None,
    };
    digest(&Survey::read(raw, key)?).filter(|pruned| pruned.text.len() <= LIMIT)
}

/// A survey result: one list, and members that tell about it.
pub(super) struct Survey<'a> {
    list: &'a str,
    total: Option<u64>,
    carried: Vec<(String, String)>,
}

impl<'a> Survey<'a> {
    /// Takes a result apart. `None` if it is no object with the list `key`, or if it holds so much beside the list
    /// that the list cannot be what it is about.
    fn read(raw: &'a str, key: &str) -> Option<Self> {
        let Level::Object(members) = read(raw)? else {
            return None;
        };
        let (mut list, mut total, mut carried) = (None, None, Vec::new());
        for (name, value) in members {
            match name.as_str() {
                name if name == key && list.is_none() => list = Some(value),
                "total" if total.is_none() => total = Some(value.parse().ok()?),
                "total" => return None,
                name if OWN.contains(&name) || name.starts_with("other_") => return None,
                _ => {
                    let value = prune::value(value, 1, false)?.text;
                    carried.push((name, value));
                }
            }
        }
        let size: usize = carried
            .iter()
            .map(|(name, value)| quoted_len(name) + value.len() + 2)
            .sum();
        (size <= MAX_CARRIED).then_some(Self {
            list: list?,
            total,
            carried,
        })
    }

    /// The items of the list; `None` if one has another shape.
    pub(super) fn items<T: DeserializeOwned>(&self) -> Option<Vec<T>> {
        serde_json::from_str(self.list).ok()
    }

    /// The beginning of the digest: a sign that it is none of the tool's results, how many items there are in all
    /// (as the result tells, else the `found` ones), and what the result tells about its list.
    pub(super) fn begin(&self, found: usize) -> Object {
        let mut object = Object::default();
        object.flag("_summary", true);
        match self.total {
            Some(total) => object.number("total", total),
            None => object.count("total", found),
        };
        for (name, value) in &self.carried {
            object.json(name, value);
        }
        object
    }
}

/// Bytes left to show items, where `used` are taken: up to the target, but at least `least` as far as there is room.
pub(super) fn room_left(used: usize, least: usize) -> usize {
    let used = used + LIST_BYTES;
    TARGET.saturating_sub(used).max(least.min(ROOM.saturating_sub(used)))
}

/// Which items to show of a list whose items belong to groups and take these `sizes` in bytes: up to fifty, spread
/// over the groups, as many as the target leaves room for. Positions in ascending order.
pub(super) fn select(group_of: &[usize], sizes: &[usize], used: usize) -> Vec<usize> {
    let room = room_left(used, 0);
    // One very long name must not be shown instead of all others.
    let short: Vec<usize> = (0..sizes.len()).filter(|at| sizes[*at] <= room / 4).collect();
    if short.is_empty() {
        let shortest = (0..sizes.len()).min_by_key(|at| sizes[*at]);
        let room = ROOM.saturating_sub(used);
        return shortest.filter(|at| sizes[*at] <= room).into_iter().collect();
    }
    let groups: Vec<usize> = short.iter().map(|at| group_of[*at]).collect();
    (1..=MAX_SHOWN)
        .rev()
        .map(|count| -> Vec<usize> { spread(&groups, count).into_iter().map(|at| short[at]).collect() })
        .find(|shown| shown.iter().map(|at| sizes[*at]).sum::<usize>() <= room)
        .unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn another_shape_is_left_to_the_pruner() {
        for (tool, raw) in [
            ("stat", r#"{"matches":[]}"#),
            ("grep", r#"[{"path":"a","line":1,"text":"x"}]"#),
            ("grep", r#"{"paths":[]}"#),
            ("grep", r#"{"matches":[{"path":"a","line":"1","text":"x"}]}"#),
            ("grep", r#"{"matches":[],"total":-1}"#),
            ("glob", r#"{"paths":[1]}"#),
            ("list_dir", r#"{"entries":{}}"#),
            ("read_many_files", r#"{"files":[{"content":"x"}]}"#),
        ] {
            assert!(digest(tool, raw).is_none(), "{tool} {raw}");
        }
        let members = (0..200).map(|n| format!(r#""k{n}":1"#)).collect::<Vec<_>>().join(",");
        assert!(digest("grep", &format!(r#"{{"matches":[],{members}}}"#)).is_none());
    }

    #[test]
    fn a_long_name_does_not_hide_the_others() {
        let sizes = [3900, 30, 30, 30];
        assert_eq!(select(&[0, 1, 1, 1], &sizes, 100), [1, 2, 3]);
        assert_eq!(select(&[0], &[4100], 500), [0]);
        assert_eq!(select(&[0], &[6100], 500), [0; 0]);
        assert_eq!(select(&[], &[], 500), [0; 0]);
    }

    #[test]
    fn what_is_told_about_the_list_is_carried_over() {
        let raw = r#"{"skipped_binary":3,"entries":[],"total":501,"truncated":true}"#;
        let text = digest("list_dir", raw).unwrap().text;
        assert!(
            text.starts_with(r#"{"_summary":true,"total":501,"skipped_binary":3,"truncated":true,"#),
            "{text}"
        );
    }
}
