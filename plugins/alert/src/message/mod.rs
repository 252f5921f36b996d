//! What lives here: an alert as the JSON body that a channel's template asks for. Pure functions.
//! What may call it: the tool `alert`.
//! What it must not touch: the channel itself, and credentials, which the host adds to what is made here.

mod discord;
mod generic;
mod pagerduty;
mod slack;
mod switchboard;
mod text;
#[cfg(test)]
mod vectors;

use std::collections::BTreeMap;

use serde_json::Value;
use toolgate_plugin::Error;
use toolgate_plugin::text::quoted;

use crate::Level;

/// The longest body in bytes of JSON (A9), without what the host adds.
const BODY_BYTES: usize = 64 << 10;

/// Facts by name, sorted, so that equal alerts have equal bodies (L5).
pub(crate) type Details = BTreeMap<String, Value>;

/// What is to be told.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Alert<'call> {
    level: Level,
    summary: &'call str,
    details: &'call Details,
}

impl<'call> Alert<'call> {
    /// An alert whose summary says something (L22).
    pub(crate) fn new(level: Level, summary: &'call str, details: &'call Details) -> Result<Self, Error> {
        if summary.trim().is_empty() {
            return Err(Error::invalid_arguments(
                "`summary` is blank; say in it, in one line, what happened",
            ));
        }
        Ok(Self {
            level,
            summary,
            details,
        })
    }

    /// Level and summary in one text, for templates that show the level nowhere else.
    fn headline(&self) -> String {
        format!("[{}] {}", self.level.name(), self.summary)
    }
}

/// The body of one request, as compact JSON.
///
/// # Errors
///
/// The template is not known, the alert lacks what it needs, or the body is larger than 64 KiB.
pub(crate) fn render(template: &str, conversation: Option<&str>, alert: &Alert<'_>) -> Result<String, Error> {
    let body = match template {
        "generic" => generic::body(alert),
        "switchboard" => switchboard::body(alert, conversation)?,
        "slack" => slack::body(alert),
        "discord" => discord::body(alert),
        "pagerduty_events_v2" => pagerduty::body(alert)?,
        _ => {
            return Err(Error::failed(format!(
                "there is no template {}; alerts can be written as generic, switchboard, slack, discord or \
                 pagerduty_events_v2",
                quoted(template)
            )));
        }
    };
    let body = body.to_string();
    if body.len() > BODY_BYTES {
        return Err(Error::limit(format!(
            "as a message of the template {template} the alert has {} bytes, more than the limit of {BODY_BYTES} bytes \
             (64 KiB); shorten `summary` or `details`",
            body.len()
        )));
    }
    Ok(body)
}
