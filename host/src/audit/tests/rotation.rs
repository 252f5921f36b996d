use super::super::*;
use super::*;

fn small(place: &Place) -> AuditOptions {
    let mut options = place.options();
    options.config.max_file_bytes = MIN_FILE_BYTES;
    options.config.keep_files = 4;
    options
}

#[test]
fn files_follow_each_other_under_load_and_old_ones_go() {
    let place = Place::new();
    let audits: Vec<_> = (0..2).map(|_| Audit::open(small(&place)).unwrap()).collect();
    std::thread::scope(|scope| {
        for thread in 0..4 {
            let audit = &audits[thread % 2];
            scope.spawn(move || (0..500).for_each(|number| record(audit, "s", number)));
        }
    });
    drop(audits);
    let report = place.verify();
    assert!(report.is_complete(), "{report:?}");
    assert_eq!(report.files.len(), 4);
    assert!(report.files.iter().all(|file| file.bytes <= MIN_FILE_BYTES));
    let lines = lines(&place.directory);
    assert_eq!(
        lines.last().unwrap()["seq"].as_u64().unwrap(),
        2000 + report.files[3].number.unwrap()
    );
    let openings: Vec<_> = (0..lines.len()).filter(|at| lines[*at]["event"] == "file").collect();
    assert_eq!(openings.len(), 4);
    for at in &openings[1..] {
        assert_eq!(lines[*at]["prev"], lines[at - 1]["hash"]);
    }
}

#[test]
fn files_taken_out_are_found() {
    let place = Place::new();
    let audit = Audit::open(small(&place)).unwrap();
    (0..400).for_each(|number| record(&audit, "s", number));
    drop(audit);
    let names: Vec<_> = place.verify().files.iter().map(|file| file.name.clone()).collect();
    assert!(names.len() >= 3, "{names:?}");
    for (at, name) in names.iter().enumerate() {
        let bytes = std::fs::read(place.file(name)).unwrap();
        std::fs::remove_file(place.file(name)).unwrap();
        let fault = place.verify().fault.unwrap();
        let expected = if at + 1 == names.len() {
            FaultKind::MissingLines
        } else {
            FaultKind::MissingFile
        };
        assert_eq!(fault.kind, expected, "{name}");
        std::fs::write(place.file(name), bytes).unwrap();
        assert!(place.verify().is_complete());
    }
    // Under each other's names.
    let (first, second) = (place.file(&names[0]), place.file(&names[1]));
    let aside = place.file("aside");
    std::fs::rename(&first, &aside).unwrap();
    std::fs::rename(&second, &first).unwrap();
    std::fs::rename(&aside, &second).unwrap();
    assert_eq!(place.verify().fault.unwrap().kind, FaultKind::ForeignFile);
}

#[test]
fn a_key_is_used_once_it_is_there() {
    let place = Place::new();
    let mut plain = place.options();
    plain.config.keyed = false;
    let write = |options: &AuditOptions| record(&Audit::open(options.clone()).unwrap(), "s", 0);
    write(&plain);
    assert!(!place.verify().keyed);
    write(&place.options());
    let report = place.verify();
    assert!(report.is_complete() && report.keyed, "{report:?}");
    assert_eq!(report.files.len(), 2);
    // Hosts of different settings do not begin file after file.
    for _ in 0..3 {
        write(&plain);
        write(&place.options());
    }
    let report = place.verify();
    assert!(report.is_complete() && report.keyed, "{report:?}");
    assert_eq!((report.files.len(), report.records), (2, 8));
}

#[test]
fn what_is_put_in_the_way_does_not_stop_the_log() {
    let place = Place::new();
    let audit = Audit::open(small(&place)).unwrap();
    record(&audit, "s", 0);
    audit.flush(std::time::Duration::from_secs(5)).unwrap();
    for name in [
        "audit-000001.jsonl",
        "audit-999999999999.jsonl",
        "audit-18446744073709551615.jsonl",
    ] {
        std::fs::write(place.file(name), "x\n").unwrap();
    }
    (1..200).for_each(|number| record(&audit, "s", number));
    audit.flush(std::time::Duration::from_secs(5)).unwrap();
    assert!(place.file("audit-000001.jsonl.foreign").exists());
    let fault = place.verify().fault.unwrap();
    assert_eq!(
        (fault.kind, fault.file.as_str()),
        (FaultKind::ForeignFile, "audit-999999999999.jsonl")
    );
    std::fs::remove_file(place.file("audit-999999999999.jsonl")).unwrap();
    assert!(place.verify().is_complete());
}

#[test]
fn a_changed_first_line_deletes_nothing() {
    let place = Place::new();
    let audit = Audit::open(small(&place)).unwrap();
    (0..150).for_each(|number| record(&audit, "s", number));
    drop(audit);
    let text = String::from_utf8(place.current()).unwrap();
    let changed = text.replacen("\"oldest\":1,", "\"oldest\":2,", 1);
    assert_ne!(changed, text);
    std::fs::write(place.file("audit.jsonl"), changed).unwrap();
    record(&Audit::open(small(&place)).unwrap(), "s", 0);
    assert!(place.file("audit-000001.jsonl").exists());
    assert_eq!(place.verify().fault.unwrap().kind, FaultKind::ChangedLine);
}
