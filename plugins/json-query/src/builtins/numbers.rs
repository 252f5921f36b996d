//! Numbers: what they are, and rounding.

use jaq_core::native::v;

use super::{Native, plain};
use crate::document;
use crate::value::{Number, Val, ValR, error};

pub(super) fn natives() -> Vec<Native> {
    vec![
        ("infinite", v(0), |cv| plain(cv, |_| Ok(Val::Float(f64::INFINITY)))),
        ("nan", v(0), |cv| plain(cv, |_| Ok(Val::Float(f64::NAN)))),
        ("isinfinite", v(0), |cv| {
            plain(cv, |value| Ok(Val::Bool(value.expect_f64()?.is_infinite())))
        }),
        ("isnan", v(0), |cv| {
            plain(cv, |value| Ok(Val::Bool(value.expect_f64()?.is_nan())))
        }),
        ("isnormal", v(0), |cv| {
            plain(cv, |value| Ok(Val::Bool(value.expect_f64()?.is_normal())))
        }),
        ("have_literal_numbers", v(0), |cv| plain(cv, |_| Ok(Val::Bool(true)))),
        ("have_decnum", v(0), |cv| plain(cv, |_| Ok(Val::Bool(false)))),
        ("abs", v(0), |cv| plain(cv, abs)),
        ("floor", v(0), |cv| plain(cv, |value| rounded(value, f64::floor))),
        ("ceil", v(0), |cv| plain(cv, |value| rounded(value, f64::ceil))),
        ("round", v(0), |cv| plain(cv, |value| rounded(value, f64::round))),
        ("trunc", v(0), |cv| plain(cv, |value| rounded(value, f64::trunc))),
        ("rint", v(0), |cv| {
            plain(cv, |value| rounded(value, f64::round_ties_even))
        }),
        ("nearbyint", v(0), |cv| {
            plain(cv, |value| rounded(value, f64::round_ties_even))
        }),
        ("tonumber", v(0), |cv| plain(cv, tonumber)),
    ]
}

/// The value without its sign.
pub(super) fn abs(value: Val) -> ValR {
    let is_negative = match value.number() {
        Some(Number::Float(float)) => float.is_sign_negative(),
        Some(other) => other.as_f64() < 0.0,
        None => return Err(error(format!("{} has no absolute value", value.described()))),
    };
    if is_negative { -value } else { Ok(value) }
}

/// Integers are rounded already, at any size.
fn rounded(value: Val, round: impl FnOnce(f64) -> f64) -> ValR {
    match value.number() {
        Some(Number::Float(float)) => Ok(Val::float(round(float))),
        Some(_) => Ok(value),
        None => value.expect_f64().map(Val::float),
    }
}

/// A number in a string, written as JSON writes numbers.
fn tonumber(value: Val) -> ValR {
    let Val::Str(text) = &value else {
        value.expect_f64()?;
        return Ok(value);
    };
    match document::parse(text) {
        Ok(number) if number.number().is_some() => Ok(number),
        _ => Err(error(format!("{} cannot be parsed as a number", value.described()))),
    }
}
