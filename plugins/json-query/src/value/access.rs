//! Reading parts of values: `.[key]`, `.[start:end]`, `.[]`.

use jaq_core::path::Opt;
use jaq_core::val::Range;
use jaq_core::{ValR as CoreValR, ValT, ValX};

use super::{Error, Map, Text, Val, ValR, error, update};

impl ValT for Val {
    fn from_num(number: &str) -> ValR {
        let is_padded = number.len() > 1 && number.starts_with('0') && number.as_bytes()[1].is_ascii_digit();
        Ok(if is_padded {
            // `007.50` is a number of the language, but none of JSON.
            Self::float(number.parse().unwrap_or(f64::NAN))
        } else {
            Self::written(Text::from(number))
        })
    }

    fn from_map<I: IntoIterator<Item = (Self, Self)>>(fields: I) -> ValR {
        let mut map = Map::default();
        for (key, value) in fields {
            match key {
                Self::Str(key) => map.insert(key, value),
                other => {
                    return Err(error(format!(
                        "object keys must be strings, but {} is none",
                        other.described()
                    )));
                }
            }
        }
        Ok(Self::object(map))
    }

    fn key_values(self) -> Box<dyn Iterator<Item = CoreValR<(Self, Self), Self>>> {
        match self {
            Self::Arr(items) => Box::new((0..items.len()).map(move |at| Ok((Self::count(at), items[at].clone())))),
            Self::Obj(map) => Box::new((0..map.len()).filter_map(move |at| {
                map.nth(at)
                    .map(|(key, value)| Ok((Self::Str(key.clone()), value.clone())))
            })),
            other => Box::new(std::iter::once(Err(not_iterable(&other)))),
        }
    }

    fn values(self) -> Box<dyn Iterator<Item = ValR>> {
        match self {
            Self::Arr(items) => match std::rc::Rc::try_unwrap(items) {
                Ok(items) => Box::new(items.into_iter().map(Ok)),
                // Copying one by one spares the copy of a list that may be long.
                Err(items) => Box::new((0..items.len()).map(move |at| Ok(items[at].clone()))),
            },
            Self::Obj(map) => {
                Box::new((0..map.len()).filter_map(move |at| map.nth(at).map(|(_, value)| Ok(value.clone()))))
            }
            other => Box::new(std::iter::once(Err(not_iterable(&other)))),
        }
    }

    fn index(self, index: &Self) -> ValR {
        Ok(self.child(index)?.unwrap_or_default())
    }

    fn range(self, range: Range<&Self>) -> ValR {
        match self {
            Self::Null => Ok(Self::Null),
            Self::Arr(items) => {
                let (start, end) = bounds(&range, items.len())?;
                Ok(items[start..end].iter().cloned().collect())
            }
            Self::Str(text) => slice_str(&text, &range).map(Self::Str),
            other => Err(error(format!("Cannot index {} with a range", other.type_name()))),
        }
    }

    fn map_values<'a, I: Iterator<Item = ValX<'a, Self>>>(self, opt: Opt, f: impl Fn(Self) -> I) -> ValX<'a, Self> {
        update::values(self, opt, f)
    }

    fn map_index<'a, I: Iterator<Item = ValX<'a, Self>>>(
        self,
        index: &Self,
        opt: Opt,
        f: impl Fn(Self) -> I,
    ) -> ValX<'a, Self> {
        update::index(self, index, opt, f)
    }

    fn map_range<'a, I: Iterator<Item = ValX<'a, Self>>>(
        self,
        range: Range<&Self>,
        opt: Opt,
        f: impl Fn(Self) -> I,
    ) -> ValX<'a, Self> {
        update::range(self, &range, opt, f)
    }

    fn as_bool(&self) -> bool {
        !matches!(self, Self::Null | Self::Bool(false))
    }

    fn into_string(self) -> Self {
        match self {
            Self::Str(_) => self,
            other => Self::str(super::write::text(&other)),
        }
    }
}

impl Val {
    /// What is at `index`, or nothing if the value has no such part but could have.
    pub(crate) fn child(&self, index: &Self) -> Result<Option<Self>, Error> {
        match (self, index) {
            (Self::Obj(map), Self::Str(key)) => Ok(map.get(key).cloned()),
            (Self::Null, Self::Str(_) | Self::Obj(_) | Self::Null) => Ok(None),
            (Self::Str(_) | Self::Arr(_), Self::Obj(_)) => {
                let range = slice_path(index);
                self.clone().range(range.start.as_ref()..range.end.as_ref()).map(Some)
            }
            (Self::Arr(items), Self::Arr(wanted)) => Ok(Some(subsequences(items, wanted))),
            (Self::Arr(items), number) if number.number().is_some() => {
                Ok(position(number, items.len()).and_then(|at| items.get(at).cloned()))
            }
            (Self::Null, number) if number.number().is_some() => Ok(None),
            _ => Err(not_indexable(self, index)),
        }
    }
}

/// Where in an array of `length` items the index points; before its start it points nowhere.
pub(super) fn position(index: &Val, length: usize) -> Option<usize> {
    let float = index.as_f64()?.floor();
    let from_end = if float < 0.0 { length as f64 } else { 0.0 };
    let at = float + from_end;
    // Beyond the end of any array the cast ends at the largest number.
    (at >= 0.0).then_some(at as usize)
}

/// The range that an object stands for as a path element.
pub(super) fn slice_path(index: &Val) -> Range<Val> {
    let bound = |name| match index {
        Val::Obj(map) => map.get_str(name).cloned(),
        _ => None,
    };
    bound("start")..bound("end")
}

/// The part of a list of `length` that a range covers: fractions round outwards, negative bounds
/// count from the end, bounds beyond the ends are cut.
pub(super) fn bounds(range: &Range<&Val>, length: usize) -> Result<(usize, usize), Error> {
    let bound = |value: Option<&Val>, absent: usize, round: fn(f64) -> f64| match value {
        None | Some(Val::Null) => Ok(absent),
        Some(value) => match value.as_f64() {
            Some(float) => {
                let from_end = if float < 0.0 { length as f64 } else { 0.0 };
                Ok(round(float + from_end).clamp(0.0, length as f64) as usize)
            }
            None => Err(error(format!(
                "start and end of a range must be numbers, but {} is none",
                value.described()
            ))),
        },
    };
    let start = bound(range.start, 0, f64::floor)?;
    let end = bound(range.end, length, f64::ceil)?;
    Ok((start, end.max(start)))
}

/// Counts characters, not bytes.
fn slice_str(text: &Text, range: &Range<&Val>) -> Result<Text, Error> {
    let whole = text.as_str();
    if whole.is_ascii() {
        let (start, end) = bounds(range, whole.len())?;
        return Ok(text.slice(start..end));
    }
    let (start, end) = bounds(range, whole.chars().count())?;
    let mut ends = whole.char_indices().map(|(at, _)| at).chain([whole.len()]);
    let first = ends.nth(start).unwrap_or(whole.len());
    let last = match end - start {
        0 => first,
        more => ends.nth(more - 1).unwrap_or(whole.len()),
    };
    Ok(text.slice(first..last))
}

/// Where `wanted` begins in `items`.
pub(crate) fn subsequences(items: &[Val], wanted: &[Val]) -> Val {
    if wanted.is_empty() {
        return Val::array(Vec::new());
    }
    let windows = items.windows(wanted.len()).enumerate();
    windows
        .filter(|(_, window)| *window == wanted)
        .map(|(at, _)| Val::count(at))
        .collect()
}

pub(super) fn not_iterable(value: &Val) -> Error {
    error(match value {
        Val::Null => "Cannot iterate over null".to_owned(),
        other => format!("Cannot iterate over {}", other.described()),
    })
}

pub(super) fn not_indexable(value: &Val, index: &Val) -> Error {
    error(match index {
        Val::Str(key) => format!("Cannot index {} with {:?}", value.type_name(), key.as_str()),
        other => format!("Cannot index {} with {}", value.type_name(), other.type_name()),
    })
}
