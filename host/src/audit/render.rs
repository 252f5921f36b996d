//! A record's own fields as JSON text, without its place in the chain.

use std::fmt::{self, Write};
use std::time::{Duration, SystemTime};

use super::entry::Entry;
use super::hop::Hop;
use super::secrets::scrub;
use super::{arguments, json, time};

/// Longest line of the log, in bytes: arguments of 8 KiB, eight requests and every other text at
/// its limit, each byte of it escaped.
pub const MAX_LINE: usize = 64 * 1024;
/// Longest name in a record, in bytes.
const NAME: usize = 256;
/// Longest method of a request, in bytes.
const METHOD: usize = 16;
/// Longest rule, path or message, in bytes.
const TEXT: usize = 768;

/// The fields of a call.
pub(super) fn entry(entry: &Entry<'_>, host: &str) -> String {
    let mut body = Body::begin(entry.time, host);
    body.text("session", entry.session, NAME);
    body.optional("call", entry.call_id, NAME);
    body.text("tool", entry.tool, NAME);
    body.optional("origin", entry.origin, TEXT);
    let mut bytes_in = entry.resources.bytes_in;
    if let Some(given) = entry.arguments {
        let rendered = arguments::render(given);
        body.member("arguments", &rendered.json);
        body.digest("arguments_blake3", &rendered.digest);
        bytes_in = bytes_in.or(Some(rendered.bytes));
    }
    if let Some(decided) = &entry.decision {
        body.text("decision", if decided.allowed { "allowed" } else { "refused" }, NAME);
        body.optional("decided_by", decided.by, TEXT);
        body.optional("rule_origin", decided.origin, TEXT);
    }
    if let Some(approver) = &entry.approver {
        body.text("approver", approver.who, NAME);
        body.text("approved_through", approver.how, NAME);
    }
    if let Some(result) = entry.result {
        body.digest("result_blake3", &blake3::hash(result.as_bytes()));
    }
    let resources = &entry.resources;
    body.raw("wall_us", micros(resources.wall));
    body.number("guest_us", resources.guest.map(micros));
    body.number("waited_us", resources.waited.map(micros));
    body.number("memory_bytes", resources.memory);
    body.number("bytes_in", bytes_in);
    body.number(
        "bytes_out",
        resources.bytes_out.or(entry.result.map(|text| text.len() as u64)),
    );
    body.hops(&entry.hops.0, entry.hops.1);
    match &entry.error {
        None => body.text("outcome", "ok", NAME),
        Some(failure) => {
            body.text("outcome", failure.kind, NAME);
            body.text("message", failure.message, TEXT);
        }
    }
    body.out
}

/// The start of what the log says about itself: `event` stands in front, where no record has
/// a field, so that no argument can look like one.
pub(super) fn event(kind: &str, host: &str) -> Body {
    let mut body = Body {
        out: format!(r#""event":"{kind}","time":"#),
    };
    body.stamp(SystemTime::now(), host);
    body
}

fn micros(duration: Duration) -> u64 {
    u64::try_from(duration.as_micros()).unwrap_or(u64::MAX)
}

/// The members of a line so far. Writing to a string cannot fail, so results are dropped here.
pub(super) struct Body {
    pub(super) out: String,
}

impl Body {
    fn begin(time: SystemTime, host: &str) -> Self {
        let mut out = String::with_capacity(768);
        out.push_str("\"time\":");
        let mut body = Self { out };
        body.stamp(time, host);
        body
    }

    fn stamp(&mut self, time: SystemTime, host: &str) {
        self.out.push('"');
        let _ = time::write(&mut self.out, time);
        self.out.push('"');
        self.text("host", host, NAME);
    }

    pub(super) fn raw(&mut self, name: &str, value: impl fmt::Display) {
        self.name(name);
        let _ = write!(self.out, "{value}");
    }

    fn digest(&mut self, name: &str, digest: &blake3::Hash) {
        self.name(name);
        self.out.push('"');
        self.out.push_str(&digest.to_hex());
        self.out.push('"');
    }

    /// A value that is JSON.
    fn member(&mut self, name: &str, json: &str) {
        self.name(name);
        self.out.push_str(json);
    }

    fn name(&mut self, name: &str) {
        self.out.push_str(",\"");
        self.out.push_str(name);
        self.out.push_str("\":");
    }

    fn number(&mut self, name: &str, value: Option<u64>) {
        if let Some(value) = value {
            self.raw(name, value);
        }
    }

    fn optional(&mut self, name: &str, text: Option<&str>, most: usize) {
        if let Some(text) = text {
            self.text(name, text, most);
        }
    }

    /// The requests that were made.
    fn hops(&mut self, made: &[Hop], count: u64) {
        if made.is_empty() {
            return;
        }
        self.name("requests");
        for (number, hop) in made.iter().enumerate() {
            self.out.push_str(if number == 0 { "[{" } else { ",{" });
            let _ = write!(self.out, "\"number\":{}", number + 1);
            self.text("method", &hop.method, METHOD);
            self.text("url", &hop.url, NAME);
            if let Some(address) = hop.address {
                self.text("address", &address.to_string(), NAME);
            }
            self.number("status", hop.status.map(u64::from));
            self.optional("content_type", hop.content_type.as_deref(), NAME);
            self.optional("failure", hop.failure, NAME);
            self.out.push('}');
        }
        self.out.push(']');
        self.number("requests_made", (count > made.len() as u64).then_some(count));
    }

    /// A text without secrets, cut at `most` bytes with its length and digest.
    pub(super) fn text(&mut self, name: &str, text: &str, most: usize) {
        let text = scrub(text);
        self.name(name);
        let _ = if text.len() <= most {
            json::string(&mut self.out, &text)
        } else {
            let digest = blake3::hash(text.as_bytes());
            let head = json::head(&text, most);
            json::string(
                &mut self.out,
                &format!("{head}… [{} bytes, blake3 {digest}]", text.len()),
            )
        };
    }
}
