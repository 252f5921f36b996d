//! Bytes to text in the encoding that they are declared in.

use encoding_rs::{CoderResult, Encoding, UTF_8};

use crate::media::MediaType;
use crate::prescan;

/// Room in bytes with which a decoder always gets on.
const LEAST_ROOM: usize = 64;

/// Decodes content of a type. In this order decide a byte order mark, the header, and for HTML and XML what the
/// content itself declares; otherwise it is UTF-8. What is invalid in the encoding becomes U+FFFD, except a character
/// that only the end of the bytes cuts in two: if they are not the `whole` content, that is left out.
pub(crate) fn decode(content: &[u8], whole: bool, media: &MediaType) -> String {
    let (encoding, mark) = match Encoding::for_bom(content) {
        Some(found) => found,
        None => (declared(content, media), 0),
    };
    let mut rest = &content[mark..];
    let mut decoder = encoding.new_decoder_without_bom_handling();
    let mut text = String::new();
    loop {
        text.reserve(rest.len().max(LEAST_ROOM));
        let (result, read, _) = decoder.decode_to_string(rest, &mut text, whole);
        rest = &rest[read..];
        if result == CoderResult::InputEmpty {
            break;
        }
    }
    text
}

fn declared(content: &[u8], media: &MediaType) -> &'static Encoding {
    let header = media.charset().and_then(|label| label_encoding(label.as_bytes()));
    header
        .or_else(|| media.is_html().then(|| prescan::html(content)).flatten())
        .or_else(|| {
            (media.is_html() || media.is_xml())
                .then(|| prescan::xml(content))
                .flatten()
        })
        .unwrap_or(UTF_8)
}

/// The encoding of a label (Encoding Standard, 4.2), except those that stand for no text at all.
pub(crate) fn label_encoding(label: &[u8]) -> Option<&'static Encoding> {
    Encoding::for_label_no_replacement(label)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn decoded(content_type: &str, content: &[u8]) -> String {
        decode(content, true, &MediaType::parse(content_type))
    }

    #[test]
    fn declarations_count_in_their_order() {
        let cases: [(&str, &[u8], &str); 20] = [
            ("text/plain", "é€😀".as_bytes(), "é€😀"),
            ("text/plain", b"\xef\xbb\xbfa", "a"),
            ("text/plain", b"\xff\xfea\0\xac\x20", "a€"),
            ("text/plain; charset=utf-8", b"\xfe\xff\0a\x20\xac", "a€"),
            ("text/plain; charset=utf-16le", b"a\0b\0", "ab"),
            ("text/plain; charset=ISO-8859-1", b"caf\xe9 \x80", "café €"),
            ("text/plain; charset=windows-1252", b"\x93x\x94", "“x”"),
            ("text/plain; charset=windows-1251", b"\xcf\xf0", "Пр"),
            ("text/plain; charset=Shift_JIS", b"\x93\xfa\x96\x7b", "日本"),
            ("text/plain; charset=gb2312", b"\xd6\xd0", "中"),
            ("text/plain; charset=nonsense", "é".as_bytes(), "é"),
            ("text/plain; charset=hz-gb-2312", b"abc", "abc"),
            ("text/plain", b"a\xffb\xc3", "a\u{fffd}b\u{fffd}"),
            ("text/plain", b"\x1b[31m\0\x07\r\n", "\u{1b}[31m\0\u{7}\r\n"),
            (
                "text/html",
                b"<meta charset=windows-1252>\xe9",
                "<meta charset=windows-1252>é",
            ),
            (
                "text/html; charset=utf-8",
                b"<meta charset=windows-1252>\xc3\xa9",
                "<meta charset=windows-1252>é",
            ),
            (
                "text/plain",
                b"<meta charset=windows-1252>\xe9",
                "<meta charset=windows-1252>\u{fffd}",
            ),
            (
                "application/rss+xml",
                b"<?xml version='1.0' encoding='iso-8859-1'?>\xe9",
                "<?xml version='1.0' encoding='iso-8859-1'?>é",
            ),
            (
                "application/xhtml+xml",
                b"<?xml version=\"1.0\" encoding=\"latin1\"?>\xe9",
                "<?xml version=\"1.0\" encoding=\"latin1\"?>é",
            ),
            ("", b"caf\xc3\xa9", "café"),
        ];
        for (content_type, content, expected) in cases {
            assert_eq!(decoded(content_type, content), expected, "{content_type} {content:?}");
        }
    }

    #[test]
    fn a_character_cut_by_the_read_is_left_out_and_one_cut_by_the_sender_is_replaced() {
        let euro = "a€".as_bytes();
        for end in 2..4 {
            let media = MediaType::parse("text/plain");
            assert_eq!(decode(&euro[..end], false, &media), "a");
            assert_eq!(decode(&euro[..end], true, &media), "a\u{fffd}");
        }
        let wide = MediaType::parse("text/plain; charset=utf-16be");
        assert_eq!(decode(b"\0a\0", false, &wide), "a");
        assert_eq!(decode(b"\0a\xd8\x3d", false, &wide), "a");
        let sjis = MediaType::parse("text/plain; charset=shift_jis");
        assert_eq!(decode(b"a\x93", false, &sjis), "a");
    }
}
