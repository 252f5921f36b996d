//! A plugin that was built for `wasm32-wasip2` with `std::fs`: same doors, same scope.

use serde_json::json;
use toolgate::{Config, ErrorKind, config::PathScopeConfig};
use toolgate_tests::rig::{Rig, target};

use crate::measure;

/// The rig, where the target for the guest was installed.
#[allow(clippy::print_stderr, reason = "a skipped test says so")]
fn std_rig() -> Option<Rig> {
    let guest = target("guests").join("std_files.wasm");
    if !guest.is_file() {
        eprintln!(
            "skipped: {} was not built; the target wasm32-wasip2 is not installed",
            guest.display()
        );
        return None;
    }
    let config = Config {
        path_scope: PathScopeConfig {
            deny: vec!["**/.env".to_owned(), "./secrets/**".to_owned()],
            ..PathScopeConfig::default()
        },
        ..Config::default()
    };
    let setup = |base: &std::path::Path| {
        let write = |path: &str, content: &str| {
            let path = base.join(path);
            std::fs::create_dir_all(path.parent().unwrap()).unwrap();
            std::fs::write(path, content).unwrap();
        };
        write("W/a.txt", "inside\n");
        write("W/.env", "TOKEN=1\n");
        write("W/secrets/key", "secret\n");
        write("W/d/e", "entry\n");
        write("O/b.txt", "outside\n");
        std::os::unix::fs::symlink("../O/b.txt", base.join("W/link")).unwrap();
    };
    Some(Rig::with_config(config, setup, |builder| builder.plugin(guest)))
}

#[tokio::test(flavor = "multi_thread")]
async fn std_fs_reaches_what_the_call_was_approved_for() {
    let _turn = measure::together();
    let Some(rig) = std_rig() else { return };
    let read = rig.call("std_read", json!({"path": "a.txt"})).await.unwrap();
    assert_eq!((&read["content"], &read["bytes"]), (&json!("inside\n"), &json!(7)));

    let list = rig.call("std_list", json!({"path": "."})).await.unwrap();
    let entries = list["entries"].to_string();
    assert!(entries.contains("a.txt") && entries.contains("d/"), "{entries}");
    assert!(!entries.contains(".env"), "a denied entry is not listed: {entries}");

    let written = rig
        .call("std_write", json!({"path": "new.txt", "content": "text"}))
        .await
        .unwrap();
    assert_eq!((&written["again"], &written["bytes"]), (&json!("text"), &json!(5)));
    assert_eq!(std::fs::read_to_string(rig.inside().join("new.txt")).unwrap(), "text!");
    let written = rig
        .call("std_write", json!({"path": "a.txt", "content": "more"}))
        .await
        .unwrap();
    assert_eq!(written["again"], "more");
}

#[tokio::test(flavor = "multi_thread")]
async fn std_fs_reaches_nothing_else() {
    let _turn = measure::together();
    let Some(rig) = std_rig() else { return };
    let outside = rig.outside().join("b.txt").display().to_string();
    for path in [
        &*outside,
        "../O/b.txt",
        "link",
        ".env",
        "secrets/key",
        "/etc/passwd",
        "missing",
    ] {
        let error = rig.call("std_read", json!({"path": path})).await.unwrap_err();
        assert!(
            matches!(error.kind, ErrorKind::Denied | ErrorKind::NotFound),
            "{path}: {error}"
        );
        assert!(
            !error.message.contains("outside\n") && !error.message.contains("TOKEN"),
            "{path}: {error}"
        );
    }
    for path in [&*outside, ".env", "secrets/new", "link"] {
        let error = rig
            .call("std_write", json!({"path": path, "content": "x"}))
            .await
            .unwrap_err();
        assert!(
            matches!(error.kind, ErrorKind::Denied | ErrorKind::NotFound),
            "{path}: {error}"
        );
    }
    assert_eq!(
        std::fs::read_to_string(rig.outside().join("b.txt")).unwrap(),
        "outside\n"
    );
    assert_eq!(std::fs::read_to_string(rig.inside().join(".env")).unwrap(), "TOKEN=1\n");
}

#[tokio::test(flavor = "multi_thread")]
async fn std_finds_nothing_of_the_host_around_it() {
    let _turn = measure::together();
    let Some(rig) = std_rig() else { return };
    let around = rig.call("std_surroundings", json!({})).await.unwrap();
    assert_eq!(around["variables"], 0);
    assert_eq!(around["arguments"], 0);
    assert_eq!(around["input"], "Ok(0)", "standard input is closed");
    assert!(around["root"].as_str().unwrap().starts_with("Err"), "{around:?}");
    assert_eq!(around["threads"], false);
    assert_eq!(around["children"], false);
}
