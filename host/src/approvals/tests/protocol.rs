//! What is said on the socket.

use serde_json::{Value, json};

use super::*;
use crate::gate::Decision;

#[tokio::test]
async fn a_question_is_listed_and_answered_once() {
    let stage = Stage::new(Alone::Waits);
    let asked = stage.ask("/p/a");
    let prompt = stage.pending(1).await.remove(0);
    assert_eq!(prompt.id.len(), 24);
    assert!(prompt.id.bytes().all(|byte| byte.is_ascii_hexdigit()));
    assert_eq!(
        (prompt.tool.as_str(), prompt.detail.as_str(), prompt.session.as_str()),
        ("write_file", "/p/a", "s")
    );
    assert_eq!(prompt.arguments, json!({"path": "/p/a"}));
    assert_eq!(prompt.choices.len(), 3);
    let acknowledged = stage.operator().answer(&prompt.id, Decision::Session).await.unwrap();
    assert_eq!(acknowledged.approver, this_user());
    let answer = asked.await.unwrap().unwrap();
    assert_eq!(answer.decision, Decision::Session);
    let approver = answer.approver.unwrap();
    assert_eq!((approver.who, approver.how.as_str()), (this_user(), "socket"));
    // The same answer again is none.
    let again = stage
        .operator()
        .answer(&prompt.id, Decision::Session)
        .await
        .unwrap_err();
    assert!(
        matches!(&again, ClientError::Refused(refusal) if refusal.code == RefusalCode::Answered),
        "{again}"
    );
}

#[tokio::test]
async fn the_events_have_the_documented_shape() {
    let stage = Stage::new(Alone::Waits);
    let mut early = stage.connect().await;
    assert_eq!(
        early.request(json!({"request": "watch"})).await,
        json!({"reply": "watching"})
    );
    let asked = stage.ask("/p/a");
    let event = early.line().await.unwrap();
    let id = event["id"].as_str().unwrap().to_owned();
    let at = event["at"].as_str().unwrap().to_owned();
    assert_eq!(at.len(), "2026-01-02T03:04:05Z".len());
    assert_eq!(
        event,
        json!({
            "event": "prompt", "id": id, "kind": "file_write", "tool": "write_file", "operation": "write",
            "detail": "/p/a", "arguments": {"path": "/p/a"}, "source": "", "session": "s", "at": at,
            "choices": [
                {"decision": "deny", "covers": "a test"},
                {"decision": "allow-once", "covers": "a test"},
                {"decision": "allow-session", "covers": "a test"},
            ],
        })
    );
    // Who comes late is told what is open.
    let mut late = stage.connect().await;
    late.request(json!({"request": "watch"})).await;
    assert_eq!(late.line().await.unwrap(), event);
    // A watching connection may answer, too.
    let reply = late
        .request(json!({"request": "answer", "id": id, "decision": "allow-once"}))
        .await;
    let acknowledged = json!({"reply": "acknowledged", "id": id, "decision": "allow-once", "approver": this_user()});
    assert_eq!(reply, acknowledged);
    let ended = json!({"event": "withdrawn", "id": id, "reason": "answered"});
    assert_eq!(early.line().await.unwrap(), ended);
    assert_eq!(late.line().await.unwrap(), ended);
    assert_eq!(asked.await.unwrap().unwrap().decision, Decision::Once);

    let given_up = stage.ask("/p/b");
    let id = early.line().await.unwrap()["id"].clone();
    given_up.abort();
    let ended = json!({"event": "withdrawn", "id": id, "reason": "withdrawn"});
    assert_eq!(early.line().await.unwrap(), ended);
}

#[tokio::test]
async fn wrong_lines_are_explained_and_change_nothing() {
    let stage = Stage::new(Alone::Waits);
    let asked = stage.ask("/p/a");
    let id = stage.pending(1).await.remove(0).id;
    let mut client = stage.connect().await;
    let answer = |decision: &str| json!({"request": "answer", "id": id, "decision": decision}).to_string();
    let mut mismatch: Value = serde_json::from_str(&answer("allow-once")).unwrap();
    mismatch["approver"] = "somebody else".into();
    for (line, code, part) in [
        ("nonsense".to_owned(), "bad_request", "requests are"),
        ("{}".to_owned(), "bad_request", "request"),
        ("\u{feff}{}".to_owned(), "bad_request", "requests are"),
        (json!({"request": "lst"}).to_string(), "bad_request", "`list`"),
        (
            json!({"request": "answer", "decision": "deny"}).to_string(),
            "bad_request",
            "id",
        ),
        (
            json!({"request": "list", "all": true}).to_string(),
            "bad_request",
            "all",
        ),
        (
            r#"{"request":"list","request":"watch"}"#.to_owned(),
            "bad_request",
            "request",
        ),
        (answer("alow-once"), "unknown_decision", "did you mean \"allow-once\""),
        (answer("alow-once"), "unknown_decision", "allow-always-directory"),
        (answer("allow-always"), "not_offered", "deny, allow-once, allow-session"),
        (mismatch.to_string(), "approver_mismatch", "somebody else"),
        (
            json!({"request": "answer", "id": "0".repeat(24), "decision": "deny"}).to_string(),
            "unknown_id",
            "000000",
        ),
    ] {
        client.send(&line).await;
        let reply = client.line().await.unwrap();
        assert_eq!(
            (&reply["reply"], &reply["code"]),
            (&json!("refused"), &json!(code)),
            "{line}: {reply}"
        );
        assert!(reply["error"].as_str().unwrap().contains(part), "{line}: {reply}");
    }
    let mut right: Value = serde_json::from_str(&answer("deny")).unwrap();
    right["approver"] = this_user().into();
    assert_eq!(client.request(right).await["reply"], "acknowledged");
    assert_eq!(asked.await.unwrap().unwrap().decision, Decision::Deny);
    let gone = stage.ask("/p/b");
    let id = stage.pending(1).await.remove(0).id;
    gone.abort();
    stage.pending(0).await;
    let late = client
        .request(json!({"request": "answer", "id": id, "decision": "deny"}))
        .await;
    assert_eq!(late["code"], "withdrawn", "{late}");
}

#[tokio::test]
async fn long_lines_end_the_connection() {
    let stage = Stage::new(Alone::Waits);
    let mut client = stage.connect().await;
    client
        .send(&format!(r#"{{"request":"list"{}}}"#, " ".repeat(8170)))
        .await;
    assert_eq!(client.line().await.unwrap(), json!({"reply": "listed", "pending": 0}));
    // The server may stop reading before all of it is sent.
    let _ = client.0.write_all(&vec![b'x'; 64 << 10]).await;
    assert_eq!(client.line().await.unwrap()["code"], "too_long");
}
