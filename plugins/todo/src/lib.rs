//! What lives here: the tool `todo`.
//! What may call it: the host, through the exported `tool` interface.
//! What it must not touch: anything but its own state in the session that calls it.

mod command;
mod list;
mod store;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use toolgate_plugin::{Call, Caps, Definition, DefinitionContext, Error, Tool};

/// What a full list can need, so that it can always be shown.
const CAPS: Caps = Caps {
    max_bytes: 409_600,
    max_lines: 500,
};

/// Arguments of `todo`. What an action does not use is ignored.
#[derive(Default, Deserialize, JsonSchema)]
pub struct Args {
    /// `list`, `add`, `set_status` or `clear`, in any case; empty means `list`.
    pub action: String,
    /// For `add`: what is to be done, at most 2000 bytes.
    pub text: Option<String>,
    /// For `set_status`: the id of the item.
    pub id: Option<i64>,
    /// For `set_status`: `pending`, `in_progress` or `completed`, in any case.
    pub status: Option<String>,
}

/// Result of `todo`.
#[derive(Serialize, JsonSchema)]
pub struct Output {
    /// The whole list as it is now, in the order in which items were added.
    pub items: Vec<list::Item>,
}

/// The tool `todo`.
pub struct Todo;

impl Tool for Todo {
    type Args = Args;
    type Output = Output;

    fn definition(_: &DefinitionContext) -> Definition {
        Definition::new(
            "todo",
            "Keep a short list of what is planned, visible to the user. Actions: `list` shows it; `add` appends \
             `text` as a new item, which is pending; `set_status` sets the item `id` to the `status` pending, \
             in_progress or completed; `clear` removes all items. Every action returns the whole list. The list \
             belongs to this session; an id is never used twice. At most 200 items of 2000 bytes each.",
        )
        .caps(CAPS)
    }

    fn call(args: Args, _: &Call) -> Result<Output, Error> {
        let command = command::Command::from_args(args)?;
        Ok(Output {
            items: store::apply(&command)?.items,
        })
    }
}

toolgate_plugin::export!(Todo);
