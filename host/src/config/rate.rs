//! Rates as text: `30s`, `5/min`, `1/1h30m`.

use std::str::FromStr;
use std::time::Duration;

use super::duration::parse_duration;

/// So many within so long.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Rate {
    /// How many; at least 1.
    pub count: u32,
    /// Within how long; above zero.
    pub window: Duration,
}

impl FromStr for Rate {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let fail = |reason: &str| format!("{text:?} is no rate: {reason}; write it like 30s, 5/min or 1/1h30m");
        let (count, window) = match text.split_once('/') {
            None => (1, text),
            Some((count, window)) => match count.trim().parse() {
                Ok(0) | Err(_) => return Err(fail("the part before / must be a whole number above 0")),
                Ok(count) => (count, window),
            },
        };
        let window = window.trim().to_ascii_lowercase();
        let window = match &*window {
            "s" | "sec" | "second" => Duration::from_secs(1),
            "m" | "min" | "minute" => Duration::from_secs(60),
            "h" | "hr" | "hour" => Duration::from_secs(3600),
            "d" | "day" => Duration::from_secs(86_400),
            other => {
                parse_duration(other).map_err(|_| fail("the time is neither a duration nor s, min, hour or day"))?
            }
        };
        if window.is_zero() {
            return Err(fail("the time must be above 0"));
        }
        Ok(Self { count, window })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn reads_rates() {
        let rows = [
            ("30s", 1, 30),
            ("1/30s", 1, 30),
            ("5/min", 5, 60),
            (" 5 / MIN ", 5, 60),
            ("100/hour", 100, 3600),
            ("2/day", 2, 86_400),
            ("min", 1, 60),
            ("1/1h30m", 1, 5400),
        ];
        for (text, count, seconds) in rows {
            let window = Duration::from_secs(seconds);
            assert_eq!(text.parse(), Ok(Rate { count, window }), "{text}");
        }
        let wrong = [
            "0",
            "0s",
            "-1s",
            "0/min",
            "-1/30s",
            "x/min",
            "1.5/min",
            "/30s",
            "5/",
            "5/fortnight",
            "2/7d",
            "1/weeks",
            "",
        ];
        for text in wrong {
            assert!(text.parse::<Rate>().is_err(), "{text}");
        }
    }
}
