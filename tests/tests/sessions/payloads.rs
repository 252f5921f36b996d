//! What `retrieve_raw` takes and refuses.

use serde_json::json;
use toolgate_tests::rig::Rig;

use crate::stage::{list, retrieve, rig};

fn session() -> (Rig, toolgate::Session) {
    let rig = rig();
    let session = rig.session();
    (rig, session)
}

#[tokio::test]
async fn a_page_has_a_default_and_a_greatest_length() {
    let (_rig, session) = session();
    let whole = list(&session, "c1").await.value["raw_bytes"].as_u64().unwrap();
    assert!(whole < 65_536);
    let page = retrieve(&session, json!({"call_id": "c1"})).await.unwrap().value;
    assert_eq!(page["bytes"], whole);
    assert!(!page.contains_key("next_offset"));
    let page = retrieve(&session, json!({"call_id": "c1", "offset": whole - 1})).await;
    assert_eq!(page.unwrap().value["raw"], "}");
    for limit in [json!(0), json!(262_145), json!(-1), json!("10")] {
        let error = retrieve(&session, json!({"call_id": "c1", "limit": limit})).await;
        assert_eq!(error.unwrap_err().kind.as_str(), "invalid_arguments", "{limit}");
    }
}

#[tokio::test]
async fn an_offset_behind_the_end_names_the_length() {
    let (_rig, session) = session();
    let whole = list(&session, "c1").await.value["raw_bytes"].as_u64().unwrap();
    for offset in [whole + 1, u64::from(u32::MAX)] {
        let error = retrieve(&session, json!({"call_id": "c1", "offset": offset})).await;
        let error = error.unwrap_err();
        assert_eq!(error.kind.as_str(), "invalid_arguments");
        assert!(error.message.contains(&whole.to_string()), "{error}");
    }
}

/// Its own result is never digested, however large: it would be a circle.
#[tokio::test]
async fn a_retrieved_result_is_not_digested() {
    let (_rig, session) = session();
    list(&session, "c1").await;
    let result = retrieve(&session, json!({"call_id": "c1"})).await.unwrap();
    assert!(result.text.len() > 8000);
    assert_eq!(result.payload, None);
    assert_eq!(session.payloads().unwrap().len(), 1);
}
