//! Files that are no plugins: each has a clear error, and none is waited for.

use std::path::Path;

use crate::binary::{Module, component};
use crate::forge::Forge;
use crate::measure;
use crate::stage::{attempt_file, refusal};

#[test]
fn files_that_are_no_components_are_refused() {
    let _turn = measure::together();
    let honest = Forge::default().build();
    for (what, bytes, reason) in [
        ("an empty file", &[][..], "not WebAssembly"),
        ("text", b"#!/bin/sh\necho hello\n", "not WebAssembly"),
        ("WAT", b"(component)", "not WebAssembly"),
        ("half a header", b"\0asm", "binary format"),
        ("an unknown version", b"\0asm\x07\0\x07\0", "version 13"),
        (
            "a core module",
            Module::with_memory(1).bytes(),
            "core WebAssembly module, not a component",
        ),
        (
            "a component without tools",
            &component(&[]),
            "does not export toolgate:plugin/tool@0.1.x",
        ),
        ("half a component", &honest[..honest.len() / 2], "unexpected end"),
        (
            "a component with something behind it",
            &[&honest[..], &[0xff; 16]].concat(),
            "at offset",
        ),
    ] {
        let message = refusal(bytes);
        assert!(message.contains(reason), "{what}: {message}");
    }
}

#[test]
fn every_cut_and_every_broken_byte_of_a_component_is_an_error_or_harmless() {
    let _turn = measure::together();
    let files = tempfile::tempdir().unwrap();
    let path = files.path().join("guest.wasm");
    let honest = Forge::default().build();
    let step = (honest.len() / 150).max(1);
    let mut loaded = 0;
    let places = (9..honest.len()).step_by(step);
    for at in places.clone() {
        std::fs::write(&path, &honest[..at]).unwrap();
        // What stands behind the last section that counts can be missing.
        loaded += usize::from(attempt_file(&path).is_none());
        let mut broken = honest.clone();
        broken[at] ^= 0x55;
        std::fs::write(&path, &broken).unwrap();
        // A change of a name or a constant can go unnoticed.
        attempt_file(&path);
    }
    assert!(loaded * 20 < places.count(), "{loaded} cut components were loaded");
}

#[test]
fn what_is_no_regular_file_is_refused_at_once() {
    let _turn = measure::together();
    let folder = tempfile::tempdir().unwrap();
    let at = |name: &str| folder.path().join(name);
    std::fs::create_dir(at("directory")).unwrap();
    rustix::fs::mknodat(
        rustix::fs::CWD,
        at("fifo"),
        rustix::fs::FileType::Fifo,
        rustix::fs::Mode::from_raw_mode(0o600),
        0,
    )
    .unwrap();
    std::os::unix::fs::symlink("nowhere", at("dangling")).unwrap();
    let socket = std::os::unix::net::UnixListener::bind(at("socket")).unwrap();
    for (path, reason) in [
        (at("directory"), "not a regular file"),
        (at("fifo"), "not a regular file"),
        (at("missing"), "No such file"),
        (at("dangling"), "No such file"),
        (at("socket"), "cannot be opened"),
        (Path::new("/dev/zero").to_owned(), "not a regular file"),
    ] {
        let message = attempt_file(&path).expect("only regular files are loaded");
        assert!(message.contains(reason), "{message}");
    }
    drop(socket);
}
