//! The text a component returned, made into a result object.

use serde_json::{Map, Value};

use crate::call::{CallError, ErrorKind};
use crate::catalog::Caps;

/// JSON may spend six bytes on one (`\u0000`), so a result that keeps its
/// limit can still be this many times longer as text.
pub const MAX_RESULT_FACTOR: u64 = 6;

/// Room for keys, numbers and punctuation beside the payload.
const OVERHEAD: u64 = 64 << 10;

/// Longest result text that a tool with these limits can need, in bytes. Tools
/// keep their limits themselves; this bound holds those that do not.
pub fn result_limit(caps: Caps) -> usize {
    let bytes = caps
        .max_bytes
        .saturating_mul(MAX_RESULT_FACTOR)
        .saturating_add(OVERHEAD);
    usize::try_from(bytes.max(256 << 10)).unwrap_or(usize::MAX)
}

/// Parses and bounds the result of a tool.
///
/// # Errors
/// `failed` if it is not one JSON object without repeated keys, `limit` if it is too long.
pub fn finish(tool: &str, caps: Caps, text: &str) -> Result<Map<String, Value>, CallError> {
    let limit = result_limit(caps);
    if text.len() > limit {
        return Err(CallError::new(
            ErrorKind::Limit,
            format!(
                "{tool}: the result has {} bytes, more than the {limit} that its output limit allows; narrow the call",
                text.len()
            ),
        ));
    }
    match crate::json::parse(text) {
        Ok(Value::Object(map)) => Ok(map),
        Ok(_) => Err(CallError::new(
            ErrorKind::Failed,
            format!("{tool}: the tool returned JSON that is not an object"),
        )),
        Err(error) => Err(CallError::new(
            ErrorKind::Failed,
            format!("{tool}: the tool returned text that is not valid JSON: {error}"),
        )),
    }
}
