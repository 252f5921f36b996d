//! Arguments for a record: canonical, without secrets, long texts cut.

use std::fmt::{self, Write};

use serde_json::{Map, Value};

use super::json;
use super::secrets::{HIDDEN, is_secret, scrub};

/// Longest text that stands in a record as it is, in bytes.
const CUT: usize = 256;
/// The same where the arguments would otherwise be too long.
const SHORT_CUT: usize = 32;
/// Most bytes of arguments in a record.
pub(super) const MAX_ARGUMENTS: usize = 8 * 1024;
/// Bytes of usual arguments.
const USUAL: usize = 256;
/// Deepest nesting that is written: as deep as the catalog accepts.
const MAX_DEPTH: usize = 128;

/// Arguments as they stand in a record.
pub(super) struct Rendered {
    /// JSON, at most [`MAX_ARGUMENTS`] bytes.
    pub(super) json: String,
    /// BLAKE3 of the whole canonical arguments without secrets. A digest that covered them
    /// would let a short secret be guessed.
    pub(super) digest: blake3::Hash,
    /// Bytes of what the digest covers.
    pub(super) bytes: u64,
}

/// Renders the arguments. A cut text becomes `{"$text": start, "$bytes": length, "$blake3": digest}`.
pub(super) fn render(arguments: &Value) -> Rendered {
    let cut = |most| {
        let both = Both {
            waiting: Vec::with_capacity(USUAL),
            short: String::with_capacity(USUAL),
            ..Both::default()
        };
        let mut writer = Writer::new(both, most);
        // Neither hashing nor a text without a bound can fail.
        let _ = match arguments {
            Value::Object(members) => writer.object(members, 0),
            other => writer.value(other, 0),
        };
        writer.out.finish()
    };
    let first = cut(CUT);
    let (digest, bytes) = (first.digest, first.bytes);
    let json = first
        .json
        .or_else(|| cut(SHORT_CUT).json)
        .unwrap_or_else(|| format!(r#"{{"$bytes":{bytes},"$blake3":"{digest}"}}"#));
    Rendered { json, digest, bytes }
}

/// Any JSON value from a log, safe to show.
pub(super) fn shown(value: &Value) -> String {
    let mut writer = Writer::new(String::new(), usize::MAX);
    // Writing to a string cannot fail.
    let _ = writer.value(value, 0);
    writer.out
}

/// Where JSON goes: whole, and with cut texts in their place.
trait Sink: Write {
    /// A text that is too long, and what stands for it.
    ///
    /// # Errors
    /// As of [`Write`].
    fn long(&mut self, text: &str, most: usize) -> fmt::Result;
}

impl Sink for String {
    fn long(&mut self, text: &str, _: usize) -> fmt::Result {
        json::string(self, text)
    }
}

struct Writer<W> {
    out: W,
    /// Longest text that is not cut, in bytes.
    most: usize,
}

impl<W: Sink> Writer<W> {
    fn new(out: W, most: usize) -> Self {
        Self { out, most }
    }

    fn value(&mut self, value: &Value, depth: usize) -> fmt::Result {
        match value {
            Value::Null => self.out.write_str("null"),
            Value::Bool(value) => write!(self.out, "{value}"),
            Value::Number(number) => write!(self.out, "{number}"),
            Value::String(text) => self.text(text),
            Value::Array(_) | Value::Object(_) if depth > MAX_DEPTH => self.out.write_str("\"[deeper]\""),
            Value::Array(items) => {
                let mut before = '[';
                for item in items {
                    self.out.write_char(before)?;
                    self.value(item, depth + 1)?;
                    before = ',';
                }
                self.out.write_str(if items.is_empty() { "[]" } else { "]" })
            }
            Value::Object(members) => self.object(members, depth + 1),
        }
    }

    /// Members in the order of their names, whatever order the map has.
    fn object(&mut self, members: &Map<String, Value>, depth: usize) -> fmt::Result {
        let mut sorted: Vec<_> = members.iter().collect();
        sorted.sort_unstable_by_key(|(name, _)| *name);
        self.out.write_char('{')?;
        for (index, (name, value)) in sorted.into_iter().enumerate() {
            if index > 0 {
                self.out.write_char(',')?;
            }
            self.name(name)?;
            self.out.write_char(':')?;
            // What is nothing, or yes or no, cannot be a secret.
            if is_secret(name) && !matches!(value, Value::Null | Value::Bool(_)) {
                json::string(&mut self.out, HIDDEN)?;
            } else {
                self.value(value, depth)?;
            }
        }
        self.out.write_char('}')
    }

    fn name(&mut self, name: &str) -> fmt::Result {
        // Names are cut without a trace: the digest tells two of them apart.
        let name = scrub(name);
        json::string(&mut self.out, json::head(&name, CUT))
    }

    fn text(&mut self, text: &str) -> fmt::Result {
        let text = scrub(text);
        if text.len() <= self.most {
            json::string(&mut self.out, &text)
        } else {
            self.out.long(&text, self.most)
        }
    }
}

/// The hash of the whole, and the cut text unless even that is too long.
#[derive(Default)]
struct Both {
    /// Made for arguments of more than one piece: it is large.
    hasher: Option<Box<blake3::Hasher>>,
    /// Hashed in pieces that are worth it.
    waiting: Vec<u8>,
    short: String,
    too_long: bool,
}

struct Finished {
    json: Option<String>,
    digest: blake3::Hash,
    bytes: u64,
}

impl Both {
    fn finish(mut self) -> Finished {
        let (digest, bytes) = match &mut self.hasher {
            None => (blake3::hash(&self.waiting), self.waiting.len() as u64),
            Some(hasher) => {
                hasher.update(&self.waiting);
                (hasher.finalize(), hasher.count())
            }
        };
        Finished {
            json: (!self.too_long).then_some(self.short),
            digest,
            bytes,
        }
    }

    fn hash(&mut self, part: &str) {
        self.waiting.extend_from_slice(part.as_bytes());
        if self.waiting.len() >= 16 * 1024 {
            self.hasher.get_or_insert_default().update(&self.waiting);
            self.waiting.clear();
        }
    }

    fn keep(&mut self, part: &str) {
        self.too_long |= self.short.len() + part.len() > MAX_ARGUMENTS;
        if !self.too_long {
            self.short.push_str(part);
        }
    }
}

impl Write for Both {
    fn write_str(&mut self, part: &str) -> fmt::Result {
        self.hash(part);
        self.keep(part);
        Ok(())
    }
}

impl Sink for Both {
    fn long(&mut self, text: &str, most: usize) -> fmt::Result {
        json::string(&mut Whole(self), text)?;
        let mut short = String::from("{\"$text\":");
        json::string(&mut short, json::head(text, most))?;
        let digest = blake3::hash(text.as_bytes());
        write!(short, r#","$bytes":{},"$blake3":"{digest}"}}"#, text.len())?;
        self.keep(&short);
        Ok(())
    }
}

/// Only the hash.
struct Whole<'a>(&'a mut Both);

impl Write for Whole<'_> {
    fn write_str(&mut self, part: &str) -> fmt::Result {
        self.0.hash(part);
        Ok(())
    }
}
