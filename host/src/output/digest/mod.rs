//! Digests: a short form of a large result, which keeps what the next step needs and tells what it left out.
//! May be called by the session and by tests; every function is pure.
//! Must not touch: the store of whole results, the file system, the sandbox.

mod counts;
mod entries;
mod envelope;
mod files;
mod grep;
mod identifier;
mod json;
mod level;
mod paths;
mod prune;
mod schema;
mod share;
mod survey;

pub use envelope::{Digest, DigestMeta};
pub use prune::{Pruned, prune};
pub use schema::output_schema;

/// Bytes of an encoded result up to which it stays as it is: a digest of so little would save less than the call
/// that asks for the rest costs.
pub const THRESHOLD: usize = 8000;

/// The name of the one method, as written to the envelope.
const METHOD: &str = "structural_json";

/// The digest of `raw`, the encoded result object of `tool`, exactly as the tool returned it.
///
/// The survey tools `grep`, `glob`, `list_dir` and `read_many_files` have digests of their own; a result of another
/// tool, or of another shape, is [pruned](prune).
///
/// `None` if the result is to be used as it is: it has at most [`THRESHOLD`] bytes, is not JSON, or its envelope
/// would not [save enough](Digest::saves_enough).
pub fn digest(tool: &str, raw: &str) -> Option<Digest> {
    if raw.len() <= THRESHOLD {
        return None;
    }
    let Pruned { text, meta } = survey::digest(tool, raw).unwrap_or_else(|| prune(raw));
    let digest = Digest {
        text,
        method: METHOD,
        meta,
        raw_bytes: raw.len(),
    };
    digest.saves_enough().then_some(digest)
}

/// About how many tokens a text of `bytes` bytes costs: a quarter, rounded up.
pub fn tokens(bytes: usize) -> usize {
    bytes.div_ceil(4)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_not_json_stays_as_it_is() {
        assert!(digest("grep", &"[".repeat(100_000)).is_none());
        assert!(digest("grep", &"x".repeat(THRESHOLD + 1)).is_none());
        assert!(digest("other", &format!(r#"{{"a":"{}""#, "x".repeat(THRESHOLD))).is_none());
    }

    #[test]
    fn an_unexpected_shape_is_pruned() {
        let text = "x".repeat(THRESHOLD);
        let digest = digest("grep", &format!(r#"{{"matches":"{text}"}}"#)).unwrap();
        assert_eq!(digest.text, r#"{"matches":"<truncated, 8000 chars>"}"#);
        assert_eq!(digest.meta.strings_truncated, 1);
    }
}
