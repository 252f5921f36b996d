//! Host functions that several guests use, by short names.

/// Imports of the files, streams and clocks, for `kit.wat` and bodies.
pub(crate) const IMPORTS: &str = r#"
    (import "wasi:filesystem/preopens@0.2.12" "get-directories" (func $get_directories (param i32)))
    (import "wasi:filesystem/types@0.2.12" "[method]descriptor.open-at"
      (func $open_at (param i32 i32 i32 i32 i32 i32 i32)))
    (import "wasi:filesystem/types@0.2.12" "[method]descriptor.read-via-stream"
      (func $read_via_stream (param i32 i64 i32)))
    (import "wasi:filesystem/types@0.2.12" "[method]descriptor.write-via-stream"
      (func $write_via_stream (param i32 i64 i32)))
    (import "wasi:filesystem/types@0.2.12" "[method]descriptor.read-directory"
      (func $read_directory (param i32 i32)))
    (import "wasi:io/streams@0.2.12" "[method]input-stream.subscribe" (func $subscribe_input (param i32) (result i32)))
    (import "wasi:io/streams@0.2.12" "[method]output-stream.check-write" (func $check_write (param i32 i32)))
    (import "wasi:io/streams@0.2.12" "[method]output-stream.write" (func $write (param i32 i32 i32 i32)))
    (import "wasi:io/streams@0.2.12" "[method]output-stream.blocking-write-and-flush"
      (func $write_and_flush (param i32 i32 i32 i32)))
    (import "wasi:io/streams@0.2.12" "[method]output-stream.write-zeroes" (func $write_zeroes (param i32 i64 i32)))
    (import "wasi:io/streams@0.2.12" "[method]output-stream.blocking-write-zeroes-and-flush"
      (func $write_zeroes_and_flush (param i32 i64 i32)))
    (import "wasi:io/streams@0.2.12" "[method]output-stream.splice" (func $splice (param i32 i32 i64 i32)))
    (import "wasi:io/poll@0.2.12" "poll" (func $poll (param i32 i32 i32)))
    (import "wasi:io/poll@0.2.12" "[method]pollable.block" (func $block (param i32)))
    (import "wasi:clocks/monotonic-clock@0.2.12" "now" (func $now (result i64)))
    (import "wasi:clocks/monotonic-clock@0.2.12" "subscribe-duration" (func $timer (param i64) (result i32)))
    (import "wasi:clocks/monotonic-clock@0.2.12" "subscribe-instant" (func $alarm (param i64) (result i32)))
    (import "wasi:cli/stdout@0.2.12" "get-stdout" (func $stdout (result i32)))
    (import "wasi:cli/stderr@0.2.12" "get-stderr" (func $stderr (result i32)))
    (import "wasi:random/random@0.2.12" "get-random-bytes" (func $random (param i64 i32)))
    (import "toolgate:plugin/files@0.1.0" "[static]replacement.begin" (func $begin (param i32 i32 i32 i32)))
    (import "toolgate:plugin/files@0.1.0" "[method]replacement.write" (func $replace (param i32 i32 i32 i32)))
    (import "toolgate:plugin/files@0.1.0" "[method]replacement.commit" (func $commit (param i32 i32)))
    (import "toolgate:plugin/log@0.1.0" "log" (func $log (param i32 i32 i32)))"#;

/// Functions on top of them.
pub(crate) const ITEMS: &str = include_str!("kit.wat");

/// A guest with files and all of this, that picks its body by number.
pub(crate) fn guest(bodies: &[&str]) -> crate::forge::Forge {
    let mut run = String::new();
    for (number, body) in bodies.iter().enumerate() {
        run += &format!("(if (i64.eq (local.get $n) (i64.const {number})) (then (return {body})))\n");
    }
    crate::forge::Forge {
        items: ITEMS.to_owned(),
        ..crate::forge::Forge::running(&format!("{run} unreachable"))
    }
    .importing(IMPORTS)
    .with_files()
}
