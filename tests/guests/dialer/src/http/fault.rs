//! Names for what goes wrong.

use schemars::JsonSchema;
use serde::Serialize;
use toolgate_plugin::bindings::wasi::io::streams::StreamError;

use super::bindings::wasi::http::types::{ErrorCode, http_error_code};
use crate::snake;

/// Something that went wrong.
#[derive(Serialize, JsonSchema)]
pub(crate) struct Fault {
    /// `handle`, `write`, `finish`, `response`, `read` or `trailers`.
    pub(crate) stage: String,
    /// The error code, for example `http_request_denied`; `closed`, `io` or `unit` where there is none.
    pub(crate) code: String,
    /// The code with its payload.
    pub(crate) detail: String,
}

impl Fault {
    pub(crate) fn code(stage: &str, code: &ErrorCode) -> Self {
        let detail = format!("{code:?}");
        Self {
            stage: stage.to_owned(),
            code: snake(&detail),
            detail,
        }
    }

    pub(crate) fn stream(stage: &str, error: &StreamError) -> Self {
        match error {
            StreamError::Closed => Self::named(stage, "closed", String::new()),
            StreamError::LastOperationFailed(error) => match http_error_code(error) {
                Some(code) => Self::code(stage, &code),
                None => Self::named(stage, "io", error.to_debug_string()),
            },
        }
    }

    /// A function that says only that it failed.
    pub(crate) fn unit(stage: &str, function: &str) -> Self {
        Self::named(stage, "unit", function.to_owned())
    }

    fn named(stage: &str, code: &str, detail: String) -> Self {
        Self {
            stage: stage.to_owned(),
            code: code.to_owned(),
            detail,
        }
    }
}
