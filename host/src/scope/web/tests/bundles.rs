//! The rows of header-bundles.json.

use std::collections::BTreeMap;

use serde::Deserialize;

use super::check_words;
use crate::scope::web::{Bundles, WebUrl};

type Map<T> = BTreeMap<String, T>;

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Row {
    id: String,
    #[serde(rename = "note")]
    _note: Option<String>,
    headers: Map<Map<String>>,
    #[serde(default)]
    over_http: Vec<String>,
    #[serde(default)]
    env: Map<String>,
    #[serde(default)]
    url: String,
    bundle: Option<String>,
    sends: Option<Map<String>>,
    #[serde(default)]
    error: Vec<String>,
    #[serde(default)]
    load_error: Vec<String>,
    #[serde(default)]
    silent: Vec<String>,
}

#[derive(Deserialize)]
struct Rows {
    rows: Vec<Row>,
}

fn reserved(name: &str) -> bool {
    ["host", "content-length", "transfer-encoding"].contains(&name.to_ascii_lowercase().as_str())
}

#[test]
fn rows() {
    let text = include_str!("../../../../../tests/vectors/header-bundles.json");
    let Rows { rows } = serde_json::from_str(text).unwrap();
    assert!(rows.len() > 40);
    for row in rows {
        let id = &row.id;
        let bundles = Bundles::new(&row.headers, &row.over_http, &reserved);
        if !row.load_error.is_empty() {
            let error = bundles.map(|_| "it loads").unwrap_err();
            check_words(id, &error.to_string(), &row.load_error, &row.silent);
            continue;
        }
        let bundles = bundles.unwrap();
        let url = WebUrl::parse(&row.url).unwrap();
        let chosen = bundles.choose(&url);
        assert_eq!(chosen.map(|bundle| bundle.pattern().to_string()), row.bundle, "{id}");
        let Some(bundle) = chosen else { continue };
        match bundle.expand(&url, &|name| row.env.get(name).cloned()) {
            Ok(sent) => assert_eq!(Some(sent.into_iter().collect()), row.sends, "{id}"),
            Err(message) => {
                assert!(!row.error.is_empty(), "{id}: {message}");
                check_words(id, &message, &row.error, &row.silent);
            }
        }
    }
}

#[test]
fn every_name_that_a_bundle_sets_is_known() {
    let headers = |name: &str| Map::from([(name.to_owned(), "1".to_owned())]);
    let all = Map::from([
        ("a.org".to_owned(), headers("X-Key")),
        ("b.org".to_owned(), headers("Authorization")),
    ]);
    let bundles = Bundles::new(&all, &[], &reserved).unwrap();
    assert!(bundles.sets("x-key") && bundles.sets("AUTHORIZATION") && !bundles.sets("Accept"));
    assert!(!bundles.is_empty() && Bundles::default().is_empty());
}

#[test]
fn nothing_is_printed_with_a_value() {
    let headers = Map::from([("Authorization".to_owned(), "Bearer $TOKEN".to_owned())]);
    let bundles = Bundles::new(&Map::from([("x.org".to_owned(), headers)]), &[], &reserved).unwrap();
    let url = WebUrl::parse("https://x.org/").unwrap();
    let bundle = bundles.choose(&url).unwrap();
    bundle.expand(&url, &|_| Some("t0p".to_owned())).unwrap();
    assert!(!format!("{bundles:?}").contains("t0p"));
}
