//! Compressed answers, proper ones and bombs.

use super::encode::{brotli, deflate, gzip, zeros, zlib};
use super::plain::answer;
use crate::net::script::Script;

/// A text with this content encoding, whose bytes are given encoded.
pub fn encoded(encoding: &str, bytes: impl AsRef<[u8]>) -> Script {
    answer(
        200,
        &[
            ("Content-Type", "text/plain; charset=utf-8"),
            ("Content-Encoding", encoding),
        ],
        bytes,
    )
}

/// A text as gzip.
pub fn gzip_ok(text: &str) -> Script {
    encoded("gzip", gzip(text.as_bytes()))
}

/// A text as Brotli.
pub fn brotli_ok(text: &str) -> Script {
    encoded("br", brotli(text.as_bytes()))
}

/// Zeros as gzip, `size` bytes when decoded: about a thousandth of that on the wire.
pub fn gzip_bomb(size: u64) -> Script {
    encoded("gzip", gzip(zeros(size)))
}

/// Zeros as Brotli, `size` bytes when decoded: far below a thousandth on the wire.
pub fn brotli_bomb(size: u64) -> Script {
    encoded("br", brotli(zeros(size)))
}

/// Zeros as `deflate` in the zlib format, `size` bytes when decoded.
pub fn zlib_bomb(size: u64) -> Script {
    encoded("deflate", zlib(zeros(size)))
}

/// Zeros as `deflate` without the zlib frame, `size` bytes when decoded.
pub fn deflate_bomb(size: u64) -> Script {
    encoded("deflate", deflate(zeros(size)))
}

/// A text that was put through gzip `depth` times, and says so.
pub fn nested_gzip(text: &str, depth: usize) -> Script {
    let bytes = (0..depth).fold(text.as_bytes().to_vec(), |bytes, _| gzip(bytes.as_slice()));
    encoded(&vec!["gzip"; depth].join(", "), bytes)
}

/// A bomb in a bomb: zeros that were put through gzip twice.
pub fn nested_gzip_bomb(size: u64) -> Script {
    encoded("gzip, gzip", gzip(gzip(zeros(size)).as_slice()))
}

/// A gzip body with a damaged middle.
pub fn gzip_broken(text: &str) -> Script {
    let mut bytes = gzip(text.as_bytes());
    let middle = bytes.len() / 2;
    for byte in &mut bytes[middle..] {
        *byte ^= 0x5a;
    }
    encoded("gzip", bytes)
}
