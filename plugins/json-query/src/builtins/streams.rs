//! Values as streams of events, and the words of the language that concern no value.

use jaq_core::native::v;
use jaq_core::{Exn, box_iter::box_once};

use super::{Native, plain};
use crate::value::{Map, Val};

pub(super) fn natives() -> Vec<Native> {
    vec![
        ("null", v(0), |cv| plain(cv, |_| Ok(Val::Null))),
        ("type", v(0), |cv| plain(cv, |value| Ok(Val::str(value.type_name())))),
        ("tostream", v(0), |cv| {
            let mut events = Vec::new();
            collect(&cv.1, &mut Vec::new(), &mut events);
            Box::new(events.into_iter().map(Ok))
        }),
        // A query sees no environment, knows no file name and has nothing to stop.
        ("env", v(0), |cv| plain(cv, |_| Ok(Val::object(Map::default())))),
        ("input_filename", v(0), |cv| plain(cv, |_| Ok(Val::Null))),
        ("halt", v(0), |_| box_once(Err(Exn::halt(0)))),
    ]
}

/// `[path, leaf]` for each leaf, and `[path]` of the last child at the end of each container.
fn collect(value: &Val, path: &mut Vec<Val>, events: &mut Vec<Val>) {
    let children: Box<dyn Iterator<Item = (Val, &Val)>> = match value {
        Val::Arr(items) if !items.is_empty() => {
            Box::new(items.iter().enumerate().map(|(at, item)| (Val::count(at), item)))
        }
        Val::Obj(map) if map.len() > 0 => Box::new(map.iter().map(|(key, item)| (Val::Str(key.clone()), item))),
        leaf => {
            events.push(Val::array(vec![Val::array(path.clone()), leaf.clone()]));
            return;
        }
    };
    let mut last = Val::Null;
    for (key, child) in children {
        last = key.clone();
        path.push(key);
        collect(child, path, events);
        path.pop();
    }
    path.push(last);
    events.push(Val::array(vec![Val::array(path.clone())]));
    path.pop();
}
