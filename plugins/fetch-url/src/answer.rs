//! From a response to the result of a call.

use crate::charset;
use crate::html::{self, Style};
use crate::media::{Kind, MediaType};
use crate::{Args, Format, Output};

/// The most bytes of HTML that are read for a conversion: 5 MiB.
const HTML_LIMIT: usize = 5 * 1024 * 1024;

/// How many bytes of HTML are read for each byte that may be returned once it is converted.
const HTML_RATIO: usize = 8;

/// What a call asks for.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Request {
    /// The most bytes of the body that is returned.
    cap: usize,
    /// What HTML is converted to.
    style: Option<Style>,
}

/// What is known of a response before its body.
#[derive(Debug)]
pub(crate) struct Head {
    pub(crate) url: String,
    pub(crate) final_url: String,
    pub(crate) status: u16,
    pub(crate) content_type: String,
    pub(crate) total_bytes: Option<u64>,
}

impl Request {
    /// Of arguments; `limit` is the most bytes that the configuration allows.
    pub(crate) fn new(args: &Args, limit: usize) -> Self {
        let wanted = args.max_bytes.filter(|bytes| *bytes > 0);
        let cap = wanted.map_or(limit, |bytes| usize::try_from(bytes).unwrap_or(usize::MAX).min(limit));
        let style = match args.format {
            None | Some(Format::Raw) => None,
            Some(Format::Text) => Some(Style::Text),
            Some(Format::Markdown) => Some(Style::Markdown),
        };
        Self { cap, style }
    }

    /// What content of this type is converted to.
    fn conversion(self, media: &MediaType) -> Option<Style> {
        self.style.filter(|_| media.is_html())
    }

    /// How many bytes of a body of this type are wanted.
    pub(crate) fn to_read(self, content_type: &str) -> usize {
        match self.conversion(&MediaType::parse(content_type)) {
            Some(_) => self.cap.saturating_mul(HTML_RATIO).min(HTML_LIMIT),
            None => self.cap,
        }
    }

    /// The result, given the bytes that were read and whether they are all.
    pub(crate) fn answer(self, head: Head, body: &[u8], whole: bool) -> Output {
        let media = MediaType::parse(&head.content_type);
        let mut output = Output {
            url: head.url,
            final_url: head.final_url,
            status: head.status,
            content_type: head.content_type,
            bytes: body.len(),
            truncated: true,
            total_bytes: head.total_bytes,
            body: String::new(),
            body_omitted: None,
            title: None,
            format: None,
        };
        if media.kind(body) == Kind::Binary {
            output.body_omitted = Some("binary");
            return output;
        }
        let text = charset::decode(body, whole, &media);
        let mut text = match self.conversion(&media) {
            None => text,
            Some(style) => {
                let page = html::convert(&text, style, &output.final_url, media.is_xml(), self.cap);
                output.title = page.title;
                output.format = Some(match style {
                    Style::Text => Format::Text,
                    Style::Markdown => Format::Markdown,
                });
                page.text
            }
        };
        let kept = text.floor_char_boundary(self.cap);
        output.truncated = !whole || kept < text.len();
        text.truncate(kept);
        output.bytes = kept;
        output.body = text;
        output
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn request(max_bytes: Option<i64>, format: Option<Format>) -> Request {
        let args = Args {
            url: String::new(),
            max_bytes,
            format,
        };
        Request::new(&args, 1000)
    }

    fn answer(max_bytes: i64, format: Option<Format>, content_type: &str, body: &[u8]) -> Output {
        let request = request(Some(max_bytes), format);
        let head = Head {
            url: "https://h.example/a".to_owned(),
            final_url: "https://h.example/b/c".to_owned(),
            status: 404,
            content_type: content_type.to_owned(),
            total_bytes: Some(body.len() as u64),
        };
        let read = body.len().min(request.to_read(content_type));
        request.answer(head, &body[..read], read == body.len())
    }

    #[test]
    fn the_lower_limit_applies() {
        for (max_bytes, cap) in [
            (None, 1000),
            (Some(1), 1),
            (Some(1000), 1000),
            (Some(1001), 1000),
            (Some(i64::MAX), 1000),
            (Some(0), 1000),
            (Some(-1), 1000),
            (Some(i64::MIN), 1000),
        ] {
            assert_eq!(request(max_bytes, None).cap, cap);
        }
    }

    #[test]
    fn only_html_that_is_converted_is_read_beyond_the_cap() {
        let html = "text/html; charset=utf-8";
        let cases = [
            (10, None, html, 10),
            (10, Some(Format::Raw), html, 10),
            (10, Some(Format::Text), html, 80),
            (10, Some(Format::Markdown), "application/xhtml+xml", 80),
            (10, Some(Format::Markdown), "text/plain", 10),
            (10, Some(Format::Markdown), "", 10),
        ];
        for (max_bytes, format, content_type, expected) in cases {
            let request = request(Some(max_bytes), format);
            assert_eq!(request.to_read(content_type), expected, "{format:?} {content_type}");
        }
        let large = Request {
            cap: usize::MAX,
            style: Some(Style::Text),
        };
        assert_eq!(large.to_read(html), HTML_LIMIT);
    }

    #[test]
    fn text_is_cut_between_characters_and_counted_in_bytes() {
        let body = "aé€😀z";
        let cases = [
            (1, "a"),
            (2, "a"),
            (3, "aé"),
            (5, "aé"),
            (6, "aé€"),
            (9, "aé€"),
            (10, "aé€😀"),
            (11, body),
        ];
        for (cap, expected) in cases {
            let output = answer(cap, None, "text/plain", body.as_bytes());
            assert_eq!(output.body, expected, "{cap}");
            assert_eq!(output.bytes, expected.len());
            assert_eq!(output.truncated, expected != body);
            assert_eq!(output.total_bytes, Some(11));
        }
    }

    #[test]
    fn a_text_that_grows_in_utf8_is_cut_too() {
        let output = answer(4, None, "text/plain; charset=latin1", b"\xe9\xe9\xe9");
        assert_eq!((output.body.as_str(), output.bytes, output.truncated), ("éé", 4, true));
    }

    #[test]
    fn a_text_of_exactly_the_cap_is_whole() {
        let output = answer(3, None, "text/plain", b"abc");
        assert_eq!(
            (output.body.as_str(), output.truncated, output.body_omitted),
            ("abc", false, None)
        );
        assert_eq!(output.status, 404);
    }

    #[test]
    fn binary_content_is_omitted_and_counted() {
        for (content_type, body) in [
            ("image/png", &b"\x89PNG"[..]),
            ("", b"a\0bc"),
            ("application/pdf", b"%PDF"),
        ] {
            let output = answer(3, Some(Format::Markdown), content_type, body);
            assert_eq!((output.body.as_str(), output.bytes, output.truncated), ("", 3, true));
            assert_eq!(output.body_omitted, Some("binary"), "{content_type}");
        }
        assert!(answer(10, None, "image/png", b"").truncated);
    }

    #[test]
    fn control_characters_of_text_are_content() {
        let body = "\u{1b}]0;x\u{7}\0\r\n\u{202e}";
        assert_eq!(
            answer(100, Some(Format::Text), "text/plain", body.as_bytes()).body,
            body
        );
        assert_eq!(answer(100, None, "text/html", body.as_bytes()).body, body);
    }

    #[test]
    fn html_is_converted_only_on_request() {
        let html = b"<title> A\nB </title><h1>T</h1><p><a href=d>x</a>";
        let raw = answer(100, None, "text/html", html);
        assert_eq!((raw.body.as_bytes(), raw.title, raw.format), (&html[..], None, None));
        let markdown = answer(100, Some(Format::Markdown), "Text/HTML", html);
        assert_eq!(markdown.body, "# T\n\n[x](https://h.example/b/d)");
        assert_eq!(markdown.title.as_deref(), Some("A B"));
        assert_eq!(markdown.format, Some(Format::Markdown));
        assert!(!markdown.truncated);
        let text = answer(100, Some(Format::Text), "text/html", html);
        assert_eq!((text.body.as_str(), text.format), ("T\n\nx", Some(Format::Text)));
        let json = answer(100, Some(Format::Text), "application/json", b"{}");
        assert_eq!((json.body.as_str(), json.format), ("{}", None));
    }

    #[test]
    fn a_conversion_is_cut_by_its_output_and_by_what_was_read() {
        let long = format!("<p>{}", "word ".repeat(50));
        let output = answer(20, Some(Format::Text), "text/html", long.as_bytes());
        assert_eq!((output.body.as_str(), output.truncated), ("word word word word ", true));
        let spaced = format!("<p>a{}b", " ".repeat(500));
        let output = answer(20, Some(Format::Text), "text/html", spaced.as_bytes());
        assert_eq!((output.body.as_str(), output.bytes, output.truncated), ("a", 1, true));
    }

    #[test]
    fn the_result_says_only_what_is_known() {
        let mut output = answer(10, None, "text/plain", b"x");
        output.total_bytes = None;
        let json = toolgate_plugin::json::encoded_len(&output);
        let expected = r#"{"url":"https://h.example/a","final_url":"https://h.example/b/c","status":404,"content_type":"text/plain","bytes":1,"truncated":false,"body":"x"}"#;
        assert_eq!(json, expected.len());
    }
}
