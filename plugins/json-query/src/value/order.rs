//! The order of values: null, false, true, numbers, strings, arrays, objects.

use std::cmp::Ordering;

use super::Val;

/// Total order, for sorting.
pub(crate) fn order(a: &Val, b: &Val) -> Ordering {
    rank(a).cmp(&rank(b)).then_with(|| match (a, b) {
        (Val::Str(a), Val::Str(b)) => a.cmp(b),
        (Val::Arr(a), Val::Arr(b)) => lexicographic(a.iter().zip(b.iter())).then(a.len().cmp(&b.len())),
        (Val::Obj(a), Val::Obj(b)) => {
            let (a, b) = (a.sorted(), b.sorted());
            let keys = a.iter().map(|(key, _)| key).cmp(b.iter().map(|(key, _)| key));
            keys.then_with(|| lexicographic(a.iter().zip(&b).map(|((_, a), (_, b))| (a, b))))
        }
        _ => match (a.number(), b.number()) {
            (Some(a), Some(b)) => a.order(&b),
            _ => Ordering::Equal,
        },
    })
}

fn lexicographic<'a>(mut pairs: impl Iterator<Item = (&'a Val, &'a Val)>) -> Ordering {
    pairs
        .find_map(|(a, b)| Some(order(a, b)).filter(|order| order.is_ne()))
        .unwrap_or(Ordering::Equal)
}

fn rank(value: &Val) -> u8 {
    match value {
        Val::Null => 0,
        Val::Bool(false) => 1,
        Val::Bool(true) => 2,
        Val::Int(_) | Val::Float(_) | Val::Big(_) | Val::Literal(_) => 3,
        Val::Str(_) => 4,
        Val::Arr(_) => 5,
        Val::Obj(_) => 6,
    }
}

impl PartialEq for Val {
    fn eq(&self, other: &Self) -> bool {
        match (self, other) {
            (Self::Null, Self::Null) => true,
            (Self::Bool(a), Self::Bool(b)) => a == b,
            (Self::Int(a), Self::Int(b)) => a == b,
            (Self::Str(a), Self::Str(b)) => a == b,
            (Self::Arr(a), Self::Arr(b)) => a == b,
            (Self::Obj(a), Self::Obj(b)) => {
                a.len() == b.len() && a.iter().all(|(key, value)| b.get(key) == Some(value))
            }
            _ => match (self.number(), other.number()) {
                (Some(a), Some(b)) => !a.is_nan() && a.order(&b).is_eq(),
                _ => false,
            },
        }
    }
}

impl PartialOrd for Val {
    /// As `<` in a query: NaN is less than every number, itself included.
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        let is_nan = self.number().is_some_and(|number| number.is_nan());
        if is_nan && other.number().is_some() {
            return Some(Ordering::Less);
        }
        Some(order(self, other))
    }
}
