//! Shell commands: what they run, whether they only read, what is refused in every mode, what counts as a search.

use serde::Deserialize;
use toolgate::gate::shell::{self, bundle, covers, denied, is_safe, searches, single_command, verb};
use toolgate::gate::{Policy, Ruling};
use toolgate_tests::vectors;

use super::verdict;

#[derive(Deserialize)]
struct Safe {
    rows: Vec<SafeRow>,
    verbs: Vec<VerbRow>,
    covers: Vec<CoversRow>,
}

#[derive(Deserialize)]
struct SafeRow {
    id: String,
    command: String,
    plain: bool,
    safe: bool,
    auto: bool,
    rule: Option<String>,
}

#[derive(Deserialize)]
struct VerbRow {
    command: String,
    verb: Option<String>,
}

#[derive(Deserialize)]
struct CoversRow {
    granted: String,
    command: String,
    covers: bool,
}

#[test]
fn safe_commands() {
    let table: Safe = vectors::load_as("bash_safe");
    let ran = table.rows.len() + table.verbs.len() + table.covers.len();
    let mut failures = Vec::new();
    for row in table.rows {
        let allow: Vec<String> = match &row.rule {
            Some(rule) => vec![rule.clone()],
            None => bundle("read_only")
                .unwrap()
                .iter()
                .map(|&rule| rule.to_owned())
                .collect(),
        };
        let policy = Policy::parse(&allow, &[], "/w").unwrap();
        let found = (
            single_command(&row.command).is_ok(),
            is_safe(&row.command).is_ok(),
            matches!(policy.rule("bash", row.command.trim()), Ruling::Allow(_)),
        );
        if found != (row.plain, row.safe, row.auto) {
            failures.push(format!(
                "{} {:?}: {found:?} {:?}",
                row.id,
                row.command,
                is_safe(&row.command)
            ));
        }
    }
    for row in table.verbs {
        if verb(&row.command) != row.verb.as_deref() {
            failures.push(format!("verb {:?}: {:?}", row.command, verb(&row.command)));
        }
    }
    for row in table.covers {
        if covers(&row.granted, &row.command) != row.covers {
            failures.push(format!("covers {:?} {:?}", row.granted, row.command));
        }
    }
    verdict("bash_safe", ran, failures);
}

#[derive(Deserialize)]
struct DenyRow {
    id: String,
    command: String,
    reason: Option<String>,
}

#[test]
fn denylist() {
    let rows = vectors::load_table::<DenyRow>("bash_deny").rows;
    let ran = rows.len();
    let mut failures = Vec::new();
    for row in rows {
        let found = denied(&row.command).map(|reason| format!("{reason:?}"));
        if found != row.reason {
            failures.push(format!("{} {:?}: {found:?}", row.id, row.command));
        }
    }
    verdict("bash_deny", ran, failures);
}

#[derive(Deserialize)]
struct SearchRow {
    id: String,
    command: String,
    searches: Vec<String>,
}

#[test]
fn search_gate() {
    let rows = vectors::load_table::<SearchRow>("bash_search").rows;
    let ran = rows.len();
    let mut failures = Vec::new();
    for row in rows {
        let found: Vec<&str> = searches(&row.command).iter().map(|search| search.binary).collect();
        if found != row.searches {
            failures.push(format!("{} {:?}: {found:?}", row.id, row.command));
        }
        let kind = searches(&row.command).first().map(|search| search.verb);
        assert_eq!(shell::search_verb(&row.command), kind);
    }
    verdict("bash_search", ran, failures);
}
