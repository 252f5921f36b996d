//! Functions of real numbers, the same on every machine.

use jaq_core::native::{bome, v};

use super::{Native, plain};
use crate::value::{Error, Val};

/// Functions of the input, from a number to a number.
macro_rules! unary {
    ($($name:literal: $function:expr),* $(,)?) => {
        [$({
            let native: Native = ($name, v(0), |cv| plain(cv, |value| Ok(Val::float($function(value.expect_f64()?)))));
            native
        }),*]
    };
}

/// Functions of two arguments.
macro_rules! binary {
    ($($name:literal: $function:expr),* $(,)?) => {
        [$({
            let native: Native = ($name, v(2), |mut cv| {
                let (y, x) = (cv.0.pop_var(), cv.0.pop_var());
                let result = || Ok::<_, Error>(Val::float($function(x.expect_f64()?, y.expect_f64()?)));
                bome(result())
            });
            native
        }),*]
    };
}

pub(super) fn natives() -> Vec<Native> {
    let unary = unary! {
        "acos": libm::acos, "acosh": libm::acosh, "asin": libm::asin, "asinh": libm::asinh,
        "atan": libm::atan, "atanh": libm::atanh, "cbrt": libm::cbrt, "cos": libm::cos,
        "cosh": libm::cosh, "exp": libm::exp, "exp10": libm::exp10, "exp2": libm::exp2,
        "expm1": libm::expm1, "fabs": libm::fabs, "gamma": libm::lgamma, "j0": libm::j0,
        "j1": libm::j1, "lgamma": libm::lgamma, "log": libm::log, "log10": libm::log10,
        "log1p": libm::log1p, "log2": libm::log2, "logb": logb, "pow10": libm::exp10,
        "significand": significand, "sin": libm::sin, "sinh": libm::sinh, "sqrt": libm::sqrt,
        "tan": libm::tan, "tanh": libm::tanh, "tgamma": libm::tgamma, "y0": libm::y0, "y1": libm::y1,
    };
    let binary = binary! {
        "atan2": libm::atan2, "copysign": libm::copysign, "drem": libm::remainder, "fdim": libm::fdim,
        "fmax": libm::fmax, "fmin": libm::fmin, "fmod": libm::fmod, "hypot": libm::hypot,
        "ldexp": scaled, "nextafter": libm::nextafter, "nexttoward": libm::nextafter, "pow": libm::pow,
        "scalb": scaled, "scalbln": scaled,
    };
    let others: [Native; 4] = [
        ("fma", v(3), |mut cv| {
            let (z, y, x) = (cv.0.pop_var(), cv.0.pop_var(), cv.0.pop_var());
            let result = || Ok(Val::float(libm::fma(x.expect_f64()?, y.expect_f64()?, z.expect_f64()?)));
            bome(result())
        }),
        ("frexp", v(0), |cv| {
            plain(cv, |value| {
                let (fraction, exponent) = libm::frexp(value.expect_f64()?);
                Ok(pair(Val::float(fraction), i64::from(exponent)))
            })
        }),
        ("lgamma_r", v(0), |cv| {
            plain(cv, |value| {
                let (gamma, sign) = libm::lgamma_r(value.expect_f64()?);
                Ok(pair(Val::float(gamma), i64::from(sign)))
            })
        }),
        ("modf", v(0), |cv| {
            plain(cv, |value| {
                let (fraction, whole) = libm::modf(value.expect_f64()?);
                Ok(Val::array(vec![Val::float(fraction), Val::float(whole)]))
            })
        }),
    ];
    unary.into_iter().chain(binary).chain(others).collect()
}

fn pair(first: Val, second: i64) -> Val {
    Val::array(vec![first, Val::Int(second)])
}

/// `x * 2^exponent`; beyond these bounds every result is 0 or infinite.
fn scaled(x: f64, exponent: f64) -> f64 {
    libm::scalbn(x, exponent.clamp(-5000.0, 5000.0) as i32)
}

/// The exponent of the float, as a float.
fn logb(x: f64) -> f64 {
    if x == 0.0 {
        f64::NEG_INFINITY
    } else if x.is_finite() {
        f64::from(libm::ilogb(x))
    } else {
        x.abs()
    }
}

/// The float scaled to at least 1 and below 2.
fn significand(x: f64) -> f64 {
    if x == 0.0 || !x.is_finite() {
        x
    } else {
        libm::scalbn(x, -libm::ilogb(x))
    }
}
