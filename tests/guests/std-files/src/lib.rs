//! What lives here: a plugin built like any Rust program for WASI, with `std::fs` and `std::env`.
//! What may call it: the host, in tests of the sandbox.
//! What it must not touch: the SDK; it shows what plugins of other toolchains see.

#[allow(missing_docs, unsafe_code, unreachable_pub, clippy::all)]
mod bindings {
    wit_bindgen::generate!({
        path: "../../../wit",
        world: "toolgate:plugin/pure",
    });
}
mod definitions;
mod files;
mod surroundings;

use bindings::exports::toolgate::plugin::tool::{Context, Definition, Error, ErrorKind, Grant, Guest};
use serde_json::Value;

struct Plugin;

impl Guest for Plugin {
    fn definitions(_: Context) -> Vec<Definition> {
        definitions::all()
    }

    fn call(name: String, arguments: String, _: Grant) -> Result<String, Error> {
        let arguments: Value = serde_json::from_str(&arguments).map_err(|error| failed(error.to_string()))?;
        let text = |name: &str| arguments.get(name).and_then(Value::as_str).unwrap_or_default();
        let result = match &*name {
            "std_read" => files::read(text("path")),
            "std_list" => files::list(text("path")),
            "std_write" => files::write(text("path"), text("content")),
            "std_surroundings" => Ok(surroundings::describe()),
            other => Err(std::io::Error::other(format!("no tool named {other}"))),
        };
        result.map(|value| value.to_string()).map_err(|error| Error {
            kind: match error.kind() {
                std::io::ErrorKind::NotFound => ErrorKind::NotFound,
                std::io::ErrorKind::PermissionDenied => ErrorKind::Denied,
                _ => ErrorKind::Failed,
            },
            message: error.to_string(),
        })
    }
}

fn failed(message: String) -> Error {
    Error {
        kind: ErrorKind::Failed,
        message,
    }
}

#[allow(unsafe_code)]
mod exported {
    use super::{Plugin, bindings};

    bindings::export!(Plugin with_types_in bindings);
}
