use proptest::prelude::*;

use super::super::*;
use super::*;

fn parts(bytes: &[u8]) -> Vec<Vec<u8>> {
    bytes
        .split_inclusive(|byte| *byte == b'\n')
        .map(<[u8]>::to_vec)
        .collect()
}

fn fault(place: &Place, bytes: &[u8]) -> Option<FaultKind> {
    std::fs::write(place.file("audit.jsonl"), bytes).unwrap();
    let report = place.verify();
    report.fault.map(|fault| fault.kind)
}

fn plain(place: &Place) -> AuditOptions {
    let mut options = place.options();
    options.config.keyed = false;
    options
}

#[test]
fn every_changed_byte_is_found() {
    for keyed in [false, true] {
        let place = Place::new();
        let mut options = plain(&place);
        options.config.keyed = keyed;
        let audit = Audit::open(options).unwrap();
        record(&audit, "s", 0);
        drop(audit);
        let whole = place.current();
        assert_eq!(fault(&place, &whole), None);
        for at in 0..whole.len() {
            for changed in [whole[at] ^ 1, whole[at] ^ 0x20, b'\n', 0] {
                if changed == whole[at] {
                    continue;
                }
                let mut bytes = whole.clone();
                bytes[at] = changed;
                assert!(fault(&place, &bytes).is_some(), "byte {at} of {}", whole.len());
            }
        }
    }
}

#[test]
fn lines_taken_out_moved_repeated_or_put_in_are_found() {
    let place = Place::new();
    place.write(8);
    let whole = parts(&place.current());
    let mut cases = Vec::new();
    for at in 0..whole.len() {
        let mut without = whole.clone();
        without.remove(at);
        cases.push((format!("without {at}"), without));
        let mut twice = whole.clone();
        twice.insert(at, whole[at].clone());
        cases.push((format!("{at} twice"), twice));
        let mut empty = whole.clone();
        empty.insert(at, b"\n".to_vec());
        cases.push((format!("an empty line before {at}"), empty));
        cases.push((format!("cut off before {at}"), whole[..at].to_vec()));
        cases.push((format!("begins with {at}"), whole[at..].to_vec()));
        for other in at + 1..whole.len() {
            let mut swapped = whole.clone();
            swapped.swap(at, other);
            cases.push((format!("{at} and {other} swapped"), swapped));
        }
    }
    for (what, lines) in cases {
        let bytes = lines.concat();
        let found = fault(&place, &bytes);
        assert_eq!(found.is_some(), bytes != whole.concat(), "{what}");
    }
    let without_third = [&whole[..2], &whole[3..]].concat().concat();
    assert_eq!(fault(&place, &without_third), Some(FaultKind::MissingLines));
    assert_eq!(fault(&place, &whole[..5].concat()), Some(FaultKind::MissingLines));
    std::fs::remove_file(place.file("audit.jsonl")).unwrap();
    assert_eq!(place.verify().fault.unwrap().kind, FaultKind::MissingLines);
}

#[test]
fn without_the_key_the_chain_cannot_be_made_again() {
    let place = Place::new();
    place.write(3);
    let original = place.current();
    // A whole log, right in itself, that somebody made without the key or with another one.
    let forged = Place::new();
    let audit = Audit::open(plain(&forged)).unwrap();
    (0..3).for_each(|number| record(&audit, "s", number));
    drop(audit);
    let head = std::fs::read(place.file("audit.head")).unwrap();
    std::fs::copy(forged.file("audit.head"), place.file("audit.head")).unwrap();
    assert_eq!(fault(&place, &forged.current()), Some(FaultKind::OtherKey));
    let other = Place::new();
    other.write(3);
    assert_eq!(fault(&place, &other.current()), Some(FaultKind::OtherKey));
    std::fs::write(place.file("audit.head"), head).unwrap();
    assert_eq!(fault(&place, &original), None);
    std::fs::remove_file(place.file("audit.key")).unwrap();
    assert_eq!(place.verify().fault.unwrap().kind, FaultKind::OtherKey);
}

#[test]
fn the_head_is_watched() {
    let place = Place::new();
    place.write(3);
    let head = std::fs::read(place.file("audit.head")).unwrap();
    for at in 0..head.len() {
        let mut changed = head.clone();
        changed[at] ^= 1;
        std::fs::write(place.file("audit.head"), changed).unwrap();
        assert_eq!(place.verify().fault.unwrap().kind, FaultKind::Head, "byte {at}");
    }
    std::fs::remove_file(place.file("audit.head")).unwrap();
    assert_eq!(place.verify().fault.unwrap().kind, FaultKind::Head);
}

#[test]
fn lines_cut_off_are_remembered() {
    let place = Place::new();
    place.write(5);
    let whole = parts(&place.current());
    std::fs::write(place.file("audit.jsonl"), whole[..3].concat()).unwrap();
    place.write(2);
    let report = place.verify();
    assert!(report.is_intact() && !report.is_complete(), "{report:?}");
    assert_eq!(
        (report.losses[0].kind, report.losses[0].count),
        (LossKind::MissingLines, 3)
    );
    assert_eq!(lines(&place.directory).last().unwrap()["seq"], 9);

    // While a writer lives, an older head does not help either.
    let place = Place::new();
    let audit = place.open();
    record(&audit, "s", 0);
    audit.flush(std::time::Duration::from_secs(5)).unwrap();
    let (lines, head) = (place.current(), std::fs::read(place.file("audit.head")).unwrap());
    record(&audit, "s", 1);
    audit.flush(std::time::Duration::from_secs(5)).unwrap();
    std::fs::write(place.file("audit.jsonl"), lines).unwrap();
    std::fs::write(place.file("audit.head"), head).unwrap();
    assert!(place.verify().is_complete(), "nothing can show it yet");
    record(&audit, "s", 2);
    drop(audit);
    let report = place.verify();
    assert_eq!(
        (report.losses[0].kind, report.losses[0].count),
        (LossKind::MissingLines, 1)
    );
}

#[test]
fn a_damaged_end_is_left_for_the_finder_and_a_new_file_begins() {
    let place = Place::new();
    place.write(3);
    let mut bytes = place.current();
    let at = bytes.len() - 200;
    bytes[at] ^= 1;
    std::fs::write(place.file("audit.jsonl"), &bytes).unwrap();
    place.write(3);
    assert_eq!(std::fs::read(place.file("audit-000001.jsonl")).unwrap(), bytes);
    let report = place.verify();
    let fault = report.fault.unwrap();
    assert_eq!(
        (fault.kind, fault.file.as_str(), fault.line),
        (FaultKind::ChangedLine, "audit-000001.jsonl", 4)
    );
    std::fs::remove_file(place.file("audit-000001.jsonl")).unwrap();
    assert_eq!(place.verify().fault.unwrap().kind, FaultKind::MissingFile);
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 64, failure_persistence: None, ..ProptestConfig::default() })]
    #[test]
    fn any_edit_is_found(at in 0.0..1.0_f64, length in 0_usize..300, text in "[ -~\n]{0,300}") {
        let place = Place::new();
        place.write(6);
        let whole = place.current();
        let at = (at * whole.len() as f64) as usize;
        let mut bytes = whole.clone();
        bytes.splice(at..(at + length).min(whole.len()), text.bytes());
        let report = { std::fs::write(place.file("audit.jsonl"), &bytes).unwrap(); place.verify() };
        prop_assert_eq!(report.is_complete(), bytes == whole);
    }

    #[test]
    fn no_content_breaks_the_reader_or_the_writer(bytes in prop::collection::vec(any::<u8>(), 0..2000), head in prop::collection::vec(any::<u8>(), 0..200)) {
        let place = Place::new();
        place.write(1);
        std::fs::write(place.file("audit.jsonl"), &bytes).unwrap();
        std::fs::write(place.file("audit.head"), &head).unwrap();
        prop_assert!(!place.verify().is_complete());
        place.write(2);
        prop_assert!(!place.verify().is_complete() || bytes.is_empty());
        let text = String::from_utf8(place.current()).unwrap();
        prop_assert_eq!(text.matches("\"session\"").count(), 2);
    }
}
