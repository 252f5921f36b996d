//! Sorting and grouping.

use jaq_core::box_iter::box_once;
use jaq_core::native::v;
use jaq_core::{Cv, ValX};

use super::{Data, Native, filter, plain};
use crate::value::{Val, ValR, order};

pub(super) fn natives() -> Vec<Native> {
    vec![
        ("sort", v(0), |cv| plain(cv, |value| sorted(value).map(Val::array))),
        ("unique", v(0), |cv| {
            plain(cv, |value| {
                let mut items = sorted(value)?;
                items.dedup_by(|a, b| order(a, b).is_eq());
                Ok(Val::array(items))
            })
        }),
        ("min", v(0), |cv| plain(cv, |value| extreme(value, Extreme::Least))),
        ("max", v(0), |cv| plain(cv, |value| extreme(value, Extreme::Greatest))),
        ("sort_by", filter(), |cv| {
            box_once(keyed(cv).map(|items| items.into_iter().map(|(_, item)| item).collect()))
        }),
        ("group_by", filter(), |cv| {
            box_once(keyed(cv).map(|items| {
                let groups = items.chunk_by(|(a, _), (b, _)| order(a, b).is_eq());
                groups
                    .map(|group| group.iter().map(|(_, item)| item.clone()).collect())
                    .collect()
            }))
        }),
        ("unique_by", filter(), |cv| {
            box_once(keyed(cv).map(|mut items| {
                items.dedup_by(|(a, _), (b, _)| order(a, b).is_eq());
                items.into_iter().map(|(_, item)| item).collect()
            }))
        }),
        ("min_by", filter(), |cv| {
            box_once(keyed(cv).map(|items| items.into_iter().next().map_or(Val::Null, |(_, item)| item)))
        }),
        ("max_by", filter(), |cv| {
            box_once(keyed(cv).map(|items| items.into_iter().next_back().map_or(Val::Null, |(_, item)| item)))
        }),
    ]
}

fn sorted(value: Val) -> Result<Vec<Val>, crate::value::Error> {
    let mut items = crate::value::unshared(value.expect_array("sorted")?);
    items.sort_by(order);
    Ok(items)
}

enum Extreme {
    Least,
    Greatest,
}

/// Of equal items the first is the least and the last is the greatest.
fn extreme(value: Val, which: Extreme) -> ValR {
    let items = value.expect_array("searched for an extreme")?;
    let found = match which {
        Extreme::Least => items.iter().min_by(|a, b| order(a, b)),
        Extreme::Greatest => items.iter().max_by(|a, b| order(a, b)),
    };
    Ok(found.cloned().unwrap_or_default())
}

/// The items of an array with all that the filter says of each, in the order of that; equal ones
/// keep their order.
fn keyed<'a>(mut cv: Cv<'a, Data>) -> ValX<'a, Vec<(Val, Val)>, Val> {
    let (filter, context) = cv.0.pop_fun();
    let items = cv.1.expect_array("sorted")?;
    let mut keyed = Vec::with_capacity(items.len());
    for item in items.iter() {
        let key = filter
            .run((context.clone(), item.clone()))
            .collect::<Result<Val, _>>()?;
        keyed.push((key, item.clone()));
    }
    keyed.sort_by(|(a, _), (b, _)| order(a, b));
    Ok(keyed)
}
