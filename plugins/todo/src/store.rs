//! The list in the state of the session.

use toolgate_plugin::Error;
use toolgate_plugin::state::{self, StateError};

use crate::command::Command;
use crate::list::List;

const KEY: &str = "list";

/// Attempts to write. Each one that fails means that another call got through, and more than this
/// many do not run at the same time.
const ATTEMPTS: usize = 128;

/// Applies a command to the stored list and returns the list as it is then.
pub(crate) fn apply(command: &Command) -> Result<List, Error> {
    for _ in 0..ATTEMPTS {
        let (list, version) = load()?;
        let after = list.after(command)?;
        if after == list {
            return Ok(list);
        }
        let bytes = serde_json::to_vec(&after)
            .map_err(|error| Error::failed(format!("the list cannot be written as JSON: {error}")))?;
        match state::put(KEY, &bytes, version) {
            Ok(_) => return Ok(after),
            Err(StateError::Conflict) => {}
            Err(error) => return Err(error.into()),
        }
    }
    Err(StateError::Conflict.into())
}

/// The stored list and its version; an empty one and 0 before the first change.
fn load() -> Result<(List, u64), Error> {
    let Some(stored) = state::get(KEY)? else {
        return Ok((List::default(), 0));
    };
    let list = serde_json::from_slice(&stored.value)
        .map_err(|error| Error::failed(format!("the stored list cannot be read: {error}")))?;
    Ok((list, stored.version))
}
