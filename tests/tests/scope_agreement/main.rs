//! F11: the gate's answer about a path, the sandbox's behaviour on it, and the obvious reading of
//! the rules are the same.

#![allow(clippy::unwrap_used, reason = "a failed unwrap is a failed test")]

mod reference;

#[allow(dead_code, reason = "shared with the threat rows, which use all of it")]
#[path = "../threat_files/probe.rs"]
mod probe;

use std::path::Path;

use serde_json::json;
use toolgate::Config;
use toolgate::config::AllowPath;
use toolgate::scope::{Access, PathScope};

use probe::{Guest, Op, is_ok, on, op, open, rename};
use reference::{Answer, Object, Policy};

/// Cases of one policy.
const CASES: usize = 500;
/// How many of them are asked about by whole calls as well.
const CALLS: usize = 25;

/// A generator that gives the same cases in each run.
struct Random(u64);

impl Random {
    fn below(&mut self, limit: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0 % limit as u64) as usize
    }

    fn pick<T: Copy>(&mut self, all: &[T]) -> T {
        all[self.below(all.len())]
    }

    fn some<T: Copy>(&mut self, all: &[T], most: usize) -> Vec<T> {
        (0..self.below(most + 1)).map(|_| self.pick(all)).collect()
    }
}

const ALLOW: [(&str, &str); 14] = [
    ("./a/...", "r"),
    ("./a/b/...", "rw"),
    ("./a/b/c/...", "w"),
    ("./dir/*.txt", "r"),
    ("./dir/in.txt", "w"),
    ("./dir/**", "r"),
    ("./*/b/...", "r"),
    ("./**/*.pem", "r"),
    ("./ro/...", "r"),
    ("./ro/a/in.txt", "rw"),
    ("./ro/{a,dir}/*", "w"),
    ("./[a-d]*/in.txt", "r"),
    ("./secrets/...", "rw"),
    ("./new", "r"),
];

const DENY: [&str; 22] = [
    "**/.env",
    ".env*",
    "*.pem",
    "**/*.pem",
    "./secrets/...",
    "./secrets",
    "secrets",
    "**/secrets/key",
    "**/b/**",
    "./a/b/**",
    "./a/*/c",
    "./*/in.txt",
    "./ro/**/in.txt",
    "./{a,ro}/b/...",
    "**/{key,in.txt}",
    "./dir/[!i]*",
    "./dir/?n.txt",
    "new",
    "**/new/...",
    "./a/b/c/new",
    "./ro/\\a",
    "./**/dir",
];

const LIFT: [&str; 6] = [
    "git_hooks",
    "shell_start_files",
    "editor_settings",
    "ci",
    "env_files",
    "keys",
];

/// Names, and beginnings of paths that mean something together.
const NAMES: [&str; 45] = [
    "a",
    "a",
    "b",
    "b",
    "c",
    "dir",
    "ro",
    "secrets",
    "key",
    "in.txt",
    "in.txt",
    ".env",
    ".env.local",
    "x.pem",
    "new",
    "l_dir",
    "l_env",
    "l_in",
    "l_up",
    "l_out",
    "l_gone",
    "..",
    ".",
    ".git",
    ".git/hooks",
    "hooks",
    "config",
    "config",
    ".vscode",
    ".vscode",
    ".github",
    ".github/workflows",
    "workflows",
    ".config/fish",
    "config.fish",
    ".bashrc",
    ".bashrc",
    ".env.example",
    ".ENV",
    ".Git",
    "X.PEM",
    ".ssh",
    "id_rsa",
    "in.txt",
    "dir",
];

fn build(base: &Path) {
    for folder in reference::FOLDERS {
        std::fs::create_dir_all(base.join("W").join(folder)).unwrap();
        for file in reference::FILES {
            std::fs::write(base.join("W").join(folder).join(file), "inside").unwrap();
        }
        for (link, target) in reference::LINKS {
            std::os::unix::fs::symlink(target, base.join("W").join(folder).join(link)).unwrap();
        }
    }
    std::fs::write(base.join("O/in.txt"), "CANARY").unwrap();
}

fn policy(random: &mut Random) -> Policy {
    Policy {
        allow: random.some(&ALLOW, 4),
        deny: random.some(&DENY, 4),
        lift: random.some(&LIFT, 5),
    }
}

fn guest(policy: &Policy) -> Guest {
    let mut config = Config::default();
    config.path_scope.lift = policy.lift.iter().map(|class| class.parse().unwrap()).collect();
    config.path_scope.deny = policy.deny.iter().map(ToString::to_string).collect();
    config.path_scope.allow_paths = policy
        .allow
        .iter()
        .map(|(path, access)| AllowPath {
            path: (*path).to_owned(),
            access: (*access).to_owned(),
            mode: None,
        })
        .collect();
    Guest::new(config, build)
}

fn scope(policy: &Policy, root: &Path) -> PathScope {
    let mut builder = PathScope::builder(root.to_str().unwrap())
        .deny(policy.deny.iter().copied())
        .lift(policy.lift.iter().copied());
    for (path, access) in &policy.allow {
        builder = builder.allow(*path, access.parse::<Access>().unwrap());
    }
    builder.build().unwrap()
}

/// Operations that show what is permitted, and which of them should succeed. What they make they
/// remove again, and what they move they move back.
fn questions(path: &str, answer: &Answer, access: Access) -> Vec<(Op, bool)> {
    let Access { read, write } = access;
    // The guest's approval is one of the whole tree, which is none of a file that grants rights.
    let change = write && !answer.guarded;
    let exists = matches!(answer.object, Object::File | Object::Directory);
    let mut asked = vec![
        (on("stat_at", path).how("f"), exists && (read || write)),
        (open(path, "rf"), exists && read),
        (op("list").at("f"), answer.object == Object::Directory && read),
    ];
    // A handle of a directory does not write, whatever was asked for.
    if answer.object != Object::Directory {
        asked.push((open(path, "wf"), answer.object == Object::File && change));
    }
    match answer.object {
        Object::File => {
            asked.push((open(path, "wtf"), change));
            asked.push((op("write").at("f").text("inside"), change));
            asked.push((on("set_times_at", path).how("f").offset(1), change));
            asked.push((rename(path, "moved away"), change));
            asked.push((rename("moved away", path), change));
        }
        Object::Absent => {
            for make in [open(path, "wcxf"), on("mkdir", path)] {
                let remove = if make.is("mkdir") { "rmdir" } else { "unlink" };
                asked.push((make, change));
                asked.push((on(remove, path), change));
            }
            asked.push((open("moved away", "wcx"), true));
            asked.push((rename("moved away", path), change));
            asked.push((rename(path, "moved away"), change));
            asked.push((on("unlink", "moved away"), true));
        }
        Object::Directory | Object::Nowhere => {}
    }
    asked
}

/// The same through whole calls of tools that name one file each.
fn calls(guest: &Guest, path: &str, answer: &Answer) {
    let Access { read, write } = answer.access;
    let change = write && !answer.guarded;
    if answer.object == Object::File {
        let told = guest.call("read_file", json!({"path": path}));
        assert_eq!(told.is_ok(), read, "read_file {path}: {answer:?}: {told:?}");
    }
    if matches!(answer.object, Object::File | Object::Absent) {
        let told = guest.call("write_file", json!({"path": path, "content": "inside"}));
        assert_eq!(told.is_ok(), change, "write_file {path}: {answer:?}: {told:?}");
    }
    if answer.object == Object::Absent {
        let told = guest.call("delete_file", json!({"path": path}));
        assert_eq!(told.is_ok(), change, "delete_file {path}: {answer:?}: {told:?}");
    }
}

#[test]
fn f11_gate_sandbox_and_reference_agree() {
    let soak = std::env::var_os("TOOLGATE_SOAK").is_some();
    let policies = if soak { 2_000 } else { 40 };
    let mut random = Random(0x0123_4567_89ab_cdef);
    let (mut cases, mut granted, mut refused) = (0, 0, 0);
    for _ in 0..policies {
        let policy = policy(&mut random);
        let guest = guest(&policy);
        let root = guest.rig.inside();
        let scope = scope(&policy, &root);
        let mut asked = Vec::new();
        for number in 0..CASES {
            let length = 1 + random.below(5);
            let mut names: Vec<&str> = (0..length).map(|_| random.pick(&NAMES)).collect();
            // At the end these would ask for a directory, which is a matter of its own.
            while names.last().is_some_and(|name| [".", ".."].contains(name)) {
                names.pop();
            }
            let path = if names.is_empty() {
                "in.txt".to_owned()
            } else {
                names.join("/")
            };
            let answer = policy.answer(root.to_str().unwrap(), &path);
            assert_eq!(
                scope.access_of(&path),
                answer.access,
                "the gate on {path} with {policy:?}, {answer:?}"
            );
            // The gate hands on the place without links: there the sandbox does the same.
            let place = answer.place.clone().unwrap_or_else(|| path.clone());
            if number < CALLS {
                calls(&guest, &path, &answer);
            }
            asked.extend(
                questions(&place, &answer, answer.place_access)
                    .into_iter()
                    .map(|(op, expected)| (path.clone(), op, expected, true)),
            );
            // A guest that follows links itself may find less, since both names count, and never more.
            asked.extend(
                questions(&path, &answer, answer.access)
                    .into_iter()
                    .map(|(op, expected)| (path.clone(), op, expected, place == path)),
            );
            if answer.access == Access::NONE {
                refused += 1
            } else {
                granted += 1
            }
            cases += 1;
        }
        let ops: Vec<Op> = asked.iter().map(|(_, op, ..)| op.clone()).collect();
        for ((path, op, expected, exact), outcome) in asked.iter().zip(guest.run(&ops)) {
            let agrees = if *exact {
                is_ok(&outcome) == *expected
            } else {
                *expected || !is_ok(&outcome)
            };
            assert!(agrees, "the sandbox on {path} with {policy:?}: {op:?}: {outcome}");
        }
    }
    println!("{cases} cases of {policies} policies: {granted} granted something, {refused} nothing");
    assert!(
        cases >= 20_000 && granted > cases / 10 && refused > cases / 10,
        "{granted} and {refused} of {cases}"
    );
}
