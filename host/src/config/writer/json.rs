//! Edits JSON text: what is not touched keeps every byte.

use std::ops::Range;

use serde_json::{Value, json};

use super::{Edited, Written, union};
use crate::config::schema::AllowPath;
use crate::scope::Access;

/// Adds a text to `section.list`.
pub(super) fn append(text: &str, section: &str, list: &str, entry: &str) -> Edited {
    let text = Text(text);
    let found = text.list(section, list)?;
    if found.iter().flatten().any(|element| text.value(element) == entry) {
        return Ok(None);
    }
    text.push(section, list, &json!(entry))
        .map(|new| Some((new, Written::Added)))
}

/// Adds an entry to `path_scope.allow_paths`, or widens one.
pub(super) fn allow_path(text: &str, pattern: &str, access: Access) -> Edited {
    let text = Text(text);
    let found = text.list("path_scope", "allow_paths")?;
    for element in found.iter().flatten() {
        let known: AllowPath = serde_json::from_value(text.value(element)).map_err(|error| error.to_string())?;
        if known.path != pattern {
            continue;
        }
        let Some(all) = union(known.parsed_access()?, access) else {
            return Ok(None);
        };
        let mut new = text.0.to_owned();
        // From the back, so that the earlier span stays right.
        let mut spans: Vec<Range<usize>> = text
            .members(element.start)
            .into_iter()
            .filter(|(key, _)| matches!(key.as_str(), "access" | "mode"))
            .map(|(_, span)| span)
            .collect();
        spans.sort_by_key(|span| std::cmp::Reverse(span.start));
        for span in spans {
            new.replace_range(span, &json!(all.to_string()).to_string());
        }
        return Ok(Some((new, Written::Widened)));
    }
    let entry = json!({"path": pattern, "access": access.to_string()});
    text.push("path_scope", "allow_paths", &entry)
        .map(|new| Some((new, Written::Added)))
}

/// Text that is known to be one JSON object.
struct Text<'a>(&'a str);

impl Text<'_> {
    /// The elements of `section.list`; `None` if it is not there.
    fn list(&self, section: &str, list: &str) -> Result<Option<Vec<Range<usize>>>, String> {
        let top = self.skip(0);
        let Some(section) = self.member(top, section) else {
            return Ok(None);
        };
        let Some(list) = self.member(section.start, list) else {
            return Ok(None);
        };
        if self.byte(list.start) == Some(b'[') {
            Ok(Some(self.elements(list.start)))
        } else {
            Err("the list is none".to_owned())
        }
    }

    /// The text with one more element in `section.list`.
    fn push(&self, section: &str, list: &str, entry: &Value) -> Result<String, String> {
        let top = self.skip(0);
        let Some(held) = self.member(top, section) else {
            return Ok(self.insert(top, &self.keyed(section, &json!({list: [entry]}))));
        };
        if self.byte(held.start) != Some(b'{') {
            return Err(format!("{section} is no object"));
        }
        match self.member(held.start, list) {
            None => Ok(self.insert(held.start, &self.keyed(list, &json!([entry])))),
            Some(list) => Ok(self.insert(list.start, &entry.to_string())),
        }
    }

    fn keyed(&self, key: &str, value: &Value) -> String {
        format!("{}: {value}", json!(key))
    }

    /// The text with one more part at the end of the object or list that opens at `start`.
    fn insert(&self, start: usize, part: &str) -> String {
        let spans: Vec<Range<usize>> = if self.byte(start) == Some(b'{') {
            self.members(start).into_iter().map(|(_, span)| span).collect()
        } else {
            self.elements(start)
        };
        let line = if self.0.contains("\r\n") { "\r\n" } else { "\n" };
        let first = self.skip(start + 1);
        let gap = &self.0[start + 1..first];
        let mut new = self.0.to_owned();
        if let Some(last) = spans.last() {
            // As the first part is set off from the bracket, so is the new one from the last.
            let gap = match gap.rfind('\n') {
                Some(at) => format!("{line}{}", &gap[at + 1..]),
                None => " ".to_owned(),
            };
            new.insert_str(last.end, &format!(",{gap}{part}"));
        } else {
            let end = self.end(start) - 1;
            let before = &self.0[..start];
            let opening = before.rfind('\n').map_or(before, |at| &before[at + 1..]);
            let indent: String = opening.chars().take_while(|char| matches!(char, ' ' | '\t')).collect();
            let inside = if self.byte(start) == Some(b'{') {
                format!("{line}{indent}  {part}{line}{indent}")
            } else {
                part.to_owned()
            };
            new.replace_range(start + 1..end, &inside);
        }
        new
    }

    fn byte(&self, at: usize) -> Option<u8> {
        self.0.as_bytes().get(at).copied()
    }

    /// The next place that is no blank.
    fn skip(&self, mut at: usize) -> usize {
        while self.byte(at).is_some_and(|byte| byte.is_ascii_whitespace()) {
            at += 1;
        }
        at
    }

    fn value(&self, span: &Range<usize>) -> Value {
        serde_json::from_str(&self.0[span.clone()]).unwrap_or_default()
    }

    fn member(&self, start: usize, key: &str) -> Option<Range<usize>> {
        let found = self.members(start).into_iter().find(|(name, _)| name == key);
        found.map(|(_, span)| span)
    }

    /// Keys and values of the object that opens at `start`; none for anything else.
    fn members(&self, start: usize) -> Vec<(String, Range<usize>)> {
        let mut all = Vec::new();
        if self.byte(start) != Some(b'{') {
            return all;
        }
        let mut at = self.skip(start + 1);
        while self.byte(at) == Some(b'"') {
            let end = self.end(at);
            let key = serde_json::from_str(&self.0[at..end]).unwrap_or_default();
            // Behind the colon.
            let value = self.skip(self.skip(end) + 1);
            let end = self.end(value);
            all.push((key, value..end));
            at = self.skip(self.skip(end) + 1);
        }
        all
    }

    /// The elements of the list that opens at `start`.
    fn elements(&self, start: usize) -> Vec<Range<usize>> {
        let mut all = Vec::new();
        let mut at = self.skip(start + 1);
        while self.byte(at).is_some_and(|byte| byte != b']') {
            let end = self.end(at);
            all.push(at..end);
            let next = self.skip(end);
            if self.byte(next) != Some(b',') {
                break;
            }
            at = self.skip(next + 1);
        }
        all
    }

    /// The end of the value that begins at `start`.
    fn end(&self, start: usize) -> usize {
        let (mut depth, mut in_text, mut at) = (0_usize, false, start);
        while let Some(byte) = self.byte(at) {
            match byte {
                b'\\' if in_text => at += 1,
                b'"' => {
                    in_text = !in_text;
                    if !in_text && depth == 0 {
                        return at + 1;
                    }
                }
                _ if in_text => {}
                b'{' | b'[' => depth += 1,
                b'}' | b']' | b',' if depth == 0 => return at,
                b'}' | b']' => {
                    depth -= 1;
                    if depth == 0 {
                        return at + 1;
                    }
                }
                byte if depth == 0 && byte.is_ascii_whitespace() => return at,
                _ => {}
            }
            at += 1;
        }
        at.min(self.0.len())
    }
}
