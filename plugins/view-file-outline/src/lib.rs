//! What lives here: the tool `view_file_outline`.
//! What may call it: the host, through the exported `tool` interface.
//! What it must not touch: anything but the one file that a call grants, and that only to read.

mod declaration;
mod file;
mod languages;
mod outline;
mod parse;
mod problem;
mod refusal;
mod scan;
#[cfg(test)]
mod tests;
mod text;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use toolgate_plugin::text::{LineCounter, decode, is_binary, truncate_text};
use toolgate_plugin::{Access, Call, Caps, Definition, DefinitionContext, Error, Tool, catalog};

/// The largest file of which an outline is made, in bytes. Measured: the tree of 4 MiB of ordinary
/// source fits the 256 MiB that a call has (FX-14), that of 8 MiB of Rust does not.
const LARGEST: u64 = 4 * 1024 * 1024;

/// Arguments of `view_file_outline`.
#[derive(Deserialize, JsonSchema)]
pub struct Args {
    /// The file to outline.
    pub path: String,
}

/// Result of `view_file_outline`.
#[derive(Serialize, JsonSchema)]
pub struct Output {
    /// The resolved absolute path of the file.
    pub path: String,
    /// The language, as its file name extension tells.
    pub language: &'static str,
    /// `parsed`: the whole file was parsed, and these are its declarations. `heuristic`: lines that
    /// look like declarations; `note` says what that means.
    pub analysis: &'static str,
    /// For each declaration its line number, right-aligned in 5 columns, two spaces, and its text
    /// without bodies and comments; further lines of it are indented by 7 spaces.
    pub outline: String,
    /// How far a heuristic outline can be trusted.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub note: Option<&'static str>,
    /// Present if the output limits cut the outline short.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub truncated: bool,
    /// Lines in the file.
    pub total_lines: u64,
}

/// The tool `view_file_outline`.
pub struct ViewFileOutline;

impl Tool for ViewFileOutline {
    type Args = Args;
    type Output = Output;

    fn definition(context: &DefinitionContext) -> Definition {
        Definition::new(
            "view_file_outline",
            format!(
                "List what a file declares (imports, types and their members, functions with full signatures, \
                 constants), without bodies and comments, each with the number of the line it starts on. Parsed are \
                 {}: `analysis` is `parsed`, and a file that does not parse is an error. {} are scanned line by \
                 line: `analysis` is `heuristic`, and `note` says what that may miss. All other types are refused. \
                 Look at a long file this way before reading it, and then read only the lines that matter. Output is \
                 limited, by default to 65536 bytes and 2000 lines; `truncated` tells if it was cut. Reads outside \
                 the permitted paths may need approval.",
                refusal::parsed(),
                refusal::scanned_languages(),
            ),
        )
        .describe_if(
            context.has("read_file"),
            "The line numbers are counted from 1: pass them to read_file as `start_line`, or less 1 as `offset`.",
        )
        .read_only()
        .access(Access::file("path").read())
        .caps(Caps {
            max_bytes: 65_536,
            max_lines: 2000,
        })
    }

    fn call(_: Args, call: &Call) -> Result<Output, Error> {
        let can_read_file = catalog::has("read_file");
        let file = call.path("path")?.open_file()?;
        let path = file.path().to_owned();
        let kind = file::Kind::of(&path, can_read_file)?;
        if file.size() > LARGEST {
            return Err(refusal::too_large(&path, file.size(), LARGEST, can_read_file));
        }
        let content = file.read_all(LARGEST)?;
        if is_binary(&content) {
            return Err(refusal::binary(&path, content.len() as u64));
        }
        let source = decode(content).text;
        let made = kind.outline(&source, file::base_name(&path), can_read_file)?;
        let caps = call.caps();
        let kept = truncate_text(&made.text, caps.max_bytes, caps.max_lines);
        Ok(Output {
            language: made.language,
            analysis: made.analysis,
            outline: kept.text.to_owned(),
            note: made.note,
            truncated: kept.truncated,
            total_lines: LineCounter::count(source.as_bytes()),
            path,
        })
    }
}

toolgate_plugin::export!(ViewFileOutline);
