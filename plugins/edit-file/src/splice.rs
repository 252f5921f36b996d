//! Finding and replacing bytes: from left to right, without overlap, and never again in what was
//! put in.

use std::iter;

use memchr::memmem;

/// How often `old` occurs in `content`. `old` must not be empty.
pub(crate) fn count(content: &[u8], old: &[u8]) -> u64 {
    memmem::find_iter(content, old).count() as u64
}

/// `content` with `new` in place of every `old`, in pieces, so that a large file is not copied.
pub(crate) fn pieces<'a>(content: &'a [u8], old: &'a [u8], new: &'a [u8]) -> impl Iterator<Item = &'a [u8]> {
    let mut from = 0;
    let ends = memmem::find_iter(content, old).map(Some).chain(iter::once(None));
    ends.flat_map(move |found| match found {
        Some(at) => {
            let kept = &content[from..at];
            from = at + old.len();
            [kept, new]
        }
        None => [&content[from..], &[]],
    })
}

/// Gives the pieces to `write` in batches of up to `size` bytes, or one longer piece alone: a call
/// of the host for each piece would cost far more than copying it.
pub(crate) fn in_batches<'a, E>(
    pieces: impl Iterator<Item = &'a [u8]>,
    size: usize,
    mut write: impl FnMut(&[u8]) -> Result<(), E>,
) -> Result<(), E> {
    let mut batch = Vec::with_capacity(size);
    for piece in pieces {
        if batch.len() + piece.len() > size && !batch.is_empty() {
            write(&batch)?;
            batch.clear();
        }
        if piece.len() > size {
            write(piece)?;
        } else {
            batch.extend_from_slice(piece);
        }
    }
    if batch.is_empty() { Ok(()) } else { write(&batch) }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn replaced(content: &[u8], old: &[u8], new: &[u8]) -> Vec<u8> {
        pieces(content, old, new).flatten().copied().collect()
    }

    #[test]
    fn occurrences_do_not_overlap_and_are_not_looked_for_again() {
        let cases: [[&[u8]; 4]; 8] = [
            [b"aaaa", b"aa", b"b", b"bb"],
            [b"aaa", b"aa", b"b", b"ba"],
            [b"aXbXc", b"X", b"XX", b"aXXbXXc"],
            [b"abc", b"b", b"", b"ac"],
            [b"a\nb\nc\n", b"a\nb\n", b"", b"c\n"],
            [b"a\r\nb\r\n", b"a\r\nb", b"c\r\nd", b"c\r\nd\r\n"],
            [b"\xff foo", b"foo", b"bar", b"\xff bar"],
            [b"", b"a", b"b", b""],
        ];
        for [content, old, new, expected] in cases {
            assert_eq!(replaced(content, old, new), expected, "{content:?}");
        }
        assert_eq!(count(b"aaa", b"aa"), 1);
        assert_eq!(count(b"aaaa", b"aa"), 2);
    }

    proptest! {
        /// The standard library's replacement has the same rules and is written independently.
        #[test]
        fn text_is_replaced_as_the_standard_library_does(
            content in "[ab\né]{0,40}", old in "[ab\né]{1,3}", new in "[abc]{0,4}",
        ) {
            let ours = replaced(content.as_bytes(), old.as_bytes(), new.as_bytes());
            prop_assert_eq!(ours, content.replace(&old, &new).into_bytes());
            prop_assert_eq!(count(content.as_bytes(), old.as_bytes()), content.matches(&old).count() as u64);
        }

        /// Where the new text has no letter of the file, each piece of it that is found later is
        /// one that was put in; so the edit can be undone, invalid bytes included.
        #[test]
        fn an_edit_can_be_undone(
            content in prop::collection::vec(prop::sample::select(b"ab \n\xff\xe9".to_vec()), 0..60),
            old in prop::collection::vec(prop::sample::select(b"ab \n".to_vec()), 1..4),
            new in "[xyz]{1,4}",
        ) {
            let there = replaced(&content, &old, new.as_bytes());
            prop_assert_eq!(count(&there, new.as_bytes()), count(&content, &old));
            prop_assert_eq!(replaced(&there, new.as_bytes(), &old), content);
        }

        #[test]
        fn batches_lose_nothing_and_keep_their_size(
            pieces in prop::collection::vec(prop::collection::vec(any::<u8>(), 0..9), 0..20), size in 1_usize..12,
        ) {
            let (mut written, mut longest_joined) = (Vec::new(), 0);
            let result = in_batches(pieces.iter().map(Vec::as_slice), size, |batch| {
                written.extend_from_slice(batch);
                if !pieces.iter().any(|piece| piece == batch) {
                    longest_joined = longest_joined.max(batch.len());
                }
                Ok::<(), ()>(())
            });
            prop_assert_eq!(result, Ok(()));
            prop_assert_eq!(written, pieces.concat());
            prop_assert!(longest_joined <= size);
        }
    }

    #[test]
    fn a_failed_write_ends_the_batches() {
        let mut calls = 0;
        let result = in_batches([&b"abc"[..], b"def"].into_iter(), 3, |_| {
            calls += 1;
            Err("full")
        });
        assert_eq!((result, calls), (Err("full"), 1));
    }
}
