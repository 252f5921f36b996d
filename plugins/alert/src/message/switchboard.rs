//! The template `switchboard`: Markdown for one conversation.

use serde_json::{Value, json};
use toolgate_plugin::Error;

use super::Alert;
use super::text::{inert, one_line, plain};

/// Has exactly these two members: the receiver refuses others.
pub(super) fn body(alert: &Alert<'_>, conversation: Option<&str>) -> Result<Value, Error> {
    let conversation = conversation.ok_or_else(|| {
        Error::failed("the template switchboard needs a conversation to post to, and the target has none")
    })?;
    let mut text = format!("**[{}]** {}", alert.level.name(), inert(alert.summary));
    for (key, value) in alert.details {
        // A backtick would end the code marks; an indented line still belongs to its list item.
        let key = one_line(&inert(key)).replace('`', "'");
        let value = inert(&plain(value)).replace('\n', "\n  ");
        text.push_str(&format!("\n- `{key}`: {value}"));
    }
    Ok(json!({"conversation": conversation, "text": text}))
}
