//! One line for each call, however it ends.

use std::time::Duration;

use serde_json::{Value, json};
use toolgate::{Call, Config, Session, SessionOptions};
use toolgate_tests::rig::guest;

use crate::stage::{Stage, State};

fn hog(config: Config) -> Stage {
    Stage::with(config, State::new(), |builder| builder.plugin(guest("hog")))
}

async fn kind(session: &Session, call: Call) -> &'static str {
    match session.call(call).await {
        Ok(_) => "ok",
        Err(error) => error.kind.as_str(),
    }
}

#[tokio::test]
async fn every_ending_is_one_line() {
    let mut config = Config::default();
    config.permissions.deny.push("read_file:*/secret*".to_owned());
    let stage = hog(config);
    let session = stage.rig.session();
    let a_txt = stage.rig.inside().join("a.txt");
    let spin = || Call::new("spin", json!({}));
    let calls = [
        ("ok", Call::new("stat", json!({"path": "a.txt"})).id("c-1")),
        ("denied", Call::new("read_file", json!({"path": "secret.txt"}))),
        (
            "denied",
            Call::new("write_file", json!({"path": "/etc/x", "content": ""})),
        ),
        (
            "invalid_arguments",
            Call::new("stat", json!({"path": "a.txt", "nope": 1})),
        ),
        ("invalid_arguments", Call::new("stat", json!([1]))),
        ("not_found", Call::new("no_such_tool", json!({"x": 1}))),
        ("not_found", Call::new("read_file", json!({"path": "absent"}))),
        ("failed", Call::new("trap", json!({}))),
        ("deadline", spin().deadline(Duration::from_millis(300))),
    ];
    let mut endings: Vec<&str> = calls.iter().map(|(ending, _)| *ending).collect();
    for (ending, call) in calls {
        assert_eq!(kind(&session, call.clone()).await, ending, "{call:?}");
    }
    let gone = tokio::time::timeout(Duration::from_millis(300), session.call(spin())).await;
    assert!(gone.is_err());
    endings.push("cancelled");

    let records = stage.records();
    let outcomes: Vec<&str> = records
        .iter()
        .map(|record| record["outcome"].as_str().unwrap())
        .collect();
    assert_eq!(outcomes, endings);
    assert!(stage.verified().is_complete(), "{:?}", stage.verified());
    for record in &records {
        assert_eq!(record["session"], session.id(), "{record}");
        assert_eq!(record["message"].is_null(), record["outcome"] == "ok", "{record}");
        assert!(record["wall_us"].is_u64() && record["bytes_in"].is_u64(), "{record}");
    }
    let stat = &records[0];
    assert_eq!(stat["call"], "c-1");
    assert_eq!(stat["tool"], "stat");
    assert_eq!(stat["origin"], "built-in");
    assert_eq!(stat["arguments"], json!({"path": a_txt}), "canonical");
    assert_eq!(stat["decision"], "allowed");
    assert!(stat["decided_by"].as_str().unwrap().contains("scope"), "{stat}");
    assert_eq!(stat["result_blake3"].as_str().unwrap().len(), 64);
    for number in ["bytes_out", "guest_us", "memory_bytes"] {
        assert!(stat[number].as_u64().unwrap() > 0, "{number}: {stat}");
    }
    let [
        _,
        rule,
        scope,
        unknown_argument,
        list,
        unknown,
        absent,
        trap,
        late,
        cancelled,
    ] = &records[..]
    else {
        panic!("{records:?}");
    };
    for refused in [rule, scope] {
        assert_eq!(refused["decision"], "refused", "{refused}");
    }
    assert!(rule["message"].as_str().unwrap().contains("secret*"), "{rule}");
    assert_eq!(
        unknown_argument["arguments"],
        json!({"path": "a.txt", "nope": 1}),
        "as given"
    );
    assert_eq!(list["arguments"], json!([1]), "as given");
    for (record, undecided) in [(unknown_argument, true), (unknown, true), (absent, false)] {
        assert_eq!(record["decision"].is_null(), undecided, "{record}");
    }
    assert_eq!(
        (&unknown["tool"], &unknown["origin"]),
        (&json!("no_such_tool"), &Value::Null)
    );
    for record in [trap, late, cancelled] {
        assert!(record["origin"].as_str().unwrap().ends_with("hog.wasm"), "{record}");
        assert!(record["memory_bytes"].as_u64().unwrap() > 0, "{record}");
    }
    for stopped in [late, cancelled] {
        let [wall, guest] = ["wall_us", "guest_us"].map(|name| stopped[name].as_u64().unwrap());
        assert!(wall >= 290_000 && guest > 50_000, "{stopped}");
    }
}

#[test]
fn calls_on_the_callers_own_thread_are_recorded_too() {
    let stage = Stage::new();
    let session = stage.rig.session();
    session
        .call_blocking(Call::new("stat", json!({"path": "a.txt"})))
        .unwrap();
    session
        .call_blocking(Call::new("stat", json!({"path": "/etc"})))
        .unwrap_err();
    let outcomes: Vec<_> = stage.records().iter().map(|record| record["outcome"].clone()).collect();
    assert_eq!(outcomes, ["ok", "denied"]);
}

#[tokio::test]
async fn what_the_caller_got_is_what_is_digested() {
    let stage = Stage::new();
    let session = stage.rig.session();
    let one = session
        .call(Call::new("read_file", json!({"path": "a.txt"})))
        .await
        .unwrap();
    session
        .call(Call::new("read_file", json!({"path": "a.txt"})))
        .await
        .unwrap();
    std::fs::write(stage.rig.inside().join("a.txt"), "two\n").unwrap();
    session
        .call(Call::new("read_file", json!({"path": "a.txt"})))
        .await
        .unwrap();
    let records = stage.records();
    assert_eq!(records[0]["bytes_out"], one.text.len());
    assert_eq!(records[0]["result_blake3"], records[1]["result_blake3"]);
    assert_ne!(records[0]["result_blake3"], records[2]["result_blake3"]);
    assert_eq!(records[0]["arguments_blake3"], records[2]["arguments_blake3"]);
}

#[tokio::test]
async fn a_large_result_is_recorded_under_the_id_that_finds_it_again() {
    let stage = Stage::new();
    for number in 0..300 {
        std::fs::write(stage.rig.inside().join(format!("file-{number:03}.txt")), "").unwrap();
    }
    let session = stage.rig.host.session(SessionOptions::default());
    let result = session.call(Call::new("list_dir", json!({"path": "."}))).await.unwrap();
    assert_eq!(stage.records()[0]["call"], result.payload.expect("a digest"));
}

#[tokio::test]
async fn a_host_without_a_log_makes_none() {
    let mut config = Config::default();
    config.audit.enabled = false;
    let stage = Stage::with(config, State::new(), |builder| builder);
    stage.rig.call("stat", json!({"path": "a.txt"})).await.unwrap();
    stage.rig.host.flush_audit(Duration::ZERO).unwrap();
    assert!(!stage.log().exists());

    let stage = Stage::new();
    stage.rig.host.tools();
    assert!(!stage.log().exists(), "nothing was called yet");
}

#[test]
fn values_that_cannot_work_are_refused() {
    for (text, named) in [
        (r#"{"audit": {"keep_files": 1}}"#, "audit.keep_files"),
        (r#"{"audit": {"max_file_bytes": 1}}"#, "audit.max_file_bytes"),
        (r#"{"audit": {"on_failure": "halt"}}"#, "continue"),
        (r#"{"audit": {"onfailure": "stop"}}"#, "on_failure"),
    ] {
        let error = Config::from_json(text)
            .and_then(|config| config.validate())
            .unwrap_err();
        assert!(error.contains(named), "{text}: {error}");
    }
}
