//! A raw HTTP/1.1 client, for headers that no library would send.

use std::io::{Read, Write};
use std::net::{SocketAddr, TcpStream};
use std::time::Duration;

use serde_json::Value;

/// How long to wait for an answer.
const PATIENCE: Duration = Duration::from_secs(60);

/// An answer.
#[derive(Debug)]
pub struct HttpReply {
    /// The status code.
    pub status: u16,
    /// The header lines, names in lower case.
    pub headers: Vec<(String, String)>,
    /// The body, chunking undone.
    pub body: String,
}

impl HttpReply {
    /// The first header of this (lower-case) name.
    pub fn header(&self, name: &str) -> Option<&str> {
        self.headers
            .iter()
            .find(|(header, _)| header == name)
            .map(|(_, value)| value.as_str())
    }

    /// The JSON-RPC message in the body, plain or as a server-sent event.
    ///
    /// # Panics
    /// When there is none.
    pub fn message(&self) -> Value {
        let text = self
            .body
            .lines()
            .find_map(|line| {
                line.strip_prefix("data:")
                    .map(str::trim)
                    .filter(|data| !data.is_empty())
            })
            .unwrap_or(&self.body);
        serde_json::from_str(text).unwrap_or_else(|error| panic!("{error}: {self:?}"))
    }
}

/// Posts a message to `/mcp` with the headers that the protocol demands, a
/// proper `Host`, and further ones. A further `Host` replaces the proper one;
/// a header with an empty value is left out.
pub fn post(address: SocketAddr, headers: &[(&str, &str)], body: &str) -> HttpReply {
    send(address, request(address, headers, body).as_bytes(), body.as_bytes())
}

/// The head of such a request.
pub fn request(address: SocketAddr, headers: &[(&str, &str)], body: &str) -> String {
    let host = address.to_string();
    let length = body.len().to_string();
    let defaults = [
        ("Host", host.as_str()),
        ("Content-Type", "application/json"),
        ("Accept", "application/json, text/event-stream"),
        ("Content-Length", length.as_str()),
    ];
    let replaced = |name: &str| headers.iter().any(|(header, _)| header.eq_ignore_ascii_case(name));
    let mut request = "POST /mcp HTTP/1.1\r\nConnection: close\r\n".to_owned();
    let kept = defaults.iter().filter(|(name, _)| !replaced(name));
    for (name, value) in kept.chain(headers).filter(|(_, value)| !value.is_empty()) {
        request.push_str(&format!("{name}: {value}\r\n"));
    }
    request.push_str("\r\n");
    request
}

/// Sends a head and a body as they are, and reads the answer to its end.
///
/// # Panics
/// When there is no proper answer.
pub fn send(address: SocketAddr, head: &[u8], body: &[u8]) -> HttpReply {
    let mut stream = TcpStream::connect(address).expect("the server accepts");
    stream.set_read_timeout(Some(PATIENCE)).expect("a timeout");
    stream.write_all(head).expect("the server reads the head");
    // A server may refuse a body before all of it is sent.
    let _ = stream.write_all(body);
    let mut answer = Vec::new();
    let ended = stream.read_to_end(&mut answer);
    assert!(ended.is_ok() || !answer.is_empty(), "no answer: {ended:?}");
    parse(&answer)
}

fn parse(answer: &[u8]) -> HttpReply {
    let text = String::from_utf8_lossy(answer);
    let (head, body) = text
        .split_once("\r\n\r\n")
        .unwrap_or_else(|| panic!("not an HTTP answer: {text:?}"));
    let mut lines = head.lines();
    let status = lines
        .next()
        .and_then(|line| line.split(' ').nth(1))
        .and_then(|status| status.parse().ok())
        .unwrap_or_else(|| panic!("no status: {head:?}"));
    let headers: Vec<(String, String)> = lines
        .filter_map(|line| line.split_once(':'))
        .map(|(name, value)| (name.to_ascii_lowercase(), value.trim().to_owned()))
        .collect();
    let chunked = headers
        .iter()
        .any(|(name, value)| name == "transfer-encoding" && value == "chunked");
    let body = if chunked { unchunk(body) } else { body.to_owned() };
    HttpReply { status, headers, body }
}

fn unchunk(mut rest: &str) -> String {
    let mut body = String::new();
    while let Some((size, after)) = rest.split_once("\r\n") {
        let size = usize::from_str_radix(size.trim(), 16).unwrap_or(0);
        if size == 0 || after.len() < size {
            break;
        }
        body.push_str(&after[..size]);
        rest = after[size..].trim_start_matches("\r\n");
    }
    body
}
