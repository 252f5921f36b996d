//! Values as JSON text.

use std::fmt::{self, Write as _};

use super::Val;

/// How deeply arrays and objects may be nested to be parsed, or written within a query, so that
/// neither runs out of stack.
pub(crate) const DEEPEST: usize = 512;

/// The value is nested more deeply than allowed.
#[derive(Debug)]
pub(crate) struct TooDeep;

/// Where JSON text goes.
pub(crate) trait Sink {
    /// Takes a piece of it.
    fn push(&mut self, text: &str);

    /// Whether more is of any use; text for people ends early.
    fn wants_more(&self) -> bool {
        true
    }
}

impl Sink for String {
    fn push(&mut self, text: &str) {
        self.push_str(text);
    }
}

/// Writes a value as compact JSON. What JSON has no word for is written as jq does it: NaN as
/// null, infinity as the largest float.
pub(crate) fn write(value: &Val, sink: &mut impl Sink) -> Result<(), TooDeep> {
    write_nested(value, sink, DEEPEST)
}

/// As [`write`], with at most `levels` of arrays and objects within each other.
pub(crate) fn write_nested(value: &Val, sink: &mut impl Sink, levels: usize) -> Result<(), TooDeep> {
    let below = levels.checked_sub(1).ok_or(TooDeep);
    match value {
        Val::Null => sink.push("null"),
        Val::Bool(true) => sink.push("true"),
        Val::Bool(false) => sink.push("false"),
        Val::Int(int) => write_number(*int, sink),
        Val::Big(big) => sink.push(&big.to_string()),
        Val::Float(float) => write_float(*float, sink),
        Val::Literal(text) => {
            // A literal beyond the range of floats is no number to most readers of JSON.
            match value.as_f64() {
                Some(float) if float.is_infinite() => write_float(float, sink),
                _ => sink.push(text.as_str()),
            }
        }
        Val::Str(text) => write_str(text.as_str(), sink),
        Val::Arr(items) => {
            let below = below?;
            let mut before = "[";
            for item in items.iter() {
                if !sink.wants_more() {
                    break;
                }
                sink.push(std::mem::replace(&mut before, ","));
                write_nested(item, sink, below)?;
            }
            sink.push(if items.is_empty() { "[]" } else { "]" });
        }
        Val::Obj(map) => {
            let below = below?;
            let mut before = "{";
            for (key, value) in map.iter() {
                if !sink.wants_more() {
                    break;
                }
                sink.push(std::mem::replace(&mut before, ","));
                write_str(key.as_str(), sink);
                sink.push(":");
                write_nested(value, sink, below)?;
            }
            sink.push(if map.len() == 0 { "{}" } else { "}" });
        }
    }
    Ok(())
}

struct Pushing<'a, S: Sink>(&'a mut S);

impl<S: Sink> fmt::Write for Pushing<'_, S> {
    fn write_str(&mut self, text: &str) -> fmt::Result {
        self.0.push(text);
        Ok(())
    }
}

fn write_number(number: impl fmt::Display, sink: &mut impl Sink) {
    // A sink takes everything, so this does not fail.
    let _ = write!(Pushing(sink), "{number}");
}

fn write_float(float: f64, sink: &mut impl Sink) {
    const PLAIN: std::ops::Range<f64> = 1e-5..1e17;
    if float.is_nan() {
        return sink.push("null");
    }
    let float = float.clamp(f64::MIN, f64::MAX);
    if float == 0.0 || PLAIN.contains(&float.abs()) {
        write_number(float, sink);
    } else {
        // `1e300` in Rust's words is `1e+300` in jq's, and `1e-7` is `1e-07`.
        let text = format!("{float:e}");
        let (digits, exponent) = text.split_once('e').unwrap_or((&text, "0"));
        let exponent: i32 = exponent.parse().unwrap_or_default();
        write_number(format_args!("{digits}e{exponent:+03}"), sink);
    }
}

fn write_str(text: &str, sink: &mut impl Sink) {
    sink.push("\"");
    let mut rest = text;
    while let Some(at) = rest
        .bytes()
        .position(|byte| matches!(byte, 0..=0x1f | b'"' | b'\\' | 0x7f))
    {
        if !sink.wants_more() {
            break;
        }
        sink.push(&rest[..at]);
        match rest.as_bytes()[at] {
            b'"' => sink.push("\\\""),
            b'\\' => sink.push("\\\\"),
            b'\n' => sink.push("\\n"),
            b'\r' => sink.push("\\r"),
            b'\t' => sink.push("\\t"),
            0x08 => sink.push("\\b"),
            0x0c => sink.push("\\f"),
            other => write_number(format_args!("\\u{other:04x}"), sink),
        }
        rest = &rest[at + 1..];
    }
    sink.push(rest);
    sink.push("\"");
}

/// A value as JSON text, or what can be said of one that is nested too deeply for that.
pub(super) fn text(value: &Val) -> String {
    let mut text = String::new();
    match write(value, &mut text) {
        Ok(()) => text,
        Err(TooDeep) => shown(value),
    }
}

/// A value for an error message: JSON, cut after a few characters.
pub(crate) fn shown(value: &Val) -> String {
    /// Bytes of a value that a message holds.
    const SHOWN: usize = 60;
    struct Head(String);
    impl Sink for Head {
        fn push(&mut self, text: &str) {
            if self.wants_more() {
                let end = text.floor_char_boundary(SHOWN + 1);
                self.0.push_str(&text[..end]);
            }
        }
        fn wants_more(&self) -> bool {
            self.0.len() <= SHOWN
        }
    }
    let mut head = Head(String::new());
    let complete = write(value, &mut head).is_ok() && head.wants_more();
    if complete {
        return head.0;
    }
    head.0.truncate(head.0.floor_char_boundary(SHOWN));
    head.0 + "…"
}

impl fmt::Display for Val {
    /// As a part of the engine's error messages; see [`shown`].
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&shown(self))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::value::Text;

    fn json(value: &Val) -> String {
        let mut text = String::new();
        write(value, &mut text).unwrap();
        text
    }

    #[test]
    fn numbers_are_json() {
        let cases = [
            (Val::Float(f64::NAN), "null"),
            (Val::Float(f64::INFINITY), "1.7976931348623157e+308"),
            (Val::Float(f64::NEG_INFINITY), "-1.7976931348623157e+308"),
            (Val::Float(-0.0), "-0"),
            (Val::Float(0.1), "0.1"),
            (Val::Float(1e-7), "1e-07"),
            (Val::Float(1e300), "1e+300"),
            (Val::Int(i64::MIN), "-9223372036854775808"),
            (Val::written(Text::from("1.10")), "1.10"),
            (Val::written(Text::from("-1e999")), "-1.7976931348623157e+308"),
        ];
        for (value, expected) in cases {
            assert_eq!(json(&value), expected);
        }
    }

    #[test]
    fn strings_are_escaped() {
        assert_eq!(json(&Val::str("a\"\\\n\u{1}\u{7f}é")), r#""a\"\\\n\u0001\u007fé""#);
        assert_eq!(json(&Val::str("")), r#""""#);
    }

    #[test]
    fn deep_values_are_refused_and_long_ones_cut() {
        let deep = (0..=DEEPEST).fold(Val::Null, |inner, _| Val::array(vec![inner]));
        assert!(write(&deep, &mut String::new()).is_err());
        assert!(shown(&deep).ends_with('…'));
        let long = shown(&Val::str("é".repeat(1000)));
        assert!(long.len() < 70 && long.ends_with('…'), "{long}");
        assert_eq!(shown(&Val::array(vec![Val::Int(1)])), "[1]");
    }
}
