//! The only unsafe code: making compiled code executable.

use wasmtime::Engine;
use wasmtime::component::Component;

use super::cache::Authentic;

/// Loads compiled code that the cache has authenticated.
///
/// # Errors
/// The code was compiled by an engine with other settings.
pub(super) fn load(engine: &Engine, code: &Authentic) -> wasmtime::Result<Component> {
    // SAFETY: `deserialize` trusts its input to be what `serialize` produced.
    // `Authentic` can only be made by the cache, from bytes that it read into
    // private memory once and whose keyed MAC, under a key that only this user
    // can read, it verified there. Such bytes were written by this program.
    unsafe { Component::deserialize(engine, code.bytes()) }
}
