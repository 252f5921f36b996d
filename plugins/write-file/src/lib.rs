//! What lives here: the tool `write_file`.
//! What may call it: the host, through the exported `tool` interface.
//! What it must not touch: anything but the one file that a call grants.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use toolgate_plugin::{Access, Call, Definition, DefinitionContext, Error, Tool};

/// The largest content, in bytes: 10 MiB. What a model writes is far below that; more is a loop or
/// data that should not pass through a model.
const CONTENT_LIMIT: usize = 10 * 1024 * 1024;

/// Arguments of `write_file`.
#[derive(Deserialize, JsonSchema)]
pub struct Args {
    /// The file to create or overwrite.
    pub path: String,
    /// The whole new content, written exactly as given; may be empty.
    pub content: String,
}

/// Result of `write_file`.
#[derive(Serialize, JsonSchema)]
pub struct Output {
    /// What was done, with the resolved absolute path.
    pub status: String,
    /// Bytes written: the length of the content in UTF-8.
    pub bytes: u64,
    /// Whether no file was there before.
    pub created: bool,
}

/// The tool `write_file`.
pub struct WriteFile;

impl Tool for WriteFile {
    type Args = Args;
    type Output = Output;

    fn definition(context: &DefinitionContext) -> Definition {
        Definition::new(
            "write_file",
            "Create a file or overwrite it: the whole content is replaced, in one step, so that readers see the old \
             content or the new and never a mixture. Missing parent directories are created, and an existing file \
             keeps its permissions. At most 10 MiB. May require confirmation.",
        )
        .describe_if(
            context.has("edit_file"),
            "For a small change of an existing file prefer edit_file.",
        )
        .destructive()
        .idempotent()
        .access(Access::file("path").write().create())
    }

    fn call(args: Args, call: &Call) -> Result<Output, Error> {
        let path = call.path("path")?;
        if args.content.len() > CONTENT_LIMIT {
            return Err(Error::limit(format!(
                "{}: the content has {} bytes, more than the limit of {CONTENT_LIMIT} bytes (10 MiB); write less",
                path.display(),
                args.content.len()
            )));
        }
        let replacement = path.replace()?;
        replacement.write(args.content.as_bytes())?;
        let replaced = replacement.commit()?;
        let done = if replaced.created { "Created" } else { "Overwrote" };
        Ok(Output {
            status: format!("{done} {}: wrote {} bytes.", path.display(), replaced.bytes),
            bytes: replaced.bytes,
            created: replaced.created,
        })
    }
}

toolgate_plugin::export!(WriteFile);
