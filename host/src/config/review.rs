//! What looks like a mistake in a valid configuration: rules and lists that do not do what they seem to.

use super::effective::Effective;
use super::manifest::undeclared;
use super::problem::Remark;
use crate::gate::{Mode, Policy};

/// Tools whose keys are paths, resolved and absolute.
const PATH_TOOLS: &[&str] = &[
    "delete_file",
    "edit_file",
    "glob",
    "grep",
    "json_query",
    "list_dir",
    "read_file",
    "read_many_files",
    "stat",
    "view_file_outline",
    "write_file",
];

/// Remarks on rules that can never match or never decide, and on lists that admit nothing, given
/// the names of all tools.
pub fn review(effective: &Effective, tools: &[String]) -> Vec<Remark> {
    let permissions = &effective.config.permissions;
    let mut remarks = Vec::new();
    let mut say = |key: String, text: String| {
        remarks.push(Remark {
            origin: effective.origins.of(&key).clone(),
            key,
            text,
        });
    };
    for (list, rules) in [("allow", &permissions.allow), ("deny", &permissions.deny)] {
        for (index, text) in rules.iter().enumerate() {
            let key = format!("permissions.{list}[{index}]");
            unknown(text, tools)
                .into_iter()
                .chain(never(text))
                .for_each(|text| say(key.clone(), text));
        }
    }
    for (index, allow) in permissions.allow.iter().enumerate() {
        if let Some(deny) = permissions.deny.iter().find(|deny| covers(deny, allow)) {
            let text = format!("the rule {allow:?} never decides: the deny rule {deny:?} matches whatever it matches");
            say(format!("permissions.allow[{index}]"), text);
        }
    }
    let has_bundles = permissions.use_builtin_allow != Some(false) || !permissions.builtin_allow_extras.is_empty();
    if permissions.mode == Mode::Allow && permissions.allow.is_empty() {
        let besides = if has_bundles {
            "reading in scope and the built-in allow rules"
        } else {
            "reading in scope"
        };
        let text = format!("it is empty, and the mode is allow: nothing passes besides {besides}");
        say("permissions.allow".to_owned(), text);
    }
    if let Some(directory) = &effective.agents_directory {
        for (key, variable, manifest) in undeclared(directory, &effective.config) {
            let text = format!(
                "it names the variable {variable}, which {} does not declare",
                manifest.display()
            );
            say(key, text);
        }
    }
    let urls = &effective.config.url_scope;
    if urls.allow.is_empty() && !(urls.deny.is_empty() && urls.headers.is_empty() && urls.proxy.is_empty()) {
        say(
            "url_scope.allow".to_owned(),
            "it is empty, so no host is reachable, whatever else the section says".to_owned(),
        );
    }
    remarks
}

/// What the gate says of the tool that a rule names.
fn unknown(rule: &str, tools: &[String]) -> Vec<String> {
    let names: Vec<&str> = tools.iter().map(String::as_str).collect();
    Policy::parse(&[rule.to_owned()], &[], "/").map_or_else(|_| Vec::new(), |policy| policy.remarks(&names, &[]))
}

/// Why a rule about paths can match none.
fn never(rule: &str) -> Option<String> {
    let (tool, glob) = parts(rule);
    let is_for_paths = tool.is_some_and(|tool| PATH_TOOLS.contains(&tool)) || glob.starts_with(['/', '.']);
    if !is_for_paths {
        return None;
    }
    let below = below(glob);
    let reason = if below.starts_with('~') {
        "~ stands for itself in rules; write the directory out"
    } else if below.len() > 1 && below.ends_with('/') {
        "no path ends in /; write /** after the directory"
    } else if below.contains("//") || below.split('/').any(|part| matches!(part, "." | "..")) {
        "paths are compared without //, . and .."
    } else {
        return None;
    };
    Some(format!("the rule {rule:?} can never match: {reason}"))
}

/// Whether a deny rule matches every request that an allow rule matches. Sound, not complete.
fn covers(deny: &str, allow: &str) -> bool {
    let ((deny_tool, deny), (allow_tool, allow)) = (parts(deny), parts(allow));
    if deny_tool.is_some() && deny_tool != allow_tool {
        return false;
    }
    // In a deny rule * crosses everything, so what follows a common literal start does not matter.
    let (deny, allow) = (below(deny), below(allow));
    let wild = |glob: &str| glob.find(['*', '?', '[', '\\']).unwrap_or(glob.len());
    let prefix = deny.trim_end_matches('*');
    deny == allow || (deny.ends_with('*') && wild(prefix) == prefix.len() && allow[..wild(allow)].starts_with(prefix))
}

/// A relative path without the `./` that it may begin with.
fn below(glob: &str) -> &str {
    glob.strip_prefix("./").unwrap_or(glob)
}

/// The tool and the glob of a rule, as the gate splits it.
fn parts(rule: &str) -> (Option<&str>, &str) {
    match rule.split_once(':') {
        Some(("" | "*", glob)) => (None, glob),
        Some((tool, glob)) => (Some(tool.strip_prefix("tool.").unwrap_or(tool)), glob),
        None => match rule.strip_prefix("tool.") {
            Some(tool) => (Some(tool), "*"),
            None => (None, rule),
        },
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_wider_prohibition_makes_a_rule_idle() {
        for (deny, allow) in [
            ("write_file:*", "write_file:src/**"),
            ("*", "write_file:/a"),
            ("*:**", "bash:ls *"),
            ("tool.write_file", "write_file:src/a"),
            ("write_file:src/*", "write_file:./src/deep/*"),
            ("write_file:src/a", "write_file:src/a"),
            ("bash:git *", "bash:git log *"),
        ] {
            assert!(covers(deny, allow), "{deny} {allow}");
        }
        for (deny, allow) in [
            ("write_file:src/*", "write_file:*"),
            ("write_file:src/*", "edit_file:src/a"),
            ("write_file:src/*", "src/a"),
            ("write_file:src/*.rs", "write_file:src/*"),
            ("write_file:a[b]*", "write_file:a[b]c"),
            ("write_file:src/*", "write_file:s*"),
        ] {
            assert!(!covers(deny, allow), "{deny} {allow}");
        }
    }

    #[test]
    fn paths_that_do_not_exist_in_this_form() {
        for rule in [
            "write_file:~/x",
            "write_file:src/",
            "read_file:/a//b",
            "./a/../b",
            "tool.stat:/a/./b",
        ] {
            assert!(never(rule).is_some(), "{rule}");
        }
        for rule in [
            "bash:cd ~/x",
            "fetch_url:https://x/",
            "write_file:src/**",
            "/",
            "read_file:./a",
            "*.pem",
        ] {
            assert_eq!(never(rule), None, "{rule}");
        }
    }
}
