//! The question as a form, and the answer in it.

use rmcp::model::{
    ElicitRequestParams, ElicitResult, ElicitationAction, ElicitationSchema, EnumSchema, LegacyEnumSchema,
};

use crate::gate::{Answer, Choice, PromptError};
use crate::mcp::visible::escape;
use crate::prompters::words::{label, why};
use crate::{Decision, PromptRequest};

/// Most of the arguments that a form shows, in characters. What the call
/// reaches stands above them, so nothing that matters can be pushed out.
const MAX_ARGUMENTS: usize = 2000;

/// Most of an unclear answer that an error repeats, in characters.
const MAX_SHOWN: usize = 64;

/// What a form offers. Without a session there is nothing that could keep a
/// grant for it.
pub(super) fn offered(request: &PromptRequest, remembers: bool) -> Vec<Choice> {
    let for_session = |decision| {
        matches!(
            decision,
            Decision::Session | Decision::SessionVerb | Decision::SessionTool
        )
    };
    let choices = request.choices.iter();
    choices
        .filter(|choice| remembers || !for_session(choice.decision))
        .cloned()
        .collect()
}

/// The form for a question with these choices.
///
/// # Errors
/// None for the schema written here; the SDK checks that it has what it requires.
pub(super) fn form(request: &PromptRequest, choices: &[Choice]) -> Result<ElicitRequestParams, String> {
    let names = choices.iter().map(|choice| choice.decision.as_str().to_owned());
    let mut decision = LegacyEnumSchema::new(names.collect());
    decision.title = Some("Decision".into());
    // Clients of both generations know this way to give values titles; those
    // that do not show the values.
    decision.enum_names = Some(choices.iter().map(title).collect());
    let schema = ElicitationSchema::builder()
        .required_enum_schema("decision", EnumSchema::Legacy(decision))
        .build()?;
    Ok(ElicitRequestParams::FormElicitationParams {
        meta: None,
        message: message(request),
        requested_schema: schema,
    })
}

/// The answer in a form, by the name of the decision or in words.
///
/// # Errors
/// `Failed` for an accepted form without one of the choices: only a clear
/// answer counts.
pub(super) fn decision(answer: &ElicitResult, choices: &[Choice]) -> Result<Answer, PromptError> {
    if answer.action != ElicitationAction::Accept {
        return Ok(Decision::Deny.into());
    }
    let content = answer.content.as_ref();
    let text = content
        .and_then(|content| content["decision"].as_str())
        .unwrap_or_default();
    let meant = |decision: Decision| decision.as_str() == text || label(decision) == text;
    // Who sits at the client is what the client claims; no name is recorded.
    let chosen = choices
        .iter()
        .map(|choice| choice.decision)
        .find(|choice| meant(*choice));
    chosen.map(Into::into).ok_or_else(|| {
        let shown: String = text.chars().take(MAX_SHOWN).collect();
        let names: Vec<_> = choices.iter().map(|choice| choice.decision.as_str()).collect();
        PromptError::Failed(format!(
            "the client answered {shown:?}, which the form does not offer; it offers {}",
            names.join(", ")
        ))
    })
}

fn title(choice: &Choice) -> String {
    format!("{}: {}", label(choice.decision), escape(&choice.covers))
}

fn message(request: &PromptRequest) -> String {
    let shown: String = request.arguments.chars().take(MAX_ARGUMENTS).collect();
    let left = request.arguments.chars().count().saturating_sub(MAX_ARGUMENTS);
    let rest = if left > 0 {
        format!("… ({left} more characters)")
    } else {
        String::new()
    };
    let source = request.source.as_deref().filter(|source| !source.is_empty());
    format!(
        "{}{} wants to {} {} ({}).\n\nThe whole call: {}{rest}",
        source.map_or_else(String::new, |source| format!("[{}] ", escape(source))),
        escape(&request.tool),
        request.operation,
        escape(&request.detail),
        why(request.kind),
        escape(&shown),
    )
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::gate::PromptKind;
    use serde_json::{Value, json};

    fn request(kind: PromptKind, decisions: &[Decision], arguments: &str) -> PromptRequest {
        let choices = decisions.iter().map(|&decision| Choice {
            decision,
            covers: format!("covers {decision}"),
        });
        PromptRequest {
            kind,
            tool: "write_file".into(),
            operation: "write",
            detail: "/p/a\u{1b}[8m".into(),
            arguments: arguments.into(),
            session: "s".into(),
            source: None,
            choices: choices.collect(),
        }
    }

    fn shown(request: &PromptRequest, remembers: bool) -> Value {
        serde_json::to_value(form(request, &offered(request, remembers)).unwrap()).unwrap()
    }

    #[test]
    fn the_form_names_what_is_wanted_and_what_each_answer_covers() {
        let mut request = request(PromptKind::FileWrite, &Decision::ALL, &"x".repeat(9000));
        let form = shown(&request, true);
        let message = form["message"].as_str().unwrap();
        assert!(
            message.starts_with("write_file wants to write /p/a\\u{1b}[8m (it changes"),
            "{message}"
        );
        assert!(message.contains("7000 more characters"));
        let decision = &form["requestedSchema"]["properties"]["decision"];
        assert_eq!(decision["enum"], json!(Decision::ALL));
        assert_eq!(decision["enumNames"][1], "allow once: covers allow-once");
        assert_eq!(form["requestedSchema"]["required"], json!(["decision"]));
        request.source = Some("re\u{7}search".into());
        let form = shown(&request, true);
        let message = form["message"].as_str().unwrap();
        assert!(message.starts_with("[re\\u{7}search] write_file"), "{message}");
    }

    #[test]
    fn without_a_session_nothing_can_be_remembered_for_it() {
        let form = shown(&request(PromptKind::FileWrite, &Decision::ALL, "{}"), false);
        assert_eq!(
            form["requestedSchema"]["properties"]["decision"]["enum"],
            json!(["deny", "allow-once", "allow-always", "allow-always-directory"])
        );
    }

    #[test]
    fn the_control_plane_is_told_apart_and_granted_once_only() {
        let control = [Decision::Deny, Decision::Once];
        let form = shown(&request(PromptKind::ControlPlaneWrite, &control, "{}"), true);
        assert!(form["message"].as_str().unwrap().contains("CONTROL PLANE"));
        assert_eq!(
            form["requestedSchema"]["properties"]["decision"]["enum"],
            json!(["deny", "allow-once"])
        );
    }

    #[test]
    fn only_a_clear_answer_allows() {
        let request = request(PromptKind::FileWrite, &[Decision::Deny, Decision::Once], "{}");
        let answer = |value| decision(&serde_json::from_value(value).unwrap(), &request.choices);
        for once in ["allow-once", "allow once"] {
            let accepted = answer(json!({"action": "accept", "content": {"decision": once}}));
            assert_eq!(accepted, Ok(Decision::Once.into()));
        }
        for denial in [
            json!({"action": "accept", "content": {"decision": "deny"}}),
            json!({"action": "decline", "content": {"decision": "allow-once"}}),
            json!({"action": "cancel"}),
        ] {
            assert_eq!(answer(denial.clone()), Ok(Decision::Deny.into()), "{denial}");
        }
        for unclear in [
            json!({"action": "accept", "content": {"decision": "Allow once"}}),
            json!({"action": "accept", "content": {"decision": "allow-session"}}),
            json!({"action": "accept", "content": {"decision": ["allow-once"]}}),
            json!({"action": "accept", "content": {}}),
            json!({"action": "accept"}),
        ] {
            let error = answer(unclear.clone()).unwrap_err();
            assert!(error.to_string().contains("deny, allow-once"), "{unclear}: {error}");
        }
    }
}
