//! A disk that is full, and a log that cannot be made: calls go on and the loss is told, or they stop and say why.

use std::ffi::CString;
use std::fs;
use std::io::Write;
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use std::time::Instant;

use rustix::mount::{MountFlags, UnmountFlags, mount, unmount};
use serde_json::{Value, json};
use toolgate::audit::{LossKind, OnFailure, Sync};
use toolgate::{Call, CallError, Config, ErrorKind};

use crate::stage::{SOON, Stage, State};

/// A small file system, unmounted in the end.
struct Disk(PathBuf);

impl Disk {
    /// `None`, with a note, where mounting is not permitted.
    fn mount(at: &Path, mebibytes: u32) -> Option<Self> {
        fs::create_dir(at).unwrap();
        let options = CString::new(format!("size={mebibytes}m,mode=700")).unwrap();
        match mount("tmpfs", at, "tmpfs", MountFlags::NODEV, Some(options.as_c_str())) {
            Ok(()) => Some(Self(at.to_owned())),
            Err(error) => {
                let text = format!("note: full disks: left out, since mounting fails: {error}\n");
                std::io::stderr().write_all(text.as_bytes()).unwrap();
                None
            }
        }
    }

    /// Leaves no room.
    fn fill(&self) {
        let mut filler = fs::File::create(self.0.join("filler")).unwrap();
        while filler.write_all(&[0; 4096]).is_ok() {}
    }

    fn empty(&self) {
        fs::remove_file(self.0.join("filler")).unwrap();
    }
}

impl Drop for Disk {
    fn drop(&mut self) {
        let _ = unmount(&self.0, UnmountFlags::DETACH);
    }
}

fn config(on_failure: OnFailure) -> Config {
    let mut config = Config::default();
    config.audit.on_failure = on_failure;
    config
}

fn stat(stage: &Stage) -> Result<(), CallError> {
    let call = Call::new("stat", json!({"path": "a.txt"}));
    stage.rig.session().call_blocking(call).map(drop)
}

/// Tries until it succeeds.
fn soon(what: &str, mut attempt: impl FnMut() -> bool) {
    let started = Instant::now();
    while !attempt() {
        assert!(started.elapsed() < SOON, "{what}");
        std::thread::sleep(std::time::Duration::from_millis(50));
    }
}

#[test]
fn on_a_full_disk_calls_go_on_and_the_log_counts_what_it_lacks() {
    let state = State::new();
    let Some(disk) = Disk::mount(&state.log(), 16) else {
        return;
    };
    let stage = Stage::with(config(OnFailure::Continue), state, |builder| builder);
    stat(&stage).unwrap();
    assert!(stage.verified().is_complete());
    disk.fill();
    // Records wait in memory, and these are more than it holds for them.
    let paths: Vec<Value> = (0..200)
        .map(|number| json!(format!("no/file/of/this/name/{number:06}")))
        .collect();
    let session = stage.rig.session();
    let mut calls: u64 = 1;
    let mut slowest = std::time::Duration::ZERO;
    for _ in 0..1_600 {
        let started = Instant::now();
        session
            .call_blocking(Call::new("no_such_tool", json!({"paths": paths})))
            .unwrap_err();
        slowest = slowest.max(started.elapsed());
        calls += 1;
    }
    stat(&stage).unwrap();
    calls += 1;
    assert!(slowest < SOON / 4, "a call took {slowest:?}");
    assert!(
        stage
            .rig
            .host
            .flush_audit(std::time::Duration::from_millis(50))
            .is_err()
    );
    disk.empty();
    soon("the log is written again", || {
        stat(&stage).unwrap();
        calls += 1;
        let report = toolgate::audit::verify(&stage.log()).unwrap();
        report.losses.iter().any(|loss| loss.kind == LossKind::LostRecords)
    });
    let report = stage.verified();
    assert!(report.is_intact() && !report.is_complete(), "{report:?}");
    assert!(
        report.losses.iter().all(|loss| loss.kind == LossKind::LostRecords),
        "{report:?}"
    );
    assert!(report.losses[0].detail.contains("space"), "{report:?}");
    let lost: u64 = report.losses.iter().map(|loss| loss.count).sum();
    assert!(lost > 100, "{lost}");
    assert_eq!(report.records + lost, calls, "every call is there or counted");
}

#[test]
fn on_a_full_disk_calls_stop_where_they_must_be_recorded() {
    for sync in [Sync::None, Sync::Each] {
        let state = State::new();
        let Some(disk) = Disk::mount(&state.log(), 1) else {
            return;
        };
        let mut config = config(OnFailure::Stop);
        config.audit.sync = sync;
        let stage = Stage::with(config, state, |builder| builder);
        stat(&stage).unwrap();
        disk.fill();
        let mut error = None;
        soon("calls stop", || {
            error = stat(&stage).err();
            error.is_some()
        });
        let error = error.unwrap();
        assert_eq!(error.kind, ErrorKind::Unavailable);
        for named in ["space", "audit.jsonl", "audit.on_failure", "continue"] {
            assert!(error.message.contains(named), "{named}: {error}");
        }
        assert!(
            toolgate::audit::verify(&stage.log()).unwrap().is_intact(),
            "no half line is left"
        );
        disk.empty();
        soon("calls go on", || stat(&stage).is_ok());
        let report = stage.verified();
        assert!(report.is_complete(), "{report:?}");
        let outcomes: Vec<_> = stage.records().iter().map(|record| record["outcome"].clone()).collect();
        assert!(
            outcomes.contains(&json!("unavailable")),
            "the refused calls are there too"
        );
        assert_eq!(outcomes.last(), Some(&json!("ok")));
    }
}

#[test]
fn a_log_that_cannot_be_made_is_no_reason_to_fail_unless_it_must_be() {
    let broken = || {
        let state = State::new();
        fs::write(state.log(), "").unwrap();
        state
    };
    let stage = Stage::with(config(OnFailure::Continue), broken(), |builder| builder);
    stat(&stage).unwrap();

    let stage = Stage::with(config(OnFailure::Stop), broken(), |builder| builder);
    let error = stat(&stage).unwrap_err();
    assert_eq!(error.kind, ErrorKind::Unavailable);
    assert!(error.message.contains(stage.log().to_str().unwrap()), "{error}");
    fs::remove_file(stage.log()).unwrap();
    soon("calls go on", || stat(&stage).is_ok());
}

#[test]
fn a_log_that_others_can_enter_is_not_used() {
    let state = State::new();
    fs::create_dir(state.log()).unwrap();
    fs::set_permissions(state.log(), PermissionsExt::from_mode(0o755)).unwrap();
    let stage = Stage::with(config(OnFailure::Stop), state, |builder| builder);
    let error = stat(&stage).unwrap_err();
    assert!(
        error.message.contains("0755") && error.message.contains("0700"),
        "{error}"
    );
}
