//! A walk and a matcher of patterns, written once more and as plainly as can be.

use std::fs;
use std::path::Path;

use crate::trees::SKIPPED;

/// The files of a tree that a walk reports, relative to it, in byte order: regular ones, and links
/// to such within the tree. Names that are not UTF-8 are left out.
pub(crate) fn files(root: &Path) -> Vec<String> {
    let mut files = Vec::new();
    visit(root, "", &mut |path, file| {
        if file {
            files.push(path.to_owned());
        }
    });
    files.sort();
    files
}

/// How many entries a walk visits.
pub(crate) fn entries(root: &Path) -> u64 {
    let mut count = 0;
    visit(root, "", &mut |_, _| count += 1);
    count
}

fn visit(root: &Path, relative: &str, found: &mut dyn FnMut(&str, bool)) {
    for entry in fs::read_dir(root.join(relative)).unwrap() {
        let entry = entry.unwrap();
        let Ok(name) = entry.file_name().into_string() else {
            continue;
        };
        let path = if relative.is_empty() {
            name.clone()
        } else {
            format!("{relative}/{name}")
        };
        let kind = entry.file_type().unwrap();
        let target = entry.path().canonicalize();
        let leads_to_file = target.is_ok_and(|target| target.starts_with(root) && target.is_file());
        found(&path, kind.is_file() || (kind.is_symlink() && leads_to_file));
        if kind.is_dir() && !SKIPPED.contains(&name.as_str()) {
            visit(root, &path, found);
        }
    }
}

/// Whether a pattern without braces matches a path: its name, unless the pattern has a `/`.
pub(crate) fn matches(pattern: &str, path: &str) -> bool {
    let pattern: Vec<char> = pattern.chars().collect();
    let subject = if pattern.contains(&'/') {
        path
    } else {
        path.rsplit('/').next().unwrap()
    };
    let subject: Vec<char> = subject.chars().collect();
    all(&pattern, &subject)
}

fn all(pattern: &[char], text: &[char]) -> bool {
    match pattern {
        [] => text.is_empty(),
        ['*', '*', '/', rest @ ..] => {
            let after = |at: &usize| *at == 0 || text[at - 1] == '/';
            (0..=text.len()).filter(after).any(|at| all(rest, &text[at..]))
        }
        ['*', '*'] => !text.is_empty(),
        ['*', rest @ ..] => {
            let end = text.iter().position(|c| *c == '/').unwrap_or(text.len());
            (0..=end).any(|at| all(rest, &text[at..]))
        }
        ['?', rest @ ..] => text.first().is_some_and(|c| *c != '/') && all(rest, &text[1..]),
        ['[', class @ ..] => {
            let end = class.iter().skip(1).position(|c| *c == ']').unwrap() + 1;
            let (class, rest) = (&class[..end], &class[end + 1..]);
            text.first().is_some_and(|c| *c != '/' && admits(class, *c)) && all(rest, &text[1..])
        }
        ['\\', plain, rest @ ..] | [plain, rest @ ..] => text.first() == Some(plain) && all(rest, &text[1..]),
    }
}

fn admits(class: &[char], c: char) -> bool {
    match class {
        ['!' | '^', class @ ..] => !admits(class, c),
        [low, '-', high, rest @ ..] => (*low..=*high).contains(&c) || admits(rest, c),
        [one, rest @ ..] => *one == c || admits(rest, c),
        [] => false,
    }
}
