use std::collections::BTreeMap;
use std::time::Duration;

use super::super::*;
use super::*;

fn per_session(directory: &Path) -> BTreeMap<String, Vec<u64>> {
    let mut found: BTreeMap<String, Vec<u64>> = BTreeMap::new();
    for line in lines(directory) {
        if let Some(session) = line["session"].as_str() {
            let number = line["arguments"]["limit"].as_u64().unwrap();
            found.entry(session.to_owned()).or_default().push(number);
        }
    }
    found
}

#[test]
fn eight_threads_make_one_chain() {
    let place = Place::new();
    let audit = place.open();
    std::thread::scope(|scope| {
        for thread in 0..8 {
            let audit = &audit;
            scope.spawn(move || (0..1000).for_each(|number| record(audit, &format!("t{thread}"), number)));
        }
    });
    drop(audit);
    let report = place.verify();
    assert!(report.is_complete(), "{report:?}");
    assert_eq!((report.records, report.lines), (8000, 8001));
    let found = per_session(&place.directory);
    assert_eq!(found.len(), 8);
    assert!(found.values().all(|numbers| numbers.iter().copied().eq(0..1000)));
}

#[test]
fn four_processes_make_one_chain() {
    let place = Place::new();
    let children: Vec<_> = (0..4)
        .map(|_| child("audit::tests::many::child_writes_500", &place.directory))
        .collect();
    for mut child in children {
        assert!(child.wait().unwrap().success());
    }
    let report = place.verify();
    assert!(report.is_complete(), "{report:?}");
    assert_eq!(report.records, 2000);
    let found = per_session(&place.directory);
    assert_eq!(found.len(), 4);
    assert!(found.values().all(|numbers| numbers.iter().copied().eq(0..500)));
    // Several of them wrote in turns, or the test shows nothing.
    let hosts: Vec<_> = lines(&place.directory)
        .iter()
        .map(|line| line["host"].to_string())
        .collect();
    assert!(hosts.windows(2).filter(|pair| pair[0] != pair[1]).count() > 10);
}

#[test]
#[ignore = "started by four_processes_make_one_chain"]
fn child_writes_500() {
    let Some(directory) = childs_directory() else { return };
    let mut options = AuditOptions::new(directory);
    options.config.max_file_bytes = 256 * 1024;
    let audit = Audit::open(options).unwrap();
    let session = std::process::id().to_string();
    for number in 0..500 {
        record(&audit, &session, number);
        if number % 10 == 0 {
            audit.flush(Duration::from_secs(20)).unwrap();
        }
    }
    audit.flush(Duration::from_secs(20)).unwrap();
}

#[test]
fn writers_that_are_killed_leave_a_log_that_goes_on() {
    let place = Place::new();
    let mut torn = 0;
    for round in 0..12 {
        let mut children = [0, 1].map(|_| child("audit::tests::many::child_writes_until_killed", &place.directory));
        std::thread::sleep(Duration::from_millis(60 + 17 * round));
        for child in &mut children {
            child.kill().unwrap();
            child.wait().unwrap();
        }
        let report = place.verify();
        assert!(report.is_intact(), "{report:?}");
        place.write(1);
        torn = place.verify().loss_count;
    }
    let report = place.verify();
    assert!(report.is_intact(), "{report:?}");
    let ended_by_kill = |loss: &Loss| loss.kind == LossKind::TornTail;
    assert!(report.losses.iter().all(ended_by_kill), "{report:?}");
    assert!(report.records > 12, "the children wrote nothing");
    println!("{} records, {torn} torn lines", report.records);
}

#[test]
#[ignore = "started by writers_that_are_killed_leave_a_log_that_goes_on"]
fn child_writes_until_killed() {
    let Some(directory) = childs_directory() else { return };
    let audit = Audit::open(AuditOptions::new(directory)).unwrap();
    for number in 0.. {
        record(&audit, "killed", number);
    }
}
