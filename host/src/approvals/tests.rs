//! The broker over a real socket.

use std::os::unix::fs::PermissionsExt;
use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

use serde_json::{Value, json};
use tokio::io::{AsyncBufReadExt, AsyncWriteExt, BufReader};
use tokio::net::UnixStream;

use super::listener::MAX_CONNECTIONS;
use super::places;
use super::*;
use crate::gate::{Answer, Decision, PromptError, Prompter};
use crate::prompters::{FunctionPrompter, Media, Refuse, test_question};

/// A broker that listens below a state directory of its own.
struct Stage {
    state: tempfile::TempDir,
    broker: Broker,
    _listener: Listener,
}

impl Stage {
    fn new(alone: Alone) -> Self {
        let state = tempfile::tempdir().unwrap();
        let broker = Broker::new(alone);
        let listener = broker.listen(state.path()).unwrap();
        Self {
            state,
            broker,
            _listener: listener,
        }
    }

    fn ask(&self, detail: &str) -> tokio::task::JoinHandle<Result<Answer, PromptError>> {
        let (broker, request) = (self.broker.clone(), test_question(detail));
        tokio::spawn(async move { broker.prompt(&request).await })
    }

    fn operator(&self) -> Operator {
        Operator::new(self.state.path())
    }

    fn folder(&self) -> std::path::PathBuf {
        places::folder(self.state.path())
    }

    async fn connect(&self) -> Client {
        let mut sockets = std::fs::read_dir(self.folder()).unwrap();
        let socket = sockets.next().unwrap().unwrap().path();
        Client(BufReader::new(UnixStream::connect(socket).await.unwrap()))
    }

    /// Waits until so many questions are open.
    async fn pending(&self, count: usize) -> Vec<Prompt> {
        for _ in 0..500 {
            let pending = self.operator().pending().await.unwrap();
            if pending.len() == count {
                return pending;
            }
            tokio::time::sleep(Duration::from_millis(10)).await;
        }
        panic!("there are never {count} questions");
    }
}

struct Client(BufReader<UnixStream>);

impl Client {
    async fn send(&mut self, line: &str) {
        self.0.write_all(format!("{line}\n").as_bytes()).await.unwrap();
    }

    async fn line(&mut self) -> Option<Value> {
        let mut line = String::new();
        let read = tokio::time::timeout(Duration::from_secs(10), self.0.read_line(&mut line)).await;
        read.expect("a line in time").unwrap();
        (!line.is_empty()).then(|| serde_json::from_str(&line).unwrap())
    }

    async fn request(&mut self, request: Value) -> Value {
        self.send(&request.to_string()).await;
        self.line().await.expect("a reply")
    }
}

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

#[tokio::test]
async fn connections_are_bounded_and_come_free_again() {
    let stage = Stage::new(Alone::Waits);
    let mut open = Vec::new();
    for _ in 0..MAX_CONNECTIONS {
        let mut client = stage.connect().await;
        client.request(json!({"request": "list"})).await;
        open.push(client);
    }
    let mut one_more = stage.connect().await;
    assert_eq!(one_more.line().await.unwrap()["code"], "busy");
    assert_eq!(one_more.line().await, None);
    open.clear();
    stage.pending(0).await;
    for _ in 0..500 {
        if stage.connect().await.try_list().await {
            return;
        }
        tokio::time::sleep(Duration::from_millis(10)).await;
    }
    panic!("no connection came free");
}

impl Client {
    async fn try_list(&mut self) -> bool {
        let _ = self.0.write_all(b"{\"request\":\"list\"}\n").await;
        self.line().await.is_some_and(|reply| reply["reply"] == "listed")
    }
}

#[tokio::test]
async fn who_does_not_read_holds_up_nobody() {
    let stage = Stage::new(Alone::Waits);
    let mut slow = stage.connect().await;
    slow.send(r#"{"request":"watch"}"#).await;
    let mut request = test_question("/p/a");
    request.arguments = json!({"content": "x".repeat(1 << 20)}).to_string();
    let request = Arc::new(request);
    let all: Vec<_> = (0..20)
        .map(|_| {
            let (broker, request) = (stage.broker.clone(), Arc::clone(&request));
            tokio::spawn(async move { broker.prompt(&request).await })
        })
        .collect();
    for prompt in stage.pending(20).await {
        stage.operator().answer(&prompt.id, Decision::Once).await.unwrap();
    }
    for asked in all {
        assert_eq!(asked.await.unwrap().unwrap().decision, Decision::Once);
    }
}

#[tokio::test]
async fn alone_it_waits_only_while_somebody_watches() {
    let stage = Stage::new(Alone::WhileWatched);
    let error = stage.ask("/p/a").await.unwrap().unwrap_err();
    assert!(matches!(error, PromptError::Unattended(_)), "{error}");
    for way in ["toolgate approvals watch", "--approvals"] {
        assert!(error.to_string().contains(way), "{error}");
    }
    let mut watcher = stage.connect().await;
    watcher.request(json!({"request": "watch"})).await;
    let asked = stage.ask("/p/a");
    assert_eq!(watcher.line().await.unwrap()["event"], "prompt");
    drop(watcher);
    let ended = tokio::time::timeout(Duration::from_secs(5), asked)
        .await
        .expect("it ends at once");
    assert!(matches!(ended.unwrap(), Err(PromptError::Unattended(_))));
}

#[tokio::test]
async fn beside_another_medium_the_first_answer_counts() {
    let stage = Stage::new(Alone::WhileWatched);
    let request = test_question("/p/a");
    // The other one answers.
    let media = |terminal: Arc<dyn Prompter>| Media {
        terminal: Some(terminal),
        socket: Some(stage.broker.clone()),
    };
    let quick = Arc::new(FunctionPrompter::new(|_| async { Ok(Decision::Once.into()) }));
    let both = media(quick).prompter(None).unwrap();
    assert_eq!(both.prompt(&request).await.unwrap().decision, Decision::Once);
    stage.pending(0).await;
    // The socket answers, though nobody watches.
    let silent = Arc::new(FunctionPrompter::new(|_| std::future::pending()));
    let both = media(silent).prompter(None).unwrap();
    assert_eq!(both.patience(), None, "a terminal waits without end");
    let asked = tokio::spawn({
        let request = request.clone();
        async move { both.prompt(&request).await }
    });
    let id = stage.pending(1).await.remove(0).id;
    stage.operator().answer(&id, Decision::Session).await.unwrap();
    assert_eq!(asked.await.unwrap().unwrap().decision, Decision::Session);
    // The other one fails and nobody watches: the call does not hang.
    let closed = Arc::new(FunctionPrompter::new(|_| async {
        Err(PromptError::Closed("the window is gone".to_owned()))
    }));
    let both = media(closed).prompter(None).unwrap();
    let error = both.prompt(&request).await.unwrap_err();
    assert_eq!(error, PromptError::Closed("the window is gone".to_owned()));
    let nobody = media(Arc::new(Refuse::new("no terminal"))).prompter(None).unwrap();
    let error = nobody.prompt(&request).await.unwrap_err().to_string();
    assert!(
        error.contains("no terminal") && error.contains("approvals watch"),
        "{error}"
    );
}

#[tokio::test]
async fn m14_fifty_questions_get_each_its_own_answer() {
    let stage = Stage::new(Alone::Waits);
    let asked: Vec<_> = (0..50)
        .map(|number| (number, stage.ask(&format!("/p/{number}"))))
        .collect();
    let mut pending = stage.pending(50).await;
    // An order that is neither that of the questions nor its reverse.
    pending.sort_by(|one, other| one.id.cmp(&other.id));
    let decision = |number: usize| {
        if number % 3 == 0 {
            Decision::Deny
        } else {
            Decision::Once
        }
    };
    for prompt in pending {
        let number: usize = prompt.detail.trim_start_matches("/p/").parse().unwrap();
        stage.operator().answer(&prompt.id, decision(number)).await.unwrap();
    }
    for (number, asked) in asked {
        assert_eq!(asked.await.unwrap().unwrap().decision, decision(number), "{number}");
    }
}

#[tokio::test]
async fn the_socket_is_private_and_goes_with_its_process() {
    let stage = Stage::new(Alone::Waits);
    let mode = |path: &Path| std::fs::metadata(path).unwrap().permissions().mode() & 0o777;
    assert_eq!(mode(&stage.folder()), 0o700);
    let socket = std::fs::read_dir(stage.folder())
        .unwrap()
        .next()
        .unwrap()
        .unwrap()
        .path();
    assert_eq!(mode(&socket), 0o600);
    // A second server leaves the first one alone; a dead one's socket goes.
    let dead = stage.folder().join("1-dead.sock");
    drop(std::os::unix::net::UnixListener::bind(&dead).unwrap());
    let second = Broker::new(Alone::Waits);
    let listener = second.listen(stage.state.path()).unwrap();
    assert!(!dead.exists() && socket.exists());
    assert_eq!(std::fs::read_dir(stage.folder()).unwrap().count(), 2);
    drop(listener);
    assert_eq!(std::fs::read_dir(stage.folder()).unwrap().count(), 1);
    // So does the operator's side.
    drop(std::os::unix::net::UnixListener::bind(&dead).unwrap());
    assert_eq!(stage.operator().pending().await.unwrap(), Vec::new());
    assert!(!dead.exists() && socket.exists());
}

#[tokio::test]
async fn a_watching_operator_sees_servers_that_start_later() {
    let state = tempfile::tempdir().unwrap();
    let operator = Operator::new(state.path());
    let mut news = operator.watch();
    let broker = Broker::new(Alone::WhileWatched);
    let listener = broker.listen(state.path()).unwrap();
    let request = test_question("/p/a");
    let answer = tokio::time::timeout(Duration::from_secs(10), async {
        loop {
            match broker.prompt(&request).await {
                Err(PromptError::Unattended(_)) => tokio::time::sleep(Duration::from_millis(20)).await,
                other => return other,
            }
        }
    });
    let operating = async {
        let Some(News::Prompt(prompt)) = news.recv().await else {
            panic!("no question");
        };
        operator.answer(&prompt.id, Decision::Once).await.unwrap();
        news.recv().await
    };
    let (answer, ended) = tokio::join!(answer, operating);
    assert_eq!(answer.unwrap().unwrap().decision, Decision::Once);
    assert!(
        matches!(
            ended,
            Some(News::Ended {
                reason: Ended::Answered,
                ..
            })
        ),
        "{ended:?}"
    );
    // A server that goes takes its questions along.
    let asked = tokio::spawn(async move { broker.prompt(&test_question("/p/b")).await });
    assert!(matches!(news.recv().await, Some(News::Prompt(_))));
    drop(listener);
    assert!(matches!(
        news.recv().await,
        Some(News::Ended {
            reason: Ended::Withdrawn,
            ..
        })
    ));
    let error = asked.await.unwrap().unwrap_err();
    assert!(matches!(error, PromptError::Unattended(_)), "{error}");
}

#[tokio::test]
async fn a_folder_with_a_long_name_or_wide_rights_is_no_obstacle() {
    let base = tempfile::tempdir().unwrap();
    let state = base.path().join("d".repeat(200));
    let folder = places::folder(&state);
    std::fs::create_dir_all(&folder).unwrap();
    std::fs::set_permissions(&folder, std::fs::Permissions::from_mode(0o755)).unwrap();
    let broker = Broker::new(Alone::Waits);
    let _listener = broker.listen(&state).unwrap();
    let mode = std::fs::metadata(&folder).unwrap().permissions().mode() & 0o777;
    assert_eq!(mode, 0o700);
    assert_eq!(Operator::new(&state).pending().await.unwrap(), Vec::new());
    // One that others may write to is not used.
    std::fs::set_permissions(&folder, std::fs::Permissions::from_mode(0o777)).unwrap();
    let error = Broker::new(Alone::Waits).listen(&state).err().unwrap();
    assert!(error.to_string().contains("others may write"), "{error}");
}
