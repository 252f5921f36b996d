//! C01, C02: whatever stands in the cache of compiled code, only what this user's Toolgate wrote for
//! this component is ever made executable. Run by `cargo test`, against the binary and the library.
//! Must not touch: the user's own cache; each test has a home of its own.

#![allow(clippy::unwrap_used, reason = "a failed unwrap is a failed test")]

mod held;
mod home;

use std::fs;
use std::os::unix::fs::{MetadataExt, PermissionsExt, symlink};
use std::path::Path;
use std::process::Command;

use rustix::fs::{CWD, FileType, Mode, makedev, mknodat};
use toolgate_tests::support::toolgate;

use home::Home;

/// Says that a part of a row was not tested here. Not by a macro: those are captured.
fn left_out(what: &str, why: &str) {
    use std::io::Write;
    let text = format!("note: {what}: left out, since {why}\n");
    std::io::stderr().write_all(text.as_bytes()).unwrap();
}

fn flip(file: &Path, bit: u64) {
    let mut bytes = fs::read(file).unwrap();
    bytes[(bit / 8) as usize] ^= 1 << (bit % 8);
    fs::write(file, bytes).unwrap();
}

#[test]
fn c01_damaged_code_is_compiled_anew() {
    let home = Home::new();
    let size = fs::metadata(&home.code).unwrap().len();
    // Header, MAC, and code from its start to its last bit.
    for bit in [0, 63, 64, 300, 320, 8 * 4_096, size * 4, size * 8 - 1] {
        flip(&home.code, bit);
        home.heals(&format!("a flipped bit {bit}"));
    }
    for length in [0, 1, 39, 40, 41, 4_096, size / 8_192 * 4_096, size - 1] {
        fs::File::options()
            .write(true)
            .open(&home.code)
            .unwrap()
            .set_len(length)
            .unwrap();
        home.heals(&format!("a length of {length}"));
    }
    fs::write(&home.code, vec![0; size as usize]).unwrap();
    home.heals("zeroes");
    let mut longer = fs::read(&home.code).unwrap();
    longer.push(0);
    fs::write(&home.code, longer).unwrap();
    home.heals("one byte more");
}

#[test]
fn c01_code_of_another_component_is_not_taken() {
    let home = Home::new();
    let other = home.codes().into_iter().find(|file| *file != home.code).unwrap();
    fs::copy(&other, &home.code).unwrap();
    home.heals("the code of another component");
    // Its own definitions are authentic, but are no code.
    let name = home.code.file_stem().unwrap().to_str().unwrap().to_owned();
    let definitions = home.cache().join(format!("{name}.definitions"));
    fs::copy(&definitions, &home.code).unwrap();
    home.heals("definitions in place of code");
    fs::copy(&home.code, &definitions).unwrap();
    let outcome = home.stat();
    assert!(outcome.succeeded && outcome.warnings == 1, "{}", outcome.text);
}

#[test]
fn c01_what_is_no_private_file_is_not_read() {
    let home = Home::new();
    let sound = fs::read(&home.code).unwrap();
    let elsewhere = home.folder.path().join("elsewhere");
    fs::write(&elsewhere, &sound).unwrap();

    fs::remove_file(&home.code).unwrap();
    mknodat(CWD, &home.code, FileType::Fifo, Mode::RUSR | Mode::WUSR, makedev(0, 0)).unwrap();
    home.heals("a pipe");
    for target in [elsewhere.as_path(), Path::new("/dev/zero"), Path::new("nowhere")] {
        fs::remove_file(&home.code).unwrap();
        symlink(target, &home.code).unwrap();
        home.heals(&format!("a link to {}", target.display()));
    }
    for mode in [0o666, 0o620] {
        fs::set_permissions(&home.code, fs::Permissions::from_mode(mode)).unwrap();
        home.heals(&format!("mode {mode:o}"));
    }
    if rustix::process::geteuid().is_root() {
        std::os::unix::fs::chown(&home.code, Some(12_345), None).unwrap();
        home.heals("another owner");
    } else {
        left_out("files of another owner", "this is not root");
    }
    // A directory cannot be replaced by a file; the tool works without.
    fs::remove_file(&home.code).unwrap();
    fs::create_dir(&home.code).unwrap();
    let outcome = home.stat();
    assert!(outcome.succeeded && outcome.warnings == 1, "{}", outcome.text);
    fs::remove_dir(&home.code).unwrap();
    home.call().unwrap();
}

#[test]
fn c01_a_cache_open_to_others_is_not_used() {
    let home = Home::new();
    let key = home.folder.path().join("state/toolgate/cache.key");
    assert_eq!(fs::metadata(&key).unwrap().mode() & 0o7777, 0o600);
    assert_eq!(fs::metadata(home.cache()).unwrap().mode() & 0o7777, 0o700);
    let unused = |what: &str| {
        let outcome = home.stat();
        assert!(outcome.succeeded, "{what}: {}", outcome.text);
        assert!(
            outcome.text.contains("the cache is not used"),
            "{what}: {}",
            outcome.text
        );
    };
    fs::set_permissions(home.cache(), fs::Permissions::from_mode(0o777)).unwrap();
    unused("a cache that others may write to");
    fs::set_permissions(home.cache(), fs::Permissions::from_mode(0o700)).unwrap();
    fs::set_permissions(&key, fs::Permissions::from_mode(0o644)).unwrap();
    unused("a key that others may read");
    fs::set_permissions(&key, fs::Permissions::from_mode(0o600)).unwrap();
    home.call().unwrap();
    // With a new key nothing old is authentic: it might be another user's.
    fs::remove_file(&key).unwrap();
    home.heals("a new key");
}

#[test]
fn c02_the_file_is_read_once_and_never_mapped() {
    let folders = std::env::var_os("PATH").unwrap_or_default();
    if !std::env::split_paths(&folders).any(|folder| folder.join("strace").is_file()) {
        left_out("system calls on the cache", "strace is not installed");
        return;
    }
    let home = Home::new();
    let log = home.folder.path().join("log");
    let mut strace = Command::new("strace");
    home.environment(&mut strace);
    let output = strace
        .args([
            "-f",
            "-y",
            "-qq",
            "-e",
            "trace=open,openat,openat2,mmap,read,pread64",
            "-o",
        ])
        .arg(&log)
        .arg(toolgate())
        .args(["call", "stat", r#"{"path": "."}"#, "--root"])
        .arg(home.folder.path().join("root"))
        .output()
        .unwrap();
    assert!(output.status.success());
    let name = home.code.file_name().unwrap().to_str().unwrap();
    let text = fs::read_to_string(log).unwrap();
    let lines: Vec<&str> = text.lines().filter(|line| line.contains(name)).collect();
    let opened = lines.iter().filter(|line| line.contains("open")).count();
    assert_eq!(opened, 1, "{lines:#?}");
    assert!(lines.iter().any(|line| line.contains("read(")), "{lines:#?}");
    assert!(lines.iter().all(|line| !line.contains("mmap")), "{lines:#?}");
}
