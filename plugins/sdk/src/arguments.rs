//! JSON text to a tool's arguments.

use serde::de::DeserializeOwned;
use serde_json::{Number, Value};

use crate::Error;

/// Decodes the arguments of a call.
///
/// JSON has one kind of number, and JSON Schema accepts `3.0` as an integer; serde does not. So
/// if the direct way fails, numbers with an integral value are written as integers first.
pub(crate) fn decode<T: DeserializeOwned>(text: &str) -> Result<T, Error> {
    serde_json::from_str(text).or_else(|first| {
        let invalid = |error| Error::invalid_arguments(format!("the arguments do not fit: {error}"));
        let mut value: Value = serde_json::from_str(text).map_err(invalid)?;
        if integers(&mut value) {
            T::deserialize(value).map_err(invalid)
        } else {
            Err(invalid(first))
        }
    })
}

/// Turns integral floats into integers; says whether there were any.
fn integers(value: &mut Value) -> bool {
    match value {
        Value::Number(number) => match integer(number) {
            Some(integer) => {
                *number = integer;
                true
            }
            None => false,
        },
        Value::Array(items) => items.iter_mut().fold(false, |any, item| integers(item) | any),
        Value::Object(fields) => fields.values_mut().fold(false, |any, field| integers(field) | any),
        _ => false,
    }
}

/// The integer that a float stands for. Beyond 2^53 a float no longer names one integer.
fn integer(number: &Number) -> Option<Number> {
    const EXACT: f64 = 9_007_199_254_740_992.0;
    let float = number.as_f64().filter(|_| number.is_f64())?;
    (float.fract() == 0.0 && float.abs() <= EXACT).then(|| {
        if float < 0.0 {
            Number::from(float as i64)
        } else {
            Number::from(float as u64)
        }
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde::Deserialize;

    #[derive(Deserialize)]
    struct Args {
        limit: u64,
    }

    #[test]
    fn an_integral_float_is_an_integer() {
        assert_eq!(decode::<Args>(r#"{"limit":3.0}"#).unwrap().limit, 3);
        assert_eq!(decode::<Args>(r#"{"limit":3}"#).unwrap().limit, 3);
    }

    #[test]
    fn other_values_stay_errors() {
        for text in [r#"{"limit":3.5}"#, r#"{"limit":-1.0}"#, r#"{"limit":"3"}"#, "{}", "{"] {
            assert!(decode::<Args>(text).is_err(), "{text}");
        }
    }
}
