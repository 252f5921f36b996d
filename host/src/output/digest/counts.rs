//! How many items a survey found of each sort.

use std::collections::HashMap;

use super::json::{Object, quoted_len};

/// Counts by label.
#[derive(Debug, Default)]
pub(super) struct Counts<'a> {
    by_label: HashMap<&'a str, usize>,
}

impl<'a> FromIterator<&'a str> for Counts<'a> {
    fn from_iter<I: IntoIterator<Item = &'a str>>(labels: I) -> Self {
        let mut by_label = HashMap::new();
        for label in labels {
            *by_label.entry(label).or_insert(0) += 1;
        }
        Self { by_label }
    }
}

impl Counts<'_> {
    /// How many labels there are.
    pub(super) fn len(&self) -> usize {
        self.by_label.len()
    }

    /// Bytes of all counts as a JSON object, at most.
    pub(super) fn encoded_len(&self) -> usize {
        self.by_label
            .iter()
            .map(|(label, count)| entry_len(label, *count))
            .sum()
    }

    /// Writes `{label: count}` as the member `key`, the greatest counts first. Labels for which `room` bytes do not
    /// suffice are summed up in the member `other_<key>`.
    pub(super) fn write(&self, object: &mut Object, key: &str, room: usize) {
        let mut counts: Vec<(&str, usize)> = self.by_label.iter().map(|(label, count)| (*label, *count)).collect();
        counts.sort_unstable_by_key(|(label, count)| (std::cmp::Reverse(*count), *label));
        let mut listed = Object::default();
        let (mut labels, mut items) = (0, 0);
        for (label, count) in counts {
            if listed.len() + entry_len(label, count) <= room {
                listed.count(label, count);
            } else {
                labels += 1;
                items += count;
            }
        }
        object.json(key, listed.finish());
        if labels > 0 {
            let mut rest = Object::default();
            rest.count(key, labels).count("count", items);
            object.json(&format!("other_{key}"), rest.finish());
        }
    }
}

fn entry_len(label: &str, count: usize) -> usize {
    quoted_len(label) + count.to_string().len() + 2
}

/// What follows the last dot of a file's name; `(none)` if nothing does or if it is too long to be an extension.
pub(super) fn extension(name: &str) -> &str {
    const MAX_BYTES: usize = 12;
    match name.rsplit_once('.') {
        Some((stem, extension)) if !stem.is_empty() && (1..=MAX_BYTES).contains(&extension.len()) => extension,
        _ => "(none)",
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_does_not_fit_is_summed_up() {
        let counts: Counts = ["b", "a", "long label", "b", "c", "c", "c"].into_iter().collect();
        let mut object = Object::default();
        counts.write(&mut object, "x", 16);
        assert_eq!(object.finish(), r#"{"x":{"c":3,"b":2},"other_x":{"x":2,"count":2}}"#);
        let mut object = Object::default();
        counts.write(&mut object, "x", 100);
        assert_eq!(object.finish(), r#"{"x":{"c":3,"b":2,"a":1,"long label":1}}"#);
    }

    #[test]
    fn extensions() {
        let found = ["a.rs", ".bashrc", "Makefile", "a.tar.gz", "a.", "a.b c d e f g h"].map(extension);
        assert_eq!(found, ["rs", "(none)", "(none)", "gz", "(none)", "(none)"]);
    }
}
