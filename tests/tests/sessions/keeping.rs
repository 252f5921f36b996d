//! How long a session's things are kept, and who finds them again.

use std::sync::Arc;
use std::time::{Duration, Instant};

use serde_json::json;
use toolgate::config::StoreKind;
use toolgate::session::store::{SessionStore, SqliteStore, StoreError};
use toolgate::{Call, Config, SessionOptions};
use toolgate_tests::rig::Rig;

use crate::stage::{State, add, items, list, many, named, over, planted, retrieve};

fn host(state: &State) -> Rig {
    planted(many, |builder| state.used_by(builder))
}

#[tokio::test]
async fn what_an_unnamed_session_kept_ends_with_it() {
    let state = State::new();
    let rig = host(&state);
    let session = rig.session();
    let id = session.id().to_owned();
    list(&session, "c1").await;
    add(&session, "first").await.unwrap();
    assert_eq!(session.payloads().unwrap().len(), 1);
    let clone = session.clone();
    drop(session);
    retrieve(&clone, json!({"call_id": "c1"})).await.unwrap();
    drop(clone);

    // Not even under its drawn name, which was no secret.
    let again = rig.host.session(named(&id));
    assert_eq!(again.payloads(), Ok(Vec::new()));
    assert_eq!(again.kept_by("todo", "list").unwrap(), None);
    drop((again, rig));
    assert_eq!(state.take_sessions(), 0);
}

/// Calls that are given up at any point, by a session that ends with them.
#[tokio::test(flavor = "multi_thread")]
async fn a_call_that_is_given_up_leaves_nothing() {
    let store = Arc::new(SqliteStore::in_memory().unwrap());
    let rig = over(Arc::clone(&store) as Arc<dyn SessionStore>);
    rig.host.warm().unwrap();
    let calls = [
        ("todo", json!({"action": "add", "text": "x"})),
        ("list_dir", json!({"path": "d"})),
    ];
    for (tool, arguments) in calls {
        let make = || {
            let (session, call) = (rig.session(), Call::new(tool, arguments.clone()));
            async move { session.call(call).await }
        };
        make().await.unwrap();
        // The shortest of several: were it longer than the calls below take, hardly any would be given up.
        let mut usual = Duration::MAX;
        for _ in 0..20 {
            let started = Instant::now();
            make().await.unwrap();
            usual = usual.min(started.elapsed());
        }
        let mut given_up = 0;
        for round in 0..300 {
            let call = tokio::spawn(make());
            // Shorter than what a timer can measure.
            let started = Instant::now();
            while started.elapsed() < usual * round / 200 {
                std::hint::spin_loop();
            }
            call.abort();
            given_up += u32::from(call.await.is_err());
        }
        assert!(given_up > 20, "{tool}: {given_up}");
        // A guest stops at its next tick.
        tokio::time::sleep(Duration::from_millis(200)).await;
        assert_eq!(
            store.sweep(Duration::ZERO),
            Ok(0),
            "{tool}: sessions that nobody can name"
        );
    }
}

#[tokio::test]
async fn a_later_host_finds_a_named_session() {
    let state = State::new();
    let (rig, whole) = {
        let rig = host(&state);
        let session = rig.host.session(named("plan of today"));
        assert_eq!(session.id(), "plan of today");
        let whole = list(&session, "c1").await.value["raw_bytes"].clone();
        add(&session, "first").await.unwrap();
        (rig, whole)
    };
    drop(rig);
    let rig = host(&state);
    let session = rig.host.session(named("plan of today"));
    let raw = retrieve(&session, json!({"call_id": "c1"})).await.unwrap();
    assert_eq!(raw.value["bytes"], whole);
    assert_eq!(items(&session).await[0]["text"], "first");
    let other = rig.host.session(named("plan of tomorrow"));
    assert_eq!(items(&other).await.len(), 0);
    drop((session, other, rig));
    assert_eq!(state.take_sessions(), 1);
}

#[tokio::test]
async fn a_session_that_keeps_nothing_makes_no_database() {
    let state = State::new();
    let rig = host(&state);
    for options in [SessionOptions::default(), named("n")] {
        let session = rig.host.session(options);
        assert_eq!(items(&session).await.len(), 0);
        assert_eq!(session.payloads(), Ok(Vec::new()));
        retrieve(&session, json!({"call_id": "c1"})).await.unwrap_err();
    }
    assert!(!state.sessions().exists());
}

#[tokio::test]
async fn what_memory_keeps_is_shared_within_a_host_only() {
    let state = State::new();
    let start = || {
        let mut config = Config::default();
        config.session.store = StoreKind::Memory;
        Rig::with_config(config, many, |builder| state.used_by(builder))
    };
    let rig = start();
    add(&rig.host.session(named("n")), "first").await.unwrap();
    assert_eq!(items(&rig.host.session(named("n"))).await.len(), 1);
    assert_eq!(items(&start().host.session(named("n"))).await.len(), 0);
    assert!(!state.sessions().exists());
}

/// A name that cannot be kept is told by what needed it; everything else works.
#[tokio::test]
async fn an_impossible_name_is_told() {
    let rig = crate::stage::rig();
    for name in [String::new(), "x".repeat(257)] {
        let session = rig.host.session(named(&name));
        let error = add(&session, "first").await.unwrap_err();
        assert!(error.message.contains("1 to 256 bytes"), "{error}");
        let result = list(&session, "c1").await;
        assert_eq!(result.payload, None);
        let reason = &result.value["digest_meta"]["store_err"];
        assert!(reason.as_str().unwrap().contains("1 to 256 bytes"), "{reason}");
        assert!(matches!(session.payloads(), Err(StoreError::InvalidId(_))));
    }
}
