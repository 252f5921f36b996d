//! Arguments as lines that a terminal does not break.

use serde_json::Value;
use toolgate::mcp::visible::escape;

/// All arguments in lines that fit; text of several lines as a block.
pub(super) fn arguments(arguments: &Value, columns: usize) -> Vec<String> {
    let Value::Object(arguments) = arguments else {
        return block(&arguments.to_string(), columns);
    };
    let mut lines = Vec::new();
    for (name, value) in arguments {
        let name = escape(name);
        let one = escape(&value.to_string());
        let fits = 4 + width(&name) + width(&one) <= columns;
        match value {
            Value::String(text) if text.contains('\n') || !fits => {
                lines.push(format!("  {name}"));
                lines.extend(block(text, columns));
            }
            Value::Object(_) | Value::Array(_) if !fits => {
                lines.push(format!("  {name}"));
                let pretty = serde_json::to_string_pretty(value).unwrap_or(one);
                lines.extend(block(&pretty, columns));
            }
            _ => lines.push(format!("  {name}  {one}")),
        }
    }
    lines
}

/// Text behind a bar, in lines that the terminal does not break: nothing in
/// it can look like a line of ours.
pub(super) fn block(text: &str, columns: usize) -> Vec<String> {
    let room = columns - 6;
    let mut lines = Vec::new();
    for line in text.split('\n') {
        let mut bar = '│';
        let mut part = String::new();
        let mut used = 0;
        for character in line.chars() {
            let shown = match character {
                '\t' => "\\t".to_owned(),
                character => escape(character.encode_utf8(&mut [0; 4])),
            };
            let wide = width(&shown);
            if used + wide > room {
                lines.push(format!("  {bar} {part}"));
                (bar, used) = ('┊', 0);
                part.clear();
            }
            part.push_str(&shown);
            used += wide;
        }
        lines.push(format!("  {bar} {part}"));
    }
    lines
}

/// Columns that a text takes at most: beyond ASCII, a character may take two.
pub(super) fn width(text: &str) -> usize {
    text.chars()
        .map(|character| if character.is_ascii() { 1 } else { 2 })
        .sum()
}
