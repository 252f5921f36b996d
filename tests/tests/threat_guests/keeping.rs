//! What a session keeps, in the hands of a hostile guest: no other session, no other plugin, no more than its share.

use serde_json::{Value, json};
use toolgate::{Call, Config, Session, SessionOptions};
use toolgate_tests::rig::{Rig, guest};

fn rig() -> Rig {
    Rig::with_config(Config::default(), |_| {}, |builder| builder.plugin(guest("keeper")))
}

async fn run(session: &Session, ops: Value) -> Vec<String> {
    let result = session.call(Call::new("keeper", json!({"ops": ops}))).await.unwrap();
    let outcomes = result.value["outcomes"].as_array().unwrap();
    outcomes
        .iter()
        .map(|outcome| outcome.as_str().unwrap().to_owned())
        .collect()
}

#[tokio::test]
async fn state_is_of_one_session_and_one_plugin() {
    let rig = rig();
    let (one, other) = (rig.session(), rig.session());
    one.call(Call::new("todo", json!({"action": "add", "text": "secret"})))
        .await
        .unwrap();
    let kept = one.kept_by("todo", "list").unwrap().expect("the list of todo");
    assert!(String::from_utf8_lossy(&kept).contains("secret"));
    let keys = json!([
        {"op": "get", "key": "list"}, {"op": "get", "key": "todo"}, {"op": "get", "key": "builtin:todo/list"},
        {"op": "get", "key": "../builtin:todo/list"}, {"op": "put", "key": "list", "bytes": 5, "expected": 0},
    ]);
    assert_eq!(run(&one, keys).await, ["none", "none", "none", "none", "version 1"]);
    assert_eq!(run(&other, json!([{"op": "get", "key": "list"}])).await, ["none"]);
    assert_eq!(one.kept_by("todo", "list").unwrap().unwrap(), kept);
    assert_eq!(
        run(&one, json!([{"op": "get", "key": "list"}])).await,
        ["5 bytes, version 1"]
    );
}

/// What the host itself keeps of a session is in no plugin's reach, whatever it calls its keys.
#[tokio::test]
async fn the_flag_of_a_plan_is_the_hosts() {
    let mut config = Config::default();
    config.permissions.plan_mode = Some(toolgate::config::PlanMode::Advisory);
    let store = std::sync::Arc::new(toolgate::session::store::SqliteStore::in_memory().unwrap());
    let rig = Rig::with_config(
        config,
        |base| std::fs::create_dir(base.join("W/.agents")).unwrap(),
        |builder| builder.plugin(guest("keeper")).store(store),
    );
    let named = |name: &str| {
        rig.host.session(SessionOptions {
            id: Some(name.to_owned()),
            ..SessionOptions::default()
        })
    };
    let (one, other) = (named("one"), named("other"));
    one.record_plan("A").unwrap();
    let ops = json!([
        {"op": "get", "key": "recorded"}, {"op": "get", "key": "host:plans/recorded"}, {"op": "get", "key": "../host:plans/recorded"},
        {"op": "put", "key": "recorded", "bytes": 1, "expected": 0}, {"op": "put", "key": "recorded", "bytes": 0, "expected": 1},
    ]);
    let expected = ["none", "none", "none", "version 1", "version 2"];
    assert_eq!(run(&one, ops.clone()).await, expected);
    assert_eq!(run(&other, ops).await, expected);
    assert!(one.plan_recorded() && !other.plan_recorded());
}

#[tokio::test]
async fn a_stale_version_loses_nothing() {
    let session = rig().session();
    let ops = json!([
        {"op": "put", "key": "k", "bytes": 1, "expected": 0}, {"op": "put", "key": "k", "bytes": 2, "expected": 0},
        {"op": "put", "key": "k", "bytes": 3, "expected": 1}, {"op": "put", "key": "k", "bytes": 4, "expected": 1},
        {"op": "put", "key": "k", "bytes": 4, "expected": u64::MAX}, {"op": "get", "key": "k"},
    ]);
    let expected = [
        "version 1",
        "conflict",
        "version 2",
        "conflict",
        "conflict",
        "3 bytes, version 2",
    ];
    assert_eq!(run(&session, ops).await, expected);
}

#[tokio::test]
async fn state_is_bounded() {
    let session = rig().session();
    let mebibyte = 1 << 20;
    let ops = json!([
        {"op": "put", "key": "k", "bytes": mebibyte, "expected": 0}, {"op": "put", "key": "l", "bytes": mebibyte + 1, "expected": 0},
        {"op": "put", "key": "", "bytes": 1, "expected": 0}, {"op": "put", "key": "x".repeat(257), "bytes": 1, "expected": 0},
        {"op": "get", "key": "l"},
    ]);
    assert_eq!(
        run(&session, ops).await,
        ["version 1", "quota", "quota", "quota", "none"]
    );
    let many: Vec<_> = (0..80)
        .map(|n| json!({"op": "put", "key": format!("n{n}"), "bytes": 1, "expected": 0}))
        .collect();
    let outcomes = run(&session, json!(many)).await;
    assert_eq!(outcomes.iter().filter(|outcome| *outcome == "version 1").count(), 63);
    assert!(outcomes[63..].iter().all(|outcome| outcome == "quota"));
    let large: Vec<_> = (0..20)
        .map(|n| json!({"op": "put", "key": format!("n{n}"), "bytes": mebibyte, "expected": 1}))
        .collect();
    let stored = run(&session, json!(large))
        .await
        .iter()
        .filter(|outcome| *outcome == "version 2")
        .count();
    assert!((14..16).contains(&stored), "{stored} MiB beside the first");
}

#[tokio::test]
async fn payloads_are_of_one_session_and_come_in_pages() {
    let rig = rig();
    std::fs::write(rig.inside().join("f"), "line\n".repeat(3000)).unwrap();
    let (one, other) = (rig.session(), rig.session());
    let call = Call::new("grep", json!({"pattern": "line", "path": "f"})).id("mine");
    let digest = one.call(call).await.unwrap();
    assert_eq!(digest.payload.as_deref(), Some("mine"));
    let total = digest.value["raw_bytes"].as_u64().unwrap();
    let ops = json!([
        {"op": "payload", "id": "mine", "offset": 0, "limit": u64::MAX}, {"op": "payload", "id": "mine", "offset": total, "limit": 1},
        {"op": "payload", "id": "mine", "offset": total + 1, "limit": 1}, {"op": "payload", "id": "mine", "offset": u64::MAX, "limit": u64::MAX},
        {"op": "payload", "id": "../mine", "offset": 0, "limit": 1}, {"op": "payload", "id": "", "offset": 0, "limit": 1},
        {"op": "payload", "id": "yours", "offset": 0, "limit": 1},
    ]);
    let (all, beyond) = (format!("{total} of {total} bytes"), format!("beyond {total}"));
    let expected = [
        &all,
        &format!("0 of {total} bytes"),
        &beyond,
        &beyond,
        "invalid",
        "invalid",
        "not found",
    ];
    assert_eq!(run(&one, ops.clone()).await, expected);
    assert_eq!(
        run(
            &other,
            json!([{"op": "payload", "id": "mine", "offset": 0, "limit": 9}])
        )
        .await,
        ["not found"]
    );
}

#[tokio::test]
async fn nothing_is_kept_where_there_is_no_store() {
    let mut config = Config::default();
    config.session.store = toolgate::config::StoreKind::Off;
    let rig = Rig::with_config(config, |_| {}, |builder| builder.plugin(guest("keeper")));
    let session = rig.host.session(SessionOptions {
        id: Some("named".to_owned()),
        ..SessionOptions::default()
    });
    let ops = json!([
        {"op": "get", "key": "k"}, {"op": "put", "key": "k", "bytes": 1, "expected": 0},
        {"op": "payload", "id": "a", "offset": 0, "limit": 1}, {"op": "has", "tool": "todo"}, {"op": "has", "tool": "grep"},
    ]);
    assert_eq!(
        run(&session, ops).await,
        ["unavailable", "unavailable", "unavailable", "false", "true"]
    );
}

#[tokio::test]
async fn claims_about_a_walk_end_only_that_walk() {
    let rig = rig();
    let session = rig.session();
    let ops = json!([
        {"op": "next", "visited": 0}, {"op": "next", "visited": u64::MAX}, {"op": "next", "visited": u64::MAX}, {"op": "next", "visited": 0},
    ]);
    assert_eq!(
        run(&session, ops).await,
        [r#"part """#, "no part", "no part", "no part"]
    );
    std::fs::write(rig.inside().join("f"), "line\n").unwrap();
    let found = session
        .call(Call::new("grep", json!({"pattern": "line"})))
        .await
        .unwrap();
    assert_eq!(found.value["matches"].as_array().unwrap().len(), 1);
}
