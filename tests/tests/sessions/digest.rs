//! When a result becomes a digest, and that what it stands for is the very result.

use std::collections::BTreeSet;
use std::sync::Arc;

use serde_json::{Value, json};
use toolgate::session::store::{SessionStore, SqliteStore, StoreError};
use toolgate::{Call, SessionOptions};

use crate::stage::{configured, list, many, named, planted, retrieve, rig};

/// Surveys whose results are large, over a tree in which not every character is one byte.
fn surveys() -> Vec<(&'static str, Value)> {
    vec![
        ("list_dir", json!({"path": "d"})),
        ("glob", json!({"pattern": "**/*.txt"})),
        ("grep", json!({"pattern": "né+dle", "path": "text"})),
        ("read_many_files", json!({"pattern": "*.md"})),
    ]
}

fn plant(base: &std::path::Path) {
    many(base);
    let directory = base.join("W/text");
    std::fs::create_dir(&directory).unwrap();
    for number in 0..20 {
        let line = format!("a néédle 🪡 in \"file\" {number}\\\n");
        std::fs::write(directory.join(format!("ü{number}.md")), line.repeat(40)).unwrap();
    }
}

#[tokio::test]
async fn q22_the_raw_result_is_what_the_call_returns_without_digests() {
    let store: Arc<dyn SessionStore> = Arc::new(SqliteStore::in_memory().unwrap());
    let rig = planted(plant, |builder| builder.store(store));
    let plain = rig.host.session(SessionOptions {
        digest: false,
        ..SessionOptions::default()
    });
    let session = rig.session();
    for (tool, arguments) in surveys() {
        let whole = plain.call(Call::new(tool, arguments.clone())).await.unwrap();
        assert_eq!(whole.payload, None, "{tool}");
        assert!(!whole.value.contains_key("digest"), "{tool}");
        let digested = session.call(Call::new(tool, arguments).id(tool)).await.unwrap();
        let bytes = whole.text.len();
        assert_eq!(digested.payload.as_deref(), Some(tool));
        assert_eq!(digested.value["raw_bytes"], bytes, "{tool}");
        assert_eq!(digested.value["savings"]["original_bytes"], bytes, "{tool}");
        assert!(digested.text.len() * 10 <= bytes * 9, "{tool}: {}", digested.text);
        // In one page, and in pages that end within characters.
        for limit in [262_144, 777, 101] {
            let (mut raw, mut offset) = (String::new(), json!(0));
            while !offset.is_null() {
                let page = json!({"call_id": tool, "offset": offset, "limit": limit});
                let page = retrieve(&session, page).await.unwrap().value;
                let text = page["raw"].as_str().unwrap();
                assert_eq!(page["bytes"], text.len());
                assert_eq!(page["total_bytes"], bytes);
                raw.push_str(text);
                offset = page.get("next_offset").cloned().unwrap_or_default();
                assert!(offset.is_null() || offset == raw.len(), "{tool}: {offset}");
            }
            assert_eq!(raw, whole.text, "{tool} in pages of {limit}");
        }
        let page = session.payload(tool, 0, u64::MAX).unwrap().unwrap();
        assert_eq!(page.text, whole.text, "{tool}");
    }
    let kept: Vec<_> = session.payloads().unwrap();
    let tools: Vec<_> = kept.iter().map(|payload| payload.tool.as_str()).collect();
    assert_eq!(tools, ["list_dir", "glob", "grep", "read_many_files"], "oldest first");
    assert_eq!(
        plain.payloads(),
        Ok(Vec::new()),
        "a session that digests nothing keeps nothing"
    );
}

#[tokio::test]
async fn ids_are_the_callers_or_drawn() {
    let rig = rig();
    let session = rig.session();
    assert_eq!(list(&session, "Mine-1_x.y").await.value["call_id"], "Mine-1_x.y");
    let mut drawn = BTreeSet::new();
    for _ in 0..5 {
        let call = Call::new("list_dir", json!({"path": "d"}));
        let result = session.call(call).await.unwrap();
        let id = result.payload.unwrap();
        assert_eq!(result.value["call_id"], id.as_str());
        let number = id.strip_prefix("call-").unwrap_or_default();
        assert!(
            number.len() == 12 && number.bytes().all(|byte| byte.is_ascii_hexdigit()),
            "{id}"
        );
        retrieve(&session, json!({"call_id": id})).await.unwrap();
        drawn.insert(id);
    }
    assert_eq!(drawn.len(), 5, "{drawn:?}");
}

#[test]
fn a_blocking_call_is_digested_too() {
    let rig = rig();
    let session = rig.session();
    let call = Call::new("list_dir", json!({"path": "d"})).id("c1");
    let result = session.call_blocking(call).unwrap();
    assert_eq!(result.value["call_id"], "c1");
    let call = Call::new("retrieve_raw", json!({"call_id": "c1"}));
    let raw = session.call_blocking(call).unwrap();
    assert_eq!(raw.value["bytes"], result.value["raw_bytes"]);
}

#[tokio::test]
async fn q24_another_session_does_not_find_it() {
    let rig = rig();
    let (one, other) = (rig.session(), rig.host.session(named("other")));
    list(&one, "c1").await;
    for id in ["c1", "unknown"] {
        let error = retrieve(&other, json!({"call_id": id})).await.unwrap_err();
        assert_eq!(error.kind.as_str(), "not_found", "{error}");
        // Nothing tells an id of somebody else from one that never was.
        let words = error.message.replace(id, "ID");
        assert!(
            words.contains("\"ID\"") && words.contains("nothing is stored"),
            "{error}"
        );
    }
    assert_eq!(other.payload("c1", 0, 1), Ok(None));
    assert_eq!(other.payloads(), Ok(Vec::new()));
    // What the other one keeps under the same id is its own.
    let call = Call::new("glob", json!({"pattern": "**"})).id("c1");
    other.call(call).await.unwrap();
    let raw = retrieve(&one, json!({"call_id": "c1"})).await.unwrap();
    assert!(
        raw.value["raw"].as_str().unwrap().starts_with("{\"entries\":"),
        "{raw:?}"
    );
}

#[tokio::test]
async fn a_sibling_shares_what_is_kept() {
    let rig = rig();
    let session = rig.session();
    let sibling = session.sibling(None);
    list(&session, "c1").await;
    assert_eq!(sibling.id(), session.id());
    drop(session);
    retrieve(&sibling, json!({"call_id": "c1"})).await.unwrap();
}

/// Without a tool to read it again, or a session that wants it, the result stays whole.
#[tokio::test]
async fn q26_where_digests_are_off_results_are_whole() {
    let with_digest = |on| SessionOptions {
        digest: on,
        ..SessionOptions::default()
    };
    let disabled = configured(|config| config.tools.disable = vec!["retrieve_raw".to_owned()]);
    let off = configured(|config| config.tool_output.digest = false);
    let on = rig();
    for (rig, wanted, registered) in [(&disabled, true, false), (&off, true, false), (&on, false, true)] {
        let session = rig.host.session(with_digest(wanted));
        let result = list(&session, "c1").await;
        assert_eq!(result.payload, None);
        assert_eq!(result.value["total"], crate::stage::MANY);
        assert_eq!(session.payloads(), Ok(Vec::new()));
        let tools = rig.host.tools();
        assert_eq!(tools.iter().any(|tool| tool.name == "retrieve_raw"), registered);
        // The schema speaks of digests where there can be some.
        let listing = tools.iter().find(|tool| tool.name == "list_dir").unwrap();
        let schema = listing.output_schema.to_string();
        assert_eq!(schema.contains("digest"), registered, "{schema}");
        assert!(tools.iter().any(|tool| tool.name == "todo"), "todo needs no digests");
    }
}

/// An id comes from the caller, and no id leads out of the store.
#[tokio::test]
async fn q28_no_id_becomes_a_path() {
    let directory = tempfile::tempdir().unwrap();
    let folder = directory.path().join("store");
    let store = Arc::new(SqliteStore::open(&folder).unwrap());
    let rig = crate::stage::over(store);
    let session = rig.session();
    for id in ["../x", "a/b", "..", "a b", "", "a\0b", "é", &"x".repeat(129)] {
        let result = list(&session, id).await;
        assert_eq!(result.payload, None, "{id:?}");
        assert!(!result.value.contains_key("call_id"), "{id:?}");
        let reason = &result.value["digest_meta"]["store_err"];
        assert!(reason.as_str().unwrap().contains("letters, digits"), "{id:?}: {reason}");
        let error = retrieve(&session, json!({"call_id": id})).await.unwrap_err();
        assert_eq!(error.kind.as_str(), "invalid_arguments", "{id:?}: {error}");
        assert!(
            matches!(session.payload(id, 0, 1), Err(StoreError::InvalidId(_))),
            "{id:?}"
        );
    }
    assert_eq!(session.payloads(), Ok(Vec::new()));
    let names = |folder: &std::path::Path| -> BTreeSet<String> {
        let entries = std::fs::read_dir(folder).unwrap();
        entries
            .map(|entry| entry.unwrap().file_name().into_string().unwrap())
            .collect()
    };
    assert_eq!(names(directory.path()), BTreeSet::from(["store".to_owned()]));
    assert!(names(&folder).iter().all(|name| name.starts_with("sessions.db")));
}
