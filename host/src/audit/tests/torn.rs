use super::super::*;
use super::*;

#[test]
fn a_line_cut_anywhere_is_marked_by_the_next_writer() {
    let place = Place::new();
    place.write(2);
    let whole = place.current();
    let last = whole[..whole.len() - 1]
        .iter()
        .rposition(|byte| *byte == b'\n')
        .unwrap()
        + 1;
    // As a writer leaves it that was killed in its third record: the head speaks of the second.
    let head = std::fs::read(place.file("audit.head")).unwrap();
    place.write(1);
    let longer = place.current();
    for cut in (whole.len() + 1..longer.len()).step_by(7).chain([longer.len() - 1]) {
        std::fs::write(place.file("audit.jsonl"), &longer[..cut]).unwrap();
        std::fs::write(place.file("audit.head"), &head).unwrap();
        let report = place.verify();
        assert!(report.is_intact(), "{report:?}");
        let piece = (cut - whole.len()) as u64;
        assert_eq!(
            (report.losses[0].kind, report.losses[0].count),
            (LossKind::TornTail, piece)
        );
        place.write(1);
        let report = place.verify();
        assert!(report.is_intact(), "cut at {cut}: {report:?}");
        assert_eq!(
            (report.loss_count, report.losses[0].kind, report.losses[0].count),
            (1, LossKind::TornTail, piece)
        );
        assert_eq!(report.losses[0].line, 4);
        let lines = lines(&place.directory);
        assert_eq!(lines.len(), 5);
        let text = lines[3]["torn"].as_str().unwrap();
        assert!(longer[whole.len()..cut].starts_with(text.as_bytes()) && !text.is_empty());
    }
    // A line that the head speaks of was whole once: that is not a crash alone.
    std::fs::write(place.file("audit.jsonl"), &whole[..last + 50]).unwrap();
    std::fs::write(place.file("audit.head"), &head).unwrap();
    assert_eq!(place.verify().fault.unwrap().kind, FaultKind::MissingLines);
    place.write(1);
    let report = place.verify();
    let kinds: Vec<_> = report.losses.iter().map(|loss| (loss.kind, loss.count)).collect();
    assert_eq!(kinds, [(LossKind::TornTail, 50), (LossKind::MissingLines, 1)]);
}

#[test]
fn a_writer_killed_between_two_files_loses_nothing() {
    let place = Place::new();
    place.write(2);
    std::fs::rename(place.file("audit.jsonl"), place.file("audit-000001.jsonl")).unwrap();
    place.write(2);
    let report = place.verify();
    assert!(report.is_complete(), "{report:?}");
    assert_eq!((report.files.len(), report.records), (2, 4));

    std::fs::rename(place.file("audit.jsonl"), place.file("audit-000002.jsonl")).unwrap();
    std::fs::write(place.file("audit.jsonl"), "{\"seq\":7,\"ev").unwrap();
    place.write(2);
    let report = place.verify();
    assert!(report.is_intact(), "{report:?}");
    assert_eq!(
        (report.records, report.losses[0].kind, report.losses[0].count),
        (6, LossKind::TornTail, 12)
    );
}

#[test]
fn a_writer_killed_before_its_first_line_is_no_fault() {
    let place = Place::new();
    place.write(0);
    drop(crate::audit::directory::Directory::create(&place.directory).unwrap());
    std::fs::write(place.file("audit.head"), "").unwrap();
    std::fs::write(place.file("audit.lock"), "").unwrap();
    assert!(place.verify().is_complete());
    std::fs::write(place.file("audit.jsonl"), "{\"seq\":1,").unwrap();
    assert!(place.verify().is_intact());
    place.write(1);
    let report = place.verify();
    assert!(report.is_intact() && report.records == 1, "{report:?}");
}
