//! F25, F26: what is left when the host is killed while it writes, and the order that decides it.

use std::fs;
use std::io::Write;
use std::os::unix::fs::PermissionsExt;
use std::path::Path;
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use serde_json::json;
use toolgate_tests::support::{Tree, command, toolgate};

/// `write_file` of this content by a process of its own.
fn writer(tree: &Tree, path: &str, content: &str) -> (Command, Vec<u8>) {
    let mut writer = command();
    writer
        .args(["call", "write_file", "-", "--mode", "yolo", "--root", tree.text()])
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::null());
    (
        writer,
        json!({"path": path, "content": content}).to_string().into_bytes(),
    )
}

/// Runs it, killed after `delay` if that is given; returns whether it succeeded, and how long it took.
fn run(tree: &Tree, path: &str, content: &str, delay: Option<Duration>) -> (bool, Duration) {
    let (mut writer, input) = writer(tree, path, content);
    let started = Instant::now();
    let mut child = writer.spawn().unwrap();
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

fn leftovers(top: &Path) -> Vec<String> {
    let names = fs::read_dir(top)
        .unwrap()
        .map(|entry| entry.unwrap().file_name().into_string().unwrap());
    names.filter(|name| name != "target" && name != "keep").collect()
}

#[test]
fn f25_killed_at_any_instant_the_file_is_old_or_new() {
    let kills = 300 * crate::soak();
    let sizes = [0, 1, 4_096, 65_537, 1 << 20, 3 << 20];
    let tree = Tree::new(&[("keep", "keep")]);
    let target = tree.root().join("target");
    // The first start may compile the tools.
    assert!(run(&tree, "target", "", None).0);
    // How long an undisturbed write takes decides when to kill.
    let usual: Vec<Duration> = sizes
        .iter()
        .map(|&size| {
            let (good, took) = run(&tree, "target", &"a".repeat(size), None);
            assert!(good);
            took
        })
        .collect();
    fs::write(&target, "").unwrap();
    fs::set_permissions(&target, fs::Permissions::from_mode(0o640)).unwrap();
    let mut old = String::new();
    let (mut kept, mut replaced, mut random) = (0, 0, 0x9e37_79b9_7f4a_7c15_u64);
    for round in 0..kills {
        let which = round as usize % sizes.len();
        let letter = char::from(b'a' + (round % 26) as u8);
        let new = String::from(letter).repeat(sizes[which]);
        random = random.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
        // From the start of the process to a little after its usual end, more often near the end.
        let share = 0.3 + 0.9 * ((random >> 33) as f64 / (1_u64 << 31) as f64);
        let (acknowledged, _) = run(&tree, "target", &new, Some(usual[which].mul_f64(share)));
        let found = fs::read_to_string(&target).unwrap();
        assert!(
            found == old || found == new,
            "round {round}: {} bytes, neither {} nor {}",
            found.len(),
            old.len(),
            new.len()
        );
        assert!(
            !acknowledged || found == new,
            "round {round}: acknowledged and not there"
        );
        assert_eq!(
            fs::metadata(&target).unwrap().permissions().mode() & 0o7777,
            0o640,
            "round {round}"
        );
        if found == new {
            replaced += 1
        } else {
            kept += 1
        }
        old = found;
    }
    assert!(
        kept > 0 && replaced > 0,
        "killed only {kept} times before and {replaced} times after"
    );
    // The next start clears away what the last ones could not.
    assert!(run(&tree, "target", "end", None).0);
    assert_eq!(leftovers(tree.root()), Vec::<String>::new());
    assert_eq!(tree.read("target").as_deref(), Some("end"));
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
