//! Why a text was not found although something much like it is there (FX-22). Hints only: what is
//! like it is never edited.

use std::fmt;

use memchr::{memchr_iter, memmem};

use crate::splice;

/// How the closest place in the file differs from the text that was looked for, with the line in
/// which it starts, counted from 1.
#[derive(Debug, PartialEq, Eq)]
pub(crate) enum Hint {
    /// In line endings alone, and those that the file has.
    LineEndings(usize, Endings),
    /// In spaces and tabs, and perhaps in line endings.
    Blanks(usize),
}

/// The line endings of a file.
#[derive(Debug, PartialEq, Eq)]
pub(crate) enum Endings {
    Crlf,
    Lf,
    Both,
}

impl fmt::Display for Hint {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::LineEndings(line, endings) => {
                let endings = match endings {
                    Endings::Crlf => "CRLF",
                    Endings::Lf => "LF",
                    Endings::Both => "both CRLF and LF",
                };
                write!(
                    f,
                    "the same text with other line endings starts at line {line}: the file uses {endings} line endings"
                )
            }
            Self::Blanks(line) => write!(
                f,
                "the same text with other whitespace (spaces, tabs) starts at line {line}"
            ),
        }
    }
}

/// Looks for `old`, which does not occur in `content`, first with all line endings alike, then
/// with all runs of spaces and tabs alike.
pub(crate) fn near_miss(content: &[u8], old: &[u8]) -> Option<Hint> {
    let (file, wanted) = (with_lf(content), with_lf(old));
    if let Some(line) = line_of(&file, &wanted) {
        let crlf = content.len() - file.len();
        let endings = match memchr_iter(b'\n', content).count() {
            _ if crlf == 0 => Endings::Lf,
            all if crlf == all => Endings::Crlf,
            _ => Endings::Both,
        };
        return Some(Hint::LineEndings(line, endings));
    }
    line_of(&squeezed(file), &squeezed(wanted)).map(Hint::Blanks)
}

/// The line, counted from 1, in which the first occurrence of `wanted` starts.
fn line_of(content: &[u8], wanted: &[u8]) -> Option<usize> {
    let at = memmem::find(content, wanted).filter(|_| !wanted.is_empty())?;
    Some(memchr_iter(b'\n', &content[..at]).count() + 1)
}

fn with_lf(bytes: &[u8]) -> Vec<u8> {
    let mut lines = Vec::with_capacity(bytes.len());
    splice::pieces(bytes, b"\r\n", b"\n").for_each(|piece| lines.extend_from_slice(piece));
    lines
}

/// Makes each run of spaces and tabs one space, and drops those at the start or the end of a line.
/// In place, because the bytes may be those of a large file.
fn squeezed(mut bytes: Vec<u8>) -> Vec<u8> {
    let mut end: usize = 0;
    for at in 0..bytes.len() {
        let byte = bytes[at];
        let last = end.checked_sub(1).map(|last| bytes[last]);
        let kept = match byte {
            b' ' | b'\t' if matches!(last, None | Some(b' ' | b'\n')) => continue,
            b' ' | b'\t' => b' ',
            byte => byte,
        };
        if kept == b'\n' && last == Some(b' ') {
            end -= 1;
        }
        bytes[end] = kept;
        end += 1;
    }
    bytes.truncate(end);
    if bytes.last() == Some(&b' ') {
        bytes.pop();
    }
    bytes
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn line_endings() {
        let cases: [(&[u8], &[u8], usize, Endings); 5] = [
            (b"a\r\nb\r\n", b"a\nb", 1, Endings::Crlf),
            (b"x\r\na\r\nb\r\n", b"a\nb\r\n", 2, Endings::Crlf),
            (b"x\ny\na\nb\n", b"a\r\nb", 3, Endings::Lf),
            (b"a\nb\r\nc\n", b"a\r\nb\r\nc", 1, Endings::Both),
            (b"a\r\nb", b"a\nb", 1, Endings::Crlf),
        ];
        for (content, old, line, endings) in cases {
            let hint = Hint::LineEndings(line, endings);
            assert_eq!(near_miss(content, old), Some(hint), "{content:?}");
        }
    }

    #[test]
    fn blanks() {
        let cases: [(&[u8], &[u8], usize); 6] = [
            (b"tab\tx", b"tab x", 1),
            (b"one\n\tif x:\n\t\ty\n", b"    if x:\n        y\n", 2),
            (b"one\nif x:\n", b"    if x:\n", 2),
            (b"a  \nb\n", b"a\nb", 1),
            (b"z\r\na\tb\r\nc\r\n", b"a b\nc", 2),
            (b"a b", b"\tb", 1),
        ];
        for (content, old, line) in cases {
            assert_eq!(near_miss(content, old), Some(Hint::Blanks(line)), "{content:?}");
        }
    }

    #[test]
    fn what_is_really_absent_gets_no_hint() {
        let cases: [(&[u8], &[u8]); 5] = [
            (b"Foo", b"foo"),
            (b"", b"a"),
            (b"abc", b" \t "),
            (b"a\nb", b"ab"),
            (b"ab", b"a b"),
        ];
        for (content, old) in cases {
            assert_eq!(near_miss(content, old), None, "{content:?}");
        }
    }

    proptest! {
        /// Whatever stands between the words and at the ends of the lines, the line is found.
        #[test]
        fn any_change_of_blanks_is_noticed(
            before in 0_usize..5, here in "[ \t]{1,3}", there in "[ \t]{1,3}", ending in "[ \t]{0,2}\r?\n",
        ) {
            prop_assume!(here != there);
            let content = format!("{}one{here}two{ending}three", "-\n".repeat(before));
            let hint = near_miss(content.as_bytes(), format!("one{there}two\nthree").as_bytes());
            prop_assert_eq!(hint, Some(Hint::Blanks(before + 1)));
        }

        #[test]
        fn no_bytes_can_make_it_fail(content in "[ab \t\r\n]{0,30}", old in "[ab \t\r\n]{1,6}") {
            let lines = content.matches('\n').count() + 1;
            if let Some(hint) = near_miss(content.as_bytes(), old.as_bytes()) {
                let (Hint::LineEndings(line, _) | Hint::Blanks(line)) = hint;
                prop_assert!((1..=lines).contains(&line));
            }
        }
    }
}
