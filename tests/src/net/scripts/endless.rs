//! Answers without an end.

use std::time::Duration;

use super::encode::{gzip, zeros};
use crate::net::script::{Script, Step};

/// A text body of undeclared length that goes on as fast as it is read.
pub fn endless_body() -> Script {
    vec![
        Step::Send(b"HTTP/1.1 200 OK\r\nContent-Type: text/plain\r\nConnection: close\r\n\r\n".to_vec()),
        Step::Endless(b"0123456789abcde\n".repeat(1024)),
    ]
}

/// The same in chunks of 16 KiB.
pub fn endless_chunked_body() -> Script {
    let chunk = [
        b"4000\r\n".to_vec(),
        b"0123456789abcde\n".repeat(1024),
        b"\r\n".to_vec(),
    ]
    .concat();
    vec![
        Step::Send(b"HTTP/1.1 200 OK\r\nContent-Type: text/plain\r\nTransfer-Encoding: chunked\r\n\r\n".to_vec()),
        Step::Endless(chunk),
    ]
}

/// A gzip body without end: members of 1 MiB of zeros, one after the other,
/// which is proper gzip (RFC 1952, section 2.2).
pub fn endless_gzip() -> Script {
    let head = "HTTP/1.1 200 OK\r\nContent-Type: text/plain\r\nContent-Encoding: gzip\r\nConnection: close\r\n\r\n";
    vec![
        Step::Send(head.as_bytes().to_vec()),
        Step::Endless(gzip(zeros(1 << 20))),
    ]
}

/// A body that never ends and is never idle for longer than `every`.
pub fn pulsing_body(every: Duration) -> Script {
    vec![
        Step::Send(b"HTTP/1.1 200 OK\r\nContent-Type: text/plain\r\nConnection: close\r\n\r\n".to_vec()),
        Step::Pulse {
            bytes: b"tick\n".to_vec(),
            every,
        },
    ]
}

/// Header lines without an end.
pub fn endless_headers() -> Script {
    vec![
        Step::Send(b"HTTP/1.1 200 OK\r\n".to_vec()),
        Step::Endless(b"X-More: and more\r\n".repeat(64)),
    ]
}

/// Interim answers (RFC 9110, section 15.2), one each `every`, and never a final one.
pub fn never_ending_1xx(every: Duration) -> Script {
    vec![Step::Pulse {
        bytes: b"HTTP/1.1 103 Early Hints\r\nLink: </style.css>; rel=preload\r\n\r\n".to_vec(),
        every,
    }]
}
