use std::time::{Duration, Instant};

use rustix::mount::{MountFlags, UnmountFlags, mount, unmount};

use super::super::*;
use super::*;

const SOON: Duration = Duration::from_secs(10);

fn within(what: &str, mut done: impl FnMut() -> bool) {
    let started = Instant::now();
    while !done() {
        assert!(started.elapsed() < SOON, "{what}");
        std::thread::sleep(Duration::from_millis(20));
    }
}

/// Makes the log unusable, whoever runs the test: a folder stands where its file should.
fn block(place: &Place) {
    std::fs::create_dir_all(place.file("audit.jsonl")).unwrap();
    use std::os::unix::fs::PermissionsExt;
    std::fs::set_permissions(&place.directory, PermissionsExt::from_mode(0o700)).unwrap();
}

#[test]
fn calls_go_on_and_the_log_says_what_it_lacks() {
    let place = Place::new();
    block(&place);
    let audit = Audit::open(AuditOptions {
        queue_bytes: 4000,
        ..place.options()
    })
    .unwrap();
    (0..50).for_each(|number| record(&audit, "s", number));
    assert!(audit.ready_blocking().is_ok());
    assert!(audit.flush(Duration::from_secs(1)).is_err());
    let lost = audit.lost();
    assert!(lost > 30 && lost < 50, "{lost}");
    std::fs::remove_dir(place.file("audit.jsonl")).unwrap();
    within("the log is written again", || {
        audit.flush(SOON).is_ok() && audit.lost() == 0
    });
    record(&audit, "s", 99);
    drop(audit);
    let report = place.verify();
    assert!(report.is_intact() && !report.is_complete());
    assert_eq!(
        (report.records, report.losses[0].kind, report.losses[0].count),
        (51 - lost, LossKind::LostRecords, lost)
    );
    assert!(report.losses[0].detail.contains("audit.jsonl"), "{:?}", report.losses);
}

#[test]
fn a_flood_pushes_no_record_out() {
    let place = Place::new();
    let audit = Audit::open(AuditOptions {
        queue_bytes: 4000,
        ..place.options()
    })
    .unwrap();
    (0..500).for_each(|number| record(&audit, "s", number));
    drop(audit);
    let report = place.verify();
    assert!(report.is_complete() && report.records == 500, "{report:?}");
}

#[test]
fn where_it_must_be_logged_nothing_runs_without_the_log() {
    let place = Place::new();
    block(&place);
    let mut options = place.options();
    options.config.on_failure = OnFailure::Stop;
    let audit = Audit::open(options).unwrap();
    assert!(matches!(audit.ready_blocking(), Err(AuditError::File { .. })));
    record(&audit, "s", 0);
    std::fs::remove_dir(place.file("audit.jsonl")).unwrap();
    within("calls may run again", || audit.ready_blocking().is_ok());
    record(&audit, "s", 1);
    drop(audit);
    assert!(place.verify().is_complete());
    assert_eq!(place.verify().records, 2, "the record from before waited");
}

#[test]
fn each_record_is_there_when_its_call_ends() {
    let place = Place::new();
    let mut options = place.options();
    options.config.sync = Sync::Each;
    let audit = Audit::open(options).unwrap();
    for number in 0..5 {
        record(&audit, "s", number);
        assert_eq!(place.verify().records, number as u64 + 1);
    }
    // A log that cannot be written does not hold up calls for ever.
    std::fs::remove_file(place.file("audit.jsonl")).unwrap();
    block(&place);
    let started = Instant::now();
    record(&audit, "s", 5);
    assert!(started.elapsed() < SOON);
}

#[test]
fn a_locked_log_holds_up_no_call() {
    let place = Place::new();
    place.write(1);
    let lock = std::fs::File::open(place.file("audit.lock")).unwrap();
    lock.lock().unwrap();
    let audit = place.open();
    let started = Instant::now();
    record(&audit, "s", 0);
    assert!(started.elapsed() < Duration::from_secs(1));
    assert!(audit.flush(Duration::from_millis(100)).is_err());
    drop(lock);
    audit.flush(SOON).unwrap();
    assert!(place.verify().is_complete());
}

/// A file system of 256 KiB.
struct Small(tempfile::TempDir);

impl Small {
    fn mount() -> Option<Self> {
        let folder = tempfile::tempdir().unwrap();
        mount(
            "tmpfs",
            folder.path(),
            "tmpfs",
            MountFlags::empty(),
            Some(c"size=256k,mode=0700"),
        )
        .ok()?;
        Some(Self(folder))
    }
}

impl Drop for Small {
    fn drop(&mut self) {
        unmount(self.0.path(), UnmountFlags::DETACH).unwrap();
    }
}

#[test]
fn a_full_disk_costs_no_record_and_no_line_is_half() {
    let Some(small) = Small::mount() else {
        println!("skipped: this user may not mount a file system");
        return;
    };
    let directory = small.0.path().to_owned();
    let mut options = AuditOptions::new(&directory);
    options.config.on_failure = OnFailure::Stop;
    let audit = Audit::open(options).unwrap();
    record(&audit, "s", 0);
    audit.flush(SOON).unwrap();
    let filler = directory.join("filler");
    let mut number = 0;
    while std::fs::write(&filler, vec![0; 240_000 - number]).is_err() {
        number += 4096;
    }
    let mut written = 1;
    within("the disk is full", || {
        record(&audit, "s", written);
        written += 1;
        audit.ready_blocking().is_err()
    });
    let error = audit.ready_blocking().unwrap_err();
    assert!(error.to_string().contains("space"), "{error}");
    assert!(verify(&directory).unwrap().is_complete(), "no half line is left");
    std::fs::remove_file(&filler).unwrap();
    within("there is room again", || audit.ready_blocking().is_ok());
    drop(audit);
    let report = verify(&directory).unwrap();
    assert!(report.is_complete(), "{report:?}");
    assert_eq!(report.records, written as u64);
}
