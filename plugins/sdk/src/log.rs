//! Lines for the operator's log; they never reach the model.

use crate::bindings::toolgate::plugin::log as host;

pub use host::Level;

/// Logs one message. The host cuts messages beyond 4 KiB and mutes a call that logs too much.
pub fn log(level: Level, message: impl AsRef<str>) {
    host::log(level, message.as_ref());
}

/// Logs at level `debug`.
pub fn debug(message: impl AsRef<str>) {
    log(Level::Debug, message);
}

/// Logs at level `info`.
pub fn info(message: impl AsRef<str>) {
    log(Level::Info, message);
}

/// Logs at level `warn`.
pub fn warn(message: impl AsRef<str>) {
    log(Level::Warn, message);
}

/// Logs at level `error`.
pub fn error(message: impl AsRef<str>) {
    log(Level::Error, message);
}
