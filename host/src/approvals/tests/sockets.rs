//! Connections, sockets and their folder.

use std::os::unix::fs::PermissionsExt;
use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

use serde_json::json;

use super::super::listener::MAX_CONNECTIONS;
use super::*;
use crate::gate::Decision;

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
