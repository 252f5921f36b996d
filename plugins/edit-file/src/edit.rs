//! One edit: read, match, write back.

use toolgate_plugin::fs::{CHUNK, GrantedPath};
use toolgate_plugin::{Error, ErrorKind, text};

use crate::{Args, hint, splice};

/// The largest file, in bytes, that is edited, and that an edit may make (FX-14): 64 MiB. Both
/// alike, so that an edited file can be edited again.
const FILE_LIMIT: u64 = 64 * 1024 * 1024;

/// Edits the file and returns how many occurrences were replaced. On failure the file is as it was.
pub(crate) fn run(path: &GrantedPath<'_>, args: &Args) -> Result<u64, Error> {
    let (old, new) = (args.old_string.as_bytes(), args.new_string.as_bytes());
    let file = path.open_file().map_err(|error| match error.kind {
        ErrorKind::NotFound => Error::not_found(format!("{}; an edit never creates a file", error.message)),
        _ => error,
    })?;
    let content = file.read_all(FILE_LIMIT)?;
    if text::is_binary(&content) {
        return Err(Error::failed(format!(
            "{}: it is a binary file of {} bytes, not text",
            path.display(),
            content.len()
        )));
    }
    let count = matched(&content, args).map_err(|error| Error {
        message: format!("{}: {}", path.display(), error.message),
        ..error
    })?;
    let size = edited_size(content.len() as u64, count, old.len() as u64, new.len() as u64);
    if size > FILE_LIMIT {
        return Err(Error::limit(format!(
            "{}: the edited file would have {size} bytes, more than the limit of {FILE_LIMIT} bytes (64 MiB); \
             nothing was changed",
            path.display()
        )));
    }
    let replacement = file.replace()?;
    splice::in_batches(splice::pieces(&content, old, new), CHUNK, |bytes| {
        replacement.write(bytes)
    })?;
    replacement.commit()?;
    Ok(count)
}

/// How many occurrences are to be replaced; an error if that is not clear. Messages lack the path.
fn matched(content: &[u8], args: &Args) -> Result<u64, Error> {
    // What a reader is shown as U+FFFD may be any invalid byte, so such a snippet does not say
    // which bytes are meant (FX-15).
    if args.old_string.contains('\u{fffd}') && std::str::from_utf8(content).is_err() {
        return Err(Error::invalid_arguments(
            "the file has bytes that are not valid UTF-8, and `old_string` contains U+FFFD, which stands for such \
             bytes when the file is read; give a snippet without it",
        ));
    }
    let old = args.old_string.as_bytes();
    match splice::count(content, old) {
        0 => {
            let hint = hint::near_miss(content, old).map_or(String::new(), |hint| format!("; {hint}"));
            Err(Error::invalid_arguments(format!(
                "`old_string` was not found in the file{hint}"
            )))
        }
        count if count > 1 && !args.replace_all => Err(Error::invalid_arguments(format!(
            "`old_string` occurs {count} times; make the snippet unique with more of the text around it, or set \
             `replace_all` to replace every occurrence"
        ))),
        count => Ok(count),
    }
}

/// The size in bytes that the file will have. Occurrences do not overlap, so all of them together
/// are no longer than the file.
fn edited_size(size: u64, count: u64, old: u64, new: u64) -> u64 {
    (size - count * old).saturating_add(count.saturating_mul(new))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn outcome(content: &[u8], old: &str, replace_all: bool) -> Result<u64, String> {
        let args = Args {
            path: String::new(),
            old_string: old.to_owned(),
            new_string: String::new(),
            replace_all,
        };
        matched(content, &args).map_err(|error| error.message)
    }

    #[test]
    fn one_occurrence_is_edited_with_or_without_the_flag() {
        assert_eq!(outcome(b"alpha BETA gamma\n", "BETA", false), Ok(1));
        assert_eq!(outcome(b"alpha BETA gamma\n", "BETA", true), Ok(1));
    }

    #[test]
    fn several_occurrences_need_the_flag() {
        let error = outcome(b"foo foo foo", "foo", false).unwrap_err();
        for part in ["3 times", "make the snippet unique", "`replace_all`"] {
            assert!(error.contains(part), "{error}");
        }
        assert_eq!(outcome(b"foo foo foo", "foo", true), Ok(3));
    }

    #[test]
    fn no_occurrence_is_an_error_with_and_without_the_flag() {
        for replace_all in [false, true] {
            let error = outcome(b"Foo\n", "foo", replace_all).unwrap_err();
            assert_eq!(error, "`old_string` was not found in the file");
        }
        let error = outcome(b"a\r\nb\r\n", "a\nb", false).unwrap_err();
        assert!(error.contains("not found") && error.contains("CRLF"), "{error}");
    }

    #[test]
    fn a_replacement_character_is_ambiguous_only_where_bytes_are_invalid() {
        assert_eq!(outcome("a \u{fffd} b".as_bytes(), "\u{fffd}", false), Ok(1));
        assert_eq!(outcome(b"\xff foo", "foo", false), Ok(1));
        let error = outcome(b"\xff foo", "\u{fffd} foo", false).unwrap_err();
        assert!(error.contains("U+FFFD"), "{error}");
    }

    #[test]
    fn sizes_grow_shrink_and_do_not_overflow() {
        assert_eq!(edited_size(10, 2, 3, 5), 14);
        assert_eq!(edited_size(10, 3, 3, 0), 1);
        assert_eq!(edited_size(10, 10, 1, u64::MAX / 2), u64::MAX);
    }
}
