//! What must not be written down: values that are secrets by their name or their shape.
//! Called by the audit log for every text of a record.
//! Must not touch: the texts themselves; it answers with cleaned copies.

mod find;
mod names;
mod shapes;
mod value;

use std::borrow::Cow;
use std::ops::Range;

pub(super) use names::is_secret;

/// What stands in the place of a secret.
pub(super) const HIDDEN: &str = "[secret]";

/// The text without secrets: the user part of URLs, values after names such as `token=` or
/// `Authorization:`, values of such options (`--password x`), and texts that have the shape of
/// a known kind of token. It errs on the side of hiding. The time taken is linear in the text.
pub(super) fn scrub(text: &str) -> Cow<'_, str> {
    let marks = marks(text);
    let mut spans = Vec::new();
    if marks & SEPARATOR != 0 {
        find::named(text, &mut spans);
    }
    if marks & SPACE != 0 {
        find::options(text, &mut spans);
    }
    if marks & SHAPE != 0 && text.len() > shapes::LEAST {
        shapes::find(text, &mut spans);
    }
    if spans.is_empty() {
        return Cow::Borrowed(text);
    }
    spans.sort_unstable_by_key(|span| (span.start, span.end));
    Cow::Owned(without(text, &spans))
}

/// A text may hold a name with a value.
const SEPARATOR: u8 = 1;
/// A text may hold an option with a value.
const SPACE: u8 = 2;
/// A text may hold a token.
const SHAPE: u8 = 4;
/// Longest text that is looked through for these bytes first, in bytes: nearly all are shorter,
/// and hold none.
const SHORT: usize = 256;

/// What a byte is a sign of.
const MARKS: [u8; 256] = {
    let mut marks = [0; 256];
    marks[b':' as usize] = SEPARATOR;
    marks[b'=' as usize] = SEPARATOR;
    marks[b' ' as usize] = SPACE;
    let mut at = 0;
    while at < shapes::SIGNS.len() {
        marks[shapes::SIGNS[at] as usize] |= SHAPE;
        at += 1;
    }
    marks
};

fn marks(text: &str) -> u8 {
    if text.len() > SHORT {
        return u8::MAX;
    }
    text.bytes().fold(0, |marks, byte| marks | MARKS[usize::from(byte)])
}

fn without(text: &str, spans: &[Range<usize>]) -> String {
    let mut clean = String::with_capacity(text.len());
    let mut from = 0;
    for span in spans {
        if span.end <= from {
            continue;
        }
        if span.start >= from {
            clean.push_str(&text[from..span.start]);
            clean.push_str(HIDDEN);
        }
        from = span.end;
    }
    clean.push_str(&text[from..]);
    clean
}

#[cfg(test)]
mod tests {
    use std::time::Instant;

    use proptest::prelude::*;

    use super::*;

    #[test]
    fn vectors() {
        for (text, clean) in [
            ("https://u:p@h/x?a=1", "https://[secret]@h/x?a=1"),
            ("https://u:p@ss@h/x", "https://[secret]@h/x"),
            ("https://h/x@y", "https://h/x@y"),
            ("/p/https:/u:p@h/x", "/p/https:/[secret]@h/x"),
            ("C:/Users/x@y", "C:/Users/x@y"),
            ("https://h/?token=abc&b=2#f", "https://h/?token=[secret]&b=2#f"),
            ("https://h/?%74oken=abc", "https://h/?%74oken=[secret]"),
            ("https://h/?key=abc&code=d", "https://h/?key=[secret]&code=[secret]"),
            ("key=abc code=d", "key=abc code=d"),
            ("https://h/?x[api_key]=abc", "https://h/?x[api_key]=[secret]"),
            ("TOKEN=abc cmd", "TOKEN=[secret] cmd"),
            ("export DB_PASSWORD='a b' x", "export DB_PASSWORD='[secret]' x"),
            (
                "curl -H 'Authorization: Bearer abc' u",
                "curl -H 'Authorization: [secret]' u",
            ),
            ("Cookie: a=b; c=d\nX: 1", "Cookie: [secret]\nX: 1"),
            (r#"{"password": "a\"b", "x": 1}"#, r#"{"password": "[secret]", "x": 1}"#),
            (
                r#"{\"password\":\"ab\",\"x\":1}"#,
                r#"{\"password\":\"[secret]\",\"x\":1}"#,
            ),
            (r#"{"tokens":["a",["b"]],"x":1}"#, r#"{"tokens":[secret],"x":1}"#),
            ("login --password abc --x 1", "login --password [secret] --x 1"),
            ("login --password=abc --x 1", "login --password=[secret] --x 1"),
            ("login --api-key 'a b' --x", "login --api-key '[secret]' --x"),
            ("curl -u joe:pw h", "curl -u [secret] h"),
            ("curl --user joe:pw h", "curl --user [secret] h"),
            ("ls -u joe", "ls -u joe"),
            ("x bearer abc.def y", "x bearer [secret] y"),
            ("auth=Bearer abc", "auth=[secret]"),
            ("say ghp_0123456789abcdefABCD now", "say [secret] now"),
            ("max_tokens=5 author=me monkey=1", "max_tokens=5 author=me monkey=1"),
            ("password=", "password="),
            ("a:b", "a:b"),
            ("", ""),
        ] {
            assert_eq!(scrub(text), clean, "{text}");
        }
    }

    #[test]
    fn hostile_texts_take_linear_time() {
        for unit in [
            "token=",
            "://",
            "--",
            "bearer ",
            "a:",
            "token:[",
            "token=\"",
            "eyJ",
            "\\\"",
            "token: \\\"",
            "-u a",
        ] {
            let text = unit.repeat(1_000_000 / unit.len());
            let started = Instant::now();
            let _ = scrub(&text);
            assert!(started.elapsed().as_secs() < 5, "{unit}: {:?}", started.elapsed());
        }
    }

    proptest! {
        #[test]
        fn no_text_breaks_it(text in any::<String>(), odd in "[a:=\"'\\\\@/ &%\\[{}\\]-]{0,40}") {
            let _ = scrub(&text);
            let _ = scrub(&format!("token{odd}{text}{odd}"));
        }
    }
}
