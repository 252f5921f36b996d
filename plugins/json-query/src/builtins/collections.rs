//! Arrays and objects.

use std::rc::Rc;

use jaq_core::ValT;
use jaq_core::native::v;

use super::{Native, plain, with};
use crate::value::{Error, Text, Val, ValR, delete, error, order, subsequences};

pub(super) fn natives() -> Vec<Native> {
    vec![
        ("length", v(0), |cv| plain(cv, |value| length(&value))),
        ("keys", v(0), |cv| plain(cv, |value| keys(&value, true))),
        ("keys_unsorted", v(0), |cv| plain(cv, |value| keys(&value, false))),
        ("has", v(1), |cv| with(cv, |value, key| has(&value, &key))),
        ("contains", v(1), |cv| {
            with(cv, |value, part| contains(&value, &part).map(Val::Bool))
        }),
        ("indices", v(1), |cv| with(cv, |value, part| indices(&value, &part))),
        ("add", v(0), |cv| plain(cv, add)),
        ("reverse", v(0), |cv| plain(cv, reverse)),
        ("transpose", v(0), |cv| plain(cv, transpose)),
        ("flatten", v(0), |cv| {
            plain(cv, |value| flatten(value, &Val::Float(f64::INFINITY)))
        }),
        ("flatten", v(1), |cv| with(cv, |value, depth| flatten(value, &depth))),
        ("bsearch", v(1), |cv| with(cv, |value, item| bsearch(value, &item))),
        ("delpaths", v(1), |cv| with(cv, delpaths)),
        ("toarray", v(0), |cv| {
            plain(cv, |value| {
                Ok(match value {
                    Val::Arr(_) => value,
                    other => Val::array(vec![other]),
                })
            })
        }),
    ]
}

fn length(value: &Val) -> ValR {
    match value {
        Val::Null => Ok(Val::Int(0)),
        Val::Bool(_) => Err(error(format!("{} has no length", value.described()))),
        Val::Str(text) => Ok(Val::count(text.as_str().chars().count())),
        Val::Arr(items) => Ok(Val::count(items.len())),
        Val::Obj(map) => Ok(Val::count(map.len())),
        number => super::numbers::abs(number.clone()),
    }
}

fn keys(value: &Val, sorted: bool) -> ValR {
    match value {
        Val::Arr(items) => Ok((0..items.len()).map(Val::count).collect()),
        Val::Obj(map) => {
            let mut keys: Vec<Text> = map.iter().map(|(key, _)| key.clone()).collect();
            if sorted {
                keys.sort();
            }
            Ok(keys.into_iter().map(Val::Str).collect())
        }
        other => Err(error(format!("{} has no keys", other.described()))),
    }
}

fn has(value: &Val, key: &Val) -> ValR {
    match (value, key) {
        (Val::Obj(map), Val::Str(key)) => Ok(Val::Bool(map.get(key).is_some())),
        (Val::Arr(items), number) if number.number().is_some() => {
            let at = number.as_f64().unwrap_or(f64::NAN);
            Ok(Val::Bool(at >= 0.0 && at < items.len() as f64))
        }
        _ => Err(error(format!(
            "Cannot check whether {} has a key of type {}",
            value.type_name(),
            key.type_name()
        ))),
    }
}

fn contains(value: &Val, part: &Val) -> Result<bool, Error> {
    match (value, part) {
        (Val::Str(value), Val::Str(part)) => Ok(value.as_str().contains(part.as_str())),
        (Val::Arr(values), Val::Arr(parts)) => Ok(parts
            .iter()
            .all(|part| values.iter().any(|value| contains(value, part).unwrap_or(false)))),
        (Val::Obj(values), Val::Obj(parts)) => Ok(parts.iter().all(|(key, part)| {
            let value = values.get(key);
            value.is_some_and(|value| contains(value, part).unwrap_or(false))
        })),
        _ if value.type_name() == part.type_name() => Ok(value == part),
        _ => Err(error(format!(
            "{} and {} cannot have their containment checked",
            value.described(),
            part.described()
        ))),
    }
}

fn indices(value: &Val, part: &Val) -> ValR {
    match (value, part) {
        (Val::Null, _) => Ok(Val::Null),
        (Val::Str(text), Val::Str(part)) => Ok(super::strings::indices(text.as_str(), part.as_str())),
        (Val::Arr(items), Val::Arr(part)) => Ok(subsequences(items, part)),
        (Val::Arr(items), item) => Ok(subsequences(items, std::slice::from_ref(item))),
        _ => value.clone().index(part),
    }
}

fn add(value: Val) -> ValR {
    value.values().try_fold(Val::Null, |sum, item| sum + item?)
}

fn reverse(value: Val) -> ValR {
    match value {
        Val::Null => Ok(Val::array(Vec::new())),
        Val::Str(text) => Ok(Val::str(text.as_str().chars().rev().collect::<String>())),
        other => {
            let mut items = other.expect_array("reversed")?;
            Rc::make_mut(&mut items).reverse();
            Ok(Val::Arr(items))
        }
    }
}

fn transpose(value: Val) -> ValR {
    let rows = value.expect_array("transposed")?;
    let rows: Vec<_> = rows
        .iter()
        .map(|row| row.clone().expect_array("a row of what is transposed"))
        .collect::<Result<_, _>>()?;
    let width = rows.iter().map(|row| row.len()).max().unwrap_or(0);
    let column = |at| {
        rows.iter()
            .map(|row| row.get(at).cloned().unwrap_or_default())
            .collect()
    };
    Ok((0..width).map(column).collect())
}

fn flatten(value: Val, depth: &Val) -> ValR {
    let depth = depth.expect_f64()?;
    if depth < 0.0 {
        return Err(error("flatten depth must not be negative"));
    }
    let mut flat = Vec::new();
    match value {
        Val::Arr(items) => flatten_into(&items, depth, &mut flat),
        Val::Obj(map) => map.iter().for_each(|(_, value)| match value {
            Val::Arr(inner) if depth >= 1.0 => flatten_into(inner, depth - 1.0, &mut flat),
            other => flat.push(other.clone()),
        }),
        other => return Err(error(format!("Cannot iterate over {}", other.described()))),
    }
    Ok(Val::array(flat))
}

fn flatten_into(items: &[Val], depth: f64, flat: &mut Vec<Val>) {
    for item in items {
        match item {
            Val::Arr(inner) if depth >= 1.0 => flatten_into(inner, depth - 1.0, flat),
            other => flat.push(other.clone()),
        }
    }
}

/// Where an item is in a sorted array, or `-1 - n` if it belongs at `n`.
fn bsearch(value: Val, item: &Val) -> ValR {
    let items = value.expect_array("searched")?;
    Ok(match items.binary_search_by(|other| order(other, item)) {
        Ok(at) => Val::count(at),
        Err(at) => (Val::Int(-1) - Val::count(at))?,
    })
}

fn delpaths(value: Val, paths: Val) -> ValR {
    let paths = paths.expect_array("used as a list of paths")?;
    let paths: Vec<_> = paths
        .iter()
        .map(|path| path.clone().expect_array("used as a path"))
        .collect::<Result<_, _>>()?;
    delete(value, paths.iter().map(|path| path.as_slice()).collect())
}
