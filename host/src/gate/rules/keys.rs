//! The ways in which a key may be written.

use std::borrow::Cow;

use serde_json::Value;
use url::Url;

/// A key as rules see it. Nearly always it is one text; where a tool's key can
/// be written in several ways, rules may use any of them.
pub(super) struct Spellings<'a> {
    /// For rules to deny: one hit among them is enough.
    pub(super) deny: Vec<Cow<'a, str>>,
    /// For rules to allow: none of these is wider than the key itself.
    pub(super) allow: Vec<Cow<'a, str>>,
}

/// The spellings of a key, or `None` where there is only the key itself.
pub(super) fn spellings<'a>(tool: &str, key: &'a str) -> Option<Spellings<'a>> {
    match tool {
        // The name of the tool with and without its arguments.
        "mcp" | "skill" => {
            let name = key.split_once(' ').map_or(key, |(name, _)| name);
            let mut all = vec![Cow::Borrowed(key)];
            if name != key {
                all.push(Cow::Borrowed(name));
            }
            if tool == "skill" {
                all.extend(skill_name(key).map(Cow::Owned));
            }
            Some(Spellings {
                deny: all.clone(),
                allow: all,
            })
        }
        // Whatever tool presents it; a command is no URL, even if it begins like one.
        "bash" => None,
        _ if is_url(key) => Some(of_url(key)),
        _ => None,
    }
}

fn is_url(key: &str) -> bool {
    let scheme = key.trim_start().split_once("://").map(|(scheme, _)| scheme);
    scheme.is_some_and(|scheme| scheme.eq_ignore_ascii_case("https") || scheme.eq_ignore_ascii_case("http"))
}

/// The URL as it will be dialled, whole and as `host[:port]/path`. What was
/// typed counts for rules to deny only: it may look like another host.
fn of_url(key: &str) -> Spellings<'_> {
    let mut deny = vec![Cow::Borrowed(key)];
    let mut allow = Vec::new();
    if let Ok(url) = Url::parse(key.trim()) {
        let whole = url.as_str().to_owned();
        if let Some((_, rest)) = whole.split_once("://") {
            let rest = rest
                .rsplit_once('@')
                .filter(|_| !url.username().is_empty())
                .map_or(rest, |(_, host)| host);
            deny.push(Cow::Owned(rest.to_owned()));
            allow.push(Cow::Owned(rest.to_owned()));
        }
        deny.push(Cow::Owned(whole.clone()));
        allow.push(Cow::Owned(whole));
    }
    Spellings { deny, allow }
}

/// The skill that the arguments name.
fn skill_name(key: &str) -> Option<String> {
    let (_, arguments) = key.split_once(' ')?;
    let arguments: Value = serde_json::from_str(arguments).ok()?;
    let name = arguments.get("name").or_else(|| arguments.get("skill"))?;
    name.as_str().map(str::to_owned)
}
