//! The files that are listed by name.

use toolgate_plugin::{Call, Error};

use crate::collect::Collector;
use crate::content::{entry, reason};
use crate::output::Entry;

/// Takes the listed files in their order, granted or refused; says whether there are any.
pub(crate) fn read(call: &Call, collector: &mut Collector) -> Result<bool, Error> {
    let mut granted = call.paths("paths")?.into_iter().peekable();
    let mut refused = call.refused("paths").into_iter().peekable();
    let mut any = false;
    // Both are in the order of the list.
    loop {
        let next_refused = refused.peek().map(|path| path.position);
        let is_next = |position| next_refused.is_none_or(|refused| position < refused);
        if let Some(path) = granted.next_if(|path| is_next(path.position())) {
            collector.add(path.display(), || entry(path.display(), path.open_file()));
        } else if let Some(path) = refused.next() {
            collector.add(path.path, || Entry::skipped(path.path, reason(path.path, &path.error)));
        } else {
            return Ok(any);
        }
        any = true;
    }
}
