//! Files from real projects, against lists of what they declare that other programs made.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

use super::{outline, real_files};

/// What a list says: lines, and the names that are declared on each.
fn expected(source: &Path) -> BTreeMap<usize, Vec<String>> {
    let mut path = source.as_os_str().to_owned();
    path.push(".declarations");
    let list = std::fs::read_to_string(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
    let mut expected: BTreeMap<usize, Vec<String>> = BTreeMap::new();
    for line in list.lines() {
        let (number, name) = line.split_once(' ').unwrap();
        expected
            .entry(number.parse().unwrap())
            .or_default()
            .push(name.to_owned());
    }
    expected
}

/// What an outline says: lines, and the text that starts on each.
fn reported(outline: &str) -> BTreeMap<usize, String> {
    let mut reported: BTreeMap<usize, String> = BTreeMap::new();
    let mut current = 0;
    for line in outline.lines() {
        let (number, text) = line.split_at(7.min(line.len()));
        if let Ok(number) = number.trim().parse() {
            assert!(reported.insert(number, String::new()).is_none(), "line {number} twice");
            current = number;
        }
        reported.get_mut(&current).unwrap().push_str(text);
    }
    reported
}

#[test]
fn exactly_the_declarations_of_real_files_at_their_lines() {
    let files = real_files();
    let mut languages: BTreeMap<&str, usize> = BTreeMap::new();
    for (path, source) in &files {
        let made = outline(path.to_str().unwrap(), source).unwrap();
        *languages.entry(made.language).or_default() += 1;
        assert_eq!((made.analysis, made.note), ("parsed", None));
        let (expected, reported) = (expected(path), reported(&made.text));
        let lines = |keys: Vec<&usize>| keys.into_iter().copied().collect::<BTreeSet<_>>();
        assert_eq!(
            lines(reported.keys().collect()),
            lines(expected.keys().collect()),
            "{}",
            path.display()
        );
        for (line, names) in expected {
            for name in names {
                let text = &reported[&line];
                assert!(
                    text.contains(&name),
                    "{}:{line}: {name} is not in {text}",
                    path.display()
                );
            }
        }
    }
    assert_eq!(languages.len(), 8, "{languages:?}");
    assert!(languages.values().all(|files| *files >= 3), "{languages:?}");
}
