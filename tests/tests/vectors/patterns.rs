//! Permission rules against keys.

use toolgate::gate::{Policy, Ruling};
use toolgate_tests::vectors::{self, PatternRow};

use super::verdict;

/// What `$W` stands for; no rule looks at the disk.
const PROJECT: &str = "/w/proj";

fn expand(rules: &[String]) -> Vec<String> {
    rules.iter().map(|rule| rule.replace("$W", PROJECT)).collect()
}

#[test]
fn patterns() {
    let mut rows = vectors::load_table::<PatternRow>("patterns").rows;
    rows.extend(vectors::load_table::<PatternRow>("bash_patterns").rows);
    let mut failures = Vec::new();
    for row in &rows {
        let policy = match (
            Policy::parse(&expand(&row.allow), &expand(&row.deny), PROJECT),
            &row.load_error,
        ) {
            (Err(error), Some(names)) => {
                let message = error.to_string().to_lowercase();
                for name in names.iter().filter(|name| !message.contains(&name.to_lowercase())) {
                    failures.push(format!("{}: the error does not name {name:?}: {message}", row.id));
                }
                continue;
            }
            (Ok(_), Some(_)) => {
                failures.push(format!("{}: loads, but must not", row.id));
                continue;
            }
            (Err(error), None) => {
                failures.push(format!("{}: {error}", row.id));
                continue;
            }
            (Ok(policy), None) => policy,
        };
        if let Some(names) = &row.load_warning {
            let known = ["read_file", "write_file", "bash", "grep", "fetch_url"];
            let warnings = policy.remarks(&known, &[]).join("\n").to_lowercase();
            for name in names.iter().filter(|name| !warnings.contains(&name.to_lowercase())) {
                failures.push(format!("{}: no remark names {name:?}: {warnings:?}", row.id));
            }
        }
        if let (Some(tool), Some(key), Some(expect)) = (&row.tool, &row.key, &row.expect) {
            let found = match policy.rule(tool, &key.replace("$W", PROJECT)) {
                Ruling::Deny(_) => "deny",
                Ruling::Allow(_) => "allow",
                Ruling::Unmatched => "none",
            };
            if found != expect {
                failures.push(format!("{}: {found}, expected {expect}", row.id));
            }
        }
    }
    verdict("patterns", rows.len(), failures);
}

/// Whatever the project is called, a relative rule holds below it as below any other.
#[test]
fn relative_rules_hold_below_every_project() {
    for (project, folder) in [
        (PROJECT, PROJECT),
        ("/", ""),
        ("/w/[p]*?", "/w/[p]*?"),
        ("/w/a\\b", "/w/a\\b"),
    ] {
        for rule in ["read_file:a/*", "read_file:./a/**", "read_file:a/[b]/*"] {
            let list = [rule.to_owned()];
            let policy = Policy::parse(&[], &list, project).unwrap();
            for (key, expected) in [("a/b/c", true), ("b/a/c", false), ("aa/b", false)] {
                let key = format!("{folder}/{key}");
                assert_eq!(policy.denies("read_file", &key).is_some(), expected, "{rule} on {key}");
            }
            assert!(policy.denies("read_file", "/elsewhere/a/b/c").is_none(), "{rule}");
        }
        let allow = Policy::parse(&["read_file:a/*".to_owned()], &[], project).unwrap();
        let deep = format!("{folder}/a/b/c");
        assert!(matches!(allow.rule("read_file", &deep), Ruling::Allow(_)), "{deep}");
    }
}

#[test]
fn a_rule_for_no_command_is_refused() {
    for rule in ["tool.bash.cmd:", "tool.bash.cmd: "] {
        let error = Policy::parse(&[], &[rule.to_owned()], PROJECT).unwrap_err().to_string();
        assert!(error.contains("tool.bash.cmd:NAME"), "{error}");
    }
}
