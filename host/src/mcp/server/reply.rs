//! Results and failures in the protocol's words.

use rmcp::model::{CallToolResult, ContentBlock};
use serde_json::Value;

use crate::{CallError, CallResult};

/// The result object, and the same as text for clients that read only text.
pub(super) fn success(result: CallResult) -> CallToolResult {
    let mut content = vec![ContentBlock::text(result.text)];
    if let Some(call_id) = &result.payload {
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
        let reply = serde_json::to_value(success(result)).unwrap();
        assert_eq!(reply["structuredContent"]["content"], "a\nb");
        let text: Value = serde_json::from_str(reply["content"][0]["text"].as_str().unwrap()).unwrap();
        assert_eq!(text, reply["structuredContent"]);
        assert_eq!(reply["isError"], false);
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
