//! Printing: JSON to standard output, remarks to standard error.

use std::io::{self, IsTerminal, Write};

use clap::builder::styling::{AnsiColor, Style};
use serde::Serialize;
use serde_json::Value;
use serde_json::ser::{CharEscape, Formatter, PrettyFormatter, Serializer};
use toolgate::CallResult;
use toolgate::mcp::visible::is_treacherous;

const KEY: Style = AnsiColor::Blue.on_default();
const TEXT: Style = AnsiColor::Green.on_default();
const NUMBER: Style = AnsiColor::Cyan.on_default();
const WORD: Style = AnsiColor::Yellow.on_default();
const ERROR: Style = AnsiColor::Red.on_default().bold();
const NOTICE: Style = AnsiColor::Yellow.on_default();

/// One JSON value: one line, or indented and coloured on a terminal.
///
/// # Errors
/// When standard output cannot be written, for example because its reader is gone.
pub(super) fn json(value: &Value) -> io::Result<()> {
    if io::stdout().is_terminal() {
        let mut text = Vec::new();
        value.serialize(&mut Serializer::with_formatter(&mut text, Coloured::default()))?;
        text.push(b'\n');
        let mut stdout = anstream::stdout();
        stdout.write_all(&text)?;
        stdout.flush()
    } else {
        let mut line = serde_json::to_vec(value)?;
        line.push(b'\n');
        plain(&line)
    }
}

/// The result of a call: as [`json`], but where it is one line, exactly as the
/// tool wrote it, with every digit of its numbers.
///
/// # Errors
/// As [`json`].
pub(super) fn result(result: CallResult) -> io::Result<()> {
    if io::stdout().is_terminal() {
        return json(&Value::Object(result.value));
    }
    // Outside of strings a line break is only space, and inside it cannot be.
    let mut line = result.text.replace(['\n', '\r'], " ");
    line.push('\n');
    plain(line.as_bytes())
}

/// Text for people, styles removed unless it goes to a terminal.
///
/// # Errors
/// When standard output cannot be written.
pub(super) fn text(text: &str) -> io::Result<()> {
    let mut stdout = anstream::stdout();
    stdout.write_all(text.as_bytes())?;
    stdout.flush()
}

/// Bytes as they are.
///
/// # Errors
/// When standard output cannot be written.
pub(super) fn plain(bytes: &[u8]) -> io::Result<()> {
    let mut stdout = io::stdout().lock();
    stdout.write_all(bytes)?;
    stdout.flush()
}

/// An error that ended the command.
pub(super) fn complain(message: &str) {
    remark(&format!("{ERROR}error:{ERROR:#} {message}\n"));
}

/// Something the operator should know.
pub(super) fn notice(message: &str) {
    remark(&format!("{NOTICE}note:{NOTICE:#} {message}\n"));
}

/// Text on standard error. If that is closed, there is nobody to tell.
pub(super) fn remark(text: &str) {
    let mut stderr = anstream::stderr();
    let _ = stderr.write_all(text.as_bytes()).and_then(|()| stderr.flush());
}

/// Indents like `PrettyFormatter`, colours, and escapes what JSON leaves as it
/// is but a terminal would act on.
#[derive(Default)]
struct Coloured {
    pretty: PrettyFormatter<'static>,
    in_key: bool,
}

impl Formatter for Coloured {
    fn write_null<W: ?Sized + Write>(&mut self, writer: &mut W) -> io::Result<()> {
        write!(writer, "{WORD}null{WORD:#}")
    }

    fn write_bool<W: ?Sized + Write>(&mut self, writer: &mut W, value: bool) -> io::Result<()> {
        write!(writer, "{WORD}{value}{WORD:#}")
    }

    fn write_i64<W: ?Sized + Write>(&mut self, writer: &mut W, value: i64) -> io::Result<()> {
        write!(writer, "{NUMBER}{value}{NUMBER:#}")
    }

    fn write_u64<W: ?Sized + Write>(&mut self, writer: &mut W, value: u64) -> io::Result<()> {
        write!(writer, "{NUMBER}{value}{NUMBER:#}")
    }

    fn write_f64<W: ?Sized + Write>(&mut self, writer: &mut W, value: f64) -> io::Result<()> {
        write!(writer, "{NUMBER}")?;
        self.pretty.write_f64(writer, value)?;
        write!(writer, "{NUMBER:#}")
    }

    fn begin_string<W: ?Sized + Write>(&mut self, writer: &mut W) -> io::Result<()> {
        write!(writer, "{}\"", if self.in_key { KEY } else { TEXT })
    }

    fn end_string<W: ?Sized + Write>(&mut self, writer: &mut W) -> io::Result<()> {
        write!(writer, "\"{TEXT:#}")
    }

    fn write_string_fragment<W: ?Sized + Write>(&mut self, writer: &mut W, fragment: &str) -> io::Result<()> {
        let mut rest = fragment;
        while let Some((at, character)) = rest.char_indices().find(|(_, character)| is_treacherous(*character)) {
            writer.write_all(&rest.as_bytes()[..at])?;
            for unit in character.encode_utf16(&mut [0; 2]) {
                write!(writer, "\\u{unit:04x}")?;
            }
            rest = &rest[at + character.len_utf8()..];
        }
        writer.write_all(rest.as_bytes())
    }

    fn write_char_escape<W: ?Sized + Write>(&mut self, writer: &mut W, escape: CharEscape) -> io::Result<()> {
        self.pretty.write_char_escape(writer, escape)
    }

    fn begin_array<W: ?Sized + Write>(&mut self, writer: &mut W) -> io::Result<()> {
        self.pretty.begin_array(writer)
    }

    fn end_array<W: ?Sized + Write>(&mut self, writer: &mut W) -> io::Result<()> {
        self.pretty.end_array(writer)
    }

    fn begin_array_value<W: ?Sized + Write>(&mut self, writer: &mut W, first: bool) -> io::Result<()> {
        self.pretty.begin_array_value(writer, first)
    }

    fn end_array_value<W: ?Sized + Write>(&mut self, writer: &mut W) -> io::Result<()> {
        self.pretty.end_array_value(writer)
    }

    fn begin_object<W: ?Sized + Write>(&mut self, writer: &mut W) -> io::Result<()> {
        self.pretty.begin_object(writer)
    }

    fn end_object<W: ?Sized + Write>(&mut self, writer: &mut W) -> io::Result<()> {
        self.pretty.end_object(writer)
    }

    fn begin_object_key<W: ?Sized + Write>(&mut self, writer: &mut W, first: bool) -> io::Result<()> {
        self.in_key = true;
        self.pretty.begin_object_key(writer, first)
    }

    fn end_object_key<W: ?Sized + Write>(&mut self, writer: &mut W) -> io::Result<()> {
        self.in_key = false;
        self.pretty.end_object_key(writer)
    }

    fn begin_object_value<W: ?Sized + Write>(&mut self, writer: &mut W) -> io::Result<()> {
        self.pretty.begin_object_value(writer)
    }

    fn end_object_value<W: ?Sized + Write>(&mut self, writer: &mut W) -> io::Result<()> {
        self.pretty.end_object_value(writer)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn coloured(value: &Value) -> String {
        let mut text = Vec::new();
        value
            .serialize(&mut Serializer::with_formatter(&mut text, Coloured::default()))
            .unwrap();
        String::from_utf8(text).unwrap()
    }

    #[test]
    fn colours_are_the_only_difference() {
        let value = serde_json::json!({"b": [1, -2, 0.5, true, null, {}], "a": "x\n\u{1b}[0m"});
        let bare = anstream::adapter::strip_str(&coloured(&value)).to_string();
        assert_eq!(bare, serde_json::to_string_pretty(&value).unwrap());
    }

    #[test]
    fn text_cannot_steer_the_terminal() {
        let value = Value::from("a\u{9b}2J\u{202e}\u{e0041}z");
        let text = coloured(&value);
        assert!(text.contains(r"a\u009b2J\u202e\udb40\udc41z"), "{text}");
        let bare = anstream::adapter::strip_str(&text).to_string();
        assert_eq!(serde_json::from_str::<Value>(&bare).unwrap(), value);
    }
}
