//! The question as a form, and the answer in it.

use rmcp::model::{ElicitRequestParams, ElicitResult, ElicitationAction, ElicitationSchema};
use serde_json::json;

use crate::gate::PromptKind;
use crate::mcp::visible::escape;
use crate::{Decision, PromptRequest};

const ONCE: &str = "allow once";
const SESSION: &str = "allow for this session";
const DENY: &str = "deny";

/// Most of the arguments that a form shows, in characters. What the call
/// reaches stands above them, so nothing that matters can be pushed out.
const MAX_ARGUMENTS: usize = 2000;

/// The form for a question. `remembers`: whether there is a session that could
/// keep a grant.
///
/// # Errors
/// None for the schema written here; the SDK's type is only built by parsing.
pub(super) fn form(request: &PromptRequest, remembers: bool) -> Result<ElicitRequestParams, serde_json::Error> {
    let choices: &[&str] = if remembers {
        &[ONCE, SESSION, DENY]
    } else {
        &[ONCE, DENY]
    };
    let schema: ElicitationSchema = serde_json::from_value(json!({
        "type": "object",
        "properties": {
            "decision": {"type": "string", "title": "Decision", "enum": choices},
        },
        "required": ["decision"],
    }))?;
    Ok(ElicitRequestParams::FormElicitationParams {
        meta: None,
        message: message(request),
        requested_schema: schema,
    })
}

/// Only a clear answer allows anything.
pub(super) fn decision(answer: &ElicitResult) -> Decision {
    if answer.action != ElicitationAction::Accept {
        return Decision::Deny;
    }
    let choice = answer.content.as_ref().and_then(|content| content["decision"].as_str());
    match choice {
        Some(ONCE) => Decision::Once,
        Some(SESSION) => Decision::Session,
        _ => Decision::Deny,
    }
}

fn message(request: &PromptRequest) -> String {
    let why = match request.kind {
        PromptKind::FileWrite => "it changes a file",
        PromptKind::PathScope => "it is outside the project",
        PromptKind::ControlPlaneWrite => "that file can grant rights or run commands",
    };
    let shown: String = request.arguments.chars().take(MAX_ARGUMENTS).collect();
    let left = request.arguments.chars().count().saturating_sub(MAX_ARGUMENTS);
    let rest = if left > 0 {
        format!("… ({left} more characters)")
    } else {
        String::new()
    };
    format!(
        "{} wants to {} {} ({why}).\n\nThe whole call: {}{rest}",
        escape(&request.tool),
        request.operation,
        escape(&request.detail),
        escape(&shown),
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    fn request(arguments: &str) -> PromptRequest {
        PromptRequest {
            kind: PromptKind::FileWrite,
            tool: "write_file".into(),
            operation: "write",
            detail: "/p/a\u{1b}[8m".into(),
            arguments: arguments.into(),
        }
    }

    #[test]
    fn the_form_names_what_is_wanted() {
        let form = serde_json::to_value(form(&request(&"x".repeat(9000)), true).unwrap()).unwrap();
        let message = form["message"].as_str().unwrap();
        assert!(
            message.starts_with("write_file wants to write /p/a\\u{1b}[8m"),
            "{message}"
        );
        assert!(message.contains("7000 more characters"));
        assert_eq!(
            form["requestedSchema"]["properties"]["decision"]["enum"],
            json!([ONCE, SESSION, DENY])
        );
    }

    #[test]
    fn without_a_session_nothing_can_be_remembered() {
        let form = serde_json::to_value(form(&request("{}"), false).unwrap()).unwrap();
        assert_eq!(
            form["requestedSchema"]["properties"]["decision"]["enum"],
            json!([ONCE, DENY])
        );
    }

    #[test]
    fn only_a_clear_answer_allows() {
        let answer = |value| decision(&serde_json::from_value(value).unwrap());
        assert_eq!(
            answer(json!({"action": "accept", "content": {"decision": ONCE}})),
            Decision::Once
        );
        assert_eq!(
            answer(json!({"action": "accept", "content": {"decision": SESSION}})),
            Decision::Session
        );
        for unclear in [
            json!({"action": "accept", "content": {"decision": DENY}}),
            json!({"action": "accept", "content": {"decision": "Allow once"}}),
            json!({"action": "accept", "content": {}}),
            json!({"action": "accept"}),
            json!({"action": "decline", "content": {"decision": ONCE}}),
            json!({"action": "cancel"}),
        ] {
            assert_eq!(answer(unclear.clone()), Decision::Deny, "{unclear}");
        }
    }
}
