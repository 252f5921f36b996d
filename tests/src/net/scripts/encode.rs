//! The content codings of RFC 9110, section 8.4.1, and Brotli (RFC 7932).

use std::io::{self, Read};

use flate2::Compression;
use flate2::read::{DeflateEncoder, GzEncoder, ZlibEncoder};

/// This many zero bytes, to be read rather than held.
pub fn zeros(size: u64) -> impl Read {
    io::repeat(0).take(size)
}

/// `gzip` (RFC 1952).
pub fn gzip(content: impl Read) -> Vec<u8> {
    all(GzEncoder::new(content, Compression::best()))
}

/// What `Content-Encoding: deflate` means: the zlib format (RFC 1950).
pub fn zlib(content: impl Read) -> Vec<u8> {
    all(ZlibEncoder::new(content, Compression::best()))
}

/// The bare format (RFC 1951), which some servers send as `deflate`.
pub fn deflate(content: impl Read) -> Vec<u8> {
    all(DeflateEncoder::new(content, Compression::best()))
}

/// `br` (RFC 7932).
pub fn brotli(content: impl Read) -> Vec<u8> {
    // Quality 5 is quick, and finds the long runs that bombs are made of; the
    // window of 4 MiB is the largest that every decoder takes.
    all(brotli::CompressorReader::new(content, 1 << 16, 5, 22))
}

fn all(mut encoder: impl Read) -> Vec<u8> {
    let mut bytes = Vec::new();
    encoder.read_to_end(&mut bytes).expect("reading from memory");
    bytes
}
