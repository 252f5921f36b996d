//! Operations on open files, and replacements of files.

use toolgate_plugin::bindings::toolgate::plugin::files::Replacement;
use toolgate_plugin::bindings::wasi::filesystem::types::{Advice, Descriptor};

use crate::machine::Outcome;
use crate::op::Op;
use crate::paths::plain;

/// Operations on one descriptor; `None` if it is none of these.
pub(crate) fn single(at: &Descriptor, op: &Op) -> Option<Outcome> {
    Some(match op.op.as_str() {
        "read" => read(at, op),
        "write" => write(at, op),
        "set_size" => plain(at.set_size(op.offset)),
        "sync" => plain(at.sync()),
        "sync_data" => plain(at.sync_data()),
        "advise" => plain(at.advise(op.offset, op.length, Advice::WillNeed)),
        "flags" => at.get_flags().map(|flags| format!("{flags:?}")).map_err(Into::into),
        "type" => at.get_type().map(|kind| format!("{kind:?}")).map_err(Into::into),
        _ => return None,
    })
}

/// Steps of a replacement.
pub(crate) fn replace(replacement: &Replacement, op: &Op) -> Outcome {
    match op.op.as_str() {
        "put" => plain(replacement.write(&bytes(op))),
        _ => {
            let replaced = replacement.commit()?;
            Ok(format!("{} {}", replaced.created, replaced.bytes))
        }
    }
}

/// The text, as often as `length` says.
pub(crate) fn bytes(op: &Op) -> Vec<u8> {
    op.text
        .as_bytes()
        .repeat(usize::try_from(op.length).unwrap_or(0).max(1))
}

fn read(at: &Descriptor, op: &Op) -> Outcome {
    let (bytes, _) = at.read(op.length, op.offset)?;
    Ok(String::from_utf8_lossy(&bytes).into_owned())
}

fn write(at: &Descriptor, op: &Op) -> Outcome {
    Ok(at.write(&bytes(op), op.offset)?.to_string())
}
