//! Many sessions, many files, one chain.

use std::collections::BTreeMap;

use serde_json::json;
use toolgate::audit::{OnFailure, Sync};
use toolgate::{Call, Config, SessionOptions};

use crate::stage::{Stage, State};

const SESSIONS: usize = 64;
const CALLS: usize = 50;

fn small(keep_files: u64) -> Config {
    let mut config = Config::default();
    config.audit.max_file_bytes = toolgate::audit::MIN_FILE_BYTES;
    config.audit.keep_files = keep_files;
    config
}

/// So many calls in each of the sessions, side by side.
async fn flood(stage: &Stage) {
    let tasks: Vec<_> = (0..SESSIONS)
        .map(|number| {
            let session = stage.rig.host.session(SessionOptions {
                id: Some(format!("s{number}")),
                ..SessionOptions::default()
            });
            tokio::spawn(async move {
                for call in 0..CALLS {
                    let call = Call::new("stat", json!({"path": "a.txt"})).id(format!("c{call:02}"));
                    session.call(call).await.unwrap();
                }
            })
        })
        .collect();
    for task in tasks {
        task.await.unwrap();
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn rotation_under_load_keeps_every_record_and_one_chain() {
    let stage = Stage::with(small(1000), State::new(), |builder| builder);
    flood(&stage).await;
    let report = stage.verified();
    assert!(report.is_complete(), "{report:?}");
    assert_eq!(report.records, (SESSIONS * CALLS) as u64);
    assert!(report.files.len() > 10, "{} files", report.files.len());
    let mut by_session: BTreeMap<String, Vec<String>> = BTreeMap::new();
    for record in stage.records() {
        let [session, call] = ["session", "call"].map(|name| record[name].as_str().unwrap().to_owned());
        by_session.entry(session).or_default().push(call);
    }
    assert_eq!(by_session.len(), SESSIONS);
    let expected: Vec<String> = (0..CALLS).map(|call| format!("c{call:02}")).collect();
    // Each session made its calls one after the other.
    assert!(by_session.values().all(|calls| *calls == expected));
}

#[tokio::test(flavor = "multi_thread")]
async fn old_files_go_and_the_rest_is_still_one_chain() {
    let stage = Stage::with(small(3), State::new(), |builder| builder);
    flood(&stage).await;
    let report = stage.verified();
    assert!(report.is_complete(), "{report:?}");
    assert_eq!(report.files.len(), 3);
    assert!(
        report
            .files
            .iter()
            .all(|file| file.bytes <= toolgate::audit::MIN_FILE_BYTES)
    );
    assert!(report.files[2].number.unwrap() > 10);
}

#[tokio::test(flavor = "multi_thread")]
async fn calls_that_wait_for_the_disk_share_its_flushes() {
    let mut config = Config::default();
    config.audit.sync = Sync::Each;
    config.audit.on_failure = OnFailure::Stop;
    let stage = Stage::with(config, State::new(), |builder| builder);
    flood(&stage).await;
    // Without a wait: every call has waited for its own record.
    let report = toolgate::audit::verify(&stage.log()).unwrap();
    assert!(report.is_complete(), "{report:?}");
    assert_eq!(report.records, (SESSIONS * CALLS) as u64);
}
