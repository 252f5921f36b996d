//! Answers whose head is out of proportion.

use super::plain::answer;
use crate::net::script::{Script, Step};

/// A proper answer with `count` header fields whose values have `size` bytes each.
pub fn header_flood(count: usize, size: usize) -> Script {
    let value = "v".repeat(size);
    let names: Vec<String> = (0..count).map(|index| format!("X-Flood-{index}")).collect();
    let headers: Vec<(&str, &str)> = names.iter().map(|name| (name.as_str(), value.as_str())).collect();
    answer(200, &headers, "ok")
}

/// A proper answer with one header field whose value has `size` bytes.
pub fn one_huge_header(size: usize) -> Script {
    answer(200, &[("X-Huge", &"v".repeat(size))], "ok")
}

/// An answer whose reason phrase has `size` bytes.
pub fn huge_status_line(size: usize) -> Script {
    let text = format!("HTTP/1.1 200 {}\r\nContent-Length: 2\r\n\r\nok", "y".repeat(size));
    vec![Step::Send(text.into_bytes())]
}
