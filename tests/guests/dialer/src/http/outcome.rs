//! What is told of one request.

use schemars::JsonSchema;
use serde::Serialize;

use super::fault::Fault;
use crate::Header;

/// How one request ended; after redirects, the last.
#[derive(Default, Serialize, JsonSchema)]
pub(crate) struct Outcome {
    /// Parts and headers that could not be set; the request was sent without them.
    pub(crate) refused: Vec<String>,
    /// The status.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) status: Option<u16>,
    /// The headers of the response.
    pub(crate) headers: Vec<Header>,
    /// The trailers of the response.
    pub(crate) trailers: Vec<Header>,
    /// Bytes of the request's body that were written.
    pub(crate) sent: u64,
    /// Bytes of the response's body that were read.
    pub(crate) bytes: u64,
    /// The first of them as text.
    pub(crate) first: String,
    /// Whether the response's body came to its end.
    pub(crate) whole: bool,
    /// The redirects that were followed.
    pub(crate) hops: Vec<String>,
    /// What went wrong, in order.
    pub(crate) faults: Vec<Fault>,
}

impl Outcome {
    /// The status, or where it went wrong first: `handle:http_request_denied`.
    pub(crate) fn ending(&self) -> String {
        match (self.faults.first(), self.status) {
            (Some(fault), _) => format!("{}:{}", fault.stage, fault.code),
            (None, status) => status.unwrap_or_default().to_string(),
        }
    }

    /// Where a redirect leads.
    pub(crate) fn location(&self) -> Option<String> {
        let redirect = self.status.is_some_and(|status| (300..400).contains(&status));
        let mut headers = self.headers.iter().filter(|_| redirect);
        let location = headers.find(|header| header.name.eq_ignore_ascii_case("location"))?;
        Some(location.value.clone())
    }
}
