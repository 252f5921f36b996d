//! Times and permission bits as text.

use toolgate_plugin::fs::Kind;

/// Seconds since 1970 as `2026-01-02T03:04:05Z`.
pub(crate) fn rfc3339(seconds: u64) -> String {
    let (days, time) = (seconds / 86_400, seconds % 86_400);
    let (year, month, day) = civil(days);
    let (hour, minute, second) = (time / 3600, time / 60 % 60, time % 60);
    format!("{year:04}-{month:02}-{day:02}T{hour:02}:{minute:02}:{second:02}Z")
}

/// Year, month and day of the day `days` after 1970-01-01.
///
/// Counts in years that begin in March, so that a leap day is the last day of its year, and in
/// eras of 400 years, after which the calendar repeats.
fn civil(days: u64) -> (u64, u64, u64) {
    const DAYS_BEFORE_1970: u64 = 719_468; // since 0000-03-01
    const ERA: u64 = 146_097;
    let days = days + DAYS_BEFORE_1970;
    let (era, day_of_era) = (days / ERA, days % ERA);
    let year_of_era = (day_of_era - day_of_era / 1460 + day_of_era / 36_524 - day_of_era / 146_096) / 365;
    let day_of_year = day_of_era - (365 * year_of_era + year_of_era / 4 - year_of_era / 100);
    let month_from_march = (5 * day_of_year + 2) / 153;
    let day = day_of_year - (153 * month_from_march + 2) / 5 + 1;
    let month = if month_from_march < 10 {
        month_from_march + 3
    } else {
        month_from_march - 9
    };
    let year = era * 400 + year_of_era + u64::from(month <= 2);
    (year, month, day)
}

/// Type and permission bits as `-rw-r--r--`. Special bits are letters in front, `u` for setuid,
/// `g` for setgid and `t` for sticky; they take the place of the `-` of a regular file.
pub(crate) fn mode(kind: Kind, bits: u32) -> String {
    let mut text = String::from(match kind {
        Kind::Directory => "d",
        Kind::Symlink => "L",
        Kind::File => "",
        Kind::Fifo => "p",
        Kind::Socket => "S",
        Kind::BlockDevice => "D",
        Kind::CharacterDevice => "Dc",
        Kind::Unknown => "?",
    });
    for (bit, letter) in [(0o4000, 'u'), (0o2000, 'g'), (0o1000, 't')] {
        if bits & bit != 0 {
            text.push(letter);
        }
    }
    if text.is_empty() {
        text.push('-');
    }
    let permission = |(position, letter)| {
        if bits & (0o400_u32 >> position) == 0 {
            '-'
        } else {
            letter
        }
    };
    text.extend("rwxrwxrwx".chars().enumerate().map(permission));
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn times() {
        let cases = [
            (0, "1970-01-01T00:00:00Z"),
            (951_782_399, "2000-02-28T23:59:59Z"),
            (951_782_400, "2000-02-29T00:00:00Z"),
            (1_767_323_045, "2026-01-02T03:04:05Z"),
            (4_107_542_400, "2100-03-01T00:00:00Z"),
        ];
        for (seconds, text) in cases {
            assert_eq!(rfc3339(seconds), text);
        }
    }

    #[test]
    fn modes() {
        let cases = [
            (Kind::File, 0o644, "-rw-r--r--"),
            (Kind::File, 0o4755, "urwxr-xr-x"),
            (Kind::File, 0o6755, "ugrwxr-xr-x"),
            (Kind::Directory, 0o755, "drwxr-xr-x"),
            (Kind::Directory, 0o1777, "dtrwxrwxrwx"),
            (Kind::Fifo, 0o600, "prw-------"),
        ];
        for (kind, bits, text) in cases {
            assert_eq!(mode(kind, bits), text);
        }
    }
}
