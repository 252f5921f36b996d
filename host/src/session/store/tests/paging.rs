use super::{memory, text};
use crate::session::store::{SessionStore, SqliteStore, StoreError};

/// Characters of one to four bytes, in every order of two.
const MIXED: &str = "aaéaßaaé漢é漢漢a漢🦀a🦀é🦀漢🦀🦀\u{301}\0\n";

fn stored(text: &str) -> SqliteStore {
    let store = memory();
    store.put_payload("s", "a", "grep", text).unwrap();
    store
}

/// What a page must be, found the slow way.
fn page_of(whole: &str, offset: usize, limit: usize) -> &str {
    let start = (0..=offset).rev().find(|at| whole.is_char_boundary(*at)).unwrap();
    let mut end = start;
    for character in whole[start..].chars() {
        if end > start && end + character.len_utf8() - start > limit {
            break;
        }
        end += character.len_utf8();
        if end - start >= limit {
            break;
        }
    }
    &whole[start..end]
}

#[track_caller]
fn check(store: &SqliteStore, whole: &str, offset: usize, limit: usize) {
    let page = store.payload("s", "a", offset as u64, limit as u64).unwrap().unwrap();
    let expected = page_of(whole, offset, limit);
    assert_eq!(page.text, expected, "offset {offset}, limit {limit}");
    let start = usize::try_from(page.offset).unwrap();
    assert!(start <= offset && offset - start < 4);
    assert_eq!(&whole[start..start + expected.len()], expected);
    assert_eq!(page.total_bytes, whole.len() as u64);
    let end = start + expected.len();
    assert_eq!(page.next_offset, (end < whole.len()).then_some(end as u64));
}

#[test]
fn every_offset_and_limit() {
    let store = stored(MIXED);
    for offset in 0..=MIXED.len() {
        for limit in (1..=MIXED.len() + 5).chain([usize::MAX]) {
            check(&store, MIXED, offset, limit);
        }
    }
}

#[test]
fn pages_joined_are_the_whole() {
    // Long enough for several chunks, with characters across their edges.
    let whole = MIXED.repeat(5000);
    let store = stored(&whole);
    for limit in [1023, 4096, 65_535, 65_536, 65_537, 1 << 20] {
        let (mut joined, mut next) = (String::new(), Some(0));
        while let Some(offset) = next {
            let page = store.payload("s", "a", offset, limit).unwrap().unwrap();
            assert_eq!(page.offset, offset);
            assert!(!page.text.is_empty() && page.text.len() as u64 <= limit);
            joined.push_str(&page.text);
            next = page.next_offset;
        }
        assert_eq!(joined, whole);
    }
}

#[test]
fn the_edges_of_chunks() {
    let whole = MIXED.repeat(5000);
    let store = stored(&whole);
    for edge in [65_536, 2 * 65_536] {
        for offset in edge - 8..edge + 8 {
            for limit in [1, 2, 3, 4, 5, 9, 65_536, 65_540] {
                check(&store, &whole, offset, limit);
            }
        }
    }
    for offset in whole.len() - 8..=whole.len() {
        check(&store, &whole, offset, 65_536);
    }
}

#[test]
fn lengths_around_a_chunk() {
    for length in [65_535, 65_536, 65_537] {
        let whole = "x".repeat(length);
        let store = stored(&whole);
        for (offset, limit) in [(0, usize::MAX), (length - 1, 1), (length, 1), (65_530, 10)] {
            check(&store, &whole, offset, limit);
        }
    }
}

#[test]
fn ranges_that_select_nothing() {
    let store = stored("äb");
    for (offset, limit) in [(4, 1), (u64::MAX, u64::MAX), (0, 0), (3, 0)] {
        let told = text(store.payload("s", "a", offset, limit), StoreError::Range);
        assert!(told.contains("3 bytes"), "{told}");
    }
    let end = store.payload("s", "a", 3, 1).unwrap().unwrap();
    assert_eq!((end.text.as_str(), end.offset, end.next_offset), ("", 3, None));
}
