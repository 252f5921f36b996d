//! The results of several instances made into the one that a single instance would have given.

use std::cmp::Ordering;

use serde_json::{Map, Value};

use crate::catalog::{Caps, Order, SharedWalk};

/// Joins result objects: their lists, in order and cut to the limits; other
/// numbers added up, other flags true if one is; of anything else the first.
pub(in crate::sandbox) fn merge(walk: &SharedWalk, caps: Caps, parts: Vec<Map<String, Value>>) -> Map<String, Value> {
    let mut found = Vec::new();
    let mut merged = Map::new();
    let mut complete_to: Option<Value> = None;
    for part in parts {
        if let Some(last) = cut_at(walk, &part)
            && complete_to
                .as_ref()
                .is_none_or(|to| compare(walk.order, last, to).is_lt())
        {
            complete_to = Some(last.clone());
        }
        for (name, value) in part {
            match (value, merged.get_mut(&name)) {
                (Value::Array(list), _) if name == walk.results => found.extend(list),
                (value, None) => {
                    merged.insert(name, value);
                }
                (Value::Bool(value), Some(Value::Bool(all))) => *all |= value,
                (Value::Number(value), Some(Value::Number(all))) => {
                    if let (Some(one), Some(other)) = (all.as_u64(), value.as_u64()) {
                        *all = one.saturating_add(other).into();
                    }
                }
                (_, Some(_)) => {}
            }
        }
    }
    found.sort_by(|one, other| compare(walk.order, one, other));
    // What one instance left out may lie anywhere after the last it took: a shorter result of another would fill its place.
    if let Some(last) = complete_to {
        found.truncate(found.partition_point(|value| compare(walk.order, value, &last).is_le()));
    }
    let kept = fitting(&found, &walk.results, caps);
    if kept < found.len() {
        found.truncate(kept);
        merged.insert("truncated".to_owned(), true.into());
    }
    // A walk in order ends where its results are cut, so that its counters only say how far each instance came.
    if walk.order == Order::Walk && merged.get("truncated") == Some(&Value::Bool(true)) {
        merged.retain(|_, value| !value.is_number());
    }
    merged.insert(walk.results.clone(), Value::Array(found));
    merged
}

/// The last result of an instance that had to leave some out.
fn cut_at<'a>(walk: &SharedWalk, part: &'a Map<String, Value>) -> Option<&'a Value> {
    let truncated = part.get("truncated") == Some(&Value::Bool(true));
    part.get(&walk.results)?.as_array()?.last().filter(|_| truncated)
}

/// Whether an instance left out everything: then only a single one can tell
/// which results come before that.
pub(in crate::sandbox) fn is_opaque(walk: &SharedWalk, part: &Map<String, Value>) -> bool {
    part.get("truncated") == Some(&Value::Bool(true)) && cut_at(walk, part).is_none()
}

/// How many fit: as many as the limit of lines allows and, in a JSON object
/// with this list alone, the limit of bytes.
fn fitting(found: &[Value], name: &str, caps: Caps) -> usize {
    let lines = usize::try_from(caps.max_lines).unwrap_or(usize::MAX);
    // The last one needs no separator.
    let mut room = usize::try_from(caps.max_bytes)
        .unwrap_or(usize::MAX)
        .saturating_sub(name.len() + r#"{"":[]}"#.len())
        .saturating_add(1);
    let fits = found.iter().take(lines).take_while(|value| {
        let size = value.to_string().len() + 1;
        let fits = size <= room;
        room = room.saturating_sub(size);
        fits
    });
    fits.count()
}

fn compare(order: Order, one: &Value, other: &Value) -> Ordering {
    let paths = match (path(one), path(other)) {
        (Some(one), Some(other)) if order == Order::Walk => walk_order(one, other),
        (one, other) => one.cmp(&other),
    };
    let line = |value: &Value| value.get("line").and_then(Value::as_u64);
    paths.then_with(|| line(one).cmp(&line(other)))
}

/// The path of a result: itself, or its member `path`.
fn path(found: &Value) -> Option<&str> {
    found.get("path").unwrap_or(found).as_str()
}

/// Compares paths as a walk comes to them: a directory with all below it
/// stands where its name does.
pub(super) fn walk_order(one: &str, other: &str) -> Ordering {
    // No name holds a NUL, so it can stand for the separator, smaller than any byte of a name.
    let key = |byte| if byte == b'/' { 0 } else { byte };
    one.bytes().map(key).cmp(other.bytes().map(key))
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    fn walk(order: Order) -> SharedWalk {
        SharedWalk {
            argument: "path".to_owned(),
            skip: Vec::new(),
            results: "found".to_owned(),
            order,
        }
    }

    fn merged(order: Order, max_bytes: u64, max_lines: u64, parts: &[Value]) -> Value {
        let parts = parts.iter().map(|part| part.as_object().unwrap().clone()).collect();
        Value::Object(merge(&walk(order), Caps { max_bytes, max_lines }, parts))
    }

    #[test]
    fn lists_join_in_their_order() {
        let parts = [
            json!({"found": [{"path": "/w/a-b", "line": 1}, {"path": "/w/c", "line": 2}], "skipped": 1}),
            json!({"found": [{"path": "/w/a/z", "line": 9}, {"path": "/w/c", "line": 1}], "skipped": 2}),
        ];
        let all = merged(Order::Walk, 1 << 20, 10, &parts);
        let paths: Vec<_> = all["found"]
            .as_array()
            .unwrap()
            .iter()
            .map(|found| (&found["path"], &found["line"]))
            .collect();
        assert_eq!(
            json!(paths),
            json!([["/w/a/z", 9], ["/w/a-b", 1], ["/w/c", 1], ["/w/c", 2]])
        );
        assert_eq!(all["skipped"], 3);
        let bytes = merged(
            Order::Bytes,
            1 << 20,
            10,
            &[json!({"found": ["/w/a/z"]}), json!({"found": ["/w/a-b"]})],
        );
        assert_eq!(bytes, json!({"found": ["/w/a-b", "/w/a/z"]}));
    }

    #[test]
    fn limits_hold_for_the_whole() {
        let parts = [
            json!({"found": ["a", "c"], "total": 2}),
            json!({"found": ["b", "d"], "total": 5}),
        ];
        let cut = merged(Order::Bytes, 1 << 20, 3, &parts);
        assert_eq!(cut, json!({"found": ["a", "b", "c"], "total": 7, "truncated": true}));
        let exact = r#"{"found":["a","b"]}"#.len() as u64;
        assert_eq!(merged(Order::Bytes, exact, 9, &parts)["found"], json!(["a", "b"]));
        assert_eq!(merged(Order::Bytes, exact - 1, 9, &parts)["found"], json!(["a"]));
        let gap = [json!({"found": ["a"], "truncated": true}), json!({"found": ["b"]})];
        assert_eq!(
            merged(Order::Bytes, 1 << 20, 9, &gap),
            json!({"found": ["a"], "truncated": true})
        );
        let walked = merged(Order::Walk, 1 << 20, 3, &parts);
        assert_eq!(walked, json!({"found": ["a", "b", "c"], "truncated": true}));
    }
}
