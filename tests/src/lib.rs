//! What the end-to-end tests share: rigs, test vectors, the binary, clients.
//! Used by the tests and benches of this crate only.
//! Must not replace a real component by a made-up one.

// A test helper that cannot do its part must fail the test that called it.
#![allow(clippy::unwrap_used)]

pub mod net;
pub mod rig;
pub mod support;
pub mod vectors;
