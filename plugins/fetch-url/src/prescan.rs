//! What HTML and XML declare of their encoding (HTML Standard, 13.2.3.2).

use encoding_rs::{Encoding, UTF_8, UTF_16BE, UTF_16LE, WINDOWS_1252, X_USER_DEFINED};

use crate::charset::label_encoding;

/// How many bytes are looked at.
const SCANNED: usize = 1024;

/// The encoding that a `meta` element among the first 1024 bytes declares.
pub(crate) fn html(content: &[u8]) -> Option<&'static Encoding> {
    let mut scan = Scan(&content[..content.len().min(SCANNED)]);
    while !scan.0.is_empty() {
        if scan.0.starts_with(b"<!--") {
            // The two dashes that end a comment may be those that begin it.
            scan.0 = &scan.0[2..];
            scan.skip_past(b"-->");
        } else if scan.at_meta() {
            scan.0 = &scan.0[5..];
            if let Some(encoding) = scan.meta() {
                return Some(encoding);
            }
        } else if scan.at_tag() {
            scan.skip_tag();
        } else if matches!(scan.0, [b'<', b'!' | b'/' | b'?', ..]) {
            scan.skip_past(b">");
        } else {
            scan.0 = &scan.0[1..];
        }
    }
    None
}

/// The encoding that an XML declaration at the start declares, or shows by its own.
pub(crate) fn xml(content: &[u8]) -> Option<&'static Encoding> {
    let head = &content[..content.len().min(SCANNED)];
    if head.starts_with(b"<\0?\0x\0") {
        return Some(UTF_16LE);
    }
    if head.starts_with(b"\0<\0?\0x") {
        return Some(UTF_16BE);
    }
    let declaration = head.strip_prefix(b"<?xml")?;
    let declaration = &declaration[..declaration.iter().position(|&byte| byte == b'>')?];
    let name = b"encoding";
    let at = declaration.windows(name.len()).position(|window| window == name)?;
    let value = declaration[at + name.len()..].trim_ascii_start().strip_prefix(b"=")?;
    match value.trim_ascii_start() {
        [quote @ (b'"' | b'\''), rest @ ..] => {
            let end = rest.iter().position(|byte| byte == quote)?;
            label_encoding(&rest[..end]).map(readable)
        }
        _ => None,
    }
}

/// The encoding that is meant where a declaration could be read byte by byte.
fn readable(declared: &'static Encoding) -> &'static Encoding {
    if declared == UTF_16BE || declared == UTF_16LE {
        UTF_8
    } else if declared == X_USER_DEFINED {
        WINDOWS_1252
    } else {
        declared
    }
}

/// The bytes still to be looked at.
struct Scan<'a>(&'a [u8]);

impl<'a> Scan<'a> {
    fn skip_past(&mut self, end: &[u8]) {
        let found = self.0.windows(end.len()).position(|window| window == end);
        self.0 = found.map_or(&[], |at| &self.0[at + end.len()..]);
    }

    fn at_meta(&self) -> bool {
        let [b'<', name @ ..] = self.0 else { return false };
        name.len() > 4 && name[..4].eq_ignore_ascii_case(b"meta") && (name[4] == b'/' || name[4].is_ascii_whitespace())
    }

    fn at_tag(&self) -> bool {
        matches!(self.0, [b'<', b'/', name, ..] | [b'<', name, ..] if name.is_ascii_alphabetic())
    }

    fn skip_tag(&mut self) {
        let ends = |byte: &u8| byte.is_ascii_whitespace() || *byte == b'>';
        let name = self.0.iter().position(ends).unwrap_or(self.0.len());
        self.0 = &self.0[name..];
        while self.attribute().is_some() {}
    }

    /// The encoding of the `meta` element whose attributes follow.
    fn meta(&mut self) -> Option<&'static Encoding> {
        let (mut pragma, mut needs_pragma, mut declared) = (false, None, None);
        let mut seen: Vec<Vec<u8>> = Vec::new();
        while let Some((name, value)) = self.attribute() {
            if seen.contains(&name) {
                continue;
            }
            match name.as_slice() {
                b"http-equiv" => pragma = value == b"content-type",
                b"content" if declared.is_none() => {
                    declared = content_charset(&value).map(label_encoding);
                    needs_pragma = declared.map(|_| true).or(needs_pragma);
                }
                b"charset" => {
                    declared = Some(label_encoding(&value));
                    needs_pragma = Some(false);
                }
                _ => {}
            }
            seen.push(name);
        }
        let valid = needs_pragma.is_some_and(|needs| pragma || !needs);
        declared.filter(|_| valid).flatten().map(readable)
    }

    /// The next attribute of a tag, name and value in lower case; `None` at its end.
    fn attribute(&mut self) -> Option<(Vec<u8>, Vec<u8>)> {
        self.skip_while(|byte| byte.is_ascii_whitespace() || byte == b'/');
        if matches!(self.0, [] | [b'>', ..]) {
            self.0 = self.0.get(1..).unwrap_or_default();
            return None;
        }
        // The name may begin with `=`.
        let rest = &self.0[1..];
        let ends = |byte: &u8| byte.is_ascii_whitespace() || matches!(byte, b'=' | b'/' | b'>');
        let length = 1 + rest.iter().position(ends).unwrap_or(rest.len());
        let name = self.take(length);
        self.skip_while(|byte| byte.is_ascii_whitespace());
        let [b'=', value @ ..] = self.0 else {
            return Some((name, Vec::new()));
        };
        self.0 = value.trim_ascii_start();
        let value = match self.0 {
            [quote @ (b'"' | b'\''), rest @ ..] => {
                let Some(end) = rest.iter().position(|byte| byte == quote) else {
                    self.0 = &[];
                    return None;
                };
                self.0 = rest;
                let value = self.take(end);
                self.0 = &self.0[1..];
                value
            }
            rest => {
                let ends = |byte: &u8| byte.is_ascii_whitespace() || *byte == b'>';
                let end = rest.iter().position(ends).unwrap_or(rest.len());
                self.take(end)
            }
        };
        Some((name, value))
    }

    fn skip_while(&mut self, skip: impl Fn(u8) -> bool) {
        let end = self.0.iter().position(|&byte| !skip(byte)).unwrap_or(self.0.len());
        self.0 = &self.0[end..];
    }

    fn take(&mut self, length: usize) -> Vec<u8> {
        let (taken, rest) = self.0.split_at(length);
        self.0 = rest;
        taken.to_ascii_lowercase()
    }
}

/// The charset in the `content` of a `meta` element, for example of `text/html; charset=utf-8`.
fn content_charset(content: &[u8]) -> Option<&[u8]> {
    let name = b"charset";
    let mut rest = content;
    loop {
        let at = rest.windows(name.len()).position(|window| window == name)?;
        rest = rest[at + name.len()..].trim_ascii_start();
        if let Some(value) = rest.strip_prefix(b"=") {
            let value = value.trim_ascii_start();
            return match value {
                [quote @ (b'"' | b'\''), quoted @ ..] => {
                    let end = quoted.iter().position(|byte| byte == quote)?;
                    Some(&quoted[..end])
                }
                _ => {
                    let ends = |byte: &u8| byte.is_ascii_whitespace() || *byte == b';';
                    Some(&value[..value.iter().position(ends).unwrap_or(value.len())])
                }
            };
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn meta_elements() {
        let cases: [(&str, Option<&str>); 24] = [
            ("", None),
            ("<meta charset=utf-8>", Some("UTF-8")),
            ("<META CHARSET='Windows-1252'/>", Some("windows-1252")),
            ("<html><head lang=en><meta charset=\"gbk\">", Some("GBK")),
            ("<meta name=x charset = shift_jis >", Some("Shift_JIS")),
            ("<meta/charset=koi8-r>", Some("KOI8-R")),
            ("<meta charset=utf-16>", Some("UTF-8")),
            ("<meta charset=x-user-defined>", Some("windows-1252")),
            ("<meta charset=nonsense><meta charset=big5>", Some("Big5")),
            (
                "<meta http-equiv=Content-Type content='text/html; charset=EUC-JP'>",
                Some("EUC-JP"),
            ),
            (
                "<meta content='text/html; charset=EUC-JP' http-equiv=content-type>",
                Some("EUC-JP"),
            ),
            ("<meta content='text/html; charset=EUC-JP'>", None),
            ("<meta http-equiv=refresh content='text/html; charset=EUC-JP'>", None),
            (
                "<meta http-equiv=content-type content='charset charset=\"euc-kr\"'>",
                Some("EUC-KR"),
            ),
            ("<meta charset=euc-kr charset=big5>", Some("EUC-KR")),
            ("<metadata charset=big5>", None),
            ("<!-- <meta charset=big5> -->", None),
            ("<!--><meta charset=big5>", Some("Big5")),
            ("<p title='<meta charset=big5>'>", None),
            ("</p title='<meta charset=big5>'>", None),
            ("<?php <meta charset=big5> ?>", None),
            ("<!doctype html><meta charset=big5>", Some("Big5")),
            ("<meta charset='big5", None),
            ("<meta", None),
        ];
        for (content, expected) in cases {
            assert_eq!(html(content.as_bytes()).map(Encoding::name), expected, "{content}");
        }
    }

    #[test]
    fn only_the_first_1024_bytes_count() {
        let meta = "<meta charset=big5>";
        let before = |bytes: usize| format!("{}{meta}", " ".repeat(bytes));
        assert!(html(before(SCANNED - meta.len()).as_bytes()).is_some());
        assert!(html(before(SCANNED).as_bytes()).is_none());
    }

    #[test]
    fn xml_declarations() {
        let cases: [(&[u8], Option<&str>); 9] = [
            (b"<?xml version='1.0' encoding='EUC-JP'?>", Some("EUC-JP")),
            (b"<?xml encoding = \"latin1\"?>", Some("windows-1252")),
            (b"<?xml encoding='utf-16'?>", Some("UTF-8")),
            (b"<?xml version='1.0'?> encoding='big5'", None),
            (b" <?xml encoding='big5'?>", None),
            (b"<?xml encoding=big5?>", None),
            (b"<?xml encoding='big5", None),
            (b"<\0?\0x\0m\0l\0", Some("UTF-16LE")),
            (b"\0<\0?\0x\0m\0l", Some("UTF-16BE")),
        ];
        for (content, expected) in cases {
            assert_eq!(xml(content).map(Encoding::name), expected, "{content:?}");
        }
    }

    #[test]
    fn every_prefix_of_hostile_content_is_scanned_to_an_end() {
        let content = b"<!--<meta charset=\"<a =<meta/=/></ b='c'<?<!x <meta content=charset=' charset>".repeat(9);
        for end in 0..content.len() {
            html(&content[..end]);
            xml(&content[..end]);
        }
    }
}
