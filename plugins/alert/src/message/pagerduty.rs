//! The template `pagerduty_events_v2`: an event of PagerDuty's Events API v2, without the routing
//! key, which the host adds.
//!
//! Limits in characters, from the reference of that API: summary 1024, dedup key 255.

use serde_json::{Value, json};
use toolgate_plugin::Error;

use super::text::cut;
use super::{Alert, Details};
use crate::Level;

const SUMMARY: usize = 1024;
const DEDUP_KEY: usize = 255;
/// Whose event it is, where the alert names no source.
const SOURCE: &str = "toolgate";

pub(super) fn body(alert: &Alert<'_>) -> Result<Value, Error> {
    let mut details = alert.details.clone();
    let source = promoted(&mut details, "source").unwrap_or_else(|| SOURCE.to_owned());
    let dedup_key = promoted(&mut details, "dedup_key").map(|key| cut(key, DEDUP_KEY));
    let (action, severity) = match alert.level {
        Level::Resolved => ("resolve", Level::Info),
        level => ("trigger", level),
    };
    if alert.level == Level::Resolved && dedup_key.is_none() {
        return Err(Error::invalid_arguments(
            "for a target of the template pagerduty_events_v2 the level resolved needs `details.dedup_key`, a text that \
             is not blank: the one that the alert had which is resolved now",
        ));
    }
    let mut payload = json!({
        "summary": cut(alert.summary.to_owned(), SUMMARY),
        "source": source,
        "severity": severity.name(),
    });
    if !details.is_empty() {
        payload["custom_details"] = json!(details);
    }
    let mut body = json!({"event_action": action, "payload": payload});
    if let Some(key) = dedup_key {
        body["dedup_key"] = json!(key);
    }
    Ok(body)
}

/// Takes a detail that has a place of its own in the event, if it is a text that is not blank.
fn promoted(details: &mut Details, key: &str) -> Option<String> {
    let text = details.get(key)?.as_str().filter(|text| !text.trim().is_empty())?;
    let text = text.to_owned();
    details.remove(key);
    Some(text)
}
