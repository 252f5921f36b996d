//! The list of a session, seen from outside of one call.

use std::sync::Arc;

use serde_json::{Value, json};
use toolgate::session::store::{SessionStore, SqliteStore};
use toolgate::{ErrorKind, Session};

use crate::stage::{add, items, named, over, rig};

/// Adds items at the same time; each call's id is its place in the list then.
async fn add_together(sessions: &[Session], each: usize) -> Vec<Value> {
    let calls: Vec<_> = sessions
        .iter()
        .enumerate()
        .flat_map(|(number, session)| (0..each).map(move |n| (session.clone(), format!("{number}-{n}"))))
        .map(|(session, text)| {
            tokio::spawn(async move {
                let list = add(&session, &text).await.unwrap().value;
                let mine = list["items"].as_array().unwrap().iter();
                assert!(
                    mine.filter(|item| item["text"] == text.as_str()).count() == 1,
                    "{list:?}"
                );
            })
        })
        .collect();
    for call in calls {
        call.await.unwrap();
    }
    items(&sessions[0]).await
}

fn check_ids(items: &[Value], count: usize) {
    let ids: Vec<_> = items.iter().map(|item| item["id"].as_u64().unwrap()).collect();
    assert_eq!(ids, (1..=count as u64).collect::<Vec<_>>());
}

#[tokio::test]
async fn o15_sessions_have_lists_of_their_own() {
    let rig = rig();
    let (one, other) = (rig.session(), rig.session());
    add(&one, "mine").await.unwrap();
    assert_eq!(items(&other).await.len(), 0);
    add(&other, "theirs").await.unwrap();
    assert_eq!(
        items(&one).await,
        [json!({"id": 1, "status": "pending", "text": "mine"})]
    );
}

#[tokio::test]
async fn o16_a_host_reads_a_copy() {
    let rig = rig();
    let session = rig.session();
    assert_eq!(session.kept_by("todo", "list").unwrap(), None);
    add(&session, "first").await.unwrap();
    let mut copy = session.kept_by("todo", "list").unwrap().unwrap();
    let list: Value = serde_json::from_slice(&copy).unwrap();
    assert_eq!(list["items"], json!([{"id": 1, "status": "pending", "text": "first"}]));
    copy.clear();
    assert_eq!(items(&session).await.len(), 1);
    assert_eq!(session.kept_by("todo", "other").unwrap(), None);
    assert_eq!(
        session.kept_by("read_file", "list").unwrap(),
        None,
        "another plugin's state"
    );
    let error = session.kept_by("tood", "list").unwrap_err();
    assert_eq!(error.kind, ErrorKind::NotFound);
    assert!(error.message.contains("todo"), "{error}");
}

#[tokio::test(flavor = "multi_thread")]
async fn o_concurrent_every_add_of_a_session_gets_an_id() {
    let rig = rig();
    let items = add_together(&[rig.session()], 100).await;
    check_ids(&items, 100);
}

/// Sessions of the same name do not wait for each other: the store settles who was first.
#[tokio::test(flavor = "multi_thread")]
async fn hosts_that_share_a_session_lose_nothing() {
    let directory = tempfile::tempdir().unwrap();
    let open = || Arc::new(SqliteStore::open(directory.path()).unwrap()) as Arc<dyn SessionStore>;
    let rigs = [over(open()), over(open())];
    let sessions = rigs.each_ref().map(|rig| rig.host.session(named("shared")));
    let items = add_together(&sessions, 40).await;
    check_ids(&items, 80);
}
