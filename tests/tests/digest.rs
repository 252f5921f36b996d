//! Digests of results: the rows of `prune.json` and `digest.json`, and what holds for any result.
//! Run by `make test`.
//! Must not start a host: whole calls that end in digests are tests of their own.

// A row that cannot be read must fail its table.
#![allow(clippy::unwrap_used)]

use proptest::prelude::*;
use serde::Deserialize;
use serde_json::{Map, Value, json};
use toolgate::output::digest::{DigestMeta, THRESHOLD, digest, prune, tokens};
use toolgate_tests::vectors::load_table;

/// No digest of a survey may be larger, in bytes.
const SURVEY_LIMIT: usize = 8000;

/// A text, as one string or in parts.
#[derive(Deserialize)]
#[serde(untagged)]
enum Text {
    One(String),
    Parts(Vec<Part>),
}

#[derive(Deserialize)]
#[serde(untagged, deny_unknown_fields)]
enum Part {
    Plain(String),
    /// A text and how often it is repeated.
    Repeat {
        repeat: (String, usize),
    },
    /// A text for each number from the first to the last, with commas between them. `#` stands for the number,
    /// `###` for the number in three digits.
    Each {
        each: (String, usize, usize),
    },
}

impl Text {
    fn text(&self) -> String {
        match self {
            Self::One(text) => text.clone(),
            Self::Parts(parts) => parts.iter().map(Part::text).collect(),
        }
    }
}

impl Part {
    fn text(&self) -> String {
        match self {
            Self::Plain(text) => text.clone(),
            Self::Repeat { repeat: (text, times) } => text.repeat(*times),
            Self::Each {
                each: (text, first, last),
            } => {
                let each = |number: usize| {
                    text.replace("###", &format!("{number:03}"))
                        .replace('#', &number.to_string())
                };
                (*first..=*last).map(each).collect::<Vec<_>>().join(",")
            }
        }
    }
}

/// One row of `prune.json`.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct PruneRow {
    id: String,
    input: Text,
    /// Absent: as the input.
    expect: Option<Text>,
    #[serde(default)]
    counters: Map<String, Value>,
}

/// One row of `digest.json`.
#[derive(Deserialize)]
#[serde(untagged, deny_unknown_fields)]
enum DigestRow {
    Result {
        id: String,
        tool: String,
        input: Text,
        raw_bytes: Option<usize>,
        /// Absent: the original stays.
        digest: Option<Expected>,
    },
    Tokens {
        id: String,
        /// Bytes and the estimate for them.
        tokens: Vec<(usize, usize)>,
    },
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Expected {
    max_bytes: usize,
    /// Values by JSON pointer.
    #[serde(default)]
    at: Map<String, Value>,
    #[serde(default)]
    contains: Vec<Text>,
    #[serde(default)]
    lacks: Vec<Text>,
    #[serde(default)]
    counters: Map<String, Value>,
}

fn counters(meta: DigestMeta) -> Map<String, Value> {
    let all = [
        ("strings_truncated", meta.strings_truncated),
        ("arrays_collapsed", meta.arrays_collapsed),
        ("subtrees_dropped", meta.subtrees_dropped),
        ("nested_json_expanded", meta.nested_json_expanded),
    ];
    all.into_iter()
        .filter(|(_, count)| *count > 0)
        .map(|(name, count)| (name.to_owned(), count.into()))
        .collect()
}

fn check(holds: bool, failure: impl FnOnce() -> String) -> Result<(), String> {
    if holds { Ok(()) } else { Err(failure()) }
}

fn run_prune(row: &PruneRow) -> Result<(), String> {
    let input = row.input.text();
    let expected = row.expect.as_ref().map_or_else(|| input.clone(), Text::text);
    let pruned = prune(&input);
    check(pruned.text == expected, || {
        format!("{}\n  expected {expected}", pruned.text)
    })?;
    let found = counters(pruned.meta);
    check(found == row.counters, || format!("counters {found:?}"))?;
    let again = prune(&pruned.text);
    check(again.text == pruned.text, || format!("pruned again: {}", again.text))
}

fn run_digest(row: &DigestRow) -> Result<(), String> {
    let (tool, raw, raw_bytes, expected) = match row {
        DigestRow::Result {
            tool,
            input,
            raw_bytes,
            digest,
            ..
        } => (tool, input.text(), raw_bytes, digest),
        DigestRow::Tokens { tokens: pairs, .. } => {
            return pairs.iter().try_for_each(|(bytes, estimate)| {
                check(tokens(*bytes) == *estimate, || format!("{bytes}: {}", tokens(*bytes)))
            });
        }
    };
    serde_json::from_str::<Value>(&raw).map_err(|error| format!("the input is not JSON: {error}"))?;
    check(raw_bytes.is_none_or(|bytes| bytes == raw.len()), || {
        format!("the input has {} bytes", raw.len())
    })?;
    let (found, expected) = match (digest(tool, &raw), expected) {
        (None, None) => return Ok(()),
        (Some(found), None) => return Err(format!("digested: {}", found.text)),
        (None, Some(_)) => return Err("not digested".to_owned()),
        (Some(found), Some(expected)) => (found, expected),
    };
    let text = &found.text;
    check(text.len() <= expected.max_bytes, || {
        format!("{} bytes: {text}", text.len())
    })?;
    let value: Value = serde_json::from_str(text).map_err(|error| format!("{error}: {text}"))?;
    for (pointer, wanted) in &expected.at {
        check(value.pointer(pointer) == Some(wanted), || {
            format!("{pointer} is not {wanted}: {text}")
        })?;
    }
    for part in expected.contains.iter().map(Text::text) {
        check(text.contains(&part), || format!("lacks {part}: {text}"))?;
    }
    for part in expected.lacks.iter().map(Text::text) {
        check(!text.contains(&part), || format!("contains {part}: {text}"))?;
    }
    let counted = counters(found.meta);
    check(counted == expected.counters, || format!("counters {counted:?}: {text}"))?;
    let envelope = found.envelope(Some("call-1"), None);
    check(
        envelope["raw_bytes"] == raw.len() && envelope["call_id"] == "call-1",
        || format!("envelope {envelope:?}"),
    )
}

fn verdict<R>(rows: &[R], id: impl Fn(&R) -> &str, run: impl Fn(&R) -> Result<(), String>) {
    assert!(!rows.is_empty(), "no rows");
    let failures: Vec<String> = rows
        .iter()
        .filter_map(|row| run(row).err().map(|error| format!("{}: {error}", id(row))))
        .collect();
    assert!(
        failures.is_empty(),
        "{} rows failed:\n{}",
        failures.len(),
        failures.join("\n")
    );
}

#[test]
fn prune_rows() {
    verdict(&load_table::<PruneRow>("prune").rows, |row| &row.id, run_prune);
}

#[test]
fn digest_rows() {
    let id = |row: &DigestRow| match row {
        DigestRow::Result { id, .. } | DigestRow::Tokens { id, .. } => id.clone(),
    };
    let rows: Vec<(String, DigestRow)> = load_table::<DigestRow>("digest")
        .rows
        .into_iter()
        .map(|row| (id(&row), row))
        .collect();
    verdict(&rows, |(id, _)| id, |(_, row)| run_digest(row));
}

fn list(items: &[String]) -> String {
    format!("[{}]", items.join(","))
}

fn quoted(text: &str) -> String {
    Value::from(text).to_string()
}

/// JSON texts in which every rule of the pruner has something to do.
fn json_text() -> impl Strategy<Value = String> {
    let leaf = prop_oneof![
        Just("null".to_owned()),
        Just("12345678901234567890123".to_owned()),
        Just("-0.10e+5".to_owned()),
        (0..1000u32).prop_map(|number| number.to_string()),
        "[a-zé\"\\\\\n]{0,12}".prop_map(|text| quoted(&text)),
        (490..520usize).prop_map(|length| quoted(&"é".repeat(length))),
        (490..520usize).prop_map(|length| quoted(&"[".repeat(length))),
    ];
    leaf.prop_recursive(12, 400, 24, |inner| {
        let key = prop::sample::select(vec!["a", "text", "path", "security", "pod_id", "Name"]);
        prop_oneof![
            prop::collection::vec(inner.clone(), 0..24).prop_map(|items| list(&items)),
            (inner.clone(), 19..60usize).prop_map(|(item, count)| list(&vec![item; count])),
            prop::collection::vec((key, inner.clone()), 0..4).prop_map(|members| {
                let members: Vec<String> = members
                    .iter()
                    .map(|(key, value)| format!("\"{key}\":{value}"))
                    .collect();
                format!("{{{}}}", members.join(","))
            }),
            (inner.clone(), 1..9usize).prop_map(|(value, depth)| format!(
                "{}{value}{}",
                "{\"d\":".repeat(depth),
                "}".repeat(depth)
            )),
            (inner, 0..600usize).prop_map(|(value, blanks)| quoted(&format!("{value}{}", " ".repeat(blanks)))),
        ]
    })
}

/// Results of the survey tools, of any size and content.
fn survey() -> impl Strategy<Value = (&'static str, Value)> {
    let name = || {
        ("[a-z/\u{1}\"é.]{1,40}", 1..4000usize, 0..40u8).prop_map(|(unit, long, rare)| match rare {
            0 => unit.chars().cycle().take(long).collect(),
            _ => unit,
        })
    };
    let text = || ("[a-z\n\u{1}\"é ]{0,60}", 0..60usize).prop_map(|(unit, times)| unit.repeat(times));
    let reason = || prop::option::of(name());
    prop_oneof![
        prop::collection::vec((name(), any::<u64>(), text(), 1..30usize), 0..120).prop_map(|files| {
            let matches = |(path, line, text, count): (String, u64, String, usize)| {
                vec![json!({"path": path, "line": line, "text": text}); count]
            };
            (
                "grep",
                json!({"matches": files.into_iter().flat_map(matches).collect::<Vec<_>>(), "truncated": true}),
            )
        }),
        (prop::collection::vec(name(), 0..900), any::<u64>())
            .prop_map(|(paths, total)| ("glob", json!({"paths": paths, "total": total}))),
        prop::collection::vec((name(), name(), any::<u64>()), 0..500).prop_map(|entries| {
            let entry = |(name, kind, size)| json!({"name": name, "is_dir": false, "type": kind, "size": size});
            (
                "list_dir",
                json!({"entries": entries.into_iter().map(entry).collect::<Vec<_>>(), "total": 7}),
            )
        }),
        prop::collection::vec((name(), text(), any::<u64>(), reason()), 0..200).prop_map(|files| {
            let file = |(path, text, size, reason): (String, String, u64, Option<String>)| match reason {
                Some(reason) => json!({"path": path, "skipped": reason}),
                None => json!({"path": path, "content": text, "total_bytes": size}),
            };
            (
                "read_many_files",
                json!({"files": files.into_iter().map(file).collect::<Vec<_>>()}),
            )
        }),
    ]
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::with_cases(300) })]

    #[test]
    fn pruning_is_idempotent_valid_and_hardly_enlarges(text in json_text()) {
        let pruned = prune(&text);
        serde_json::from_str::<serde::de::IgnoredAny>(&pruned.text).unwrap();
        let markers = pruned.meta.subtrees_dropped * "\"<truncated, deep subtree>\"".len();
        prop_assert!(pruned.text.len() <= text.len() + markers);
        let again = prune(&pruned.text);
        prop_assert_eq!(&again.text, &pruned.text);
        prop_assert_eq!(again.meta, DigestMeta::default());
    }

    #[test]
    fn what_is_not_json_is_not_changed(text in "\\PC{0,40}") {
        if serde_json::from_str::<serde::de::IgnoredAny>(&text).is_err() {
            prop_assert_eq!(prune(&text).text, text);
        }
    }

    #[test]
    fn survey_digests_are_small_and_count_everything((tool, result) in survey()) {
        let raw = result.to_string();
        if let Some(digest) = digest(tool, &raw) {
            prop_assert!(raw.len() > THRESHOLD && digest.saves_enough());
            prop_assert!(digest.text.len() <= SURVEY_LIMIT, "{} bytes", digest.text.len());
            let value: Value = serde_json::from_str(&digest.text).unwrap();
            let list = result.as_object().unwrap().values().find_map(Value::as_array).unwrap();
            let total = result.get("total").cloned().unwrap_or_else(|| list.len().into());
            prop_assert_eq!(&value["total"], &total);
            prop_assert_eq!(value.get("truncated"), result.get("truncated"));
        }
    }
}
