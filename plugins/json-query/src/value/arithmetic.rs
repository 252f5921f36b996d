//! The operators `+ - * / %`.

use std::ops::{Add, Div, Mul, Neg, Rem, Sub};
use std::rc::Rc;

use num_bigint::BigInt;
use num_traits::Zero;

use super::{Error, Map, Number, Text, Val, ValR, error, order, unshared};

/// The longest string that a query may make, in bytes: with the document and the result it has to
/// fit into the memory of a plugin.
pub(crate) const LONGEST_STRING: usize = 64 * 1024 * 1024;

/// The operation on numbers: exact if both are integers.
fn compute(
    a: &Number,
    b: &Number,
    int: fn(i64, i64) -> Option<i64>,
    big: fn(&BigInt, &BigInt) -> BigInt,
    float: fn(f64, f64) -> f64,
) -> Val {
    if let (Number::Int(a), Number::Int(b)) = (a, b)
        && let Some(result) = int(*a, *b)
    {
        return Val::Int(result);
    }
    match (a.as_big(), b.as_big()) {
        (Some(a), Some(b)) => Val::big(big(&a, &b)),
        _ => Val::float(float(a.as_f64(), b.as_f64())),
    }
}

fn cannot(what: &str, a: &Val, b: &Val) -> Error {
    error(format!("{} and {} cannot be {what}", a.described(), b.described()))
}

/// The error for a string that would be too long.
pub(super) fn too_long(bytes: usize) -> Error {
    error(format!(
        "the query exceeded its memory budget: a string of {bytes} bytes, where {LONGEST_STRING} are possible"
    ))
}

impl Add for Val {
    type Output = ValR;

    fn add(self, other: Self) -> ValR {
        match (self, other) {
            (Self::Null, value) | (value, Self::Null) => Ok(value),
            (Self::Str(mut a), Self::Str(b)) => match a.len() + b.len() {
                bytes if bytes > LONGEST_STRING => Err(too_long(bytes)),
                _ => {
                    a.push_str(b.as_str());
                    Ok(Self::Str(a))
                }
            },
            (Self::Arr(mut a), Self::Arr(b)) => {
                Rc::make_mut(&mut a).extend(b.iter().cloned());
                Ok(Self::Arr(a))
            }
            (Self::Obj(mut a), Self::Obj(b)) => {
                let fields = Rc::make_mut(&mut a);
                for (key, value) in b.iter() {
                    fields.insert(key.clone(), value.clone());
                }
                Ok(Self::Obj(a))
            }
            (a, b) => match (a.number(), b.number()) {
                (Some(x), Some(y)) => Ok(compute(&x, &y, i64::checked_add, |x, y| x + y, |x, y| x + y)),
                _ => Err(cannot("added", &a, &b)),
            },
        }
    }
}

impl Sub for Val {
    type Output = ValR;

    fn sub(self, other: Self) -> ValR {
        match (self, other) {
            (Self::Arr(mut a), Self::Arr(b)) => {
                let mut gone: Vec<&Self> = b.iter().collect();
                gone.sort_by(|x, y| order(x, y));
                let is_gone = |item: &Self| gone.binary_search_by(|other| order(other, item)).is_ok();
                Rc::make_mut(&mut a).retain(|item| !is_gone(item));
                Ok(Self::Arr(a))
            }
            (a, b) => match (a.number(), b.number()) {
                (Some(x), Some(y)) => Ok(compute(&x, &y, i64::checked_sub, |x, y| x - y, |x, y| x - y)),
                _ => Err(cannot("subtracted", &a, &b)),
            },
        }
    }
}

impl Mul for Val {
    type Output = ValR;

    fn mul(self, other: Self) -> ValR {
        match (self, other) {
            (Self::Obj(a), Self::Obj(b)) => Ok(Self::Obj(merge(a, b))),
            (Self::Str(text), times) | (times, Self::Str(text)) if times.number().is_some() => {
                repeat(&text, times.as_f64().unwrap_or(f64::NAN))
            }
            (a, b) => match (a.number(), b.number()) {
                (Some(x), Some(y)) => Ok(compute(&x, &y, i64::checked_mul, |x, y| x * y, |x, y| x * y)),
                _ => Err(cannot("multiplied", &a, &b)),
            },
        }
    }
}

/// A string so many times; any part of a time counts as one, none at all gives null.
fn repeat(text: &Text, times: f64) -> ValR {
    if times.is_nan() || times <= 0.0 {
        return Ok(Val::Null);
    }
    let bytes = text.len() as f64 * times.max(1.0);
    if bytes > LONGEST_STRING as f64 {
        return Err(too_long(bytes as usize));
    }
    Ok(Val::str(text.as_str().repeat(times.max(1.0) as usize)))
}

/// The fields of both, where objects under the same key are merged again.
fn merge(mut a: Rc<Map>, b: Rc<Map>) -> Rc<Map> {
    let fields = Rc::make_mut(&mut a);
    for (key, value) in unshared(b).into_entries() {
        match (fields.get_mut(&key), value) {
            (Some(Val::Obj(old)), Val::Obj(new)) => *old = merge(std::mem::take(old), new),
            (Some(old), new) => *old = new,
            (None, new) => fields.insert(key, new),
        }
    }
    a
}

/// Splits a string; an empty separator splits it into characters.
pub(crate) fn split(text: &Text, separator: &str) -> Val {
    let whole = text.as_str();
    if whole.is_empty() {
        return Val::array(Vec::new());
    }
    let part = |part: &str| Val::Str(text.slice_of(part));
    if separator.is_empty() {
        let chars = whole.char_indices();
        chars.map(|(at, c)| part(&whole[at..at + c.len_utf8()])).collect()
    } else {
        whole.split(separator).map(part).collect()
    }
}

fn by_zero(a: &Val, b: &Val) -> Error {
    cannot("divided, because the divisor is zero", a, b)
}

impl Div for Val {
    type Output = ValR;

    fn div(self, other: Self) -> ValR {
        if let (Self::Str(text), Self::Str(separator)) = (&self, &other) {
            return Ok(split(text, separator.as_str()));
        }
        let (Some(a), Some(b)) = (self.number(), other.number()) else {
            return Err(cannot("divided", &self, &other));
        };
        if b.as_f64() == 0.0 {
            return Err(by_zero(&self, &other));
        }
        // An integer if the division leaves nothing, however large both are.
        if let (Some(x), Some(y)) = (a.as_big(), b.as_big())
            && (x.as_ref() % y.as_ref()).is_zero()
        {
            return Ok(Self::big(x.as_ref() / y.as_ref()));
        }
        Ok(Self::float(a.as_f64() / b.as_f64()))
    }
}

impl Rem for Val {
    type Output = ValR;

    /// The remainder of integers; floats are cut to integers first.
    fn rem(self, other: Self) -> ValR {
        let (Some(a), Some(b)) = (self.number(), other.number()) else {
            return Err(cannot("divided", &self, &other));
        };
        if a.is_nan() || b.is_nan() {
            return Ok(Self::Float(f64::NAN));
        }
        let cut = |number: Number<'static>| match number {
            Number::Float(float) => Number::Int(float as i64),
            exact => exact,
        };
        let (a, b) = (cut(owned(&a)), cut(owned(&b)));
        if b.as_f64() == 0.0 {
            return Err(by_zero(&self, &other));
        }
        let int = |x: i64, y: i64| Some(x.checked_rem(y).unwrap_or(0));
        Ok(compute(&a, &b, int, |x, y| x % y, |x, y| x % y))
    }
}

fn owned(number: &Number) -> Number<'static> {
    match number {
        Number::Int(int) => Number::Int(*int),
        Number::Float(float) => Number::Float(*float),
        Number::Big(big) => Number::Big(std::borrow::Cow::Owned(big.as_ref().clone())),
    }
}

impl Neg for Val {
    type Output = ValR;

    fn neg(self) -> ValR {
        match (&self, self.number()) {
            (Self::Literal(text), _) => Ok(Self::Literal(match text.as_str().strip_prefix('-') {
                Some(positive) => text.slice_of(positive),
                None => Text::from(format!("-{}", text.as_str())),
            })),
            (_, Some(Number::Int(0))) => Ok(Self::Float(-0.0)),
            (_, Some(Number::Float(float))) => Ok(Self::float(-float)),
            (_, Some(number)) => {
                let zero = Number::Int(0);
                Ok(compute(&zero, &number, i64::checked_sub, |x, y| x - y, |x, y| x - y))
            }
            (other, None) => Err(error(format!("{} cannot be negated", other.described()))),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::value::write;

    fn number(text: &str) -> Val {
        Val::written(Text::from(text))
    }

    fn json(result: ValR) -> String {
        let mut text = String::new();
        write(&result.unwrap(), &mut text).unwrap();
        text
    }

    #[test]
    fn integers_are_exact_at_any_size() {
        let big = "123456789012345678901234567890";
        assert_eq!(json(number(big) + number("1")), "123456789012345678901234567891");
        assert_eq!(json(number("9223372036854775807") + Val::Int(1)), "9223372036854775808");
        assert_eq!(json(number("9223372036854775808") - Val::Int(1)), "9223372036854775807");
        assert_eq!(json(number(big) * Val::Int(10)), "1234567890123456789012345678900");
        assert_eq!(json(number(big) / Val::Int(10)), "12345678901234567890123456789");
        assert_eq!(json(number(big) % Val::Int(1000)), "890");
        assert_eq!(json(Val::Int(i64::MIN) % Val::Int(-1)), "0");
        assert_eq!(json(-Val::Int(i64::MIN)), "9223372036854775808");
        assert_eq!(json(-number("1.10")), "-1.10");
    }

    #[test]
    fn other_results_are_floats() {
        assert_eq!(json(Val::Int(1) / Val::Int(3)), "0.3333333333333333");
        assert_eq!(json(Val::Int(6) / Val::Int(3)), "2");
        assert_eq!(json(number("1.5") + number("1.5")), "3");
        assert_eq!(json(number("5.5") % Val::Int(2)), "1");
        assert!((Val::Int(1) / Val::Int(0)).is_err());
        assert!((Val::Int(1) % number("0.5")).is_err());
    }

    #[test]
    fn strings_are_limited() {
        assert_eq!(json(Val::str("ab") * number("2.5")), "\"abab\"");
        assert_eq!(json(Val::str("ab") * Val::Int(0)), "null");
        let message = (Val::str("x") * Val::Int(1_000_000_000)).unwrap_err().into_val();
        assert!(matches!(message, Val::Str(text) if text.as_str().contains("budget")));
    }
}
