//! Results and failures in the protocol's words.

use rmcp::model::{CallToolResult, ContentBlock};
use serde_json::Value;

use crate::{CallError, CallResult};

/// The result object, the same as text for clients that read only text and, for
/// clients that know `links`, where the whole result of a digested call is read.
pub(super) fn success(result: CallResult, links: bool) -> CallToolResult {
    let mut content = vec![ContentBlock::text(result.text)];
    if let Some(call_id) = result.payload.as_ref().filter(|_| links) {
        let bytes = result
            .value
            .get("raw_bytes")
            .and_then(Value::as_u64)
            .unwrap_or_default();
        content.push(ContentBlock::resource_link(super::resources::link(call_id, bytes)));
    }
    let mut reply = CallToolResult::success(content);
    reply.structured_content = Some(Value::Object(result.value));
    reply
}

/// A failed call is a result for the model to read, not a protocol error:
/// clients hide protocol errors from the model, and it could not correct itself.
pub(super) fn failure(error: &CallError) -> CallToolResult {
    let mut reply = CallToolResult::error(vec![ContentBlock::text(error.message.clone())]);
    reply.structured_content = Some(error.to_json());
    reply
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ErrorKind;

    #[test]
    fn success_carries_the_object_twice() {
        let value = serde_json::Map::from_iter([("content".to_owned(), Value::from("a\nb"))]);
        let result = CallResult {
            text: r#"{"content":"a\nb"}"#.to_owned(),
            value,
            payload: None,
        };
        let reply = serde_json::to_value(success(result, true)).unwrap();
        assert_eq!(reply["structuredContent"]["content"], "a\nb");
        let text: Value = serde_json::from_str(reply["content"][0]["text"].as_str().unwrap()).unwrap();
        assert_eq!(text, reply["structuredContent"]);
        assert_eq!(reply["isError"], false);
        assert_eq!(reply["content"].as_array().map(Vec::len), Some(1));
    }

    #[test]
    fn a_digest_links_to_the_whole_where_links_are_known() {
        let digested = || CallResult {
            text: r#"{"raw_bytes":9000}"#.to_owned(),
            value: serde_json::Map::from_iter([("raw_bytes".to_owned(), Value::from(9000))]),
            payload: Some("c1".to_owned()),
        };
        let reply = serde_json::to_value(success(digested(), true)).unwrap();
        let link = &reply["content"][1];
        assert_eq!(link["type"], "resource_link");
        assert_eq!(link["uri"], "toolgate://payloads/c1");
        assert_eq!(link["size"], 9000);
        let reply = serde_json::to_value(success(digested(), false)).unwrap();
        assert_eq!(reply["content"].as_array().map(Vec::len), Some(1));
    }

    #[test]
    fn failures_name_their_kind() {
        let error = CallError::new(ErrorKind::Denied, "write_file: mode plan refuses it");
        let reply = serde_json::to_value(failure(&error)).unwrap();
        assert_eq!(reply["isError"], true);
        assert_eq!(reply["structuredContent"]["kind"], "denied");
        assert_eq!(reply["content"][0]["text"], "write_file: mode plan refuses it");
    }
}
