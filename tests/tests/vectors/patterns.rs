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
