//! Who waits, and whose answer counts.

use std::sync::Arc;
use std::time::Duration;

use serde_json::json;

use super::*;
use crate::gate::Decision;
use crate::prompters::{FunctionPrompter, Media, Refuse};

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
