//! The vectors of the text cut, read from the table that all implementations share.

use serde_json::Value;
use toolgate_plugin::text::truncate_text;

fn text(value: &Value) -> String {
    match value {
        Value::String(text) => text.clone(),
        other => {
            let repeat = &other["repeat"];
            let times = repeat[1].as_u64().unwrap();
            repeat[0].as_str().unwrap().repeat(usize::try_from(times).unwrap())
        }
    }
}

#[test]
fn truncate() {
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/../../tests/vectors/truncate.json");
    let table: Value = serde_json::from_str(&std::fs::read_to_string(path).unwrap()).unwrap();
    let rows = table["rows"].as_array().unwrap();
    assert!(rows.len() >= 12);
    for row in rows {
        let id = &row["id"];
        let input = text(&row["input"]);
        let limit = |name: &str| usize::try_from(row[name].as_u64().unwrap()).unwrap();
        let cut = truncate_text(&input, limit("max_bytes"), limit("max_lines"));
        assert_eq!(cut.text, text(&row["kept"]), "{id}: kept");
        assert_eq!(cut.truncated, row["truncated"].as_bool().unwrap(), "{id}: truncated");
        assert_eq!(
            cut.original_bytes as u64,
            row["original_bytes"].as_u64().unwrap(),
            "{id}: bytes"
        );
        assert_eq!(
            cut.original_lines,
            row["original_lines"].as_u64().unwrap(),
            "{id}: lines"
        );
    }
}
