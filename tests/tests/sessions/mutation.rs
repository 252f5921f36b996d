//! Calls that change things take turns within a session; those that only read wait for nobody.

use std::sync::Arc;
use std::time::{Duration, Instant};

use serde_json::json;
use toolgate::{Call, ErrorKind, HostBuilder, Session};
use toolgate_tests::rig::{Rig, guest};

use crate::stage::{add, items, list, many, over, planted, retrieve};
use crate::stores::Special;

/// How long `spin`, which counts as changing things, holds the turn unless somebody ends it.
const SPIN: Duration = Duration::from_secs(20);

fn with_spin(builder: HostBuilder) -> HostBuilder {
    let store = toolgate::session::store::SqliteStore::in_memory().unwrap();
    builder.store(Arc::new(store)).plugin(guest("hog"))
}

/// A session in which a call holds the turn, and that call.
async fn held() -> (Rig, Session, tokio::task::JoinHandle<()>) {
    let rig = planted(many, with_spin);
    rig.host.warm().unwrap();
    let session = rig.session();
    let holder = session.clone();
    let call = tokio::spawn(async move {
        let error = holder
            .call(Call::new("spin", json!({})).deadline(SPIN))
            .await
            .unwrap_err();
        assert_eq!(error.kind, ErrorKind::Deadline);
    });
    // Until it has the turn, a call that changes something gets through.
    loop {
        let probe = Call::new("todo", json!({"action": "list"})).deadline(Duration::from_millis(300));
        match session.call(probe).await {
            Ok(_) => tokio::time::sleep(Duration::from_millis(5)).await,
            Err(error) => {
                assert_eq!(error.kind, ErrorKind::Deadline, "{error}");
                return (rig, session, call);
            }
        }
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn readers_run_while_a_change_waits_for_its_turn() {
    let (_rig, session, spin) = held().await;
    let waiting = tokio::spawn({
        let session = session.clone();
        async move { add(&session, "late").await.map(|_| ()) }
    });
    for number in 0..5 {
        let id = format!("c{number}");
        list(&session, &id).await;
        retrieve(&session, json!({"call_id": id})).await.unwrap();
    }
    assert!(!spin.is_finished() && !waiting.is_finished());
    // Whoever gives the call up gives up the turn.
    spin.abort();
    let started = Instant::now();
    waiting.await.unwrap().unwrap();
    assert!(started.elapsed() < SPIN / 4, "{:?}", started.elapsed());
    assert_eq!(items(&session).await.len(), 1);
}

#[tokio::test(flavor = "multi_thread")]
async fn the_deadline_holds_while_a_change_waits() {
    let (rig, session, spin) = held().await;
    let started = Instant::now();
    let call = Call::new("todo", json!({"action": "add", "text": "never"})).deadline(Duration::from_millis(200));
    let error = session.call(call).await.unwrap_err();
    assert_eq!(error.kind, ErrorKind::Deadline);
    assert!(error.message.starts_with("todo: stopped after 0.2 s"), "{error}");
    assert!(error.message.contains("another call of this session"), "{error}");
    assert!(started.elapsed() < SPIN / 4, "{:?}", started.elapsed());
    // Others have their own turn.
    add(&rig.session(), "elsewhere").await.unwrap();
    assert!(!spin.is_finished());
    spin.abort();
    assert_eq!(items(&session).await.len(), 0);
}

/// What is refused before it runs does not wait either.
#[tokio::test(flavor = "multi_thread")]
async fn a_refusal_needs_no_turn() {
    let (_rig, session, spin) = held().await;
    let outside = session.call(Call::new("write_file", json!({"path": "/etc/x", "content": ""})));
    assert_eq!(outside.await.unwrap_err().kind, ErrorKind::Denied);
    let wrong = session.call(Call::new("todo", json!({"action": 1})));
    assert_eq!(wrong.await.unwrap_err().kind, ErrorKind::InvalidArguments);
    assert!(!spin.is_finished());
    spin.abort();
}

#[tokio::test(flavor = "multi_thread")]
async fn two_readers_are_in_the_store_at_once() {
    let rig = over(Arc::new(Special::meeting(2)));
    let session = rig.session();
    list(&session, "c1").await;
    let (one, other) = tokio::join!(
        retrieve(&session, json!({"call_id": "c1"})),
        retrieve(&session, json!({"call_id": "c1"}))
    );
    assert_eq!(one.unwrap().text, other.unwrap().text);
}

#[tokio::test(flavor = "multi_thread")]
async fn changes_of_one_session_never_overlap() {
    async fn most(sessions: impl Fn(&Rig) -> [Session; 2]) -> usize {
        let store = Arc::new(Special::slow());
        let rig = over(Arc::clone(&store) as Arc<dyn toolgate::session::store::SessionStore>);
        let sessions = sessions(&rig);
        let calls: Vec<_> = (0..20)
            .map(|number| {
                let session = sessions[number % 2].clone();
                tokio::spawn(async move { add(&session, &number.to_string()).await.map(|_| ()) })
            })
            .collect();
        for call in calls {
            call.await.unwrap().unwrap();
        }
        store.most_at_once()
    }
    let one = |rig: &Rig| {
        let session = rig.session();
        [session.clone(), session]
    };
    assert_eq!(most(one).await, 1);
    // Two sessions do, so that the measure means something.
    assert_eq!(most(|rig| [rig.session(), rig.session()]).await, 2);
}
