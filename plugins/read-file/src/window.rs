//! Which lines were asked for, and reading just them.

use toolgate_plugin::fs::{CHUNK, File};
use toolgate_plugin::text::{self, LineWindow, truncate_text};
use toolgate_plugin::{Caps, Error, catalog};

use crate::{Args, Output};

/// The largest file, in bytes, that is read to its end (FX-14): 64 MiB.
const WHOLE_LIMIT: u64 = 64 * 1024 * 1024;

/// The lines asked for.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Window {
    offset: u64,
    limit: Option<u64>,
    /// Whether the caller narrowed the read at all.
    given: bool,
}

impl Window {
    pub(crate) fn from_args(args: &Args) -> Result<Self, Error> {
        let number = |name: &str, value: Option<i64>, least: u64| match value {
            None => Ok(None),
            Some(value) => match u64::try_from(value) {
                Ok(value) if value >= least => Ok(Some(value)),
                _ => Err(Error::invalid_arguments(format!(
                    "`{name}` is {value}, but must be {least} or more"
                ))),
            },
        };
        let offset = number("offset", args.offset, 0)?;
        let start_line = number("start_line", args.start_line, 1)?;
        let limit = number("limit", args.limit, 0)?.filter(|&limit| limit > 0);
        if let (Some(offset), Some(start_line)) = (offset, start_line) {
            return Err(Error::invalid_arguments(format!(
                "both `offset` ({offset}) and `start_line` ({start_line}) are given; give one of them"
            )));
        }
        Ok(Self {
            offset: offset.or(start_line.map(|line| line - 1)).unwrap_or(0),
            limit,
            given: offset.is_some() || start_line.is_some() || limit.is_some(),
        })
    }
}

/// Reads the window and, unless the file is too large for that, counts the lines of the rest.
pub(crate) fn read(file: &File, window: Window, caps: Caps) -> Result<Output, Error> {
    let count_all = file.size() <= WHOLE_LIMIT;
    if !count_all && !window.given {
        return Err(Error::limit(format!(
            "{}: {} bytes, more than the limit of {WHOLE_LIMIT} bytes (64 MiB) for a whole file; \
             read a part of it with `offset` or `start_line`, and `limit`",
            file.path(),
            file.size(),
        )));
    }
    let mut lines = LineWindow::new(window.offset, window.limit, caps.bytes(), caps.lines());
    let size = usize::try_from(file.size()).unwrap_or(usize::MAX);
    if window.limit.is_none() && count_all {
        lines.reserve(size.min(caps.bytes().saturating_add(CHUNK)));
    }
    let mut at_start = true;
    let mut binary = false;
    let mut stopped = false;
    file.chunks_while(|chunk| {
        binary = std::mem::take(&mut at_start) && text::is_binary(chunk);
        lines.feed(chunk);
        stopped = !count_all && lines.is_complete();
        !binary && !stopped
    })?;
    if binary {
        let instead = if catalog::has("stat") {
            "; stat describes it"
        } else {
            ""
        };
        return Err(Error::failed(format!(
            "{}: it is a binary file of {} bytes, not text{instead}",
            file.path(),
            file.size()
        )));
    }
    answer(file, window, caps, lines, stopped)
}

fn answer(file: &File, window: Window, caps: Caps, lines: LineWindow, stopped: bool) -> Result<Output, Error> {
    let seen_lines = lines.total_lines();
    let seen_bytes = lines.total_bytes();
    if !stopped && window.offset > seen_lines {
        return Err(Error::invalid_arguments(format!(
            "{}: the file has {seen_lines} lines, so nothing is left after skipping {}; \
             start at line {seen_lines} or before",
            file.path(),
            window.offset
        )));
    }
    let text::Decoded {
        text: mut content,
        exact,
    } = text::decode(lines.into_bytes());
    let cut = truncate_text(&content, caps.max_bytes, caps.max_lines);
    let (kept, truncated) = (cut.text.len(), cut.truncated);
    content.truncate(kept);
    // A first character wider than the limit leaves nothing, but its line counts as returned;
    // otherwise a caller that follows `next_offset` would never get past it.
    let kept_lines = text::LineCounter::count(content.as_bytes()) + u64::from(truncated && kept == 0);
    let next = window.offset + kept_lines;
    let cut_line = (truncated && !content.ends_with('\n')).then_some(next);
    // Beyond 64 MiB reading stops within the file, so the last line seen may be incomplete; but
    // then the window is full and something follows it.
    let more = if stopped {
        seen_bytes < file.size() || next < seen_lines
    } else {
        next < seen_lines
    };
    Ok(Output {
        encoding: (kept > exact).then_some("lossy"),
        content,
        truncated,
        total_lines: (!stopped).then_some(seen_lines),
        total_bytes: if stopped { file.size() } else { seen_bytes },
        next_offset: more.then_some(next),
        cut_line,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn window(offset: Option<i64>, limit: Option<i64>, start_line: Option<i64>) -> Result<Window, Error> {
        Window::from_args(&Args {
            path: String::new(),
            offset,
            limit,
            start_line,
        })
    }

    #[test]
    fn lines_are_counted_from_one_and_skipped_from_zero() {
        assert_eq!(window(Some(2), None, None).unwrap().offset, 2);
        assert_eq!(window(None, None, Some(3)).unwrap().offset, 2);
    }

    #[test]
    fn no_limit_and_limit_zero_read_to_the_end() {
        assert_eq!(window(None, None, None).unwrap().limit, None);
        assert_eq!(window(None, Some(0), None).unwrap().limit, None);
        assert!(!window(None, Some(0), None).unwrap().given);
    }

    #[test]
    fn errors_name_the_argument() {
        let cases = [
            (window(Some(-1), Some(2), None), "`offset` is -1"),
            (window(None, Some(-5), None), "`limit` is -5"),
            (window(None, None, Some(0)), "`start_line` is 0"),
            (window(Some(1), None, Some(2)), "`start_line` (2)"),
        ];
        for (result, part) in cases {
            assert!(result.unwrap_err().message.contains(part), "{part}");
        }
    }
}
