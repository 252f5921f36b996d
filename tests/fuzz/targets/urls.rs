//! `make fuzz TARGET=urls`.

#![no_main]
#![allow(missing_docs, reason = "the macro defines the entry point")]

libfuzzer_sys::fuzz_target!(|input: &[u8]| toolgate_fuzz::urls(input));
