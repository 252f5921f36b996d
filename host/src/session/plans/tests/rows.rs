//! Rows that need an unknown set of tools or an unknown author.

use std::fs;
use std::os::unix::fs::PermissionsExt;

use super::super::PlanOutcome;
use super::*;

#[test]
fn p19_an_unknown_set_of_tools_is_not_enumerated() {
    let agents = Agents::new();
    let recorded = session(&agents.host(PlanMode::Required, None), author("a", "s"))
        .record("A")
        .unwrap();
    assert!(
        recorded.message.contains("now unblocked for this session."),
        "{}",
        recorded.message
    );
    let agents = Agents::new();
    let recorded = session(&agents.host(PlanMode::Required, Some(&[])), author("a", "s"))
        .record("A")
        .unwrap();
    assert!(recorded.message.contains("nothing was blocked"), "{}", recorded.message);
    let agents = Agents::new();
    let host = agents.host(PlanMode::Required, Some(&["mcp", "bash"]));
    let recorded = session(&host, author("a", "s")).record("A").unwrap();
    assert!(
        recorded.message.ends_with("Now unblocked for this session: bash, mcp."),
        "{}",
        recorded.message
    );
}

#[test]
fn p20_an_unknown_author_is_left_out() {
    let agents = Agents::new();
    let host = agents.host(PlanMode::Required, None);
    let plans = session(&host, Author::default());
    let recorded = plans.record("A").unwrap();
    let json = serde_json::to_value(&recorded).unwrap();
    let keys: Vec<_> = json.as_object().unwrap().keys().map(String::as_str).collect();
    assert_eq!(keys, ["message", "outcome", "path", "sequence"]);
    assert_eq!(
        fs::read_to_string(agents.plan("plan-1.md")).unwrap(),
        "---\nplan: 1\n---\n\nA\n"
    );
    let updated = plans.record("B").unwrap();
    assert_eq!((updated.outcome, updated.sequence), (PlanOutcome::Updated, 1));
    assert_eq!(agents.names(), ["plan-1.md"]);
}

#[test]
fn results_have_the_documented_keys() {
    let agents = Agents::new();
    let plans = session(&agents.host(PlanMode::Required, None), author("core_agent", "s-1"));
    let recorded = plans.record("A").unwrap();
    let path = agents.plan("plan-1.md").to_str().unwrap().to_owned();
    let mut expected = serde_json::json!({
        "path": path, "sequence": 1, "outcome": "recorded", "message": recorded.message, "agent": "core_agent", "session": "s-1",
    });
    assert_eq!(serde_json::to_value(&recorded).unwrap(), expected);
    let unchanged = plans.record(" A\n").unwrap();
    expected["outcome"] = "unchanged".into();
    expected["message"] = unchanged.message.clone().into();
    expected["no_op"] = true.into();
    assert_eq!(serde_json::to_value(&unchanged).unwrap(), expected);
    let mode = |name: &str| fs::metadata(agents.plan(name)).unwrap().permissions().mode() & 0o7777;
    assert_eq!(mode("plan-1.md"), 0o644);
}

/// What was written for somebody else under the same number, by another process, is not overwritten.
#[test]
fn a_file_that_became_another_authors_is_left_alone() {
    let agents = Agents::new();
    let host = agents.host(PlanMode::Required, None);
    let plans = session(&host, author("a", "s"));
    plans.record("A").unwrap();
    fs::remove_file(agents.plan("plan-1.md")).unwrap();
    let other = session(&agents.host(PlanMode::Required, None), author("b", "s"));
    assert_eq!(other.record("theirs").unwrap().sequence, 1);
    let again = plans.record("A").unwrap();
    assert_eq!((again.outcome, again.sequence), (PlanOutcome::Recorded, 2));
    assert!(fs::read_to_string(agents.plan("plan-1.md")).unwrap().contains("theirs"));
}

#[test]
fn a_plan_has_a_length() {
    let agents = Agents::new();
    let plans = session(&agents.host(PlanMode::Required, None), author("a", "s"));
    let long = "x".repeat((1 << 20) + 1);
    assert_eq!(plans.record(&long), Err(PlanError::TooLong((1 << 20) + 1)));
    assert!(!agents.path.join("plans").exists() && !plans.state().recorded());
    assert_eq!(plans.record(&long[1..]).unwrap().sequence, 1);
    assert!(fs::metadata(agents.plan("plan-1.md")).unwrap().len() > 1 << 20);
}

#[test]
fn without_a_directory_or_a_mode_there_are_no_plans() {
    let nowhere = Arc::new(Plans::new(PlanMode::Required, None, None));
    let plans = session(&nowhere, author("a", "s"));
    let error = plans.record("A").unwrap_err();
    assert!(
        matches!(&error, PlanError::Unavailable(text) if text.contains(".agents")),
        "{error}"
    );
    assert_eq!(plans.record(" "), Err(PlanError::Empty));
    plans.state().record();
    let replanned = plans.replan().unwrap();
    assert!(
        replanned.plan_was_active && replanned.message.contains("unavailable"),
        "{}",
        replanned.message
    );
    assert!(!plans.state().recorded());

    let agents = Agents::new();
    let plans = session(&agents.host(PlanMode::Off, None), author("a", "s"));
    let error = plans.record("A").unwrap_err();
    assert!(
        matches!(&error, PlanError::Unavailable(text) if text.contains("permissions.plan_mode")),
        "{error}"
    );
    assert!(
        PlanStore::open(&agents.path.join("absent"))
            .unwrap_err()
            .contains("absent")
    );
}
