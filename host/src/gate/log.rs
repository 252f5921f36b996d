//! What the operator approved, in order, and the rules that would have spared the questions.

use std::collections::BTreeMap;
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::SystemTime;

use super::prompt::{Approver, Decision, PromptKind};
use super::rules::escape;
use super::shell;

/// One approval.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Approved {
    /// When.
    pub at: SystemTime,
    /// What was asked for.
    pub kind: PromptKind,
    /// The tool.
    pub tool: String,
    /// The path, the command or what else the tool presented; for a grant of a verb `verb *`.
    pub key: String,
    /// The answer; never `deny`.
    pub decision: Decision,
    /// Who gave it, if the host knows.
    pub approver: Option<Approver>,
    /// The subagent that asked, if it was not the session itself.
    pub source: Option<String>,
}

/// Most approvals that a session remembers; the oldest go first.
const MOST: usize = 10_000;

/// The approvals of one session.
#[derive(Debug, Default)]
pub struct ApprovalLog {
    entries: Mutex<Vec<Approved>>,
}

impl ApprovalLog {
    pub(super) fn push(&self, approved: Approved) {
        let mut entries = self.lock();
        if entries.len() == MOST {
            entries.remove(0);
        }
        entries.push(approved);
    }

    /// A copy, oldest first.
    pub fn entries(&self) -> Vec<Approved> {
        self.lock().clone()
    }

    /// Rules for `permissions.allow` under which the approved calls would have
    /// passed without a question; those without wildcard first, then by text.
    /// Changes of control-plane files have none: they are asked for every time.
    pub fn recommendations(&self) -> Vec<String> {
        let mut keys: BTreeMap<String, Vec<String>> = BTreeMap::new();
        for entry in self.lock().iter() {
            if matches!(entry.kind, PromptKind::ControlPlaneWrite | PromptKind::PathScope) {
                continue;
            }
            let of_tool = keys.entry(entry.tool.clone()).or_default();
            if !of_tool.contains(&entry.key) {
                of_tool.push(entry.key.clone());
            }
        }
        let mut rules: Vec<String> = keys.iter().map(|(tool, keys)| recommend(tool, keys)).collect();
        rules.sort_by_key(|rule| (rule.ends_with('*'), rule.clone()));
        rules
    }

    fn lock(&self) -> MutexGuard<'_, Vec<Approved>> {
        self.entries.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

fn recommend(tool: &str, keys: &[String]) -> String {
    if let [key] = keys {
        return match key.strip_suffix(" *").filter(|_| tool == "bash") {
            Some(verb) => format!("{tool}:{verb} *"),
            None => format!("{tool}:{}", escape(key)),
        };
    }
    if tool == "bash" {
        let verb = keys.first().and_then(|key| shell::verb(key));
        if let Some(verb) = verb.filter(|verb| keys.iter().all(|key| shell::verb(key) == Some(verb))) {
            return format!("{tool}:{verb} *");
        }
        return format!("{tool}:*");
    }
    match common_directory(keys) {
        Some(directory) => format!("{tool}:{}/**", escape(&directory)),
        None => format!("{tool}:*"),
    }
}

/// The deepest directory that holds all of these absolute paths, other than `/`.
fn common_directory(paths: &[String]) -> Option<String> {
    let parents = paths.iter().map(|path| {
        let (parent, _) = path.rsplit_once('/')?;
        path.starts_with('/').then(|| parent.split('/').collect::<Vec<_>>())
    });
    let parents: Option<Vec<Vec<&str>>> = parents.collect();
    let mut parents = parents?.into_iter();
    let mut common = parents.next()?;
    for parent in parents {
        let same = common
            .iter()
            .zip(&parent)
            .take_while(|(one, other)| one == other)
            .count();
        common.truncate(same);
    }
    (common.len() > 1).then(|| common.join("/"))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn approved(tool: &str, key: &str) -> Approved {
        Approved {
            at: SystemTime::now(),
            kind: PromptKind::Generic,
            tool: tool.to_owned(),
            key: key.to_owned(),
            decision: Decision::Once,
            approver: None,
            source: None,
        }
    }

    fn recommended(calls: &[(&str, &str)]) -> Vec<String> {
        let log = ApprovalLog::default();
        calls.iter().for_each(|(tool, key)| log.push(approved(tool, key)));
        log.recommendations()
    }

    #[test]
    fn rules_are_as_narrow_as_what_was_approved() {
        assert_eq!(
            recommended(&[("bash", "rm *.o"), ("bash", "rm *.o")]),
            ["bash:rm \\*.o"]
        );
        assert_eq!(
            recommended(&[("bash", "git log"), ("bash", "git status")]),
            ["bash:git *"]
        );
        assert_eq!(recommended(&[("bash", "git log"), ("bash", "make")]), ["bash:*"]);
        assert_eq!(
            recommended(&[("write_file", "/p/a/x"), ("write_file", "/p/a/b/y"), ("alert", "ops")]),
            ["alert:ops", "write_file:/p/a/**"]
        );
        assert_eq!(
            recommended(&[("write_file", "/p/x"), ("write_file", "/q/y")]),
            ["write_file:*"]
        );
    }
}
