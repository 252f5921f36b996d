//! Prompters alone and together.

use std::sync::atomic::{AtomicUsize, Ordering};

use super::*;
use crate::gate::{Answer, Approver, Choice, Decision, PromptError, PromptKind};

pub(crate) fn question(detail: &str) -> PromptRequest {
    let choice = |decision: Decision| Choice {
        decision,
        covers: "a test".to_owned(),
    };
    PromptRequest {
        kind: PromptKind::FileWrite,
        tool: "write_file".to_owned(),
        operation: "write",
        detail: detail.to_owned(),
        arguments: format!(r#"{{"path":"{detail}"}}"#),
        session: "s".to_owned(),
        source: None,
        choices: [Decision::Deny, Decision::Once, Decision::Session].map(choice).into(),
    }
}

fn never() -> Arc<dyn Prompter> {
    Arc::new(FunctionPrompter::new(|_| std::future::pending()))
}

fn unattended(text: &str) -> Arc<dyn Prompter> {
    Arc::new(Refuse::new(text))
}

#[tokio::test]
async fn nobody_says_what_would_help() {
    let error = Refuse::default().prompt(&question("/a")).await.unwrap_err();
    let PromptError::Unattended(text) = &error else {
        panic!("{error}");
    };
    for way in ["terminal", "--approvals", "permissions.allow", "mode"] {
        assert!(text.contains(way), "{way}: {text}");
    }
}

#[tokio::test]
async fn a_script_is_followed_and_ends() {
    let script = Static::script([Decision::Once, Decision::Deny]);
    let request = question("/a");
    assert_eq!(script.prompt(&request).await, Ok(Decision::Once.into()));
    assert_eq!(script.prompt(&request).await, Ok(Decision::Deny.into()));
    assert!(matches!(script.prompt(&request).await, Err(PromptError::Unattended(_))));
    let always = Static::always(Decision::Session);
    for _ in 0..3 {
        assert_eq!(always.prompt(&request).await, Ok(Decision::Session.into()));
    }
}

#[tokio::test]
async fn one_question_is_visible_and_the_dropped_leave_the_queue() {
    let visible = Arc::new(AtomicUsize::new(0));
    let most = Arc::new(AtomicUsize::new(0));
    let shown = Arc::new(std::sync::Mutex::new(Vec::new()));
    let medium = {
        let (visible, most, shown) = (Arc::clone(&visible), Arc::clone(&most), Arc::clone(&shown));
        FunctionPrompter::new(move |request: PromptRequest| {
            let (visible, most) = (Arc::clone(&visible), Arc::clone(&most));
            shown.lock().unwrap().push(request.detail);
            async move {
                most.fetch_max(visible.fetch_add(1, Ordering::SeqCst) + 1, Ordering::SeqCst);
                tokio::time::sleep(Duration::from_millis(20)).await;
                visible.fetch_sub(1, Ordering::SeqCst);
                Ok(Decision::Once.into())
            }
        })
    };
    let queue = Arc::new(OneAtATime::new(medium));
    let ask = |detail: &'static str| {
        let queue = Arc::clone(&queue);
        tokio::spawn(async move { queue.prompt(&question(detail)).await })
    };
    let (first, second, third) = (ask("/1"), ask("/2"), ask("/3"));
    tokio::time::sleep(Duration::from_millis(5)).await;
    second.abort();
    assert_eq!(first.await.unwrap(), Ok(Decision::Once.into()));
    assert_eq!(third.await.unwrap(), Ok(Decision::Once.into()));
    assert_eq!(most.load(Ordering::SeqCst), 1);
    assert_eq!(*shown.lock().unwrap(), ["/1", "/3"]);
}

#[tokio::test]
async fn the_first_answer_wins_and_withdraws_the_others() {
    struct Gone(Arc<AtomicUsize>);
    impl Drop for Gone {
        fn drop(&mut self) {
            self.0.fetch_add(1, Ordering::SeqCst);
        }
    }
    let gone = Arc::new(AtomicUsize::new(0));
    let slow = {
        let gone = Arc::clone(&gone);
        FunctionPrompter::new(move |_| {
            let guard = Gone(Arc::clone(&gone));
            async move {
                std::future::pending::<()>().await;
                drop(guard);
                Ok(Decision::Deny.into())
            }
        })
    };
    let answer = Answer {
        decision: Decision::Once,
        approver: Some(Approver {
            who: "ada".to_owned(),
            how: "test".to_owned(),
        }),
    };
    let quick = {
        let answer = answer.clone();
        FunctionPrompter::new(move |_| {
            let answer = answer.clone();
            async move {
                tokio::task::yield_now().await;
                Ok(answer)
            }
        })
    };
    let all = FirstOf::new()
        .and("broken", unattended("no"))
        .and("slow", Arc::new(slow))
        .and("quick", Arc::new(quick));
    let request = question("/a");
    let mut asked = all.prompt(&request);
    assert_eq!((&mut asked).await, Ok(answer), "the approver is handed on");
    assert_eq!(
        gone.load(Ordering::SeqCst),
        1,
        "withdrawn with the answer, not with the question"
    );
}

#[tokio::test]
async fn all_failures_are_named() {
    let request = question("/a");
    let broken: Arc<dyn Prompter> = Arc::new(FunctionPrompter::new(|_| async {
        Err(PromptError::Closed("the window was closed".to_owned()))
    }));
    let both = FirstOf::new()
        .and("the client", Arc::clone(&broken))
        .and("the terminal", unattended("nobody"));
    let error = both.prompt(&request).await.unwrap_err();
    assert!(matches!(error, PromptError::Failed(_)));
    for part in ["the client", "window was closed", "the terminal", "nobody"] {
        assert!(error.to_string().contains(part), "{part}: {error}");
    }
    let alone = FirstOf::new().and("the client", broken);
    assert!(matches!(alone.prompt(&request).await, Err(PromptError::Closed(_))));
    let none = FirstOf::new();
    assert!(matches!(none.prompt(&request).await, Err(PromptError::Unattended(_))));
    let absent = FirstOf::new().and("a", unattended("x")).and("b", unattended("y"));
    assert!(matches!(absent.prompt(&request).await, Err(PromptError::Unattended(_))));
}

#[test]
fn the_most_patient_medium_counts() {
    struct Patient(u64);
    impl Prompter for Patient {
        fn prompt<'a>(&'a self, _: &'a PromptRequest) -> Asked<'a> {
            Box::pin(std::future::pending())
        }
        fn patience(&self) -> Option<Duration> {
            Some(Duration::from_secs(self.0))
        }
    }
    let timed = FirstOf::new()
        .and("a", Arc::new(Patient(3)))
        .and("b", Arc::new(Patient(5)));
    assert_eq!(timed.patience(), Some(Duration::from_secs(5)));
    assert_eq!(timed.and("c", never()).patience(), None);
}
