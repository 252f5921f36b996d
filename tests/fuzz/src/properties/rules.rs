//! Permission rules: they are refused or do what the plain reference says, and denying is never less than allowing.

use toolgate::gate::{Policy, Ruling, shell};

use super::SEPARATOR;
use super::pace::bounded;
use super::plain_rule::{PlainRule, escape};

/// Whether a key has several spellings: that of a tool of another set, and a URL.
fn is_spelled(tool: &str, key: &str) -> bool {
    let scheme = key
        .trim_start()
        .split_once("://")
        .map(|(scheme, _)| scheme.to_ascii_lowercase());
    matches!(tool, "mcp" | "skill") || (tool != "bash" && matches!(scheme.as_deref(), Some("http" | "https")))
}

/// `rule ␟ tool ␟ key ␟ project`; what is missing has a usual value.
pub(crate) fn check(input: &[u8]) {
    let text = String::from_utf8_lossy(input);
    let mut parts = text.split(SEPARATOR);
    let rule = parts.next().unwrap_or("");
    let tool = parts.next().filter(|tool| !tool.is_empty()).unwrap_or("read_file");
    let key = parts.next().unwrap_or("");
    let project = parts
        .next()
        .and_then(|given| toolgate::scope::normalise("/", Some("/home/me"), given).ok())
        .unwrap_or_else(|| "/w/proj".to_owned());
    bounded("a rule", input.len(), || one(rule, tool, key, &project));
    itself(key, &project);
}

fn one(rule: &str, tool: &str, key: &str, project: &str) {
    let list = [rule.to_owned()];
    let allow = Policy::parse(&list, &[], project);
    let deny = Policy::parse(&[], &list, project);
    let Some(plain) = PlainRule::parse(rule) else {
        for error in [allow.err(), deny.err()] {
            let error = error.unwrap_or_else(|| panic!("{rule:?} is no rule, and is taken for one"));
            assert!(error.rule == rule && !error.reason.is_empty());
        }
        return;
    };
    let (Ok(allow), Ok(deny)) = (allow, deny) else {
        panic!("{rule:?} is a rule, and is refused");
    };
    let speaks = plain.tool.is_none_or(|only| only == tool);
    let named = |deny: bool| match plain.command {
        Some(name) => tool == "bash" && shell::runs(key, name),
        None => speaks && plain.names(tool, key, project, deny),
    };
    let covered = match plain.command {
        _ if tool != "bash" => named(false),
        Some(name) => shell::covers(name, key),
        None => named(false) && (plain.is_exactly(key) || shell::is_safe(key).is_ok()),
    };
    let context = || format!("rule {rule:?}, tool {tool:?}, key {key:?}, project {project:?}");
    let allows = matches!(allow.rule(tool, key), Ruling::Allow(_));
    let denies = deny.denies(tool, key).is_some();
    if is_spelled(tool, key) {
        // Other spellings of the key may deny it too.
        assert!(denies || !named(true), "denying: {}", context());
    } else {
        assert_eq!(allows, covered, "allowing: {}", context());
        assert_eq!(denies, named(true), "denying: {}", context());
    }
    assert!(!allows || denies, "it allows more than it denies: {}", context());
    // Deny wins whatever else is said.
    let both = Policy::parse(&list, &list, project).unwrap();
    assert_eq!(matches!(both.rule(tool, key), Ruling::Deny(_)), denies, "{}", context());
    both.remarks(&["read_file", "bash"], &["fetch_url"]);
}

/// A text with its wildcards escaped is a rule for that text alone.
fn itself(key: &str, project: &str) {
    if key.trim().is_empty() {
        return;
    }
    let list = [format!("read_file:{}", escape(key))];
    let deny = Policy::parse(&[], &list, project).unwrap_or_else(|error| panic!("{error}"));
    let allow = Policy::parse(&list, &[], project).unwrap_or_else(|error| panic!("{error}"));
    let below = format!(
        "{}/{}",
        project.trim_end_matches('/'),
        key.strip_prefix("./").unwrap_or(key)
    );
    let shorter: String = key.chars().skip(1).collect();
    for other in [
        key,
        &below,
        &shorter,
        &format!("{key}x"),
        &format!("x{key}"),
        &key.to_uppercase(),
    ] {
        if is_spelled("read_file", other) {
            continue;
        }
        let relative = !key.starts_with(['/', '~', '*', '[', '?']);
        let expected = other == key || relative && other == below;
        // An escaped wildcard at the start still reads as a relative path.
        let expected = expected || key.starts_with(['*', '[', '?']) && other == below;
        assert_eq!(
            deny.denies("read_file", other).is_some(),
            expected,
            "{list:?} denies {other:?}"
        );
        assert_eq!(
            matches!(allow.rule("read_file", other), Ruling::Allow(_)),
            expected,
            "{list:?} allows {other:?}"
        );
    }
}
