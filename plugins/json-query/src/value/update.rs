//! Changing parts of values: `.[key] |= f`, `.[start:end] |= f`, `.[] |= f`, `delpaths`.
//!
//! Of the outputs of `f` the first counts; without any, the part is removed.

use std::rc::Rc;

use jaq_core::path::Opt;
use jaq_core::val::Range;
use jaq_core::{ValT, ValX};

use super::access::{bounds, not_indexable, not_iterable, position, slice_path};
use super::{Map, Val, ValR, error, order, unshared};

/// The longest array that an assignment beyond its end makes; the rest of the memory is for the
/// document.
const LONGEST_PADDED: usize = 4 * 1024 * 1024;

pub(super) fn values<'a, I: Iterator<Item = ValX<'a, Val>>>(
    value: Val,
    opt: Opt,
    f: impl Fn(Val) -> I,
) -> ValX<'a, Val> {
    match value {
        Val::Arr(items) => {
            let items = unshared(items).into_iter().filter_map(|item| f(item).next());
            Ok(Val::array(items.collect::<Result<_, _>>()?))
        }
        Val::Obj(map) => {
            let fields = unshared(map).into_entries().into_iter();
            let fields = fields.filter_map(|(key, value)| Some(f(value).next()?.map(|value| (key, value))));
            let fields: Vec<_> = fields.collect::<Result<_, _>>()?;
            Ok(Val::object(Map::from_fields(fields.into_iter())))
        }
        other => opt.fail(other, |other| not_iterable(&other).into()),
    }
}

pub(super) fn index<'a, I: Iterator<Item = ValX<'a, Val>>>(
    value: Val,
    index: &Val,
    opt: Opt,
    f: impl Fn(Val) -> I,
) -> ValX<'a, Val> {
    match (value, index) {
        (value @ (Val::Arr(_) | Val::Null), Val::Obj(_)) => {
            let path = slice_path(index);
            range(value, &(path.start.as_ref()..path.end.as_ref()), opt, f)
        }
        (Val::Null, Val::Str(_)) => self::index(Val::object(Map::default()), index, opt, f),
        (Val::Obj(mut map), Val::Str(key)) => {
            let fields = Rc::make_mut(&mut map);
            // Taken out, so that the old value is not shared while it is changed.
            let old = fields.get_mut(key).map(std::mem::take);
            let existed = old.is_some();
            match f(old.unwrap_or_default()).next().transpose()? {
                Some(new) => fields.insert(key.clone(), new),
                None if existed => fields.remove(key),
                None => {}
            }
            Ok(Val::Obj(map))
        }
        (Val::Null, number) if number.number().is_some() => self::index(Val::array(Vec::new()), index, opt, f),
        (Val::Arr(mut items), number) if number.number().is_some() => {
            let Some(at) = position(number, items.len()) else {
                return opt.fail(Val::Arr(items), |_| {
                    error(format!("Out of bounds negative array index {number}")).into()
                });
            };
            if at >= LONGEST_PADDED && at >= items.len() {
                let message = format!("the query exceeded its memory budget: an array of {at} items");
                return opt.fail(Val::Arr(items), |_| error(message).into());
            }
            let list = Rc::make_mut(&mut items);
            let old = list.get_mut(at).map(std::mem::take);
            let existed = old.is_some();
            match f(old.unwrap_or_default()).next().transpose()? {
                Some(new) => {
                    if !existed {
                        list.resize(at + 1, Val::Null);
                    }
                    list[at] = new;
                }
                None if existed => {
                    list.remove(at);
                }
                None => {}
            }
            Ok(Val::Arr(items))
        }
        (other, index) => opt.fail(other, |other| not_indexable(&other, index).into()),
    }
}

pub(super) fn range<'a, I: Iterator<Item = ValX<'a, Val>>>(
    value: Val,
    range: &Range<&Val>,
    opt: Opt,
    f: impl Fn(Val) -> I,
) -> ValX<'a, Val> {
    let mut items = match value {
        Val::Null => Rc::default(),
        Val::Arr(items) => items,
        other => {
            return opt.fail(other, |other| {
                error(format!("Cannot update a range of {}", other.described())).into()
            });
        }
    };
    let (start, end) = match bounds(range, items.len()) {
        Ok(bounds) => bounds,
        Err(wrong) => return opt.fail(Val::Arr(items), |_| wrong.into()),
    };
    let part = items[start..end].iter().cloned().collect();
    let new = match f(part).next().transpose()? {
        Some(Val::Arr(new)) => new,
        Some(other) => {
            let message = format!(
                "a range of an array can only become an array, not {}",
                other.described()
            );
            return Err(error(message).into());
        }
        None => Rc::default(),
    };
    Rc::make_mut(&mut items).splice(start..end, new.iter().cloned());
    Ok(Val::Arr(items))
}

/// Removes what the paths name, all of it as it was before the first removal.
pub(crate) fn delete(value: Val, mut paths: Vec<&[Val]>) -> ValR {
    if paths.iter().any(|path| path.is_empty()) {
        return Ok(Val::Null);
    }
    if matches!(value, Val::Null) {
        return Ok(value);
    }
    paths.sort_by(|a, b| order(&a[0], &b[0]));
    let mut value = value;
    let mut gone = Vec::new();
    for group in paths.chunk_by(|a, b| order(&a[0], &b[0]).is_eq()) {
        let key = &group[0][0];
        if group.iter().any(|path| path.len() == 1) {
            gone.push(key);
        } else if value.child(key)?.is_some_and(|child| !matches!(child, Val::Null)) {
            let below: Vec<&[Val]> = group.iter().map(|path| &path[1..]).collect();
            let changed = value.map_index(key, Opt::Essential, |child| {
                std::iter::once(delete(child, below.clone()).map_err(Into::into))
            });
            value = changed.map_err(|exception: jaq_core::Exn<'_, Val>| {
                exception.get_err().unwrap_or_else(|_| error("this cannot be deleted"))
            })?;
        }
    }
    delete_keys(value, &gone)
}

fn delete_keys(value: Val, keys: &[&Val]) -> ValR {
    if keys.is_empty() {
        return Ok(value);
    }
    match value {
        Val::Obj(mut map) => {
            for key in keys {
                if !matches!(key, Val::Str(_)) {
                    return Err(not_deletable(&Val::Obj(map), key));
                }
            }
            let is_gone = |name: &super::Text| keys.binary_search_by(|key| order(key, &Val::Str(name.clone()))).is_ok();
            Rc::make_mut(&mut map).remove_all(is_gone);
            Ok(Val::Obj(map))
        }
        Val::Arr(mut items) => {
            let mut kept = vec![true; items.len()];
            for key in keys {
                match key {
                    Val::Obj(_) => {
                        let path = slice_path(key);
                        let (start, end) = bounds(&(path.start.as_ref()..path.end.as_ref()), items.len())?;
                        kept[start..end].fill(false);
                    }
                    number if number.number().is_some() => {
                        if let Some(kept) = position(number, items.len()).and_then(|at| kept.get_mut(at)) {
                            *kept = false;
                        }
                    }
                    other => return Err(not_deletable(&Val::Arr(items), other)),
                }
            }
            let mut kept = kept.into_iter();
            Rc::make_mut(&mut items).retain(|_| kept.next().unwrap_or(true));
            Ok(Val::Arr(items))
        }
        other => Err(not_deletable(&other, keys[0])),
    }
}

fn not_deletable(value: &Val, key: &Val) -> super::Error {
    error(format!(
        "Cannot delete the field {} of {}",
        super::shown(key),
        value.described()
    ))
}
