//! Answers that break the framing rules of HTTP/1 (RFC 9112).

use crate::net::script::{Script, Step};

/// A body shorter than declared, then a proper close.
pub fn truncated_body(body: &str, declared: usize) -> Script {
    let length = declared.to_string();
    closing(&[("Content-Length", &length)], body.as_bytes())
}

/// A body longer than declared: what comes after the first `declared` bytes
/// belongs to no answer.
pub fn wrong_length_shorter(body: &str, declared: usize) -> Script {
    truncated_body(body, declared)
}

/// Chunking whose second size is not a number.
pub fn chunked_broken() -> Script {
    closing(
        &[("Transfer-Encoding", "chunked")],
        b"5\r\nhello\r\nxyz\r\nworld\r\n0\r\n\r\n",
    )
}

/// Chunking that stops in the middle of a chunk.
pub fn chunked_truncated() -> Script {
    closing(&[("Transfer-Encoding", "chunked")], b"5\r\nhello\r\n100\r\nwor")
}

/// A chunk size whose digits never end.
pub fn chunked_never_ending_size() -> Script {
    let head = b"HTTP/1.1 200 OK\r\nContent-Type: text/plain\r\nTransfer-Encoding: chunked\r\n\r\n";
    vec![Step::Send(head.to_vec()), Step::Endless(b"0".repeat(1024))]
}

/// Two lengths that differ (RFC 9112, section 6.3: an unrecoverable error).
pub fn duplicate_content_length() -> Script {
    closing(&[("Content-Length", "5"), ("Content-Length", "11")], b"hello world")
}

/// A length that is not a number of bytes.
pub fn negative_content_length() -> Script {
    closing(&[("Content-Length", "-1")], b"hello")
}

/// A chunked body that also has a length (RFC 9112, section 6.1: what smuggling looks like).
pub fn te_and_cl() -> Script {
    let headers = [("Content-Length", "3"), ("Transfer-Encoding", "chunked")];
    closing(&headers, b"5\r\nhello\r\n0\r\n\r\n")
}

/// Bytes that are no HTTP.
pub fn garbage() -> Script {
    let bytes = b"\x00\xff\x13\x37SSH-2.0-nonsense\r\nnot: http\r\n\r\n";
    vec![Step::Send(bytes.to_vec()), Step::Close]
}

/// An answer of HTTP/0.9: a body without a head.
pub fn http09(body: &str) -> Script {
    vec![Step::Send(body.as_bytes().to_vec()), Step::Close]
}

/// A header field with bytes that no field may have: a lone line feed, a NUL
/// and terminal escapes (RFC 9110, section 5.5).
pub fn header_injection() -> Script {
    closing(
        &[("Content-Length", "2"), ("X-Odd", "a\nX-Smuggled: b\0\x1b[31m")],
        b"ok",
    )
}

fn closing(headers: &[(&str, &str)], body: &[u8]) -> Script {
    let mut bytes = super::plain::head(200, &[("Content-Type", "text/plain")]);
    for (name, value) in headers {
        bytes.extend_from_slice(format!("{name}: {value}\r\n").as_bytes());
    }
    bytes.extend_from_slice(b"\r\n");
    bytes.extend_from_slice(body);
    vec![Step::Send(bytes), Step::Close]
}
