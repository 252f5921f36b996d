//! Answers as a good server gives them.

use crate::net::script::{Script, Step};

/// An answer with this status, these header fields, the body and its length.
pub fn answer(status: u16, headers: &[(&str, &str)], body: impl AsRef<[u8]>) -> Script {
    let body = body.as_ref();
    let mut bytes = head(status, headers);
    // 204 and 304 have no body, so a length would be false (RFC 9110, section 8.6).
    if status != 204 && status != 304 {
        bytes.extend_from_slice(format!("Content-Length: {}\r\n", body.len()).as_bytes());
    }
    bytes.extend_from_slice(b"\r\n");
    bytes.extend_from_slice(body);
    vec![Step::Send(bytes)]
}

/// 200 with a body of this type.
pub fn ok(body: impl AsRef<[u8]>, content_type: &str) -> Script {
    answer(200, &[("Content-Type", content_type)], body)
}

/// 200 with a body whose type is not said.
pub fn ok_without_type(body: impl AsRef<[u8]>) -> Script {
    answer(200, &[], body)
}

/// 200 with a body of this type in chunks of at most `size` bytes.
///
/// # Panics
/// When `size` is 0.
pub fn ok_chunked(body: impl AsRef<[u8]>, content_type: &str, size: usize) -> Script {
    let mut bytes = head(200, &[("Content-Type", content_type), ("Transfer-Encoding", "chunked")]);
    bytes.extend_from_slice(b"\r\n");
    for chunk in body.as_ref().chunks(size) {
        bytes.extend_from_slice(format!("{:x}\r\n", chunk.len()).as_bytes());
        bytes.extend_from_slice(chunk);
        bytes.extend_from_slice(b"\r\n");
    }
    bytes.extend_from_slice(b"0\r\n\r\n");
    vec![Step::Send(bytes)]
}

/// A status with a text.
pub fn status(status: u16, body: &str) -> Script {
    answer(status, &[("Content-Type", "text/plain; charset=utf-8")], body)
}

/// 204.
pub fn no_content() -> Script {
    answer(204, &[], "")
}

/// 304.
pub fn not_modified() -> Script {
    answer(304, &[("ETag", "\"1\"")], "")
}

/// 200 that sets a cookie, such as `session=1; Path=/`.
pub fn set_cookie(cookie: &str) -> Script {
    answer(200, &[("Content-Type", "text/plain"), ("Set-Cookie", cookie)], "ok")
}

/// 200 with a text in Latin-1, and a type that says so.
///
/// # Panics
/// When the text has a character outside Latin-1.
pub fn latin1(text: &str) -> Script {
    let bytes: Vec<u8> = text
        .chars()
        .map(|character| u8::try_from(u32::from(character)).expect("a Latin-1 character"))
        .collect();
    ok(bytes, "text/plain; charset=iso-8859-1")
}

/// The status line and the header lines, without the empty line.
pub(super) fn head(status: u16, headers: &[(&str, &str)]) -> Vec<u8> {
    let mut text = format!("HTTP/1.1 {status} {}\r\n", reason(status));
    for (name, value) in headers {
        text.push_str(&format!("{name}: {value}\r\n"));
    }
    text.into_bytes()
}

/// The phrases of RFC 9110, section 15, for the codes that tests use.
fn reason(status: u16) -> &'static str {
    match status {
        200 => "OK",
        201 => "Created",
        202 => "Accepted",
        204 => "No Content",
        206 => "Partial Content",
        301 => "Moved Permanently",
        302 => "Found",
        303 => "See Other",
        304 => "Not Modified",
        307 => "Temporary Redirect",
        308 => "Permanent Redirect",
        400 => "Bad Request",
        401 => "Unauthorized",
        403 => "Forbidden",
        404 => "Not Found",
        407 => "Proxy Authentication Required",
        429 => "Too Many Requests",
        500 => "Internal Server Error",
        502 => "Bad Gateway",
        503 => "Service Unavailable",
        _ => "Status",
    }
}
