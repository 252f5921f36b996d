//! Numbers: exact integers of any size, and floats.

use std::borrow::Cow;
use std::cmp::Ordering;

use num_bigint::BigInt;
use num_traits::{FromPrimitive, ToPrimitive};

use super::{Text, Val};

/// Integers of more digits than this are computed with as floats, that is as infinity: the cost
/// of exact arithmetic grows with the square of the length.
const LONGEST_INTEGER: usize = 10_000;

/// The largest integer up to which every integer is also a float: 2^53.
const EXACT: f64 = 9_007_199_254_740_992.0;

/// A number in the form in which it is computed with.
#[derive(Debug, Clone)]
pub(crate) enum Number<'a> {
    Int(i64),
    Big(Cow<'a, BigInt>),
    Float(f64),
}

impl Number<'_> {
    pub(crate) fn as_f64(&self) -> f64 {
        match self {
            Self::Int(int) => *int as f64,
            Self::Big(big) => big.to_f64().unwrap_or(f64::NAN),
            Self::Float(float) => *float,
        }
    }

    /// As a large integer, unless it is a float.
    pub(crate) fn as_big(&self) -> Option<Cow<'_, BigInt>> {
        match self {
            Self::Int(int) => Some(Cow::Owned(BigInt::from(*int))),
            Self::Big(big) => Some(Cow::Borrowed(big)),
            Self::Float(_) => None,
        }
    }

    /// By value; NaN is less than every other number and equal to itself, so that sorting works.
    pub(crate) fn order(&self, other: &Self) -> Ordering {
        match (self, other) {
            (Self::Int(a), Self::Int(b)) => a.cmp(b),
            (Self::Float(a), Self::Float(b)) => order_floats(*a, *b),
            (Self::Float(a), exact) => order_mixed(exact, *a).reverse(),
            (exact, Self::Float(b)) => order_mixed(exact, *b),
            _ => self.as_big().cmp(&other.as_big()),
        }
    }

    pub(crate) fn is_nan(&self) -> bool {
        matches!(self, Self::Float(float) if float.is_nan())
    }
}

fn order_floats(a: f64, b: f64) -> Ordering {
    a.partial_cmp(&b).unwrap_or_else(|| b.is_nan().cmp(&a.is_nan()))
}

/// An integer against a float, without rounding the integer.
fn order_mixed(exact: &Number, float: f64) -> Ordering {
    if float.is_nan() {
        return Ordering::Greater;
    }
    match (exact.as_big(), BigInt::from_f64(float.trunc())) {
        (Some(exact), Some(whole)) => exact
            .as_ref()
            .cmp(&whole)
            .then_with(|| 0.0f64.partial_cmp(&float.fract()).unwrap_or(Ordering::Equal)),
        // Infinite.
        _ if float > 0.0 => Ordering::Less,
        _ => Ordering::Greater,
    }
}

impl Val {
    /// The number that this value is, if it is one.
    pub(crate) fn number(&self) -> Option<Number<'_>> {
        Some(match self {
            Self::Int(int) => Number::Int(*int),
            Self::Float(float) => Number::Float(*float),
            Self::Big(big) => Number::Big(Cow::Borrowed(big)),
            Self::Literal(text) => literal(text.as_str()),
            _ => return None,
        })
    }

    /// The number that this value is, rounded to a float.
    pub(crate) fn as_f64(&self) -> Option<f64> {
        self.number().map(|number| number.as_f64())
    }

    /// A float, as an integer if it is one and exact, so that it indexes and prints as one.
    pub(crate) fn float(float: f64) -> Self {
        let is_integer = float.fract() == 0.0 && float.abs() <= EXACT && !(float == 0.0 && float.is_sign_negative());
        if is_integer {
            Self::Int(float as i64)
        } else {
            Self::Float(float)
        }
    }

    /// An integer of any size.
    pub(crate) fn big(big: BigInt) -> Self {
        const BITS_PER_DIGIT: u64 = 4;
        match big.to_i64() {
            Some(int) => Self::Int(int),
            None if big.bits() > LONGEST_INTEGER as u64 * BITS_PER_DIGIT => {
                Self::Float(big.to_f64().unwrap_or(f64::INFINITY))
            }
            None => Self::Big(big.into()),
        }
    }

    /// A number as written in JSON, which keeps its text unless that is a small integer.
    pub(crate) fn written(text: Text) -> Self {
        match text.as_str() {
            // The sign of zero is not an integer's.
            "-0" => Self::Float(-0.0),
            digits => digits.parse().map_or_else(|_| Self::Literal(text), Self::Int),
        }
    }
}

fn literal(text: &str) -> Number<'static> {
    let is_integer = !text.contains(['.', 'e', 'E']);
    match text.parse::<BigInt>() {
        Ok(big) if is_integer && text.len() <= LONGEST_INTEGER => Number::Big(Cow::Owned(big)),
        _ => Number::Float(text.parse().unwrap_or(f64::NAN)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn compare(a: &str, b: &str) -> Ordering {
        let number = |text: &str| Val::written(Text::from(text));
        let (a, b) = (number(a), number(b));
        a.number().unwrap().order(&b.number().unwrap())
    }

    #[test]
    fn numbers_compare_by_exact_value() {
        assert_eq!(compare("9007199254740993", "9007199254740992.0"), Ordering::Greater);
        assert_eq!(compare("12345678901234567890", "12345678901234567891"), Ordering::Less);
        assert_eq!(compare("1.10", "1.1"), Ordering::Equal);
        assert_eq!(compare("1e2", "100"), Ordering::Equal);
        assert_eq!(compare("-1", "-1.5"), Ordering::Greater);
        assert_eq!(compare("1", "1e999"), Ordering::Less);
        assert_eq!(compare("-1e999", "-123456789012345678901"), Ordering::Less);
    }

    #[test]
    fn integral_floats_are_integers() {
        assert!(matches!(Val::float(3.0), Val::Int(3)));
        assert!(matches!(Val::float(1e300), Val::Float(_)));
        assert!(matches!(Val::float(-0.0), Val::Float(_)));
    }
}
