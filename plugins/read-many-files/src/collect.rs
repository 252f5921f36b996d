//! Collecting entries within the output limit.

use std::collections::HashSet;

use toolgate_plugin::json;

use crate::output::{Entry, Output};

/// The most entries that only say that a file was left out.
const MAX_OMITTED: u64 = 1000;

/// Entries so far. `{"files":[…]}` never encodes to more than the limit, apart from entries of
/// files that were left out, which come on top as flags and counters do.
#[derive(Debug)]
pub(crate) struct Collector {
    files: Vec<Entry>,
    /// Every path that has or should have an entry.
    seen: HashSet<String>,
    bytes_left: usize,
    /// An entry did not fit. From then on nothing is read.
    full: bool,
    omitted: u64,
}

impl Collector {
    pub(crate) fn new(max_bytes: usize) -> Self {
        Self {
            files: Vec::new(),
            seen: HashSet::new(),
            bytes_left: max_bytes.saturating_sub(r#"{"files":[]}"#.len()),
            full: false,
            omitted: 0,
        }
    }

    /// Takes a file. Its entry is made only if the path is new and there is room left.
    pub(crate) fn add(&mut self, path: &str, entry: impl FnOnce() -> Entry) {
        if !self.seen.insert(path.to_owned()) {
            return;
        }
        if !self.full {
            let mut entry = entry();
            let comma = usize::from(!self.files.is_empty());
            let size = encoded_size(&mut entry).saturating_add(comma);
            if size <= self.bytes_left {
                self.bytes_left -= size;
                self.files.push(entry);
                return;
            }
            self.full = true;
        }
        if self.omitted < MAX_OMITTED {
            self.files.push(Entry::skipped(path, "omitted: response limit"));
        }
        self.omitted += 1;
    }

    pub(crate) fn into_output(self) -> Output {
        Output {
            files: self.files,
            truncated: self.full,
            omitted: self.omitted,
            ..Output::default()
        }
    }
}

/// Bytes of JSON that an entry takes. Its content, which is nearly all of it, is not encoded for that.
fn encoded_size(entry: &mut Entry) -> usize {
    let content = entry.content.take();
    let rest = json::encoded_len(entry);
    let of_content = content.as_deref().map_or(0, |content| {
        r#","content":"#.len().saturating_add(json::string_len(content))
    });
    entry.content = content;
    rest.saturating_add(of_content)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn entry(path: &str) -> Entry {
        Entry {
            path: path.to_owned(),
            content: Some("\"x\"\n".repeat(50)),
            ..Entry::default()
        }
    }

    fn fill(limit: usize, count: usize) -> (Output, usize) {
        let mut collector = Collector::new(limit);
        let mut made = 0;
        for number in 0..count {
            let path = format!("/w/{number}");
            collector.add(&path, || {
                made += 1;
                entry(&path)
            });
        }
        (collector.into_output(), made)
    }

    fn with_content(output: &Output) -> usize {
        output.files.iter().filter(|file| file.content.is_some()).count()
    }

    #[test]
    fn the_byte_limit_is_exact() {
        let (whole, _) = fill(usize::MAX, 5);
        let size = serde_json::to_vec(&whole).unwrap().len();
        let (fits, _) = fill(size, 5);
        assert_eq!((with_content(&fits), fits.truncated, fits.omitted), (5, false, 0));
        let (short, _) = fill(size - 1, 5);
        assert_eq!((with_content(&short), short.truncated, short.omitted), (4, true, 1));
        assert_eq!(short.files[4], Entry::skipped("/w/4", "omitted: response limit"));
    }

    #[test]
    fn nothing_is_read_once_the_limit_is_reached() {
        let (output, made) = fill(500, 3000);
        assert_eq!(with_content(&output), 1);
        assert_eq!(made, 2);
        assert_eq!(output.omitted, 2999);
        assert_eq!(output.files.len(), 1001);
    }

    #[test]
    fn the_first_of_the_same_path_wins() {
        let mut collector = Collector::new(usize::MAX);
        for path in ["/w/a", "/w/b", "/w/a"] {
            collector.add(path, || entry(path));
        }
        let paths: Vec<_> = collector
            .into_output()
            .files
            .into_iter()
            .map(|file| file.path)
            .collect();
        assert_eq!(paths, ["/w/a", "/w/b"]);
    }
}
