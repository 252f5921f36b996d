//! Undoing the encoding of a body.

use std::io;

use async_compression::tokio::bufread::{BrotliDecoder, GzipDecoder, ZlibDecoder};
use bytes::Bytes;
use http::HeaderMap;
use http::header::CONTENT_ENCODING;
use tokio::io::{AsyncRead, AsyncReadExt};

use super::raw::Raw;

/// Encodings that are asked for.
pub(super) const ENCODINGS: &str = "gzip, br, deflate";
/// Bytes that are decoded at a time.
const PIECE: usize = 64 << 10;

/// A body, decoded as it is read.
pub(super) enum Source {
    Plain(Raw),
    Gzip(Box<GzipDecoder<Raw>>),
    Zlib(Box<ZlibDecoder<Raw>>),
    Brotli(Box<BrotliDecoder<Raw>>),
}

impl Source {
    /// Of a body with these headers.
    ///
    /// # Errors
    /// Its encodings, where they are none of those that are asked for.
    pub(super) fn new(raw: Raw, headers: &HeaderMap) -> Result<Self, String> {
        let encodings = encodings(headers);
        Ok(match encodings.iter().map(String::as_str).collect::<Vec<_>>()[..] {
            [] => Self::Plain(raw),
            ["gzip" | "x-gzip"] => {
                let mut decoder = GzipDecoder::new(raw);
                decoder.multiple_members(true);
                Self::Gzip(Box::new(decoder))
            }
            ["deflate"] => Self::Zlib(Box::new(ZlibDecoder::new(raw))),
            ["br"] => Self::Brotli(Box::new(BrotliDecoder::new(raw))),
            _ => return Err(encodings.join(", ")),
        })
    }

    pub(super) fn raw(&self) -> &Raw {
        match self {
            Self::Plain(raw) => raw,
            Self::Gzip(decoder) => decoder.get_ref(),
            Self::Zlib(decoder) => decoder.get_ref(),
            Self::Brotli(decoder) => decoder.get_ref(),
        }
    }

    fn raw_mut(&mut self) -> &mut Raw {
        match self {
            Self::Plain(raw) => raw,
            Self::Gzip(decoder) => decoder.get_mut(),
            Self::Zlib(decoder) => decoder.get_mut(),
            Self::Brotli(decoder) => decoder.get_mut(),
        }
    }

    /// The next bytes. Where an encoding ends before the body does, the rest is looked at too: only
    /// a connection whose body came to its end can be used again.
    pub(super) async fn next(&mut self, most: usize) -> io::Result<Bytes> {
        let bytes = match self {
            Self::Plain(raw) => raw.next(most).await,
            Self::Gzip(decoder) => piece(decoder, most).await,
            Self::Zlib(decoder) => piece(decoder, most).await,
            Self::Brotli(decoder) => piece(decoder, most).await,
        }?;
        if bytes.is_empty() && most > 0 {
            self.raw_mut().next(0).await?;
        }
        Ok(bytes)
    }
}

/// Some decoded bytes.
async fn piece(decoder: &mut (impl AsyncRead + Unpin), most: usize) -> io::Result<Bytes> {
    let mut piece = Vec::with_capacity(most.min(PIECE));
    if most > 0 {
        decoder.read_buf(&mut piece).await?;
    }
    Ok(piece.into())
}

/// The encodings of a body, in the order in which they were applied.
fn encodings(headers: &HeaderMap) -> Vec<String> {
    let values = headers.get_all(CONTENT_ENCODING).iter();
    let texts: Vec<String> = values
        .map(|value| String::from_utf8_lossy(value.as_bytes()).to_ascii_lowercase())
        .collect();
    let names = texts.iter().flat_map(|text| text.split(',')).map(str::trim);
    names
        .filter(|name| !name.is_empty() && *name != "identity")
        .map(str::to_owned)
        .collect()
}
