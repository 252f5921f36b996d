//! Times as RFC 3339, in UTC with milliseconds.

use std::fmt::{self, Write};
use std::time::{Duration, SystemTime, UNIX_EPOCH};

const DAY_MS: u64 = 86_400_000;

/// Writes `2026-08-21T09:30:00.125Z`. Times before 1970 count as its first moment.
pub(super) fn write(out: &mut impl Write, time: SystemTime) -> fmt::Result {
    let since = time.duration_since(UNIX_EPOCH).unwrap_or_default();
    let millis = u64::try_from(since.as_millis()).unwrap_or(u64::MAX);
    let (year, month, day) = civil(millis / DAY_MS);
    let rest = millis % DAY_MS;
    let (hour, minute) = (rest / 3_600_000, rest / 60_000 % 60);
    let (second, fraction) = (rest / 1000 % 60, rest % 1000);
    write!(
        out,
        "{year:04}-{month:02}-{day:02}T{hour:02}:{minute:02}:{second:02}.{fraction:03}Z"
    )
}

/// Year, month and day of a day since 1970, in years of 365.2425 days that begin in March:
/// so the leap day is the last one and months follow one formula.
fn civil(days: u64) -> (u64, u64, u64) {
    let days = days + 719_468;
    let era_day = days % 146_097;
    let era_year = (era_day - era_day / 1_460 + era_day / 36_524 - era_day / 146_096) / 365;
    let year_day = era_day - (365 * era_year + era_year / 4 - era_year / 100);
    let march_month = (5 * year_day + 2) / 153;
    let day = year_day - (153 * march_month + 2) / 5 + 1;
    let month = if march_month < 10 {
        march_month + 3
    } else {
        march_month - 9
    };
    (era_year + days / 146_097 * 400 + u64::from(month <= 2), month, day)
}

/// Reads `2026-08-21`, `2026-08-21T09:30`, with seconds and a fraction if given, in UTC, with or
/// without the `Z`. `None` for anything else, and before 1970.
pub fn parse(text: &str) -> Option<SystemTime> {
    let text = text.strip_suffix('Z').unwrap_or(text);
    let (date, clock) = text.split_once('T').unwrap_or((text, "00:00"));
    let mut date = date.split('-');
    let (year, month, day) = (
        digits(date.next()?, 4)?,
        digits(date.next()?, 2)?,
        digits(date.next()?, 2)?,
    );
    let (clock, fraction) = clock.split_once('.').unwrap_or((clock, "000"));
    let mut clock = clock.split(':');
    let (hour, minute) = (digits(clock.next()?, 2)?, digits(clock.next()?, 2)?);
    let second = clock.next().map_or(Some(0), |second| digits(second, 2))?;
    let millis = digits(fraction, 3)?;
    let days = days(year, month, day)?;
    let in_range = hour < 24 && minute < 60 && second < 60 && civil(days) == (year, month, day);
    if !in_range || date.next().is_some() || clock.next().is_some() {
        return None;
    }
    let millis = days * DAY_MS + ((hour * 60 + minute) * 60 + second) * 1000 + millis;
    UNIX_EPOCH.checked_add(Duration::from_millis(millis))
}

fn digits(text: &str, length: usize) -> Option<u64> {
    let plain = text.len() == length && text.bytes().all(|byte| byte.is_ascii_digit());
    plain.then(|| text.parse().ok()).flatten()
}

/// The inverse of [`civil`]; for a day that is in no calendar, another day.
fn days(year: u64, month: u64, day: u64) -> Option<u64> {
    let march_year = if month > 2 { year } else { year.checked_sub(1)? };
    let march_month = (month + 9) % 12;
    let year_day = (153 * march_month + 2) / 5 + day.checked_sub(1)?;
    let all = march_year * 365 + march_year / 4 - march_year / 100 + march_year / 400 + year_day;
    all.checked_sub(719_468)
}

#[cfg(test)]
mod tests {

    use super::*;

    #[test]
    fn known_moments() {
        for (millis, text) in [
            (0, "1970-01-01T00:00:00.000Z"),
            (951_782_400_000, "2000-02-29T00:00:00.000Z"),
            (1_709_251_199_999, "2024-02-29T23:59:59.999Z"),
            (2_147_483_648_000, "2038-01-19T03:14:08.000Z"),
            (4_107_542_400_000, "2100-03-01T00:00:00.000Z"),
        ] {
            let mut out = String::new();
            write(&mut out, UNIX_EPOCH + Duration::from_millis(millis)).unwrap();
            assert_eq!(out, text);
            assert_eq!(parse(text), Some(UNIX_EPOCH + Duration::from_millis(millis)));
        }
    }

    #[test]
    fn times_are_read_as_far_as_they_are_given() {
        let at = |seconds| Some(UNIX_EPOCH + Duration::from_secs(seconds));
        assert_eq!(parse("2000-02-29"), at(951_782_400));
        assert_eq!(parse("2000-02-29T01:02"), at(951_786_120));
        assert_eq!(parse("2000-02-29T01:02:03Z"), at(951_786_123));
        for wrong in [
            "",
            "soon",
            "2001-02-29",
            "2000-13-01",
            "2000-00-01",
            "2000-01-00",
            "2000-1-1",
            "1969-12-31",
            "2000-01-01T24:00",
            "2000-01-01T1:00",
            "2000-01-01T01",
            "2000-01-01T01:00:60",
            "2000-01-01T01:00:00.5",
            "2000-01-01-01",
            "+200-01-01",
            "2000-01-01T01:00:00:00",
        ] {
            assert_eq!(parse(wrong), None, "{wrong}");
        }
    }

    #[test]
    fn days_follow_each_other() {
        let mut before = civil(0);
        for day in 1..100_000 {
            let now = civil(day);
            assert_eq!(days(now.0, now.1, now.2), Some(day));
            let next = (before.0, before.1, before.2 + 1);
            let month = (before.0, before.1 + 1, 1);
            assert!(
                now == next || now == month || now == (before.0 + 1, 1, 1),
                "{before:?} {now:?}"
            );
            before = now;
        }
    }
}
