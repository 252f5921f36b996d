//! Whole results of digested calls, as resources of the session that made the calls.

use rmcp::ErrorData;
use rmcp::model::{Resource, ResourceContents, ResourceTemplate};

use crate::Session;
use crate::session::store::{Page, StoreError};

/// What precedes the id of a call.
const PREFIX: &str = "toolgate://payloads/";
const MIME: &str = "application/json";

/// Where the whole result of a call is read.
pub(super) fn link(call_id: &str, bytes: u64) -> Resource {
    Resource::new(format!("{PREFIX}{call_id}"), call_id)
        .with_title("Whole result")
        .with_description("The result that the digest stands for, as JSON.")
        .with_mime_type(MIME)
        .with_size(bytes)
}

/// How such an address is made.
pub(super) fn template() -> ResourceTemplate {
    ResourceTemplate::new(format!("{PREFIX}{{call_id}}"), "payload")
        .with_title("Whole result of a digested call")
        .with_mime_type(MIME)
}

/// Those of a session, oldest first.
pub(super) fn list(session: &Session) -> Result<Vec<Resource>, ErrorData> {
    let payloads = session.payloads().map_err(|error| unavailable(&error))?;
    Ok(payloads
        .into_iter()
        .map(|payload| {
            link(&payload.call_id, payload.bytes)
                .with_description(format!("The whole result of a call of {}.", payload.tool))
        })
        .collect())
}

/// The content of one.
pub(super) fn read(session: &Session, uri: &str) -> Result<ResourceContents, ErrorData> {
    let unknown = || {
        let shown: String = uri.chars().take(128).collect();
        let text = format!("no resource {shown:?}; whole results of this session are at {PREFIX}{{call_id}}");
        ErrorData::resource_not_found(text, None)
    };
    let call_id = uri.strip_prefix(PREFIX).ok_or_else(unknown)?;
    match session.payload(call_id, 0, u64::MAX) {
        Ok(Some(Page { text, .. })) => Ok(ResourceContents::text(text, uri).with_mime_type(MIME)),
        Ok(None) | Err(StoreError::InvalidId(_)) => Err(unknown()),
        Err(error) => Err(unavailable(&error)),
    }
}

fn unavailable(error: &StoreError) -> ErrorData {
    ErrorData::internal_error(error.to_string(), None)
}
