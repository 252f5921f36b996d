//! Strings, and what turns other values into them and back.

use jaq_core::ValT;
use jaq_core::native::v;

use super::{Native, plain, with};
use crate::document;
use crate::value::{LONGEST_STRING, Text, TooDeep, Val, ValR, error, split, write};

pub(super) fn natives() -> Vec<Native> {
    vec![
        ("utf8bytelength", v(0), |cv| {
            plain(cv, |value| Ok(Val::count(value.expect_str("measured in bytes")?.len())))
        }),
        ("explode", v(0), |cv| {
            plain(cv, |value| {
                let text = value.expect_str("exploded")?;
                Ok(text
                    .as_str()
                    .chars()
                    .map(|c| Val::Int(i64::from(u32::from(c))))
                    .collect())
            })
        }),
        ("implode", v(0), |cv| plain(cv, implode)),
        ("ascii_downcase", v(0), |cv| {
            plain(cv, |value| map(&value, str::to_ascii_lowercase))
        }),
        ("ascii_upcase", v(0), |cv| {
            plain(cv, |value| map(&value, str::to_ascii_uppercase))
        }),
        ("trim", v(0), |cv| plain(cv, |value| part(&value, str::trim))),
        ("ltrim", v(0), |cv| plain(cv, |value| part(&value, str::trim_start))),
        ("rtrim", v(0), |cv| plain(cv, |value| part(&value, str::trim_end))),
        ("startswith", v(1), |cv| {
            with(cv, |value, start| {
                let start = start.expect_str("the start of a string")?;
                Ok(Val::Bool(
                    value
                        .expect_str("checked for its start")?
                        .as_str()
                        .starts_with(start.as_str()),
                ))
            })
        }),
        ("endswith", v(1), |cv| {
            with(cv, |value, end| {
                let end = end.expect_str("the end of a string")?;
                Ok(Val::Bool(
                    value
                        .expect_str("checked for its end")?
                        .as_str()
                        .ends_with(end.as_str()),
                ))
            })
        }),
        ("ltrimstr", v(1), |cv| {
            with(cv, |value, start| Ok(without(value, Some(&start), None)))
        }),
        ("rtrimstr", v(1), |cv| {
            with(cv, |value, end| Ok(without(value, None, Some(&end))))
        }),
        ("trimstr", v(1), |cv| {
            with(cv, |value, both| Ok(without(value, Some(&both), Some(&both))))
        }),
        ("split", v(1), |cv| {
            with(cv, |value, separator| {
                let separator = separator.expect_str("a separator")?;
                Ok(split(value.expect_str("split")?, separator.as_str()))
            })
        }),
        ("join", v(1), |cv| with(cv, |value, separator| join(value, &separator))),
        ("tostring", v(0), |cv| {
            plain(cv, |value| match value {
                Val::Str(_) => Ok(value),
                other => tojson(&other),
            })
        }),
        ("tojson", v(0), |cv| plain(cv, |value| tojson(&value))),
        ("fromjson", v(0), |cv| plain(cv, |value| fromjson(&value))),
    ]
}

fn map(value: &Val, change: impl FnOnce(&str) -> String) -> ValR {
    Ok(Val::str(change(value.expect_str("changed")?.as_str())))
}

fn part(value: &Val, part: impl FnOnce(&str) -> &str) -> ValR {
    let text = value.expect_str("trimmed")?;
    Ok(Val::Str(text.slice_of(part(text.as_str()))))
}

/// A string without this start and this end; everything else stays as it is.
fn without(value: Val, start: Option<&Val>, end: Option<&Val>) -> Val {
    let Val::Str(text) = &value else { return value };
    let mut rest = text.as_str();
    if let Some(Val::Str(start)) = start {
        rest = rest.strip_prefix(start.as_str()).unwrap_or(rest);
    }
    if let Some(Val::Str(end)) = end {
        rest = rest.strip_suffix(end.as_str()).unwrap_or(rest);
    }
    Val::Str(text.slice_of(rest))
}

fn implode(value: Val) -> ValR {
    let codes = value.expect_array("imploded")?;
    let character = |code: &Val| {
        let number = code
            .as_f64()
            .filter(|code| *code >= 0.0 && *code <= f64::from(u32::MAX));
        number
            .and_then(|code| char::from_u32(code as u32))
            .ok_or_else(|| error(format!("{} is not the code of a character", code.described())))
    };
    codes.iter().map(character).collect::<Result<String, _>>().map(Val::str)
}

fn join(value: Val, separator: &Val) -> ValR {
    let mut joined = String::new();
    for (number, item) in value.values().enumerate() {
        if number > 0 {
            joined.push_str(separator.expect_str("a separator")?.as_str());
        }
        match item? {
            Val::Null => {}
            Val::Str(text) => joined.push_str(text.as_str()),
            container @ (Val::Arr(_) | Val::Obj(_)) => {
                return Err(error(format!("{} cannot be joined to a string", container.described())));
            }
            // Not nested, so it can be written.
            scalar => drop(write(&scalar, &mut joined)),
        }
        if joined.len() > LONGEST_STRING {
            return Err(error(
                "the query exceeded its memory budget: join makes a string above 64 MiB",
            ));
        }
    }
    Ok(Val::str(joined))
}

/// The positions in characters at which a part begins, overlapping ones included.
pub(super) fn indices(text: &str, part: &str) -> Val {
    if part.is_empty() {
        return Val::array(Vec::new());
    }
    let starts = text.char_indices().enumerate();
    starts
        .filter(|(_, (at, _))| text[*at..].starts_with(part))
        .map(|(number, _)| Val::count(number))
        .collect()
}

pub(super) fn tojson(value: &Val) -> ValR {
    let mut json = String::new();
    match write(value, &mut json) {
        Ok(()) => Ok(Val::str(json)),
        Err(TooDeep) => Err(error("the value is nested too deeply to be written as JSON")),
    }
}

fn fromjson(value: &Val) -> ValR {
    let text: &Text = value.expect_str("parsed as JSON")?;
    document::parse(text).map_err(|problem| {
        error(format!(
            "{} is not JSON: at byte offset {}: {}",
            value.described(),
            problem.offset,
            problem.message
        ))
    })
}
