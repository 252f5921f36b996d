//! What lives here: the tool `edit_file`.
//! What may call it: the host, through the exported `tool` interface.
//! What it must not touch: anything but the one file that a call grants, and that only if it exists.

mod edit;
mod hint;
mod splice;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use toolgate_plugin::{Access, Call, Definition, DefinitionContext, Error, Rule, Tool};

/// Arguments of `edit_file`.
#[derive(Deserialize, JsonSchema)]
pub struct Args {
    /// The file to edit; it must exist.
    pub path: String,
    /// The text to replace, exactly as it stands in the file.
    #[schemars(length(min = 1))]
    pub old_string: String,
    /// The text to put in its place; empty to delete it. Must differ from `old_string`.
    pub new_string: String,
    /// Replace every occurrence, however many there are, instead of the only one.
    #[serde(default)]
    pub replace_all: bool,
}

/// Result of `edit_file`.
#[derive(Serialize, JsonSchema)]
pub struct Output {
    /// What was done, with the resolved absolute path.
    pub status: String,
    /// How many occurrences were replaced.
    pub replacements: u64,
}

/// The tool `edit_file`.
pub struct EditFile;

impl Tool for EditFile {
    type Args = Args;
    type Output = Output;

    fn definition(_: &DefinitionContext) -> Definition {
        Definition::new(
            "edit_file",
            "Replace an exact piece of text in a file. `old_string` has to match byte for byte, spaces, tabs and \
             line endings included, and may span lines. It has to occur exactly once: if it occurs more often, the \
             call is refused and the file stays as it is. Then either give more of the text around it, so that it is \
             unique, or set `replace_all`. `replace_all` is right if every occurrence is meant, as when renaming; \
             set only to get past the refusal, it hides a mistake, because it also changes places that nobody \
             looked at. The file is replaced in one step and keeps its permissions; an edit never creates a file. \
             Binary files and files above 64 MiB are refused. May require confirmation.",
        )
        .destructive()
        .access(Access::file("path").read().write())
        .rule(Rule::distinct("old_string", "new_string"))
    }

    fn call(args: Args, call: &Call) -> Result<Output, Error> {
        let path = call.path("path")?;
        let replacements = edit::run(&path, &args)?;
        let count = if replacements == 1 {
            String::new()
        } else {
            format!(": replaced {replacements} occurrences")
        };
        Ok(Output {
            status: format!("Edited {}{count}.", path.display()),
            replacements,
        })
    }
}

toolgate_plugin::export!(EditFile);
