//! Answers that take their time.

use std::time::Duration;

use super::plain::head;
use crate::net::script::{Script, Step};

/// A proper answer whose head comes byte by byte.
pub fn slow_headers(every: Duration) -> Script {
    let head = b"HTTP/1.1 200 OK\r\nContent-Type: text/plain\r\nContent-Length: 2\r\n\r\n".to_vec();
    vec![Step::Drip { bytes: head, every }, Step::Send(b"ok".to_vec())]
}

/// A proper answer whose body comes byte by byte.
pub fn slow_body(body: &str, every: Duration) -> Script {
    let bytes = body.as_bytes().to_vec();
    vec![Step::Send(declared(body.len())), Step::Drip { bytes, every }]
}

/// No answer at all, on an open connection.
pub fn stall() -> Script {
    vec![Step::Stall]
}

/// A head that promises a body, then nothing.
pub fn stall_after_headers() -> Script {
    vec![Step::Send(declared(10)), Step::Stall]
}

/// The first bytes of a longer body, then nothing.
pub fn stall_mid_body(start: &str) -> Script {
    let first = [declared(start.len() + 1000), start.as_bytes().to_vec()].concat();
    vec![Step::Send(first), Step::Stall]
}

fn declared(length: usize) -> Vec<u8> {
    let length = length.to_string();
    let mut head = head(200, &[("Content-Type", "text/plain"), ("Content-Length", &length)]);
    head.extend_from_slice(b"\r\n");
    head
}
