//! The results of several instances made into the one that a single instance would have given.

use std::cmp::Ordering;

use serde_json::{Map, Value};

use crate::catalog::{Caps, Order, SharedWalk};

/// Joins result objects: their lists, in order and cut to the limits; other
/// numbers added up, other flags true if one is; of anything else the first.
/// Each must have been held to at least the limits of the whole. None if what
/// an instance left out could come before what would be returned.
pub(in crate::sandbox) fn merge(
    walk: &SharedWalk,
    caps: Caps,
    parts: Vec<Map<String, Value>>,
) -> Option<Map<String, Value>> {
    let mut found = Vec::new();
    let mut merged = Map::new();
    let mut known_to: Option<Value> = None;
    for part in parts {
        if is_truncated(&part) {
            let last = part.get(&walk.results)?.as_array()?.last()?;
            if known_to.as_ref().is_none_or(|to| compare(walk.order, last, to).is_lt()) {
                known_to = Some(last.clone());
            }
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
    let known = known_to.map_or(found.len(), |last| {
        found.partition_point(|value| compare(walk.order, value, &last).is_le())
    });
    let kept = cut(walk, caps, &found, &mut merged);
    // The first that an instance left out did not fit after its own results alone. But a shorter one could take that place.
    if kept > known {
        return None;
    }
    found.truncate(kept);
    // A walk in order ends where its results are cut, so that its counters only say how far each instance came.
    if walk.order == Order::Walk && is_truncated(&merged) {
        merged.retain(|_, value| !value.is_number());
    }
    merged.insert(walk.results.clone(), Value::Array(found));
    Some(merged)
}

fn is_truncated(result: &Map<String, Value>) -> bool {
    result.get("truncated") == Some(&Value::Bool(true))
}

/// How many of the results are kept; if not all, `rest` says so. The limit of
/// bytes is for the list as the only member of an object, as long as a walk in
/// order stops when it is reached; otherwise for the whole result.
fn cut(walk: &SharedWalk, caps: Caps, found: &[Value], rest: &mut Map<String, Value>) -> usize {
    let kept = fitting(walk, caps, found, rest);
    if kept == found.len() {
        return kept;
    }
    // The flag takes room as well.
    rest.insert("truncated".to_owned(), true.into());
    fitting(walk, caps, found, rest)
}

fn fitting(walk: &SharedWalk, caps: Caps, found: &[Value], rest: &Map<String, Value>) -> usize {
    let mut frame = match walk.order {
        Order::Walk => Map::new(),
        Order::Bytes => rest.clone(),
    };
    frame.insert(walk.results.clone(), Value::Array(Vec::new()));
    let lines = usize::try_from(caps.max_lines).unwrap_or(usize::MAX);
    // The last one needs no separator.
    let mut room = usize::try_from(caps.max_bytes)
        .unwrap_or(usize::MAX)
        .saturating_add(1)
        .saturating_sub(Value::Object(frame).to_string().len());
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

    fn parts(order: Order, max_bytes: u64, max_lines: u64, parts: &[Value]) -> Option<Value> {
        let parts = parts.iter().map(|part| part.as_object().unwrap().clone()).collect();
        merge(&walk(order), Caps { max_bytes, max_lines }, parts).map(Value::Object)
    }

    fn merged(order: Order, max_bytes: u64, max_lines: u64, list: &[Value]) -> Value {
        parts(order, max_bytes, max_lines, list).unwrap()
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
        let two = [
            json!({"found": ["a", "c"], "total": 2}),
            json!({"found": ["b", "d"], "total": 5}),
        ];
        let cut = merged(Order::Bytes, 1 << 20, 3, &two);
        assert_eq!(cut, json!({"found": ["a", "b", "c"], "total": 7, "truncated": true}));
        let walked = merged(Order::Walk, 1 << 20, 3, &two);
        assert_eq!(walked, json!({"found": ["a", "b", "c"], "truncated": true}));
    }

    #[test]
    fn the_limit_of_bytes_is_exact() {
        let two = [json!({"found": ["a"], "total": 1}), json!({"found": ["b"], "total": 1})];
        let whole = r#"{"found":["a","b"],"total":2}"#.len() as u64;
        assert_eq!(merged(Order::Bytes, whole, 9, &two)["found"], json!(["a", "b"]));
        let cut = r#"{"found":["a"],"total":2,"truncated":true}"#.len() as u64;
        assert!(cut > whole, "the flag takes more room than a result");
        assert_eq!(merged(Order::Bytes, whole - 1, 9, &two)["found"], json!([]));
        let list = r#"{"found":["a","b"]}"#.len() as u64;
        assert_eq!(merged(Order::Walk, list, 9, &two)["found"], json!(["a", "b"]));
        assert_eq!(merged(Order::Walk, list - 1, 9, &two)["found"], json!(["a"]));
    }

    #[test]
    fn what_was_left_out_is_never_passed_over() {
        let long = "l".repeat(40);
        let list = |found: &[&str]| json!({ "found": found }).to_string().len() as u64;
        // `c` lies where the first instance has left something out, and there is room for it.
        let gap = [json!({"found": ["a"], "truncated": true}), json!({"found": ["c"]})];
        assert_eq!(parts(Order::Walk, 1 << 20, 9, &gap), None);
        assert_eq!(parts(Order::Walk, list(&["a", "c"]), 9, &gap), None);
        // Without room for it, nothing can come in between.
        let full = json!({"found": ["a"], "truncated": true});
        assert_eq!(parts(Order::Walk, list(&["a", "c"]) - 1, 9, &gap), Some(full.clone()));
        assert_eq!(parts(Order::Walk, 1 << 20, 1, &gap), Some(full));
        let far = [
            json!({"found": ["a", "b", long], "truncated": true}),
            json!({"found": ["c"]}),
        ];
        let known = json!({"found": ["a", "b", "c"], "truncated": true});
        assert_eq!(parts(Order::Walk, list(&["a", "b", "c"]), 9, &far), Some(known));
        let nothing = [json!({"found": [], "truncated": true}), json!({"found": ["c"]})];
        assert_eq!(parts(Order::Walk, 1, 9, &nothing), None);
    }
}
