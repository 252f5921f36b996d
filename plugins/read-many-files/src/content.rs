//! From a file to its entry.

use toolgate_plugin::fs::File;
use toolgate_plugin::text::{self, LineCounter, truncate_text};
use toolgate_plugin::{Error, ErrorKind};

use crate::output::Entry;

/// The largest content of one file in bytes; what is longer is cut to this and to [`MAX_LINES`].
const MAX_BYTES: usize = 65_536;

/// The most lines of a file that is cut.
const MAX_LINES: usize = 1000;

/// What is read of a file: enough that a character cut off by the end of it lies beyond
/// [`MAX_BYTES`].
const READ: usize = MAX_BYTES + 8;

/// The entry of a file; whatever goes wrong is a reason to skip it.
pub(crate) fn entry(path: &str, file: Result<File, Error>) -> Entry {
    match file.and_then(|file| Ok((head(&file)?, file.size()))) {
        Ok((bytes, size)) => decoded(path, bytes, size),
        Err(error) => Entry::skipped(path, reason(path, &error)),
    }
}

/// The reason of an error, without the path, which the entry has already.
pub(crate) fn reason(path: &str, error: &Error) -> String {
    const DENIED: &str = "permission denied";
    let message = &error.message;
    let reason = message
        .strip_prefix(path)
        .and_then(|rest| rest.strip_prefix(": "))
        .unwrap_or(message);
    if error.kind == ErrorKind::Denied && !reason.starts_with(DENIED) {
        format!("{DENIED}: {}", reason.strip_prefix("denied, ").unwrap_or(reason))
    } else {
        reason.to_owned()
    }
}

fn head(file: &File) -> Result<Vec<u8>, Error> {
    let (mut bytes, mut end) = file.read_at(0, READ)?;
    while !end && bytes.len() < READ {
        let (mut more, at_end) = file.read_at(bytes.len() as u64, READ - bytes.len())?;
        bytes.append(&mut more);
        end = at_end;
    }
    Ok(bytes)
}

/// The entry of a file of `size` bytes that starts with `bytes`, at most [`READ`] of them.
fn decoded(path: &str, mut bytes: Vec<u8>, size: u64) -> Entry {
    let whole = bytes.len() < READ;
    // A file may grow or shrink between being opened and being read.
    let total_bytes = if whole {
        bytes.len() as u64
    } else {
        size.max(bytes.len() as u64)
    };
    if text::is_binary(&bytes) {
        return Entry::skipped(path, format!("binary file ({total_bytes} bytes)"));
    }
    let total_lines = whole.then(|| LineCounter::count(&bytes));
    bytes.truncate(text::floor_boundary(&bytes, READ - 1));
    let text::Decoded { mut text, exact } = text::decode(bytes);
    let mut truncated = false;
    if text.len() > MAX_BYTES {
        let kept = truncate_text(&text, MAX_BYTES, MAX_LINES).text.len();
        text.truncate(kept);
        truncated = true;
    }
    Entry {
        path: path.to_owned(),
        encoding: (text.len() > exact).then_some("lossy"),
        content: Some(text),
        truncated,
        total_bytes: Some(total_bytes),
        total_lines,
        skipped: None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(content: &[u8]) -> Entry {
        let head = content[..content.len().min(READ)].to_vec();
        decoded("/w/a", head, content.len() as u64)
    }

    fn text(entry: &Entry) -> &str {
        entry.content.as_deref().unwrap()
    }

    #[test]
    fn small_files_are_whole_however_many_lines_they_have() {
        let content = "\n".repeat(MAX_BYTES);
        let entry = read(content.as_bytes());
        assert_eq!((text(&entry), entry.truncated), (content.as_str(), false));
        assert_eq!((entry.total_bytes, entry.total_lines), (Some(65_536), Some(65_536)));
        let empty = read(b"");
        assert_eq!((text(&empty), empty.total_bytes), ("", Some(0)));
    }

    #[test]
    fn large_files_are_cut_by_both_limits() {
        let lines = read("x\n".repeat(40_000).as_bytes());
        assert_eq!((text(&lines), lines.truncated), ("x\n".repeat(1000).as_str(), true));
        assert_eq!((lines.total_bytes, lines.total_lines), (Some(80_000), None));
        let long = "y".repeat(700);
        let whole_lines = read(format!("{long}\n").repeat(100).as_bytes());
        assert_eq!(text(&whole_lines), format!("{long}\n").repeat(MAX_BYTES / 701));
        let one_more = read(&[b'x'; MAX_BYTES + 1]);
        assert_eq!((text(&one_more).len(), one_more.total_lines), (MAX_BYTES, Some(1)));
    }

    #[test]
    fn a_cut_never_splits_a_character() {
        for shift in 0..4 {
            let content = format!("{}{}", "x".repeat(shift), "😀".repeat(20_000));
            let entry = read(content.as_bytes());
            assert!(content.starts_with(text(&entry)) && text(&entry).len() > MAX_BYTES - 4);
            assert_eq!(entry.encoding, None, "{shift}");
        }
    }

    #[test]
    fn bytes_that_are_not_utf8_stay_within_the_limit() {
        let entry = read(&[0xff; 60_000]);
        assert_eq!((entry.encoding, entry.truncated), (Some("lossy"), true));
        assert!(text(&entry).len() <= MAX_BYTES);
        assert_eq!(read(b"caf\xe9\n").content.unwrap(), "caf\u{fffd}\n");
    }

    #[test]
    fn binary_files_are_skipped() {
        assert_eq!(read(b"\0\x01"), Entry::skipped("/w/a", "binary file (2 bytes)"));
    }

    #[test]
    fn reasons_do_not_repeat_the_path() {
        let cases = [
            (Error::failed("/w/a: it is a directory"), "it is a directory"),
            (Error::denied("/w/a: permission denied"), "permission denied"),
            (Error::denied("denied, /w/a is out"), "permission denied: /w/a is out"),
            (Error::denied("no"), "permission denied: no"),
        ];
        for (error, expected) in cases {
            assert_eq!(reason("/w/a", &error), expected);
        }
    }
}
