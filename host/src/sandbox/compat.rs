//! A stable number for "code compiled by an engine like this one".

use std::hash::{Hash, Hasher};

use wasmtime::Engine;

/// BLAKE3 over everything that the engine's compatibility hash covers. Unlike
/// the standard hasher it is stable between builds and collision resistant.
pub(super) fn engine_id(engine: &Engine) -> [u8; 32] {
    let mut hasher = Blake(blake3::Hasher::new());
    engine.precompile_compatibility_hash().hash(&mut hasher);
    *hasher.0.finalize().as_bytes()
}

struct Blake(blake3::Hasher);

impl Hasher for Blake {
    fn write(&mut self, bytes: &[u8]) {
        self.0.update(bytes);
    }

    fn finish(&self) -> u64 {
        let mut first = [0; 8];
        first.copy_from_slice(&self.0.finalize().as_bytes()[..8]);
        u64::from_le_bytes(first)
    }
}
