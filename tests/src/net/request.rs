//! A request as it arrived.

use std::time::Instant;

use serde_json::Value;

/// One complete request.
#[derive(Clone, Debug)]
pub struct Request {
    /// The index of its connection in the record.
    pub connection: usize,
    /// When its last byte was read.
    pub at: Instant,
    /// The bytes of HTTP/1 as received, head and body; empty for HTTP/2.
    pub raw: Vec<u8>,
    /// The method.
    pub method: String,
    /// The target as sent; for HTTP/2 the path and query.
    pub target: String,
    /// The protocol version, such as `HTTP/1.1`.
    pub version: String,
    /// The header fields in their order, names in lower case, values as
    /// Latin-1. HTTP/2 has `:authority` and `:scheme` among them.
    pub headers: Vec<(String, String)>,
    /// The body, chunking undone.
    pub body: Vec<u8>,
}

impl Request {
    /// The first header of this (lower-case) name.
    pub fn header(&self, name: &str) -> Option<&str> {
        let named = self.headers.iter().find(|(header, _)| header == name);
        named.map(|(_, value)| value.as_str())
    }

    /// All headers of this (lower-case) name.
    pub fn headers_named<'a>(&'a self, name: &'a str) -> impl Iterator<Item = &'a str> {
        let named = self.headers.iter().filter(move |(header, _)| header == name);
        named.map(|(_, value)| value.as_str())
    }

    /// The target without its query.
    pub fn path(&self) -> &str {
        self.target.split('?').next().unwrap_or_default()
    }

    /// The part of the target after `?`, if there is one.
    pub fn query(&self) -> Option<&str> {
        self.target.split_once('?').map(|(_, query)| query)
    }

    /// The body as JSON, if it is JSON.
    pub fn json(&self) -> Option<Value> {
        serde_json::from_slice(&self.body).ok()
    }

    /// Reads a head without its final empty line.
    pub(super) fn from_head(head: &[u8], connection: usize) -> Self {
        // Latin-1: no byte of a hostile or faulty client may get lost.
        let text: String = head.iter().copied().map(char::from).collect();
        let mut lines = text.split("\r\n");
        let mut first = lines.next().unwrap_or_default().splitn(3, ' ').map(str::to_owned);
        let headers = lines
            .filter_map(|line| line.split_once(':'))
            .map(|(name, value)| (name.to_ascii_lowercase(), value.trim().to_owned()));
        Self {
            connection,
            at: Instant::now(),
            raw: Vec::new(),
            method: first.next().unwrap_or_default(),
            target: first.next().unwrap_or_default(),
            version: first.next().unwrap_or_default(),
            headers: headers.collect(),
            body: Vec::new(),
        }
    }
}
