use super::{get, memory, text};
use crate::session::store::{SessionStore, StoreError, limits};

#[test]
fn versions_guard_every_change() {
    let store = memory();
    // Version given, value, and the new version or nothing for a conflict.
    let steps: &[(u64, &[u8], Option<u64>)] = &[
        (1, b"early", None),
        (u64::MAX, b"early", None),
        (0, b"one", Some(1)),
        (0, b"again", None),
        (2, b"ahead", None),
        (1, b"two", Some(2)),
        (1, b"stale", None),
        (2, b"", Some(3)),
    ];
    let mut current = None;
    for &(expected, value, outcome) in steps {
        let put = store.put("s", "todo", "list", value, expected);
        match outcome {
            Some(version) => {
                assert_eq!(put, Ok(version));
                current = Some((value.to_vec(), version));
            }
            None => assert_eq!(put, Err(StoreError::Conflict), "expected {expected}"),
        }
        assert_eq!(get(&store, "s", "todo", "list"), current);
    }
}

#[test]
fn addresses_do_not_meet() {
    let store = memory();
    let addresses = [
        ("a", "b", "c"),
        ("a", "b", "d"),
        ("a", "x", "c"),
        ("x", "b", "c"),
        ("a", "b", "C"),
        ("a", "b", "c\0"),
        ("a\0b", "b", "c"),
        ("a", "b", "é"),
        ("a", "b", "e\u{301}"),
        ("a", "b", "' OR 1 = 1 --"),
        ("a", "b", "%"),
    ];
    for (position, (session, space, key)) in addresses.iter().enumerate() {
        store.put(session, space, key, &[position as u8], 0).unwrap();
    }
    for (position, (session, space, key)) in addresses.iter().enumerate() {
        assert_eq!(get(&store, session, space, key), Some((vec![position as u8], 1)));
    }
}

#[test]
fn lengths_have_limits() {
    let store = memory();
    let longest = "k".repeat(limits::KEY_BYTES);
    let name = "n".repeat(limits::NAME_BYTES);
    store
        .put(&name, &name, &longest, &vec![7; limits::VALUE_BYTES], 0)
        .unwrap();
    assert_eq!(
        get(&store, &name, &name, &longest),
        Some((vec![7; limits::VALUE_BYTES], 1))
    );

    for (key, length) in [(String::new(), "0"), ("k".repeat(257), "257"), ("é".repeat(129), "258")] {
        for told in [
            text(store.put("s", "p", &key, b"", 0), StoreError::Quota),
            text(store.get("s", "p", &key), StoreError::Quota),
        ] {
            assert!(told.contains("256") && told.ends_with(length), "{told}");
        }
    }
    let told = text(
        store.put("s", "p", "k", &vec![0; limits::VALUE_BYTES + 1], 0),
        StoreError::Quota,
    );
    assert!(told.contains("1048576") && told.ends_with("1048577"), "{told}");
    for (session, space) in [("", "p"), ("s", ""), (&*"s".repeat(257), "p"), ("s", &*"p".repeat(257))] {
        text(store.put(session, space, "k", b"", 0), StoreError::InvalidId);
        text(store.get(session, space, "k"), StoreError::InvalidId);
    }
}

#[test]
fn a_space_has_64_keys() {
    let store = memory();
    for number in 0..64 {
        store.put("s", "p", &number.to_string(), b"", 0).unwrap();
    }
    let told = text(store.put("s", "p", "one more", b"", 0), StoreError::Quota);
    assert!(told.contains("64 keys"), "{told}");
    // What is there can still change, and others have limits of their own.
    assert_eq!(store.put("s", "p", "63", b"new", 1), Ok(2));
    assert_eq!(store.put("s", "q", "one more", b"", 0), Ok(1));
    assert_eq!(store.put("t", "p", "one more", b"", 0), Ok(1));
    assert_eq!(get(&store, "s", "p", "one more"), None);
}

#[test]
fn a_session_has_16_mib_of_values() {
    let store = memory();
    let full = vec![1; limits::VALUE_BYTES];
    for number in 0..16 {
        let space = if number % 2 == 0 { "even" } else { "odd" };
        store.put("s", space, &number.to_string(), &full, 0).unwrap();
    }
    let told = text(store.put("s", "third", "k", b"x", 0), StoreError::Quota);
    assert!(told.contains("16777216") && told.ends_with("16777217"), "{told}");
    assert_eq!(store.put("s", "third", "k", b"", 0), Ok(1), "an empty value fits");
    assert_eq!(store.put("t", "even", "0", &full, 0), Ok(1), "another session has room");

    // A replaced value no longer counts, and a refused change has not counted.
    assert_eq!(store.put("s", "even", "0", &full, 1), Ok(2));
    assert_eq!(store.put("s", "even", "0", &full[1..], 2), Ok(3));
    assert_eq!(store.put("s", "third", "k", b"x", 1), Ok(2));
    text(store.put("s", "third", "k", b"xy", 2), StoreError::Quota);
    assert_eq!(get(&store, "s", "third", "k"), Some((b"x".to_vec(), 2)));
}
