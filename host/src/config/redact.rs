//! Keeps secrets out of what is shown. They belong into the environment; a
//! literal one in a file is not repeated anywhere.

use serde_json::Value;

use super::key_path::KeyPath;

/// What stands in the place of a value that is not shown.
pub(super) const HIDDEN: &str = "(not shown)";

/// A value as it may be shown.
pub(super) fn shown(path: &KeyPath, value: &Value) -> Value {
    let key = path.to_string();
    match value.as_str() {
        Some(text) if key.starts_with("url_scope.headers.") && !is_reference(text) => Value::from(HIDDEN),
        Some(text) if key == "url_scope.proxy" => Value::from(without_user(text)),
        _ if key.starts_with("alerts.targets") => targets(value),
        _ => value.clone(),
    }
}

/// Addresses of webhooks are secrets as a whole; what host it is may be seen.
fn targets(value: &Value) -> Value {
    let mut value = value.clone();
    for target in value.as_array_mut().into_iter().flatten() {
        if let Some(Value::String(url)) = target.get_mut("url") {
            let origin = without_user(url);
            let end = origin
                .find("://")
                .and_then(|start| Some(start + 3 + origin.get(start + 3..)?.find(['/', '?', '#'])?));
            if let Some(end) = end {
                *url = format!("{}/{HIDDEN}", &origin[..end]);
            } else {
                *url = origin;
            }
        }
    }
    value
}

/// A URL without the user and password before its host.
pub(super) fn without_user(url: &str) -> String {
    let start = url.find("://").map_or(0, |at| at + 3);
    let end = url[start..].find(['/', '?', '#']).map_or(url.len(), |at| start + at);
    match url[start..end].rfind('@') {
        Some(at) => format!("{}{}", &url[..start], &url[start + at + 1..]),
        None => url.to_owned(),
    }
}

/// Whether a header's value looks like a secret written out.
pub(super) fn is_literal_secret(name: &str, value: &str) -> bool {
    let name = name.to_ascii_lowercase();
    let telling = ["auth", "cookie", "key", "secret", "token"];
    telling.iter().any(|part| name.contains(part)) && !is_reference(value)
}

/// Whether everything secret in the value can only come from the environment.
fn is_reference(value: &str) -> bool {
    let without_scheme = value.split_whitespace().next_back().unwrap_or_default();
    without_scheme.starts_with('$') && value.split_whitespace().count() <= 2
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn secrets_are_not_shown() {
        let header = |value: &str| {
            shown(
                &KeyPath::of("url_scope.headers").key("x.org").key("Authorization"),
                &json!(value),
            )
        };
        assert_eq!(header("Bearer hunter2"), HIDDEN);
        assert_eq!(header("Bearer $TOKEN"), "Bearer $TOKEN");
        assert_eq!(
            shown(&KeyPath::of("url_scope.proxy"), &json!("http://u:p@proxy:1/x")),
            "http://proxy:1/x"
        );
        let targets = shown(
            &KeyPath::of("alerts.targets"),
            &json!([{"url": "https://u:p@hooks.x/T0/secret"}, {"url": "https://h"}]),
        );
        assert_eq!(
            targets,
            json!([{"url": "https://hooks.x/(not shown)"}, {"url": "https://h"}])
        );
        assert_eq!(without_user("p@ss@proxy"), "proxy");
    }
}
