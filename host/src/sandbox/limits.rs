//! The budget of one call: memory and tables summed over everything in the store.

use std::sync::Arc;

use wasmtime::ResourceLimiter;

use super::usage::Usage;

/// Bytes that one table element costs the host.
const ELEMENT: usize = 16;

/// Sums what all memories and tables of a store have grown to. Limits per
/// memory would be multiplied by the number of memories.
#[derive(Debug)]
pub(super) struct Limiter {
    used: usize,
    limit: usize,
    /// What the whole call uses.
    usage: Arc<Usage>,
    /// Whether a growth was refused, to explain a failure afterwards.
    pub(super) refused: bool,
}

impl Limiter {
    pub(super) fn new(limit: u64, usage: Arc<Usage>) -> Self {
        Self {
            used: 0,
            limit: usize::try_from(limit).unwrap_or(usize::MAX),
            usage,
            refused: false,
        }
    }

    /// The greatest sum, in bytes.
    pub(super) fn limit(&self) -> usize {
        self.limit
    }

    fn grow(&mut self, current: usize, desired: usize) -> bool {
        let more = desired.saturating_sub(current);
        match self.used.checked_add(more) {
            Some(sum) if sum <= self.limit => {
                self.used = sum;
                self.usage.grow(more);
                true
            }
            _ => {
                self.refused = true;
                false
            }
        }
    }
}

impl Drop for Limiter {
    fn drop(&mut self) {
        self.usage.shrink(self.used);
    }
}

impl ResourceLimiter for Limiter {
    fn memory_growing(&mut self, current: usize, desired: usize, _maximum: Option<usize>) -> wasmtime::Result<bool> {
        Ok(self.grow(current, desired))
    }

    fn table_growing(&mut self, current: usize, desired: usize, _maximum: Option<usize>) -> wasmtime::Result<bool> {
        Ok(self.grow(current.saturating_mul(ELEMENT), desired.saturating_mul(ELEMENT)))
    }

    fn instances(&self) -> usize {
        80
    }

    fn tables(&self) -> usize {
        32
    }

    fn memories(&self) -> usize {
        8
    }
}
