//! Durations as text: `30s`, `1h30m`, `250ms`.

use std::time::Duration;

/// Parses numbers with units `ns`, `us`, `ms`, `s`, `m` and `h`, one after the
/// other; `0` needs no unit.
///
/// # Errors
/// Names the text and what would work.
pub fn parse_duration(text: &str) -> Result<Duration, String> {
    parse(text.trim()).ok_or_else(|| format!("{text:?} is no duration; write it like 30s, 5m or 1h30m"))
}

fn parse(text: &str) -> Option<Duration> {
    if text == "0" {
        return Some(Duration::ZERO);
    }
    let (mut total, mut rest) = (0.0, text);
    if rest.is_empty() {
        return None;
    }
    while !rest.is_empty() {
        let end = rest.find(|char: char| !char.is_ascii_digit() && char != '.')?;
        let number: f64 = rest[..end].parse().ok()?;
        rest = &rest[end..];
        let end = rest
            .find(|char: char| char.is_ascii_digit() || char == '.')
            .unwrap_or(rest.len());
        let unit = match &rest[..end] {
            "ns" => 1e-9,
            "us" | "µs" => 1e-6,
            "ms" => 1e-3,
            "s" => 1.0,
            "m" => 60.0,
            "h" => 3600.0,
            _ => return None,
        };
        total += number * unit;
        rest = &rest[end..];
    }
    Duration::try_from_secs_f64(total).ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn reads_the_usual_spellings() {
        for (text, seconds) in [
            ("30s", 30.0),
            ("1h30m", 5400.0),
            ("5m", 300.0),
            ("0s", 0.0),
            ("0", 0.0),
            ("250ms", 0.25),
            ("1.5s", 1.5),
        ] {
            assert_eq!(parse_duration(text).unwrap().as_secs_f64(), seconds, "{text}");
        }
        for wrong in [
            "",
            "-1s",
            "5",
            "5d",
            "s",
            "5 m",
            "1e3s",
            "99999999999999999999999h",
            "1..2s",
        ] {
            assert!(parse_duration(wrong).is_err(), "{wrong}");
        }
    }
}
