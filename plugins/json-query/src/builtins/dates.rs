//! Dates, always in UTC: a query knows no time zone, and no present.

use jaq_core::native::v;
use jiff::civil::{Date, DateTime};
use jiff::fmt::strtime::{self, BrokenDownTime};
use jiff::tz::TimeZone;

use super::{Native, plain, with};
use crate::value::{Error, Val, ValR, error};

const SECONDS_PER_DAY: f64 = 86_400.0;

pub(super) fn natives() -> Vec<Native> {
    vec![
        ("gmtime", v(0), |cv| plain(cv, |value| broken_down(value.expect_f64()?))),
        ("localtime", v(0), |cv| {
            plain(cv, |value| broken_down(value.expect_f64()?))
        }),
        ("mktime", v(0), |cv| plain(cv, |value| mktime(&value))),
        ("strftime", v(1), |cv| {
            with(cv, |value, format| strftime(value, &format))
        }),
        ("strflocaltime", v(1), |cv| {
            with(cv, |value, format| strftime(value, &format))
        }),
        ("strptime", v(1), |cv| {
            with(cv, |value, format| strptime(&value, &format))
        }),
    ]
}

fn unusable(value: &Val) -> Error {
    error(format!(
        "{} is not a time: seconds since 1970 or [year, month from 0, day, hour, minute, second, …] are needed",
        value.described()
    ))
}

/// Days since 1970-01-01.
fn days(date: Date) -> f64 {
    let since = date.since(Date::constant(1970, 1, 1));
    since.map_or(f64::NAN, |span| f64::from(span.get_days()))
}

/// `[year, month from 0, day, hour, minute, second, weekday from Sunday = 0, day of the year from 0]`.
fn broken_down(seconds: f64) -> ValR {
    let day = (seconds / SECONDS_PER_DAY).floor();
    let date = Date::constant(1970, 1, 1)
        .checked_add(jiff::Span::new().try_days(day as i64).map_err(|_| beyond(seconds))?)
        .map_err(|_| beyond(seconds))?;
    let within = seconds - day * SECONDS_PER_DAY;
    let whole = within.floor();
    let hour = (whole / 3600.0).floor();
    let minute = ((whole - hour * 3600.0) / 60.0).floor();
    let second = whole - hour * 3600.0 - minute * 60.0 + (seconds - seconds.floor());
    Ok(Val::array(vec![
        Val::Int(i64::from(date.year())),
        Val::Int(i64::from(date.month()) - 1),
        Val::Int(i64::from(date.day())),
        Val::float(hour),
        Val::float(minute),
        Val::float(second),
        Val::Int(i64::from(date.weekday().to_sunday_zero_offset())),
        Val::Int(i64::from(date.day_of_year()) - 1),
    ]))
}

fn beyond(seconds: f64) -> Error {
    error(format!("{seconds} seconds are beyond the years -9999 to 9999"))
}

/// The first six numbers of a broken down time.
fn parts(value: &Val) -> Result<[f64; 6], Error> {
    let Val::Arr(items) = value else {
        return Err(unusable(value));
    };
    let numbers: Option<Vec<f64>> = items.iter().take(6).map(Val::as_f64).collect();
    let numbers = numbers.and_then(|numbers| <[f64; 6]>::try_from(numbers).ok());
    numbers.ok_or_else(|| unusable(value))
}

/// Seconds since 1970; what is beyond a month, day or hour carries over.
fn mktime(value: &Val) -> ValR {
    let [year, month, day, hour, minute, second] = parts(value)?.map(f64::floor);
    let years = (month / 12.0).floor();
    let first = Date::new((year + years) as i16, (month - years * 12.0) as i8 + 1, 1).map_err(|_| unusable(value))?;
    Ok(Val::float(
        (days(first) + day - 1.0) * SECONDS_PER_DAY + hour * 3600.0 + minute * 60.0 + second,
    ))
}

/// A format in which the directives that depend on a locale are those of the C locale.
fn in_c_locale(format: &Val) -> Result<String, Error> {
    let format = format.expect_str("used as the format of a date")?.as_str();
    let mut plain = String::with_capacity(format.len());
    let mut rest = format;
    while let Some(at) = rest.find('%') {
        plain.push_str(&rest[..at]);
        let directive = rest[at + 1..]
            .chars()
            .next()
            .map_or("", |c| &rest[at + 1..at + 1 + c.len_utf8()]);
        match directive {
            "c" => plain.push_str("%a %b %e %H:%M:%S %Y"),
            "x" => plain.push_str("%m/%d/%y"),
            "X" => plain.push_str("%H:%M:%S"),
            "r" => plain.push_str("%I:%M:%S %p"),
            other => {
                plain.push('%');
                plain.push_str(other);
            }
        }
        rest = &rest[at + 1 + directive.len()..];
    }
    plain.push_str(rest);
    Ok(plain)
}

fn strftime(value: Val, format: &Val) -> ValR {
    let format = in_c_locale(format)?;
    let time = match &value {
        Val::Arr(_) => value,
        number if number.number().is_some() => broken_down(number.expect_f64()?)?,
        other => return Err(unusable(other)),
    };
    let seconds = mktime(&time)?;
    let [year, month, day, hour, minute, second] = parts(&broken_down(seconds.expect_f64()?)?)?;
    let time = DateTime::new(
        year as i16,
        month as i8 + 1,
        day as i8,
        hour as i8,
        minute as i8,
        second as i8,
        0,
    );
    let zoned = time
        .and_then(|time| time.to_zoned_datetime(TimeZone::UTC))
        .map_err(|_| unusable(&seconds))?;
    strtime::format(&format, &zoned)
        .map(Val::str)
        .map_err(|wrong| error(format!("{format:?} is not a format of dates: {wrong}")))
}

fn strptime(value: &Val, format: &Val) -> ValR {
    let text = value.expect_str("parsed as a date")?.as_str();
    let format = in_c_locale(format)?;
    let parsed = BrokenDownTime::parse(&format, text).and_then(|time| {
        let date = time.to_date()?;
        let clock = if time.hour().is_some() {
            time.to_time()?
        } else {
            jiff::civil::Time::midnight()
        };
        Ok(date.to_datetime(clock))
    });
    let time = parsed.map_err(|wrong| error(format!("date {text:?} does not match format {format:?}: {wrong}")))?;
    let day = days(time.date()) * SECONDS_PER_DAY;
    let clock = f64::from(time.hour()) * 3600.0 + f64::from(time.minute()) * 60.0 + f64::from(time.second());
    broken_down(day + clock + f64::from(time.subsec_nanosecond()) / 1e9)
}
