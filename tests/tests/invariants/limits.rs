//! FX-05: results keep their limits, and `truncated` is there exactly if something is missing.

use serde_json::{Map, Value, json};
use toolgate::config::CapsConfig;
use toolgate::{Host, Mode};

use crate::reading::readings;
use crate::scratch::{Scratch, call, check, has, limit};
use crate::trees::{tree, utf8};

/// What flags and counters beside the content may add in bytes.
const OVERHEAD: usize = 256;
/// Limits of bytes and lines.
const CAPS: [(i64, i64); 4] = [(60, 1), (300, 3), (1000, 20), (5000, 7)];

struct Hosts {
    unlimited: Host,
    limited: Vec<(usize, usize, Host)>,
}

fn hosts(scratch: &Scratch) -> Hosts {
    let host =
        |max_bytes, max_lines| scratch.host(Mode::Yolo, |config| limit(config, CapsConfig { max_bytes, max_lines }));
    Hosts {
        unlimited: host(16 << 20, 1 << 20),
        limited: CAPS
            .iter()
            .map(|(bytes, lines)| {
                let limits = (usize::try_from(*bytes).unwrap(), usize::try_from(*lines).unwrap());
                (limits.0, limits.1, host(*bytes, *lines))
            })
            .collect(),
    }
}

fn encoded(value: &Value) -> usize {
    value.to_string().len()
}

/// Whether a result keeps the limits, and whether something is missing from it.
fn judge(tool: &str, result: &Map<String, Value>, whole: &Map<String, Value>, bytes: usize, lines: usize) -> bool {
    let all = Value::Object(result.clone());
    let size = encoded(&all);
    let list = |name: &str| result[name].as_array().unwrap();
    let long = |within: bool| assert!(within, "{tool}: {size} bytes, limits {bytes} and {lines}: {all:.3000}");
    match tool {
        "grep" => {
            long(size <= bytes + OVERHEAD && list("matches").len() <= lines);
            result["matches"] != whole["matches"]
        }
        "glob" => {
            long(size <= bytes + OVERHEAD && list("paths").len() <= lines);
            result["paths"] != whole["paths"]
        }
        "json_query" => {
            long(size <= bytes + OVERHEAD);
            result["results"] != whole["results"]
        }
        // Only the number of entries is limited.
        "list_dir" => {
            long(list("entries").len() <= lines);
            result["entries"] != whole["entries"]
        }
        // Entries of files that were left out come on top.
        "read_many_files" => {
            let is_omitted = |entry: &&Value| entry["skipped"] == "omitted: response limit";
            let omitted: usize = list("files")
                .iter()
                .filter(is_omitted)
                .map(|entry| encoded(entry) + 1)
                .sum();
            long(size - omitted <= bytes + OVERHEAD);
            omitted > 0
        }
        "read_file" | "view_file_outline" => {
            let name = if tool == "read_file" { "content" } else { "outline" };
            let text = result[name].as_str().unwrap();
            long(text.len() <= bytes && text.lines().count() <= lines);
            result[name] != whole[name]
        }
        other => panic!("{other}"),
    }
}

fn holds(hosts: &Hosts, tool: &str, arguments: &Value) {
    let Ok(whole) = call(&hosts.unlimited, tool, arguments.clone()) else {
        return;
    };
    assert_eq!(whole.get("truncated"), None, "{tool} {arguments}");
    for (bytes, lines, host) in &hosts.limited {
        let result = call(host, tool, arguments.clone()).unwrap();
        let missing = judge(tool, &result, &whole, *bytes, *lines);
        let expected = missing.then_some(Value::Bool(true));
        assert_eq!(
            result.get("truncated"),
            expected.as_ref(),
            "{tool} {arguments} with {bytes} bytes and {lines} lines: {:.3000}",
            Value::Object(result.clone())
        );
    }
}

#[test]
fn limits_hold_and_truncated_is_told() {
    let scratch = Scratch::new();
    let hosts = hosts(&scratch);
    check(64, tree(), |tree| {
        let case = scratch.case(&tree);
        for (tool, arguments) in readings(&hosts.unlimited, &case) {
            // A window is a limit of the caller's own, and the rest has none.
            if tool != "stat" && arguments.get("limit").is_none() {
                holds(&hosts, tool, &arguments);
            }
        }
    });
}

#[test]
fn limits_hold_for_values() {
    let scratch = Scratch::new();
    let hosts = hosts(&scratch);
    if !has(&hosts.unlimited, "json_query") {
        return;
    }
    let values = proptest::collection::vec(utf8(), 0..60);
    check(64, values, |values| {
        let document = json!(values).to_string();
        for query in [".[]", ".", ".[] | length", "map({(.): 1}) | add"] {
            holds(&hosts, "json_query", &json!({"query": query, "json": document}));
        }
    });
}
