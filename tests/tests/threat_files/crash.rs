//! F25, F26: what is left when the host is killed while it writes, and the order that decides it.

use std::collections::BTreeMap;
use std::fs;
use std::io::Write;
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use std::process::Stdio;
use std::time::{Duration, Instant};

use serde_json::{Value, json};
use toolgate_tests::support::{Tree, command, toolgate};

/// Sizes of what is written, in bytes; the large ones take long, and so come less often.
const SIZES: [usize; 11] = [0, 1, 4_096, 65_537, 1 << 20, 0, 100, 4_097, 200_000, 3 << 20, 8 << 20];

/// Makes the call in a process of its own, killed after `delay` if that is given; returns whether it succeeded, and
/// how long it took.
fn run(tree: &Tree, tool: &str, arguments: &Value, delay: Option<Duration>) -> (bool, Duration) {
    let mut caller = command();
    caller
        .args(["call", tool, "-", "--mode", "yolo", "--root", tree.text()])
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::null());
    let input = arguments.to_string().into_bytes();
    let started = Instant::now();
    let mut child = caller.spawn().unwrap();
    let mut stdin = child.stdin.take().unwrap();
    let feeder = std::thread::spawn(move || {
        // It may be killed before it has read everything.
        let _ = stdin.write_all(&input);
    });
    if let Some(delay) = delay {
        std::thread::sleep(delay);
        let _ = child.kill();
    }
    let output = child.wait_with_output().unwrap();
    feeder.join().unwrap();
    (output.status.success(), started.elapsed())
}

/// A file that is written over and over.
struct Victim {
    /// Where calls reach it.
    path: &'static str,
    /// Where it is.
    file: PathBuf,
    /// Its permissions, if it exists between the rounds.
    mode: Option<u32>,
    /// What it holds.
    content: Option<String>,
}

impl Victim {
    /// Begins with its round, so that an edit finds something that occurs once.
    fn content(round: u64, size: usize) -> String {
        if size == 0 {
            String::new()
        } else {
            format!("<{round}>{}", "x".repeat(size))
        }
    }

    /// A call that changes the content, and the new content.
    fn change(&self, round: u64, size: usize) -> (&'static str, Value, String) {
        match &self.content {
            Some(old) if !old.is_empty() && round % 9 < 4 => {
                let (mark, rest) = old.split_once('>').unwrap();
                let (old_mark, new_mark) = (format!("{mark}>"), format!("<{round}>"));
                let new = format!("{new_mark}{rest}");
                let arguments = json!({"path": self.path, "old_string": old_mark, "new_string": new_mark});
                ("edit_file", arguments, new)
            }
            _ => {
                let new = Self::content(round, size);
                ("write_file", json!({"path": self.path, "content": new}), new)
            }
        }
    }

    fn check(&self, round: u64) {
        if let Some(mode) = self.mode {
            let metadata = fs::symlink_metadata(&self.file).unwrap();
            assert_eq!(
                metadata.permissions().mode(),
                0o100_000 | mode,
                "round {round}: {}",
                self.path
            );
        }
    }
}

fn victims(tree: &Tree) -> [Victim; 4] {
    let files = [
        ("plain", "plain", Some(0o640)),
        ("absent", "absent", None),
        ("program", "program", Some(0o755)),
        ("link", "real/linked", Some(0o600)),
    ];
    fs::create_dir(tree.root().join("real")).unwrap();
    std::os::unix::fs::symlink("real/linked", tree.root().join("link")).unwrap();
    files.map(|(path, file, mode)| {
        let file = tree.root().join(file);
        if let Some(mode) = mode {
            fs::write(&file, "").unwrap();
            fs::set_permissions(&file, fs::Permissions::from_mode(mode)).unwrap();
        }
        let content = mode.map(|_| String::new());
        Victim {
            path,
            file,
            mode,
            content,
        }
    })
}

/// Every name below the tree.
fn names(tree: &Tree) -> Vec<String> {
    let list = |directory: &Path| {
        let names = fs::read_dir(directory).unwrap();
        names
            .map(|entry| entry.unwrap().file_name().into_string().unwrap())
            .collect::<Vec<_>>()
    };
    let mut names: Vec<String> = [list(tree.root()), list(&tree.root().join("real"))].concat();
    names.sort();
    names
}

/// How long an undisturbed call takes for each size decides when to kill.
fn usual(tree: &Tree) -> [Duration; SIZES.len()] {
    // The first start may compile the tools.
    assert!(run(tree, "write_file", &json!({"path": "plain", "content": ""}), None).0);
    let took = SIZES.map(|size| {
        let content = Victim::content(0, size);
        let (good, took) = run(tree, "write_file", &json!({"path": "plain", "content": content}), None);
        assert!(good);
        took
    });
    fs::write(tree.root().join("plain"), "").unwrap();
    took
}

#[test]
fn f25_killed_at_any_instant_the_file_is_old_or_new() {
    let kills = 500 * crate::soak();
    let tree = Tree::new(&[]);
    let mut victims = victims(&tree);
    let usual = usual(&tree);
    let mut outcomes = BTreeMap::new();
    let mut random = 0x9e37_79b9_7f4a_7c15_u64;
    for round in 0..kills {
        random = random.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
        let victim = &mut victims[round as usize % 4];
        let which = (random >> 40) as usize % SIZES.len();
        let (tool, arguments, new) = victim.change(round, SIZES[which]);
        let size = SIZES
            .iter()
            .position(|size| *size + 10 >= new.len() && *size > 0)
            .unwrap_or(which);
        // From the start of the process to a little after its usual end, more often near the end.
        let share = 0.3 + 0.9 * ((random >> 33) as f64 / (1_u64 << 31) as f64);
        let (acknowledged, _) = run(&tree, tool, &arguments, Some(usual[size].mul_f64(share)));
        let found = fs::read_to_string(&victim.file).ok();
        let length = |content: &Option<String>| content.as_ref().map(String::len);
        let replaced = found.as_ref() == Some(&new);
        assert!(
            replaced || found == victim.content,
            "round {round}, {tool} {}: {:?} bytes, neither {:?} nor {}",
            victim.path,
            length(&found),
            length(&victim.content),
            new.len()
        );
        assert!(!acknowledged || replaced, "round {round}: acknowledged and not there");
        victim.check(round);
        *outcomes.entry((tool, replaced)).or_insert(0) += 1;
        victim.content = found;
        if victim.mode.is_none() {
            let _ = fs::remove_file(&victim.file);
            victim.content = None;
        }
        if round % 100 == 99 {
            // The next start clears away what the last ones could not.
            assert!(run(&tree, "stat", &json!({"path": "plain"}), None).0);
            assert_eq!(
                names(&tree),
                ["link", "linked", "plain", "program", "real"],
                "round {round}"
            );
        }
    }
    assert!(
        outcomes.len() == 4 && outcomes.values().all(|count| *count > 10),
        "killed too often on the same side: {outcomes:?}"
    );
    assert_eq!(
        fs::read_link(tree.root().join("link")).unwrap(),
        Path::new("real/linked")
    );
}

/// What a line of the trace is about.
fn position(trace: &[&str], from: usize, matches: impl Fn(&str) -> bool) -> usize {
    let found = trace[from..].iter().position(|line| matches(line));
    from + found.unwrap_or_else(|| panic!("missing after line {from}: {trace:#?}"))
}

#[test]
fn f26_content_reaches_the_disk_before_the_name() {
    if !crate::program_for("strace", "the order of system calls") {
        return;
    }
    for (case, path, exists) in [
        ("replace", "target", true),
        ("create", "target", false),
        ("create below", "made/deep/target", false),
    ] {
        let tree = Tree::new(&[("keep", "keep")]);
        if exists {
            tree.write("target", "old");
        }
        let log = tree.root().join("keep");
        let calls = "trace=write,pwrite64,fsync,fdatasync,linkat,renameat,renameat2,mkdirat";
        let output = crate::traced()
            .args(["-y", "-s", "40", "-e", calls, "-o"])
            .arg(&log)
            .arg(toolgate())
            .args([
                "call",
                "write_file",
                &json!({"path": path, "content": "DURABLE"}).to_string(),
            ])
            .args(["--mode", "yolo", "--root", tree.text()])
            .output()
            .unwrap();
        assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
        let text = fs::read_to_string(&log).unwrap();
        let trace: Vec<&str> = text
            .lines()
            .filter(|line| line.contains(tree.text()) || line.contains("bytes"))
            .collect();
        let write = position(&trace, 0, |line| line.contains("write") && line.contains("DURABLE"));
        let sync = position(&trace, write, |line| line.contains("sync("));
        let name = position(&trace, sync, |line| {
            line.contains("linkat(") || line.contains("renameat")
        });
        let last = if exists {
            position(&trace, name, |line| line.contains("renameat"))
        } else {
            name
        };
        let folder = tree.root().join(path).parent().unwrap().display().to_string();
        let directory = position(&trace, last, |line| {
            line.contains("fsync(") && line.contains(&format!("<{folder}>"))
        });
        // The reply is the first thing that goes to standard output.
        let reply = position(&trace, directory, |line| line.contains("write(1<"));
        assert!(
            write < sync && sync < name && name < directory && directory < reply,
            "{case}: {trace:#?}"
        );
        // Directories made on the way are entries of others, which have to reach the disk as well.
        for made in trace.iter().filter(|line| line.contains("mkdirat(")) {
            let above = made
                .split_once('<')
                .and_then(|(_, rest)| rest.split_once('>'))
                .unwrap()
                .0;
            position(&trace[..reply], 0, |line| {
                line.contains("fsync(") && line.contains(&format!("<{above}>"))
            });
        }
    }
}
