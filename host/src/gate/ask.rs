//! Asking the operator, and what an answer leads to.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, PoisonError, Weak};
use std::time::{Duration, SystemTime};

use tokio::time::Sleep;

use super::decider::{Decider, Refusal};
use super::gate::Gate;
use super::judge::{Judgement, Question};
use super::log::Approved;
use super::prompt::{Answer, Approver, Decision, PromptError, PromptRequest};
use super::verdict;
use crate::call::CallError;

/// The call on whose behalf is asked.
pub(super) struct Asker<'a> {
    pub(super) tool: &'a str,
    /// All arguments, canonical JSON.
    pub(super) arguments: &'a (dyn Fn() -> String + Sync),
    pub(super) source: Option<&'a str>,
    /// `permissions.prompt_timeout_seconds`.
    pub(super) timeout: Option<Duration>,
}

/// A request that may happen.
pub(super) struct Settled {
    pub(super) decider: Decider,
    pub(super) approver: Option<Approver>,
    pub(super) asked: bool,
}

impl Settled {
    fn at_once(decider: Decider) -> Self {
        Self {
            decider,
            approver: None,
            asked: false,
        }
    }
}

impl Gate {
    /// Judges, and asks if nothing else decides. Equal requests of one session
    /// are asked one after the other, so that one answer can serve all of them.
    pub(super) async fn settle(&self, asker: &Asker<'_>, judge: impl Fn() -> Judgement) -> Result<Settled, CallError> {
        let question = match judge() {
            Judgement::Pass(decider) => return Ok(Settled::at_once(decider)),
            Judgement::Refuse(refusal) => return Err(refusal.error()),
            Judgement::Ask(question) => question,
        };
        let turn = self.queue.turn(&question);
        let _turn = turn.lock().await;
        match judge() {
            Judgement::Pass(decider) => Ok(Settled::at_once(decider)),
            Judgement::Refuse(refusal) => Err(refusal.error()),
            Judgement::Ask(question) => self.ask(asker, &question).await.map_err(|refusal| refusal.error()),
        }
    }

    async fn ask(&self, asker: &Asker<'_>, question: &Question) -> Result<Settled, Refusal> {
        let Some(prompter) = &self.prompter else {
            return Err(question.nobody.clone());
        };
        let request = PromptRequest {
            kind: question.kind,
            tool: asker.tool.to_owned(),
            operation: question.operation,
            detail: question.detail.clone(),
            arguments: (asker.arguments)(),
            session: self.session.clone(),
            source: asker.source.map(str::to_owned),
            choices: question.grantable.choices(),
        };
        let answer = match asker.timeout.or_else(|| prompter.patience()) {
            None => prompter.prompt(&request).await,
            Some(most) => tokio::select! {
                answer = prompter.prompt(&request) => answer,
                () = self.sleep(most) => Err(PromptError::Expired(most)),
            },
        };
        let unanswered = |id, why: &str| verdict::unanswered(asker.tool, question.operation, &question.detail, id, why);
        let answer = match answer {
            Ok(answer) => answer,
            Err(PromptError::Unattended(_)) => return Err(question.nobody.clone()),
            Err(error @ PromptError::Expired(_)) => return Err(unanswered("prompt.timeout", &error.to_string())),
            Err(error) => return Err(unanswered("prompt.failed", &error.to_string())),
        };
        // More than was offered cannot be given: then it holds for this call, which always is.
        let answer = if request.offers(answer.decision) {
            answer
        } else {
            Answer {
                decision: Decision::Once,
                ..answer
            }
        };
        let decider = self.follow(asker, question, &answer)?;
        Ok(Settled {
            decider,
            approver: answer.approver,
            asked: true,
        })
    }

    /// Does what the answer says: remembers it as far as it was offered.
    fn follow(&self, asker: &Asker<'_>, question: &Question, answer: &Answer) -> Result<Decider, Refusal> {
        let grantable = &question.grantable;
        let exact = || {
            if let Some(exact) = grantable.exact.clone() {
                self.grants.grant(exact);
            }
        };
        let decider = match answer.decision {
            Decision::Deny => {
                if let Some(exact) = grantable.exact.clone() {
                    self.grants.refuse(exact);
                }
                return Err(verdict::by_user(
                    asker.tool,
                    question.operation,
                    &question.detail,
                    false,
                ));
            }
            Decision::Once => Decider::fixed("prompt.once", "the operator, for this call only"),
            Decision::Session => {
                exact();
                Decider::fixed("prompt.session", "the operator, for this session")
            }
            Decision::SessionVerb => {
                exact();
                if let Some(verb) = grantable.verb.clone() {
                    self.grants.grant_wide(super::grants::Wide::Verb(verb));
                }
                Decider::fixed("prompt.verb", "the operator, for commands of this verb in this session")
            }
            Decision::SessionTool => {
                exact();
                if let Some(wide) = grantable.wide.clone() {
                    self.grants.grant_wide(wide);
                }
                Decider::fixed("prompt.tool", "the operator, for this tool in this session")
            }
            Decision::Always | Decision::AlwaysDirectory => {
                let lasting = if answer.decision == Decision::Always {
                    grantable.lasting.as_ref()
                } else {
                    grantable.lasting_directory.as_ref()
                };
                if let Some(lasting) = lasting {
                    self.keep(lasting)
                        .map_err(|why| verdict::unkept(asker.tool, &lasting.pattern(), &why))?;
                }
                Decider::fixed("prompt.always", "the operator, from now on")
            }
        };
        let key = match (&grantable.verb, answer.decision) {
            (Some(verb), Decision::SessionVerb) => format!("{verb} *"),
            _ => question.detail.clone(),
        };
        self.log.push(Approved {
            at: SystemTime::now(),
            kind: question.kind,
            tool: asker.tool.to_owned(),
            key,
            decision: answer.decision,
            approver: answer.approver.clone(),
            source: asker.source.map(str::to_owned),
        });
        Ok(decider)
    }

    /// Keeps a lasting grant. Without a store it is this session's alone: other
    /// callers of the host gain nothing that nobody wrote down.
    fn keep(&self, lasting: &super::always::Lasting) -> Result<(), String> {
        match &self.store {
            Some(store) => {
                lasting.keep(store.as_ref())?;
                self.always.add(lasting)
            }
            None => self.own_always.add(lasting),
        }
    }

    /// A timer on the clock of the host, wherever the caller runs.
    fn sleep(&self, most: Duration) -> Sleep {
        let _clock = self.clock.enter();
        tokio::time::sleep(most)
    }
}

/// Lines of equal questions.
#[derive(Default)]
pub(super) struct Queue {
    lines: Mutex<HashMap<String, Weak<tokio::sync::Mutex<()>>>>,
}

impl Queue {
    fn turn(&self, question: &Question) -> Arc<tokio::sync::Mutex<()>> {
        let key = format!("{}\n{}", question.operation, question.detail);
        let mut lines = self.lines.lock().unwrap_or_else(PoisonError::into_inner);
        lines.retain(|_, line| line.strong_count() > 0);
        if let Some(line) = lines.get(&key).and_then(Weak::upgrade) {
            return line;
        }
        let line = Arc::new(tokio::sync::Mutex::new(()));
        lines.insert(key, Arc::downgrade(&line));
        line
    }
}
