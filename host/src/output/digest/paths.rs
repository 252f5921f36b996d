//! The digest of `glob`: how many files there are by directory and by extension, and some paths of each directory.

use super::DigestMeta;
use super::counts::{Counts, extension};
use super::json::{array, quote, quoted_len};
use super::prune::Pruned;
use super::share::Groups;
use super::survey::{Survey, select};

/// Most directories that are counted one by one.
const MAX_DIRECTORIES: usize = 40;

/// Bytes for the counts of directories.
const DIRECTORY_BYTES: usize = 1400;

/// Bytes for the counts of extensions.
const EXTENSION_BYTES: usize = 400;

/// The digest: `{total, …, "directories":{path: count}, "extensions":{extension: count}, "paths":[…]}`. If there are
/// too many directories, each count includes what is further below.
pub(super) fn digest(survey: &Survey) -> Option<Pruned> {
    let paths: Vec<String> = survey.items()?;
    let mut object = survey.begin(paths.len());
    directories(&paths).write(&mut object, "directories", DIRECTORY_BYTES);
    let extensions: Counts = paths.iter().map(|path| extension(name(path))).collect();
    extensions.write(&mut object, "extensions", EXTENSION_BYTES);
    let shown = shown(&paths, object.len());
    object
        .count("paths_shown", shown.len())
        .json("paths", array(shown.iter().map(|path| quote(path))));
    Some(Pruned {
        text: object.finish(),
        meta: DigestMeta {
            arrays_collapsed: usize::from(shown.len() < paths.len()),
            ..DigestMeta::default()
        },
    })
}

fn name(path: &str) -> &str {
    path.rsplit_once('/').map_or(path, |(_, name)| name)
}

/// The directory of a path, and of that at most the first `depth` names.
fn directory(path: &str, depth: usize) -> &str {
    let directory = path.rsplit_once('/').map_or(".", |(directory, _)| directory);
    let end = directory
        .match_indices('/')
        .filter(|(at, _)| *at > 0)
        .nth(depth.saturating_sub(1))
        .map_or(directory.len(), |(at, _)| at);
    match &directory[..end] {
        "" => "/",
        shorter => shorter,
    }
}

/// Counts at the greatest depth at which there are few enough directories; where even the first fork has too many,
/// at that fork.
fn directories(paths: &[String]) -> Counts<'_> {
    let at = |depth| -> Counts { paths.iter().map(|path| directory(path, depth)).collect() };
    let fits = |counts: &Counts| counts.len() <= MAX_DIRECTORIES && counts.encoded_len() < DIRECTORY_BYTES;
    let deepest = paths.iter().map(|path| path.matches('/').count()).max().unwrap_or(0);
    let all = at(deepest.max(1));
    if fits(&all) {
        return all;
    }
    let (mut low, mut high) = (1, deepest.max(1));
    while low + 1 < high {
        let middle = low.midpoint(high);
        if fits(&at(middle)) {
            low = middle;
        } else {
            high = middle;
        }
    }
    let (above, fork) = (at(low), at(high));
    if above.len() > 1 || fork.len() <= 1 {
        above
    } else {
        fork
    }
}

/// Paths of which none comes from one directory while another could show its first.
fn shown(paths: &[String], used: usize) -> Vec<&str> {
    let mut groups = Groups::default();
    let group_of: Vec<usize> = paths
        .iter()
        .map(|path| groups.number(directory(path, usize::MAX)))
        .collect();
    let sizes: Vec<usize> = paths.iter().map(|path| quoted_len(path) + 1).collect();
    select(&group_of, &sizes, used)
        .into_iter()
        .map(|at| paths[at].as_str())
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn labels(paths: &[String]) -> String {
        let mut object = super::super::json::Object::default();
        directories(paths).write(&mut object, "d", DIRECTORY_BYTES);
        object.finish()
    }

    #[test]
    fn directories_are_counted_as_deep_as_there_is_room() {
        let few = ["/w/a.rs", "/w/b/c/d.rs", "/w/b/c/e.rs"].map(str::to_owned);
        assert_eq!(labels(&few), r#"{"d":{"/w/b/c":2,"/w":1}}"#);
        let many: Vec<String> = (0..300).map(|n| format!("/w/{}/{n}/x.rs", n % 3)).collect();
        assert_eq!(labels(&many), r#"{"d":{"/w/0":100,"/w/1":100,"/w/2":100}}"#);
        let wide: Vec<String> = (0..300).map(|n| format!("/w/{n:03}/x.rs")).collect();
        let found = labels(&wide);
        assert!(found.starts_with(r#"{"d":{"/w/000":1,"/w/001":1,"#), "{found}");
        assert!(found.ends_with(r#"other_d":{"d":173,"count":173}}"#), "{found}");
    }

    #[test]
    fn directory_of_a_path() {
        assert_eq!(directory("/a/b/c", usize::MAX), "/a/b");
        assert_eq!(directory("/a/b/c", 1), "/a");
        assert_eq!(directory("/a", 3), "/");
        assert_eq!(directory("a/b/c", 1), "a");
        assert_eq!(directory("a", 1), ".");
    }
}
