//! What lives here: the smallest useful plugin, one tool that counts the lines of a file.
//! What may call it: the host, through the exported `tool` interface.
//! What it must not touch: anything but the one file that a call grants.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use toolgate_plugin::{Access, Call, Definition, DefinitionContext, Error, Tool, text};

/// Arguments of `count_lines`.
#[derive(Deserialize, JsonSchema)]
pub struct Args {
    /// The file whose lines are counted.
    pub path: String,
}

/// Result of `count_lines`.
#[derive(Serialize, JsonSchema)]
pub struct Output {
    /// How many lines the file has.
    pub lines: u64,
}

/// The tool `count_lines`.
pub struct CountLines;

impl Tool for CountLines {
    type Args = Args;
    type Output = Output;

    fn definition(_: &DefinitionContext) -> Definition {
        Definition::new("count_lines", "Count the lines of a file.")
            .read_only()
            .access(Access::file("path").read())
    }

    fn call(_: Args, call: &Call) -> Result<Output, Error> {
        let file = call.path("path")?.open_file()?;
        let mut lines = text::LineCounter::default();
        file.for_each_chunk(|chunk| lines.feed(chunk))?;
        Ok(Output { lines: lines.total() })
    }
}

toolgate_plugin::export!(CountLines);
