//! The object that stands for a large result.

use std::ops::AddAssign;

use serde_json::{Map, Value, json};

use super::tokens;

/// Bytes of a usual call id. Whether a digest pays is decided before the call has one to show.
const CALL_ID_BYTES: usize = 32;

/// The digest of one result.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Digest {
    /// The short form: JSON as text.
    pub text: String,
    /// How it was made; `structural_json`.
    pub method: &'static str,
    /// What was left out.
    pub meta: DigestMeta,
    /// Bytes of the encoded result it stands for.
    pub raw_bytes: usize,
}

/// How often a digest left out or changed something.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct DigestMeta {
    /// Strings that were cut or replaced by their length.
    pub strings_truncated: usize,
    /// Lists of which only a part is there.
    pub arrays_collapsed: usize,
    /// Objects and arrays that were nested too deeply.
    pub subtrees_dropped: usize,
    /// Strings that held JSON and became that value.
    pub nested_json_expanded: usize,
}

impl AddAssign for DigestMeta {
    fn add_assign(&mut self, other: Self) {
        self.strings_truncated += other.strings_truncated;
        self.arrays_collapsed += other.arrays_collapsed;
        self.subtrees_dropped += other.subtrees_dropped;
        self.nested_json_expanded += other.nested_json_expanded;
    }
}

impl DigestMeta {
    fn counters(&self) -> impl Iterator<Item = (&'static str, usize)> {
        [
            ("strings_truncated", self.strings_truncated),
            ("arrays_collapsed", self.arrays_collapsed),
            ("subtrees_dropped", self.subtrees_dropped),
            ("nested_json_expanded", self.nested_json_expanded),
        ]
        .into_iter()
        .filter(|(_, count)| *count > 0)
    }
}

impl Digest {
    /// The result object that is returned instead of the original. `call_id` is given only if the original can be
    /// fetched with it (FX-08); `store_error` tells why it cannot.
    pub fn envelope(&self, call_id: Option<&str>, store_error: Option<&str>) -> Map<String, Value> {
        let mut envelope = Map::new();
        let mut put = |key: &str, value: Value| envelope.insert(key.to_owned(), value);
        put("digest", self.text.as_str().into());
        put("raw_bytes", self.raw_bytes.into());
        put("method", self.method.into());
        if let Some(id) = call_id {
            put("call_id", id.into());
        }
        let mut meta: Map<String, Value> = self
            .meta
            .counters()
            .map(|(name, count)| (name.to_owned(), count.into()))
            .collect();
        if let Some(error) = store_error {
            meta.insert("store_err".to_owned(), error.into());
        }
        if !meta.is_empty() {
            put("digest_meta", meta.into());
        }
        put(
            "savings",
            json!({
                "path": self.method,
                "original_bytes": self.raw_bytes,
                "digest_bytes": self.text.len(),
                "original_tokens_est": tokens(self.raw_bytes),
                "digest_tokens_est": tokens(self.text.len()),
            }),
        );
        envelope
    }

    /// Whether the encoded envelope is at least 10 % smaller than the result it stands for (FX-08). The text alone
    /// would mislead: inside the envelope its quotes are escaped.
    pub fn saves_enough(&self) -> bool {
        let id = "x".repeat(CALL_ID_BYTES);
        let encoded = Value::Object(self.envelope(Some(&id), None)).to_string();
        encoded.len().saturating_mul(10) <= self.raw_bytes.saturating_mul(9)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(text: &str, raw_bytes: usize) -> Digest {
        Digest {
            text: text.to_owned(),
            method: "structural_json",
            meta: DigestMeta::default(),
            raw_bytes,
        }
    }

    #[test]
    fn tells_only_what_is_so() {
        let mut digest = of(r#"{"a":1}"#, 9001);
        let plain = digest.envelope(None, None);
        assert!(!plain.contains_key("call_id") && !plain.contains_key("digest_meta"));
        assert_eq!(plain["digest"], r#"{"a":1}"#);
        assert_eq!(
            plain["savings"],
            json!({"path": "structural_json", "original_bytes": 9001, "digest_bytes": 7,
                   "original_tokens_est": 2251, "digest_tokens_est": 2})
        );
        digest.meta.arrays_collapsed = 2;
        let full = digest.envelope(Some("c1"), Some("disk full"));
        assert_eq!(full["call_id"], "c1");
        assert_eq!(
            full["digest_meta"],
            json!({"arrays_collapsed": 2, "store_err": "disk full"})
        );
    }

    #[test]
    fn a_tenth_must_be_saved_of_the_whole_envelope() {
        let size = Value::Object(of("text", 10_000).envelope(Some(&"x".repeat(32)), None))
            .to_string()
            .len();
        let pad = 9000 - size;
        assert!(of(&format!("text{}", "y".repeat(pad - 6)), 10_000).saves_enough());
        assert!(!of(&format!("text{}", "y".repeat(pad + 6)), 10_000).saves_enough());
        // Quotes count twice.
        assert!(!of(&format!("text{}", "\"".repeat(pad - 6)), 10_000).saves_enough());
    }
}
