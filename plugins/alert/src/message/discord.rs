//! The template `discord`: one embed.
//!
//! Limits in characters and fields, from the embed limits of Discord's message reference: title 256,
//! description 4096, field name 256, field value 1024, 25 fields, 6000 characters in all of these.

use serde_json::{Value, json};

use super::text::{cut, inert, one_line, plain};
use super::{Alert, Details};
use crate::Level;

const TITLE: usize = 256;
const DESCRIPTION: usize = 4096;
const NAME: usize = 256;
const VALUE: usize = 1024;
const FIELDS: usize = 25;
const TOTAL: usize = 6000;
/// Kept free for the field that says how many others were left out.
const RESERVED: usize = 160;

pub(super) fn body(alert: &Alert<'_>) -> Value {
    let headline = inert(&alert.headline());
    let line = one_line(&headline);
    let title = cut(line.clone(), TITLE);
    let mut used = characters(&title);
    let mut embed = json!({"title": title, "color": colour(alert.level)});
    if title != line {
        let description = cut(headline, DESCRIPTION);
        used += characters(&description);
        embed["description"] = json!(description);
    }
    let fields = fields(alert.details, TOTAL - RESERVED - used);
    if !fields.is_empty() {
        embed["fields"] = json!(fields);
    }
    json!({"embeds": [embed], "allowed_mentions": {"parse": []}})
}

/// The details in their order as far as they fit into `room` characters, and a notice of the rest.
fn fields(details: &Details, mut room: usize) -> Vec<Value> {
    let mut fields = Vec::new();
    for (key, value) in details.iter().take(FIELDS) {
        let name = filled(cut(inert(key), NAME));
        let value = filled(cut(inert(&plain(value)), VALUE));
        let Some(rest) = room.checked_sub(characters(&name) + characters(&value)) else {
            break;
        };
        room = rest;
        fields.push(field(&name, &value));
    }
    if fields.len() < details.len() {
        fields.truncate(FIELDS - 1);
        let omitted = details.len() - fields.len();
        fields.push(field("Details left out here", &omitted.to_string()));
    }
    fields
}

fn field(name: &str, value: &str) -> Value {
    json!({"name": name, "value": value, "inline": true})
}

/// Discord refuses a field without a name or a value.
fn filled(text: String) -> String {
    if text.trim().is_empty() { "-".to_owned() } else { text }
}

fn characters(text: &str) -> usize {
    text.chars().count()
}

fn colour(level: Level) -> u32 {
    match level {
        Level::Info => 0x34_98DB,
        Level::Warning => 0xF1_C40F,
        Level::Critical => 0xE7_4C3C,
        Level::Resolved => 0x2E_CC71,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Characters of everything that Discord counts.
    fn total(body: &Value) -> usize {
        let embed = &body["embeds"][0];
        let text = |value: &Value| value.as_str().map_or(0, characters);
        let fields = embed["fields"].as_array().map_or(&[][..], Vec::as_slice);
        let fields: usize = fields
            .iter()
            .map(|field| text(&field["name"]) + text(&field["value"]))
            .sum();
        text(&embed["title"]) + text(&embed["description"]) + fields
    }

    #[test]
    fn the_largest_alerts_stay_within_all_limits() {
        for summary in [10, 245, 250, 4085, 5000] {
            for count in [0, 1, 5, 24, 25, 26, 1000] {
                for size in [0, 1, 300, 1024, 2000] {
                    let summary = "é".repeat(summary);
                    let details = (0..count).map(|n| (format!("key {n:0size$}"), json!("é".repeat(size))));
                    let details: Details = details.collect();
                    let body = body(&Alert::new(Level::Warning, &summary, &details).unwrap());
                    let fields = body["embeds"][0]["fields"].as_array().map_or(0, Vec::len);
                    assert!(total(&body) <= TOTAL, "{count} of {size}: {}", total(&body));
                    assert!(
                        fields <= FIELDS && (fields > 0) == (count > 0),
                        "{count} of {size}: {fields}"
                    );
                }
            }
        }
    }
}
