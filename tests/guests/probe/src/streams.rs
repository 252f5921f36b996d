//! Operations through `wasi:io` streams.

use toolgate_plugin::bindings::wasi::filesystem::types::{Descriptor, filesystem_error_code};
use toolgate_plugin::bindings::wasi::io::streams::{OutputStream, StreamError};

use crate::content::bytes;
use crate::machine::{Fault, Outcome};
use crate::op::Op;

impl From<StreamError> for Fault {
    fn from(error: StreamError) -> Self {
        match error {
            StreamError::Closed => Self::Other("closed".to_owned()),
            StreamError::LastOperationFailed(error) => match filesystem_error_code(&error) {
                Some(code) => Self::Code(code),
                None => Self::Other("failed".to_owned()),
            },
        }
    }
}

/// Operations on one descriptor; `None` if it is none of these.
pub(crate) fn single(at: &Descriptor, op: &Op) -> Option<Outcome> {
    Some(match op.op.as_str() {
        "read_stream" => read(at, op),
        "write_stream" => at
            .write_via_stream(op.offset)
            .map_err(Into::into)
            .and_then(|stream| write(&stream, op)),
        "append" => at
            .append_via_stream()
            .map_err(Into::into)
            .and_then(|stream| write(&stream, op)),
        "zeroes" => zeroes(at, op),
        _ => return None,
    })
}

/// From one file to another, without the bytes passing through the guest.
pub(crate) fn splice(from: &Descriptor, to: &Descriptor, op: &Op) -> Outcome {
    let input = from.read_via_stream(0)?;
    let output = to.write_via_stream(op.offset)?;
    let moved = output.blocking_splice(&input, op.length)?;
    output.blocking_flush()?;
    Ok(moved.to_string())
}

fn read(at: &Descriptor, op: &Op) -> Outcome {
    let stream = at.read_via_stream(op.offset)?;
    let bytes = stream.blocking_read(op.length)?;
    Ok(String::from_utf8_lossy(&bytes).into_owned())
}

fn write(stream: &OutputStream, op: &Op) -> Outcome {
    for chunk in bytes(op).chunks(4096) {
        stream.blocking_write_and_flush(chunk)?;
    }
    Ok(String::new())
}

fn zeroes(at: &Descriptor, op: &Op) -> Outcome {
    let stream = at.write_via_stream(op.offset)?;
    stream.check_write()?;
    stream.write_zeroes(op.length)?;
    stream.blocking_flush()?;
    Ok(String::new())
}
