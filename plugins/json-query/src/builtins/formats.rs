//! The formats `@csv`, `@base64` and so on.

use jaq_core::native::v;

use super::{Native, plain, strings};
use crate::value::{Error, Val, ValR, error};

pub(super) fn natives() -> Vec<Native> {
    vec![
        ("@text", v(0), |cv| plain(cv, |value| string(&value).map(Val::str))),
        ("@json", v(0), |cv| plain(cv, |value| strings::tojson(&value))),
        ("@csv", v(0), |cv| plain(cv, |value| row(value, ",", csv))),
        ("@tsv", v(0), |cv| plain(cv, |value| row(value, "\t", tsv))),
        ("@html", v(0), |cv| plain(cv, |value| escaped(&value, html))),
        ("@uri", v(0), |cv| {
            plain(cv, |value| string(&value).map(|text| Val::str(uri(&text))))
        }),
        ("@urid", v(0), |cv| {
            plain(cv, |value| string(&value).and_then(|text| uri_decoded(&text)))
        }),
        ("@sh", v(0), |cv| plain(cv, sh)),
        ("@base64", v(0), |cv| {
            plain(cv, |value| string(&value).map(|text| Val::str(encoded(&text, &BASE64))))
        }),
        ("@base64d", v(0), |cv| {
            plain(cv, |value| string(&value).and_then(|text| decoded(&text, &BASE64)))
        }),
        ("@base32", v(0), |cv| {
            plain(cv, |value| string(&value).map(|text| Val::str(encoded(&text, &BASE32))))
        }),
        ("@base32d", v(0), |cv| {
            plain(cv, |value| string(&value).and_then(|text| decoded(&text, &BASE32)))
        }),
    ]
}

fn string(value: &Val) -> Result<String, Error> {
    match value {
        Val::Str(text) => Ok(text.as_str().to_owned()),
        other => match strings::tojson(other)? {
            Val::Str(json) => Ok(json.as_str().to_owned()),
            _ => Ok(String::new()),
        },
    }
}

/// A string with some characters replaced.
fn escaped(value: &Val, escape: fn(char) -> Option<&'static str>) -> ValR {
    let text = string(value)?;
    let mut escaped = String::with_capacity(text.len());
    for c in text.chars() {
        match escape(c) {
            Some(instead) => escaped.push_str(instead),
            None => escaped.push(c),
        }
    }
    Ok(Val::str(escaped))
}

fn html(c: char) -> Option<&'static str> {
    Some(match c {
        '<' => "&lt;",
        '>' => "&gt;",
        '&' => "&amp;",
        '\'' => "&#39;",
        '"' => "&quot;",
        _ => return None,
    })
}

/// A row of a table: scalars only, null as nothing.
fn row(value: Val, separator: &str, quote: fn(&str) -> String) -> ValR {
    let items = value.expect_array("formatted as a row")?;
    let cell = |item: &Val| match item {
        Val::Null => Ok(String::new()),
        Val::Str(text) => Ok(quote(text.as_str())),
        Val::Arr(_) | Val::Obj(_) => Err(error(format!("{} is not valid in a row of values", item.described()))),
        scalar => string(scalar),
    };
    let cells = items.iter().map(cell).collect::<Result<Vec<_>, _>>()?;
    Ok(Val::str(cells.join(separator)))
}

fn csv(text: &str) -> String {
    format!("\"{}\"", text.replace('"', "\"\""))
}

fn tsv(text: &str) -> String {
    text.replace('\\', "\\\\")
        .replace('\t', "\\t")
        .replace('\n', "\\n")
        .replace('\r', "\\r")
}

/// Words for a POSIX shell.
fn sh(value: Val) -> ValR {
    let word = |item: &Val| match item {
        Val::Str(text) => Ok(format!("'{}'", text.as_str().replace('\'', r"'\''"))),
        Val::Arr(_) | Val::Obj(_) => Err(error(format!("{} cannot be escaped for a shell", item.described()))),
        scalar => string(scalar),
    };
    match &value {
        Val::Arr(items) => {
            let words = items.iter().map(word).collect::<Result<Vec<_>, _>>()?;
            Ok(Val::str(words.join(" ")))
        }
        single => word(single).map(Val::str),
    }
}

fn uri(text: &str) -> String {
    let mut encoded = String::with_capacity(text.len());
    for byte in text.bytes() {
        match byte {
            b'A'..=b'Z' | b'a'..=b'z' | b'0'..=b'9' | b'-' | b'_' | b'.' | b'~' => encoded.push(char::from(byte)),
            other => encoded.push_str(&format!("%{other:02X}")),
        }
    }
    encoded
}

fn uri_decoded(text: &str) -> ValR {
    let wrong = || error(format!("{} is not a valid uri encoding", Val::str(text).described()));
    let mut bytes = Vec::with_capacity(text.len());
    let mut rest = text.as_bytes();
    while let Some((&byte, after)) = rest.split_first() {
        rest = after;
        if byte != b'%' {
            bytes.push(byte);
            continue;
        }
        let digits = rest.get(..2).and_then(|digits| std::str::from_utf8(digits).ok());
        let digits = digits.filter(|digits| digits.bytes().all(|digit| digit.is_ascii_hexdigit()));
        bytes.push(
            digits
                .and_then(|digits| u8::from_str_radix(digits, 16).ok())
                .ok_or_else(wrong)?,
        );
        rest = &rest[2..];
    }
    Ok(Val::str(String::from_utf8_lossy(&bytes).into_owned()))
}

/// An encoding of bytes by characters that hold a fixed number of bits each.
struct Alphabet {
    characters: &'static [u8],
    bits: u32,
    /// Characters in a full group.
    group: usize,
    name: &'static str,
}

const BASE64: Alphabet = Alphabet {
    characters: b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/",
    bits: 6,
    group: 4,
    name: "base64",
};

const BASE32: Alphabet = Alphabet {
    characters: b"ABCDEFGHIJKLMNOPQRSTUVWXYZ234567",
    bits: 5,
    group: 8,
    name: "base32",
};

fn encoded(text: &str, alphabet: &Alphabet) -> String {
    let mut encoded = String::with_capacity(text.len() * 8 / alphabet.bits as usize + alphabet.group);
    let (mut held, mut bits) = (0u32, 0);
    let mut push = |index: u32| encoded.push(char::from(alphabet.characters[index as usize]));
    let mask = (1 << alphabet.bits) - 1;
    for byte in text.bytes() {
        held = (held << 8 | u32::from(byte)) & 0xffff;
        bits += 8;
        while bits >= alphabet.bits {
            bits -= alphabet.bits;
            push(held >> bits & mask);
        }
    }
    if bits > 0 {
        push(held << (alphabet.bits - bits) & mask);
    }
    while !encoded.len().is_multiple_of(alphabet.group) {
        encoded.push('=');
    }
    encoded
}

/// Padding may be missing; what decodes to no UTF-8 becomes U+FFFD.
fn decoded(text: &str, alphabet: &Alphabet) -> ValR {
    let wrong = || {
        error(format!(
            "{} is not valid {} data",
            Val::str(text).described(),
            alphabet.name
        ))
    };
    let mut bytes = Vec::with_capacity(text.len());
    let (mut held, mut bits) = (0u32, 0);
    for byte in text.trim_end_matches('=').bytes() {
        let index = alphabet.characters.iter().position(|c| *c == byte).ok_or_else(wrong)?;
        held = (held << alphabet.bits | u32::try_from(index).unwrap_or(0)) & 0xffff;
        bits += alphabet.bits;
        if bits >= 8 {
            bits -= 8;
            bytes.push(u8::try_from(held >> bits & 0xff).unwrap_or(0));
        }
    }
    // A single character holds less than a byte.
    if bits == alphabet.bits {
        return Err(wrong());
    }
    Ok(Val::str(String::from_utf8_lossy(&bytes).into_owned()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn encodings_come_back() {
        let cases = [
            ("", "", ""),
            ("f", "Zg==", "MY======"),
            ("fo", "Zm8=", "MZXQ===="),
            ("foo", "Zm9v", "MZXW6==="),
            ("foobar", "Zm9vYmFy", "MZXW6YTBOI======"),
        ];
        for (text, base64, base32) in cases {
            assert_eq!(encoded(text, &BASE64), base64);
            assert_eq!(encoded(text, &BASE32), base32);
            assert_eq!(decoded(base64, &BASE64).unwrap(), Val::str(text));
            assert_eq!(decoded(base32, &BASE32).unwrap(), Val::str(text));
        }
        assert_eq!(decoded("Zg", &BASE64).unwrap(), Val::str("f"));
        assert!(decoded("Z", &BASE64).is_err());
        assert!(decoded("Zm9$", &BASE64).is_err());
    }
}
