//! The open questions, and what has become of the last ones.

use std::collections::{BTreeMap, VecDeque};
use std::sync::{Arc, Mutex};
use std::time::SystemTime;

use tokio::sync::{oneshot, watch};

use super::protocol::{Acknowledged, Ended, Event, Prompt, Refusal, RefusalCode};
use super::time::utc;
use crate::gate::{Answer, Approver, Decision, PromptError, PromptRequest};

/// Questions open at the same time. Each holds the arguments of its call.
pub(super) const MAX_OPEN: usize = 1024;

/// Ended questions that are remembered, to tell late answers what happened.
const MAX_PAST: usize = 4096;

/// What the prompters and the connections of one broker share.
pub(super) struct Book {
    state: Mutex<State>,
    /// Told of every change of the open questions.
    changed: watch::Sender<()>,
    /// How many connections are watching.
    watchers: watch::Sender<usize>,
}

#[derive(Default)]
struct State {
    next: u64,
    /// By number, which is the order they were asked in.
    open: BTreeMap<u64, Open>,
    past: VecDeque<(String, Ended)>,
}

struct Open {
    id: String,
    request: Arc<PromptRequest>,
    at: String,
    answer: oneshot::Sender<Answer>,
}

/// The questions that a client has been told of, by number.
pub(super) type Told = BTreeMap<u64, String>;

impl Book {
    pub(super) fn new() -> Self {
        Self {
            state: Mutex::default(),
            changed: watch::Sender::new(()),
            watchers: watch::Sender::new(0),
        }
    }

    /// Opens a question; dropping it withdraws it.
    ///
    /// # Errors
    /// `Failed` if too many are open or no id can be drawn.
    pub(super) fn open(self: &Arc<Self>, request: &PromptRequest) -> Result<Question, PromptError> {
        let mut random = [0; 12];
        crate::sandbox::cache::fill_random(&mut random).map_err(PromptError::Failed)?;
        let (sender, receiver) = oneshot::channel();
        let entry = Open {
            id: crate::sandbox::cache::hex(&random),
            request: Arc::new(request.clone()),
            at: utc(SystemTime::now()),
            answer: sender,
        };
        let mut state = self.lock();
        if state.open.len() >= MAX_OPEN {
            return Err(PromptError::Failed(format!("{MAX_OPEN} questions are waiting already")));
        }
        let number = state.next;
        state.next += 1;
        state.open.insert(number, entry);
        drop(state);
        self.changed.send_replace(());
        Ok(Question {
            book: Arc::clone(self),
            number,
            answer: receiver,
        })
    }

    /// Answers a question, once.
    ///
    /// # Errors
    /// See [`RefusalCode`]; the question stays open then.
    pub(super) fn answer(
        &self,
        id: &str,
        decision: &str,
        claimed: Option<&str>,
        approver: Approver,
    ) -> Result<Acknowledged, Refusal> {
        let decision: Decision = decision
            .parse()
            .map_err(|error: String| Refusal::new(RefusalCode::UnknownDecision, error))?;
        if let Some(claimed) = claimed.filter(|claimed| *claimed != approver.who) {
            let error = format!(
                "the approver is {:?}, as whom you are connected, not {claimed:?}",
                approver.who
            );
            return Err(Refusal::new(RefusalCode::ApproverMismatch, error));
        }
        let mut state = self.lock();
        let Some(number) = state.number(id) else {
            return Err(state.missing(id));
        };
        if let Some(open) = state.open.get(&number)
            && !open.request.offers(decision)
        {
            let offered: Vec<_> = open
                .request
                .choices
                .iter()
                .map(|choice| choice.decision.as_str())
                .collect();
            let error = format!(
                "this question cannot be answered with {decision}; it offers {}",
                offered.join(", ")
            );
            return Err(Refusal::new(RefusalCode::NotOffered, error));
        }
        let Some(open) = state.end(number, Ended::Answered) else {
            return Err(state.missing(id));
        };
        drop(state);
        let acknowledged = Acknowledged {
            id: open.id,
            decision,
            approver: approver.who.clone(),
        };
        let answer = Answer {
            decision,
            approver: Some(approver),
        };
        self.changed.send_replace(());
        // Whoever asked may be gone in this moment; then nothing happens.
        let _ = open.answer.send(answer);
        Ok(acknowledged)
    }

    /// One thing that `told` does not know yet, which it does then.
    pub(super) fn news(&self, told: &mut Told) -> Option<Event> {
        let state = self.lock();
        if let Some((&number, _)) = told.iter().find(|(number, _)| !state.open.contains_key(number)) {
            let id = told.remove(&number).unwrap_or_default();
            let reason = state.past(&id).unwrap_or(Ended::Withdrawn);
            return Some(Event::Withdrawn { id, reason });
        }
        let (&number, open) = state.open.iter().find(|(number, _)| !told.contains_key(number))?;
        told.insert(number, open.id.clone());
        let (id, at, request) = (open.id.clone(), open.at.clone(), Arc::clone(&open.request));
        drop(state);
        Some(Event::Prompt(Prompt::new(&id, &request, &at)))
    }

    /// Resolves with every change from now on.
    pub(super) fn changes(&self) -> watch::Receiver<()> {
        self.changed.subscribe()
    }

    /// Counts a watching connection until the result is dropped.
    pub(super) fn attend(self: &Arc<Self>) -> Attendance {
        self.watchers.send_modify(|count| *count += 1);
        Attendance(Arc::clone(self))
    }

    /// Resolves when no connection watches.
    pub(super) async fn unwatched(&self) {
        let mut watchers = self.watchers.subscribe();
        // The sender lives as long as this.
        let _ = watchers.wait_for(|count| *count == 0).await;
    }

    fn withdraw(&self, number: u64) {
        if self.lock().end(number, Ended::Withdrawn).is_some() {
            self.changed.send_replace(());
        }
    }

    fn lock(&self) -> std::sync::MutexGuard<'_, State> {
        // The state is whole between any two statements.
        self.state.lock().unwrap_or_else(std::sync::PoisonError::into_inner)
    }
}

impl State {
    fn number(&self, id: &str) -> Option<u64> {
        self.open
            .iter()
            .find(|(_, open)| open.id == id)
            .map(|(number, _)| *number)
    }

    fn past(&self, id: &str) -> Option<Ended> {
        self.past
            .iter()
            .rev()
            .find(|(past, _)| past == id)
            .map(|(_, ended)| *ended)
    }

    fn end(&mut self, number: u64, ended: Ended) -> Option<Open> {
        let open = self.open.remove(&number)?;
        if self.past.len() >= MAX_PAST {
            self.past.pop_front();
        }
        self.past.push_back((open.id.clone(), ended));
        Some(open)
    }

    fn missing(&self, id: &str) -> Refusal {
        match self.past(id) {
            Some(Ended::Answered) => Refusal::new(RefusalCode::Answered, format!("question {id} has been answered")),
            Some(Ended::Withdrawn) => Refusal::new(
                RefusalCode::Withdrawn,
                format!("question {id} was withdrawn: it was answered elsewhere, its call ended, or its time passed"),
            ),
            None => {
                let shown: String = id.chars().take(64).collect();
                Refusal::new(
                    RefusalCode::UnknownId,
                    format!("no question has the id {shown:?}; list them with {{\"request\":\"list\"}}"),
                )
            }
        }
    }
}

/// One open question.
pub(super) struct Question {
    book: Arc<Book>,
    number: u64,
    answer: oneshot::Receiver<Answer>,
}

impl Question {
    /// Waits for the answer; may be given up and called again.
    pub(super) async fn answered(&mut self) -> Result<Answer, PromptError> {
        let closed = |_| PromptError::Closed("the approval socket was closed".to_owned());
        (&mut self.answer).await.map_err(closed)
    }
}

impl Drop for Question {
    fn drop(&mut self) {
        self.book.withdraw(self.number);
    }
}

/// A connection that watches.
pub(super) struct Attendance(Arc<Book>);

impl Drop for Attendance {
    fn drop(&mut self) {
        self.0.watchers.send_modify(|count| *count -= 1);
    }
}
