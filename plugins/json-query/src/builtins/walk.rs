//! `walk(f)`: changing a value from its leaves up.

use jaq_core::Exn;
use jaq_core::box_iter::box_once;

use super::{Native, filter};
use crate::value::{Map, Val, unshared};

pub(super) fn natives() -> Vec<Native> {
    vec![("walk", filter(), |mut cv| {
        let (filter, context) = cv.0.pop_fun();
        let run = |value| filter.run((context.clone(), value)).collect();
        match walk(cv.1, &run) {
            Ok(outputs) => Box::new(outputs.into_iter().map(Ok)),
            Err(wrong) => box_once(Err(wrong)),
        }
    })]
}

type Outputs<'a> = Result<Vec<Val>, Exn<'a, Val>>;

/// In an array every output of an item becomes an item; of the outputs of a field the first
/// counts, and without any it is removed.
fn walk<'a>(value: Val, run: &dyn Fn(Val) -> Outputs<'a>) -> Outputs<'a> {
    let value = match value {
        Val::Arr(items) => {
            let mut walked = Vec::with_capacity(items.len());
            for item in unshared(items) {
                walked.append(&mut walk(item, run)?);
            }
            Val::array(walked)
        }
        Val::Obj(map) => {
            let mut walked = Vec::with_capacity(map.len());
            for (key, value) in unshared(map).into_entries() {
                if let Some(value) = walk(value, run)?.into_iter().next() {
                    walked.push((key, value));
                }
            }
            Val::object(Map::from_fields(walked.into_iter()))
        }
        leaf => leaf,
    };
    run(value)
}
