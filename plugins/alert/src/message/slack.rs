//! The template `slack`: a header, the details as fields, and a text for notifications.
//!
//! Limits in characters and items, from Slack's Block Kit reference: header 150, field 2000, ten
//! fields in a section, 50 blocks in a message; 3000 for a text.

use serde_json::{Value, json};

use super::Alert;
use super::text::{cut, cut_escaped, escaped, inert, one_line, plain};

const HEADER: usize = 150;
const FIELD: usize = 2000;
const FALLBACK: usize = 3000;
const SECTION_FIELDS: usize = 10;
/// Of the 50 blocks, one is the header and one may be the notice.
const SECTIONS: usize = 48;

pub(super) fn body(alert: &Alert<'_>) -> Value {
    let headline = alert.headline();
    // Plain text knows no entities: they would be shown as they are.
    let header = cut(inert(&one_line(&headline)), HEADER);
    let mut blocks = vec![json!({"type": "header", "text": {"type": "plain_text", "text": header}})];
    let fields: Vec<_> = alert
        .details
        .iter()
        .take(SECTIONS * SECTION_FIELDS)
        .map(|(key, value)| mrkdwn(cut_escaped(field(key, value), FIELD)))
        .collect();
    let sections = fields.chunks(SECTION_FIELDS);
    blocks.extend(sections.map(|fields| json!({"type": "section", "fields": fields})));
    let omitted = alert.details.len() - fields.len();
    if omitted > 0 {
        let notice = format!("Details left out here: {omitted}");
        blocks.push(json!({"type": "context", "elements": [mrkdwn(notice)]}));
    }
    json!({"text": cut_escaped(escaped(&headline), FALLBACK), "blocks": blocks})
}

fn field(key: &str, value: &Value) -> String {
    format!("*{}:*\n{}", escaped(key), escaped(&plain(value)))
}

fn mrkdwn(text: String) -> Value {
    json!({"type": "mrkdwn", "text": text})
}
