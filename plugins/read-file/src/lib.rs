//! What lives here: the tool `read_file`.
//! What may call it: the host, through the exported `tool` interface.
//! What it must not touch: anything but the one file that a call grants, and that only to read.

mod window;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use toolgate_plugin::{Access, Call, Caps, Definition, DefinitionContext, Error, Tool};

/// Arguments of `read_file`.
#[derive(Deserialize, JsonSchema)]
pub struct Args {
    /// The file to read.
    pub path: String,
    /// How many lines to skip first: 0 starts at line 1. For a line number reported elsewhere use
    /// `start_line`, or its number minus 1 here.
    #[schemars(range(min = 0))]
    pub offset: Option<i64>,
    /// The most lines to return; 0 or absent means to the end of the file.
    #[schemars(range(min = 0))]
    pub limit: Option<i64>,
    /// The first line to return, counted from 1. Give this or `offset`, not both.
    #[schemars(range(min = 1))]
    pub start_line: Option<i64>,
}

/// Result of `read_file`.
#[derive(Serialize, JsonSchema)]
pub struct Output {
    /// The text of the window, with its line terminators.
    pub content: String,
    /// Present if the output limits cut the window short.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub truncated: bool,
    /// Lines in the file. Absent if the file is larger than 64 MiB and was not read to its end.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub total_lines: Option<u64>,
    /// Bytes in the file.
    pub total_bytes: u64,
    /// The `offset` that continues where this result ends; absent if no line follows.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub next_offset: Option<u64>,
    /// The number, counted from 1, of a line that alone exceeds the output limit, so that
    /// `content` is only its beginning.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub cut_line: Option<u64>,
    /// `lossy` if some bytes of the window were not valid UTF-8 and were replaced by U+FFFD.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub encoding: Option<&'static str>,
}

/// The tool `read_file`.
pub struct ReadFile;

impl Tool for ReadFile {
    type Args = Args;
    type Output = Output;

    fn definition(context: &DefinitionContext) -> Definition {
        Definition::new(
            "read_file",
            "Read one text file, whole or a window of its lines. For a large file pass `offset` (the number of \
             lines to skip, that is line number minus 1) or `start_line` (the line number itself), and `limit`. \
             Output is limited, by default to 262144 bytes and 5000 lines: a result with `truncated` holds whole \
             lines from the start of the window and continues at `next_offset`. Binary files are refused, and so \
             are files above 64 MiB without a window. Reads outside the permitted paths may need approval.",
        )
        .describe_if(
            context.has("bash"),
            "Prefer this to running cat, head or tail through bash.",
        )
        .read_only()
        .access(Access::file("path").read())
        .caps(Caps {
            max_bytes: 262_144,
            max_lines: 5000,
        })
    }

    fn call(args: Args, call: &Call) -> Result<Output, Error> {
        let window = window::Window::from_args(&args)?;
        window::read(&call.path("path")?.open_file()?, window, call.caps())
    }
}

toolgate_plugin::export!(ReadFile);
