//! The parts of one walk, handed out in the order of the walk.

use std::collections::VecDeque;
use std::sync::Mutex;
use std::sync::atomic::{AtomicU64, Ordering};

use crate::sandbox::bindings::toolgate::plugin::walks::Part;

/// What is left of a walk, for all instances that share it.
#[derive(Debug)]
pub(in crate::sandbox) struct Parts {
    left: Mutex<VecDeque<Part>>,
    /// Entries that all instances together have visited.
    visited: AtomicU64,
    budget: u64,
}

impl Default for Parts {
    /// A walk that visits nothing.
    fn default() -> Self {
        Self::new(Vec::new(), 0)
    }
}

impl Parts {
    /// Parts in the order of the walk; more than `budget` entries end it (FX-24).
    pub(in crate::sandbox) fn new(parts: Vec<Part>, budget: u64) -> Self {
        Self {
            left: Mutex::new(parts.into()),
            visited: AtomicU64::new(0),
            budget,
        }
    }

    /// The whole tree as one part.
    pub(in crate::sandbox) fn whole(budget: u64) -> Self {
        let root = Part {
            path: String::new(),
            recursive: true,
        };
        Self::new(vec![root], budget)
    }

    pub(super) fn next(&self, visited: u64) -> Option<Part> {
        // The number is the guest's own: too large is too large, and must not wrap around.
        let visited = visited.min(self.budget.saturating_add(1));
        self.visited.fetch_add(visited, Ordering::Relaxed);
        if self.is_exceeded() {
            return None;
        }
        let mut left = self.left.lock().unwrap_or_else(std::sync::PoisonError::into_inner);
        left.pop_front()
    }

    pub(in crate::sandbox) fn budget(&self) -> u64 {
        self.budget
    }

    /// Whether the walk ended because it visited too much. Which entries those
    /// were depends on how fast each instance was.
    pub(in crate::sandbox) fn is_exceeded(&self) -> bool {
        self.visited.load(Ordering::Relaxed) > self.budget
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parts_end_with_the_budget() {
        let part = |path: &str| Part {
            path: path.to_owned(),
            recursive: true,
        };
        let parts = Parts::new(vec![part("a"), part("b"), part("c")], 10);
        assert_eq!(parts.next(0).map(|part| part.path), Some("a".to_owned()));
        assert_eq!(parts.next(10).map(|part| part.path), Some("b".to_owned()));
        assert!(!parts.is_exceeded());
        assert!(parts.next(1).is_none() && parts.is_exceeded());
    }
}
