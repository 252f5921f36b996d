//! F02: what a slash at the end of a path changes, for every kind of object and operation.

use std::fs;
use std::os::unix::fs::symlink;
use std::path::Path;

use crate::oracle::{Expect, KINDS, Kind, SUFFIXES, expect_open, expect_rename, expect_single};
use crate::probe::{Guest, Op, is_ok, on, op, open, rename};
use crate::tree::{Seen, snapshot};

/// The tree that the operations meet. The root stays the same directory: the host holds it open.
fn populate(inside: &Path) {
    for entry in fs::read_dir(inside).unwrap() {
        let path = entry.unwrap().path();
        fs::remove_file(&path).or_else(|_| fs::remove_dir_all(&path)).unwrap();
    }
    fs::write(inside.join("file"), "inside").unwrap();
    fs::create_dir(inside.join("dir")).unwrap();
    for kind in KINDS {
        if let Some(target) = kind.link_text() {
            symlink(target, inside.join(kind.name())).unwrap();
        }
    }
}

struct Matrix {
    guest: Guest,
    outside: std::collections::BTreeMap<String, Seen>,
    cases: u32,
}

impl Matrix {
    fn new() -> Self {
        let guest = Guest::new(toolgate::Config::default(), |base| {
            fs::create_dir(base.join("O/folder")).unwrap();
            fs::write(base.join("O/file"), "CANARY").unwrap();
            populate(&base.join("W"));
        });
        let outside = snapshot(&guest.rig.outside());
        Self {
            guest,
            outside,
            cases: 0,
        }
    }

    /// Runs cases one after the other; those that change the tree get a fresh one afterwards.
    fn check(&mut self, cases: &[(Vec<Op>, Expect)]) {
        let mut rest = cases;
        while !rest.is_empty() {
            let changing = rest.iter().position(|(_, expect)| *expect == Expect::Changes);
            let count = changing.map_or(rest.len(), |index| index + 1);
            let (now, later) = rest.split_at(count);
            let before = snapshot(&self.guest.rig.inside());
            for chunk in now.chunks(400) {
                self.run(chunk);
            }
            let after = snapshot(&self.guest.rig.inside());
            if changing.is_some() {
                assert_ne!(before, after, "{:?} changed nothing", now.last());
                populate(&self.guest.rig.inside());
            } else {
                assert_eq!(before, after, "one of {:?} changed something", now.len());
            }
            rest = later;
        }
        assert_eq!(snapshot(&self.guest.rig.outside()), self.outside);
    }

    fn run(&mut self, cases: &[(Vec<Op>, Expect)]) {
        let script: Vec<Op> = cases.iter().flat_map(|(ops, _)| ops.clone()).collect();
        let outcomes = self.guest.run_as("probe", ".", &script).unwrap();
        let mut outcomes = outcomes.iter();
        for (ops, expect) in cases {
            let own: Vec<&String> = outcomes.by_ref().take(ops.len()).collect();
            let last = own.last().unwrap();
            assert_eq!(
                is_ok(last),
                *expect != Expect::Error,
                "{ops:?}: {own:?}, expected {expect:?}"
            );
            assert!(!last.contains("CANARY"), "{ops:?}: {last}");
            self.cases += 1;
        }
    }
}

fn names() -> impl Iterator<Item = (Kind, &'static str)> {
    KINDS
        .into_iter()
        .flat_map(|kind| SUFFIXES.into_iter().map(move |suffix| (kind, suffix)))
}

fn path(kind: Kind, suffix: &str) -> String {
    format!("{}{suffix}", kind.name())
}

#[test]
fn f02_opening() {
    let mut matrix = Matrix::new();
    let mut cases = Vec::new();
    for (kind, suffix) in names() {
        for bits in 0_u32..64 {
            let letters: String = "rwcdxt"
                .chars()
                .enumerate()
                .filter(|(bit, _)| bits >> bit & 1 == 1)
                .map(|(_, letter)| letter)
                .collect();
            for follow in ["", "f"] {
                let how = format!("{letters}{follow}");
                let expect = expect_open(kind, suffix, &how);
                cases.push((vec![open(&path(kind, suffix), &how)], expect));
            }
        }
    }
    matrix.check(&cases);
    assert!(matrix.cases > 6_000, "{}", matrix.cases);
}

#[test]
fn f02_single_paths() {
    let mut matrix = Matrix::new();
    let mut cases = Vec::new();
    for (kind, suffix) in names() {
        let path = path(kind, suffix);
        for (name, how) in [
            ("stat_at", ""),
            ("stat_at", "f"),
            ("hash_at", ""),
            ("hash_at", "f"),
            ("mode_at", ""),
            ("readlink", ""),
            ("set_times_at", ""),
            ("set_times_at", "f"),
            ("mkdir", ""),
            ("rmdir", ""),
            ("unlink", ""),
            ("symlink", ""),
        ] {
            let expect = expect_single(kind, suffix, name, how == "f");
            cases.push((vec![on(name, &path).how(how).text("file").offset(1)], expect));
        }
        let replacement = [
            on("begin", &path).named("r"),
            op("put").at("r").text("new"),
            op("commit").at("r"),
        ];
        cases.push((replacement.to_vec(), expect_single(kind, suffix, "replace", false)));
    }
    matrix.check(&cases);
    assert!(matrix.cases >= 780, "{}", matrix.cases);
}

#[test]
fn f02_pairs() {
    let mut matrix = Matrix::new();
    let mut cases = Vec::new();
    for (old, old_suffix) in names() {
        for (new, new_suffix) in names() {
            let (from, to) = (path(old, old_suffix), path(new, new_suffix));
            cases.push((
                vec![rename(&from, &to)],
                expect_rename((old, old_suffix), (new, new_suffix)),
            ));
            for how in ["", "f"] {
                cases.push((vec![on("link", &from).how(how).to("0").new_path(&to)], Expect::Error));
            }
        }
    }
    matrix.check(&cases);
    assert!(matrix.cases >= 10_000, "{}", matrix.cases);
}
