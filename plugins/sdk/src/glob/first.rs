//! The first of many paths, without holding the others.

use std::collections::BinaryHeap;

/// The first paths in byte order out of any number that come in any order, as many as fit two
/// limits. Of the rest only the number is kept.
#[derive(Debug)]
pub struct FirstPaths {
    /// The last of the kept paths is on top.
    kept: BinaryHeap<String>,
    max_paths: usize,
    max_bytes: usize,
    size: fn(&str) -> usize,
    /// What the kept paths add up to by `size`.
    bytes: usize,
    /// The first of the paths that were not kept; none after it can be.
    dropped: Option<String>,
    total: u64,
}

impl FirstPaths {
    /// Keeps at most `max_paths` paths, which together have at most `max_bytes` bytes by `size`.
    pub fn new(max_paths: usize, max_bytes: usize, size: fn(&str) -> usize) -> Self {
        Self {
            kept: BinaryHeap::new(),
            max_paths,
            max_bytes,
            size,
            bytes: 0,
            dropped: None,
            total: 0,
        }
    }

    /// Takes one path.
    pub fn add(&mut self, path: String) {
        self.total += 1;
        if self.dropped.as_ref().is_some_and(|first| path >= *first) {
            return;
        }
        self.bytes = self.bytes.saturating_add((self.size)(&path));
        self.kept.push(path);
        while self.kept.len() > self.max_paths || self.bytes > self.max_bytes {
            let Some(last) = self.kept.pop() else { break };
            self.bytes = self.bytes.saturating_sub((self.size)(&last));
            self.dropped = Some(last);
        }
    }

    /// How many paths were taken.
    pub fn total(&self) -> u64 {
        self.total
    }

    /// The paths that were kept, in byte order.
    pub fn into_sorted(self) -> Vec<String> {
        self.kept.into_sorted_vec()
    }
}
