//! Text that Markdown would read as markup.

/// Where a word stands.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Place {
    /// First on its line.
    pub(super) line_start: bool,
    /// In a cell of a table.
    pub(super) cell: bool,
}

/// Appends a word, which is text without white space, so that Markdown shows it as it is.
pub(super) fn word(out: &mut String, word: &str, place: Place) {
    let start = if place.line_start { block_marker(word) } else { None };
    let mut before = None;
    for (at, char) in word.char_indices() {
        let rest = &word[at + char.len_utf8()..];
        let escaped = match char {
            '\\' | '`' | '*' | '[' | ']' => true,
            '|' => place.cell,
            '_' => !(before.is_some_and(char::is_alphanumeric) && rest.starts_with(char::is_alphanumeric)),
            '~' => before == Some('~') || rest.starts_with('~'),
            '<' => rest.starts_with(|next: char| next.is_ascii_alphabetic() || matches!(next, '/' | '!' | '?')),
            '&' => is_reference(rest),
            _ => false,
        };
        if escaped || start == Some(at) {
            out.push('\\');
        }
        out.push(char);
        before = Some(char);
    }
}

/// What is escaped so that a word at the start of a line is no heading, list, quote or rule.
fn block_marker(word: &str) -> Option<usize> {
    let only = |char| word.bytes().all(|byte| byte == char);
    if word.starts_with('>') || word == "+" || only(b'-') || only(b'=') || (only(b'#') && word.len() <= 6) {
        return Some(0);
    }
    let digits = word.bytes().take_while(u8::is_ascii_digit).count();
    ((1..=9).contains(&digits) && matches!(&word[digits..], "." | ")")).then_some(digits)
}

/// Whether what follows an ampersand makes it a character reference.
fn is_reference(rest: &str) -> bool {
    /// The longest name in the list of the HTML Standard, 13.5, has 31 letters.
    const LONGEST: usize = 32;
    let name = rest.strip_prefix('#').unwrap_or(rest);
    let length = name.bytes().take(LONGEST).take_while(u8::is_ascii_alphanumeric).count();
    length > 0 && name[length..].starts_with(';')
}

/// Appends a URL as the destination of a link.
pub(super) fn destination(out: &mut String, url: &str) {
    let bracketed = url.contains(['(', ')']);
    if bracketed {
        out.push('<');
    }
    for char in url.chars() {
        match char {
            '|' => out.push_str("%7C"),
            '<' => out.push_str("%3C"),
            '>' => out.push_str("%3E"),
            ' ' => out.push_str("%20"),
            '\\' => out.push_str("%5C"),
            _ => out.push(char),
        }
    }
    if bracketed {
        out.push('>');
    }
}

/// Text as inline code, in as many backticks as it needs (CommonMark 0.31, 6.1).
pub(super) fn code(out: &mut String, text: &str, cell: bool) {
    let fence = "`".repeat(longest_run(text, '`') + 1);
    let padded = text.starts_with('`') || text.ends_with('`');
    out.push_str(&fence);
    if padded {
        out.push(' ');
    }
    if cell {
        out.push_str(&text.replace('|', "\\|"));
    } else {
        out.push_str(text);
    }
    if padded {
        out.push(' ');
    }
    out.push_str(&fence);
}

/// The length of the longest run of a character.
pub(super) fn longest_run(text: &str, char: char) -> usize {
    text.split(|other| other != char).map(str::len).max().unwrap_or(0)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn escaped(text: &str, line_start: bool, cell: bool) -> String {
        let mut out = String::new();
        word(&mut out, text, Place { line_start, cell });
        out
    }

    #[test]
    fn markup_is_escaped_and_nothing_else() {
        let cases = [
            ("plain", "plain"),
            ("a*b", r"a\*b"),
            ("snake_case_name", "snake_case_name"),
            ("_private", r"\_private"),
            ("trailing_", r"trailing\_"),
            ("[1]", r"\[1\]"),
            (r"C:\x", r"C:\\x"),
            ("`x`", r"\`x\`"),
            ("a<b", r"a\<b"),
            ("a<1", "a<1"),
            ("<!--", r"\<!--"),
            ("~~x~~", r"\~\~x\~\~"),
            ("~5", "~5"),
            ("&amp;", r"\&amp;"),
            ("&#39;", r"\&#39;"),
            ("a&b", "a&b"),
            ("a|b", "a|b"),
            ("1.", "1."),
            ("#", "#"),
        ];
        for (text, expected) in cases {
            assert_eq!(escaped(text, false, false), expected);
        }
        assert_eq!(escaped("a|b", false, true), r"a\|b");
    }

    #[test]
    fn at_the_start_of_a_line_block_markers_are_escaped() {
        let cases = [
            ("#", r"\#"),
            ("######", r"\######"),
            ("#######", "#######"),
            ("#tag", "#tag"),
            ("-", r"\-"),
            ("---", r"\---"),
            ("-x", "-x"),
            ("+", r"\+"),
            ("===", r"\==="),
            (">x", r"\>x"),
            ("1.", r"1\."),
            ("12)", r"12\)"),
            ("1.5", "1.5"),
            ("1234567890.", "1234567890."),
        ];
        for (text, expected) in cases {
            assert_eq!(escaped(text, true, false), expected);
        }
    }

    #[test]
    fn code_gets_enough_backticks() {
        let cases = [
            ("a", "`a`"),
            ("a`b", "``a`b``"),
            ("`", "`` ` ``"),
            ("a``b`", "``` a``b` ```"),
        ];
        for (text, expected) in cases {
            let mut out = String::new();
            code(&mut out, text, false);
            assert_eq!(out, expected);
        }
    }

    #[test]
    fn destinations_cannot_end_early() {
        let cases = [
            ("https://h/a", "https://h/a"),
            ("https://h/a_(b)", "<https://h/a_(b)>"),
            ("x:a|b >c", "x:a%7Cb%20%3Ec"),
        ];
        for (url, expected) in cases {
            let mut out = String::new();
            destination(&mut out, url);
            assert_eq!(out, expected);
        }
    }
}
