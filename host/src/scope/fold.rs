//! Spellings that a file system may take for one: case, compatible characters, invisible ones, dots at the end.

use std::borrow::Cow;

use unicode_normalization::UnicodeNormalization;

/// How names are compared.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Case {
    /// Byte by byte.
    Exact,
    /// As the most forgiving file system would: more names are one than on any real one.
    Folded,
}

/// The form in which names are compared where a directory folds. Compatible
/// decomposition and lower case cover what ext4, f2fs and APFS do (NFD with
/// full case folding, NFC, simple lower case); invisible characters are
/// dropped as ext4 and HFS+ do, dots and blanks at the end as FAT does.
pub fn folded(path: &str) -> Cow<'_, str> {
    if is_plain(path) && !path.bytes().any(|byte| byte.is_ascii_uppercase()) {
        return Cow::Borrowed(path);
    }
    let mut out = String::with_capacity(path.len());
    for (number, name) in path.split('/').enumerate() {
        if number > 0 {
            out.push('/');
        }
        let start = out.len();
        name.nfkd().for_each(|char| fold_char(char, &mut out));
        out.truncate(start + out[start..].trim_end_matches(['.', ' ']).len());
    }
    Cow::Owned(out)
}

/// One character of [`folded`].
pub(super) fn fold_char(char: char, out: &mut String) {
    match char {
        'ß' | 'ẞ' => out.push_str("ss"),
        'ς' => out.push('σ'),
        'ı' => out.push('i'),
        _ if is_ignorable(char) => {}
        _ => out.extend(char.to_lowercase().nfkd().filter(|char| !is_ignorable(*char))),
    }
}

/// Characters without a shape of their own (`Default_Ignorable_Code_Point`),
/// and the dot that Turkish letters lose or keep.
fn is_ignorable(char: char) -> bool {
    matches!(char,
        '\u{ad}' | '\u{307}' | '\u{34f}' | '\u{61c}' | '\u{115f}'..='\u{1160}' | '\u{17b4}'..='\u{17b5}'
        | '\u{180b}'..='\u{180f}' | '\u{200b}'..='\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2060}'..='\u{206f}'
        | '\u{3164}' | '\u{fe00}'..='\u{fe0f}' | '\u{feff}' | '\u{ffa0}' | '\u{fff0}'..='\u{fff8}'
        | '\u{1bca0}'..='\u{1bca3}' | '\u{1d173}'..='\u{1d17a}' | '\u{e0000}'..='\u{e0fff}')
}

/// Whether letters of another case are all that another spelling of this path
/// could differ in: no character beyond ASCII, no dot or blank at the end of
/// a name, nothing that looks like a short name of FAT (`ENV~1`).
pub(super) fn is_plain(path: &str) -> bool {
    let bytes = path.as_bytes();
    let trims = |byte: u8| matches!(byte, b'.' | b' ');
    path.is_ascii()
        && !bytes.contains(&b'~')
        && !bytes.last().is_some_and(|last| trims(*last))
        && !bytes.windows(2).any(|pair| pair[1] == b'/' && trims(pair[0]))
}

/// Whether `path` is `top` or below it. Folded, `top` and `path` are compared
/// without regard to the case of ASCII letters; other characters are folded by the caller.
pub(super) fn below(top: &str, path: &str, case: Case) -> bool {
    let top = if top == "/" { "" } else { top };
    let (Some(start), rest) = (path.as_bytes().get(..top.len()), path.as_bytes().get(top.len())) else {
        return false;
    };
    rest.is_none_or(|next| *next == b'/')
        && match case {
            Case::Exact => start == top.as_bytes(),
            Case::Folded => start.eq_ignore_ascii_case(top.as_bytes()),
        }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn spellings_of_one_name() {
        let groups: [&[&str]; 8] = [
            &[
                ".env",
                ".ENV",
                ".Env",
                ".env.",
                ".env ",
                ".e\u{200d}nv",
                ".\u{ff45}nv",
                ".\u{feff}env",
                ".en\u{1d5b}",
            ],
            &["kelvin", "\u{212a}elvin", "KELVIN"],
            &["mass", "ma\u{17f}\u{17f}", "maß", "MASS", "MAẞ"],
            &["caf\u{e9}", "cafe\u{301}", "CAF\u{c9}"],
            &["\u{3c3}\u{3c3}", "\u{3a3}\u{3c2}"],
            &["file", "\u{fb01}le", "FILE", "f\u{131}le", "f\u{130}le"],
            &["a/b", "A./B ", "a/b\u{fe0f}"],
            &["i\u{307}x", "ix"],
        ];
        for group in groups {
            for name in group {
                assert_eq!(
                    folded(name),
                    group[0].nfkd().filter(|c| !is_ignorable(*c)).collect::<String>(),
                    "{name:?}"
                );
            }
        }
        for (one, other) in [(".env", ".en"), ("a.b", "ab"), ("a b", "ab"), ("\u{e9}", "e")] {
            assert_ne!(folded(one), folded(other));
        }
    }

    #[test]
    fn plain_names_differ_in_case_only() {
        for plain in ["", "a/b.c", "A/..b/.x", "x y/z"] {
            assert!(is_plain(plain), "{plain:?}");
        }
        for odd in ["a.", "a./b", "a /b", "ENV~1", "é", "a/b "] {
            assert!(!is_plain(odd), "{odd:?}");
        }
    }

    #[test]
    fn below_takes_whole_names() {
        assert!(below("/a", "/A/b", Case::Folded) && !below("/a", "/A/b", Case::Exact));
        assert!(below("/", "/a", Case::Exact) && below("/a", "/a", Case::Exact));
        assert!(!below("/a", "/ab", Case::Folded) && !below("/ab", "/a", Case::Folded));
    }
}
