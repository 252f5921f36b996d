//! The result, and making it fit.

use schemars::JsonSchema;
use serde::Serialize;
use toolgate_plugin::json;

/// Result of `glob`.
#[derive(Debug, Default, Serialize, JsonSchema)]
pub struct Output {
    /// The matching files, absolute, in byte order.
    pub paths: Vec<String>,
    /// How many files match, listed or not. Absent if the tree has more entries than one call
    /// visits, so that nobody knows.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub total: Option<u64>,
    /// Present if not all matching files are listed.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub truncated: bool,
    /// Directories that could not be read.
    #[serde(skip_serializing_if = "is_zero")]
    pub skipped_unreadable: u64,
}

fn is_zero(count: &u64) -> bool {
    *count == 0
}

impl Output {
    /// Leaves out paths from the end until the encoded result has at most `max_bytes` bytes.
    pub(crate) fn within(mut self, max_bytes: usize) -> Self {
        let mut size = json::encoded_len(&self);
        if size > max_bytes {
            self.truncated = true;
            size = json::encoded_len(&self);
        }
        while size > max_bytes {
            let Some(path) = self.paths.pop() else { break };
            size -= path_size(&path);
        }
        self
    }
}

/// How many bytes of the result a path takes, with its comma.
pub(crate) fn path_size(path: &str) -> usize {
    json::string_len(path).saturating_add(1)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn output(count: usize) -> Output {
        Output {
            paths: (0..count).map(|number| format!("/w/\"{number}\"")).collect(),
            total: Some(count as u64),
            ..Output::default()
        }
    }

    #[test]
    fn the_byte_limit_is_exact() {
        let size = json::encoded_len(&output(9));
        let whole = output(9).within(size);
        assert_eq!((whole.paths.len(), whole.truncated), (9, false));
        for limit in (0..size).rev() {
            let cut = output(9).within(limit);
            let kept = cut.paths.len();
            assert!(cut.truncated && cut.total == Some(9));
            assert!(json::encoded_len(&cut) <= limit || kept == 0, "{limit}");
            let mut one_more = output(kept + 1);
            (one_more.truncated, one_more.total) = (true, Some(9));
            assert!(json::encoded_len(&one_more) > limit || kept == 8, "{limit}");
        }
    }
}
