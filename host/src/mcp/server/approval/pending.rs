//! Questions that wait for their call to be repeated.

use std::collections::VecDeque;
use std::sync::Mutex;
use std::time::{Duration, Instant};

use rmcp::ErrorData;
use rmcp::model::{
    CallToolRequestParams, ElicitRequest, ElicitResult, InputRequest, InputRequests, InputRequiredResult, JsonObject,
};

use super::form::{decision, form, offered};
use super::rounds::{Answered, Question};
use crate::PromptRequest;
use crate::gate::Choice;

/// The name of the one question in a round.
const APPROVAL: &str = "approval";

/// How long a question stays open.
const PATIENCE: Duration = Duration::from_secs(5 * 60);

/// Questions open at the same time, over all clients; the oldest give way.
const MAX_PENDING: usize = 256;

/// The open questions of one server. An answer counts only with the token that
/// went out with its question, for the same tool and arguments, once, and in
/// time (row M14).
#[derive(Default)]
pub(in crate::mcp::server) struct Pending {
    waiting: Mutex<VecDeque<Waiting>>,
}

struct Waiting {
    token: String,
    since: Instant,
    tool: String,
    arguments: JsonObject,
    answered: Vec<Answered>,
    question: Question,
    choices: Vec<Choice>,
}

impl Pending {
    /// Ends a round with its question.
    ///
    /// # Errors
    /// When no token can be drawn.
    pub(in crate::mcp::server) fn ask(
        &self,
        call: (String, JsonObject),
        (request, answered): (PromptRequest, Vec<Answered>),
        remembers: bool,
    ) -> Result<InputRequiredResult, ErrorData> {
        let internal = |error: String| ErrorData::internal_error(error, None);
        let mut token = [0; 16];
        crate::sandbox::cache::fill_random(&mut token).map_err(internal)?;
        let token = crate::sandbox::cache::hex(&token);
        let choices = offered(&request, remembers);
        let form = form(&request, &choices).map_err(internal)?;
        let (tool, arguments) = call;
        let mut waiting = self.lock();
        while waiting.len() >= MAX_PENDING {
            waiting.pop_front();
        }
        waiting.push_back(Waiting {
            token: token.clone(),
            since: Instant::now(),
            tool,
            arguments,
            answered,
            question: Question::from(&request),
            choices,
        });
        let question = InputRequest::Elicitation(ElicitRequest::new(form));
        let questions = InputRequests::from([(APPROVAL.to_owned(), question)]);
        Ok(InputRequiredResult::new(Some(questions), Some(token)))
    }

    /// The answers that a repeated call brings with it; none if they do not
    /// belong to it, so that it is asked about anew.
    pub(in crate::mcp::server) fn answers(&self, call: &CallToolRequestParams) -> Vec<Answered> {
        let (Some(token), Some(responses)) = (&call.request_state, &call.input_responses) else {
            return Vec::new();
        };
        let Some(waiting) = self.take(token) else {
            return Vec::new();
        };
        let arguments = call
            .arguments
            .as_ref()
            .is_some_and(|arguments| *arguments == waiting.arguments)
            || (call.arguments.is_none() && waiting.arguments.is_empty());
        let answer = responses
            .get(APPROVAL)
            .and_then(|answer| serde_json::from_value::<ElicitResult>(answer.clone()).ok());
        match answer {
            Some(answer) if arguments && call.name == waiting.tool => {
                let mut answered = waiting.answered;
                answered.push(Answered {
                    question: waiting.question,
                    answer: decision(&answer, &waiting.choices),
                });
                answered
            }
            _ => Vec::new(),
        }
    }

    fn take(&self, token: &str) -> Option<Waiting> {
        let mut waiting = self.lock();
        waiting.retain(|waiting| waiting.since.elapsed() < PATIENCE);
        let at = waiting.iter().position(|waiting| waiting.token == token)?;
        waiting.remove(at)
    }

    fn lock(&self) -> std::sync::MutexGuard<'_, VecDeque<Waiting>> {
        // The queue is whole between any two statements.
        self.waiting.lock().unwrap_or_else(std::sync::PoisonError::into_inner)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Decision;
    use crate::prompters::test_question;
    use serde_json::{Value, json};

    fn question() -> PromptRequest {
        test_question("/p/a")
    }

    fn object(value: Value) -> JsonObject {
        value.as_object().cloned().unwrap()
    }

    fn ask(pending: &Pending) -> String {
        let call = ("write_file".to_owned(), object(json!({"path": "a"})));
        pending
            .ask(call, (question(), Vec::new()), false)
            .unwrap()
            .request_state
            .unwrap()
    }

    fn repeated(tool: &str, arguments: Value, token: &str) -> CallToolRequestParams {
        serde_json::from_value(json!({
            "name": tool,
            "arguments": arguments,
            "requestState": token,
            "inputResponses": {"approval": {"action": "accept", "content": {"decision": "allow once"}}},
        }))
        .unwrap()
    }

    #[test]
    fn m14_an_answer_counts_once() {
        let pending = Pending::default();
        let token = ask(&pending);
        let call = repeated("write_file", json!({"path": "a"}), &token);
        let answers = pending.answers(&call);
        assert_eq!(answers.len(), 1);
        assert_eq!(answers[0].answer, Ok(Decision::Once.into()));
        assert_eq!(answers[0].question, Question::from(&question()));
        assert_eq!(pending.answers(&call), Vec::new());
    }

    #[test]
    fn m14_an_answer_counts_for_its_call_only() {
        let pending = Pending::default();
        for (tool, arguments) in [
            ("write_file", json!({"path": "b"})),
            ("stat", json!({"path": "a"})),
            ("write_file", json!({})),
        ] {
            let token = ask(&pending);
            assert_eq!(pending.answers(&repeated(tool, arguments, &token)), Vec::new());
        }
        let mut other = ask(&pending);
        other.replace_range(0..1, if other.starts_with('0') { "1" } else { "0" });
        assert_eq!(
            pending.answers(&repeated("write_file", json!({"path": "a"}), &other)),
            Vec::new()
        );
    }

    #[test]
    fn the_oldest_questions_give_way() {
        let pending = Pending::default();
        let first = ask(&pending);
        for _ in 0..MAX_PENDING {
            ask(&pending);
        }
        assert_eq!(pending.lock().len(), MAX_PENDING);
        assert_eq!(
            pending.answers(&repeated("write_file", json!({"path": "a"}), &first)),
            Vec::new()
        );
    }
}
