//! F28, F29: several writers, and files that change while they are read.

use std::fs;
use std::io::Write;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use serde_json::json;
use toolgate::{Call, Config};

use crate::probe::{Guest, is_ok, on, op, open};

#[test]
fn f28_the_last_writer_wins_whole() {
    const WRITERS: u8 = 4;
    let rounds = 40 * crate::soak();
    let guest = Guest::new(Config::default(), |base| {
        fs::write(base.join("W/f"), "a".repeat(1_000)).unwrap()
    });
    let path = guest.rig.inside().join("f");
    let runtime = tokio::runtime::Builder::new_multi_thread()
        .worker_threads(2)
        .enable_all()
        .build()
        .unwrap();
    let stop = Arc::new(AtomicBool::new(false));
    // Somebody who reads all the time, past the host.
    let reader = std::thread::spawn({
        let (path, stop) = (path.clone(), Arc::clone(&stop));
        move || {
            let mut reads = 0_u64;
            while !stop.load(Ordering::Relaxed) {
                whole(&fs::read(&path).unwrap());
                reads += 1;
            }
            reads
        }
    });
    runtime.block_on(async {
        let mut tasks = Vec::new();
        for writer in 0..WRITERS {
            let session = guest.rig.session();
            tasks.push(tokio::spawn(async move {
                for _ in 0..rounds {
                    let letter = String::from(char::from(b'a' + writer));
                    let content = letter.repeat(1_000 * (usize::from(writer) + 1));
                    session
                        .call(Call::new("write_file", json!({"path": "f", "content": content})))
                        .await
                        .unwrap();
                    let read = session
                        .call(Call::new("read_file", json!({"path": "f"})))
                        .await
                        .unwrap();
                    whole(read.value["content"].as_str().unwrap().as_bytes());
                }
            }));
        }
        for task in tasks {
            task.await.unwrap();
        }
    });
    stop.store(true, Ordering::Relaxed);
    assert!(reader.join().unwrap() > 0);
    whole(&fs::read(&path).unwrap());
    assert_eq!(
        fs::read_dir(guest.rig.inside()).unwrap().count(),
        1,
        "something is left over"
    );
}

/// The content of one writer, all of it.
fn whole(content: &[u8]) {
    let first = content[0];
    assert_eq!(content.len(), 1_000 * (usize::from(first - b'a') + 1));
    assert!(content.iter().all(|byte| *byte == first), "content of two writers");
}

#[test]
fn f29_files_that_change_under_a_reader() {
    let rounds = 200 * crate::soak();
    let guest = Guest::new(Config::default(), |base| fs::write(base.join("W/f"), "line\n").unwrap());
    let path = guest.rig.inside().join("f");
    let stop = Arc::new(AtomicBool::new(false));
    let changer = std::thread::spawn({
        let (path, stop) = (path.clone(), Arc::clone(&stop));
        move || {
            let page = b"line\n".repeat(4_096);
            while !stop.load(Ordering::Relaxed) {
                let mut file = fs::OpenOptions::new().write(true).open(&path).unwrap();
                for _ in 0..40 {
                    file.write_all(&page).unwrap();
                }
                file.set_len(3).unwrap();
                file.set_len(1 << 20).unwrap();
                file.set_len(0).unwrap();
                let other = path.with_extension("other");
                fs::write(&other, "line\n").unwrap();
                fs::rename(&other, &path).unwrap();
            }
        }
    });
    for _ in 0..rounds {
        // Text or, where a hole was seen, the remark that it is not text.
        for (tool, arguments) in [
            ("read_file", json!({"path": "f"})),
            ("grep", json!({"pattern": "line", "path": "f"})),
        ] {
            if let Err(error) = guest.call(tool, arguments) {
                assert_eq!(error.kind.as_str(), "failed", "{error}");
            }
        }
    }
    let counts = guest.count(
        rounds,
        &[
            open("f", "r"),
            op("read").at("f").length(1 << 20).offset(9),
            op("read_stream").at("f").length(1 << 20),
            op("stat").at("f"),
            on("stat_at", "f"),
        ],
    );
    stop.store(true, Ordering::Relaxed);
    changer.join().unwrap();
    for count in &counts {
        for outcome in count.keys() {
            assert!(
                is_ok(outcome) || outcome == "closed" || outcome == "no-entry",
                "{outcome}"
            );
        }
    }
}

/// Somebody appends to the file all the while: the edit must not undo that.
#[test]
fn f28_an_edit_of_what_was_changed_meanwhile_is_refused() {
    let guest = Guest::new(Config::default(), |base| {
        fs::write(base.join("W/f"), format!("needle{}", "x".repeat(16 << 20))).unwrap();
    });
    let path = guest.rig.inside().join("f");
    let done = Arc::new(AtomicBool::new(false));
    let appender = std::thread::spawn({
        let (path, done) = (path.clone(), Arc::clone(&done));
        move || {
            let mut file = fs::File::options().append(true).open(path).unwrap();
            let mut appended = 0_u64;
            while !done.load(Ordering::Relaxed) {
                file.write_all(b"+").unwrap();
                appended += 1;
            }
            appended
        }
    });
    let edit = json!({"path": "f", "old_string": "needle", "new_string": "thread"});
    let outcome = guest.call("edit_file", edit.clone());
    done.store(true, Ordering::Relaxed);
    let appended = appender.join().unwrap();
    let error = outcome.expect_err("the file changed between reading and writing");
    assert!(error.message.contains("changed since it was read"), "{error}");
    let content = fs::read(&path).unwrap();
    assert!(content.starts_with(b"needlexxx"));
    assert_eq!(content.iter().filter(|byte| **byte == b'+').count() as u64, appended);
    guest.call("edit_file", edit).unwrap();
    assert!(fs::read(&path).unwrap().starts_with(b"threadxxx"));
}
