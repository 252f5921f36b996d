//! What lives here: the tool `grep`.
//! What may call it: the host, through the exported `tool` interface.
//! What it must not touch: anything but the tree or file that a call grants, and that only to read.

mod clip;
mod collect;
mod pattern;
mod scan;
mod search;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use toolgate_plugin::fs::SKIPPED_DIRECTORIES;
use toolgate_plugin::{Access, Call, Caps, Definition, DefinitionContext, Error, Order, SharedWalk, Tool};

use collect::Match;

/// Arguments of `grep`.
#[derive(Deserialize, JsonSchema)]
pub struct Args {
    /// The regular expression, in the syntax of Rust's regex crate. `(?i)` in front makes it ignore case.
    pub pattern: String,
    /// A directory to search with all below it, or one file; absent or empty means the working
    /// directory.
    #[serde(default)]
    pub path: Option<String>,
}

/// Result of `grep`.
#[derive(Debug, Default, Serialize, JsonSchema)]
pub struct Output {
    /// The matching lines, by file in the order of the walk, then by line.
    pub matches: Vec<Match>,
    /// Present if there are more matches than the output limits allow, or more files than one
    /// call visits.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub truncated: bool,
    /// Files that were passed over as binary; not told if `truncated`.
    #[serde(skip_serializing_if = "is_zero")]
    pub skipped_binary: u64,
    /// Files and directories that could not be read; not told if `truncated`.
    #[serde(skip_serializing_if = "is_zero")]
    pub skipped_unreadable: u64,
}

fn is_zero(count: &u64) -> bool {
    *count == 0
}

/// The tool `grep`.
pub struct Grep;

impl Tool for Grep {
    type Args = Args;
    type Output = Output;

    fn definition(context: &DefinitionContext) -> Definition {
        Definition::new(
            "grep",
            "Search file contents line by line with a regular expression. `path` is a directory, searched with \
             everything below it, or a single file. The syntax is that of Rust's regex crate, a superset of RE2: no \
             look-around, no back-references, and \\d \\w \\s \\b are ASCII. Directories named .git, .svn, .hg, node_modules or vendor are not entered; \
             everything else is searched, hidden and ignored files too, except binary files. Symbolic links are \
             not followed. Each match has `path`, `line` (counted from 1) and `text`, ready for use in further \
             calls; of a long line only the part around the match is returned, marked `clipped`. Output is \
             limited, by default to 5000 matches and 262144 bytes; a result with `truncated` is incomplete, so \
             narrow the pattern or the path. Paths outside the permitted ones may need approval.",
        )
        .describe_if(
            context.has("bash"),
            "Prefer this to running grep, rg or find through bash: results are structured and limited.",
        )
        .describe_if(
            // Results are digested only where their originals can be retrieved.
            context.has("retrieve_raw"),
            "A large result comes back as a digest: how many matches each file has, and some of them.",
        )
        .read_only()
        .access(Access::tree("path").read().default("."))
        .caps(Caps {
            max_bytes: 262_144,
            max_lines: 5000,
        })
        .survey()
        .shared_walk(SharedWalk {
            argument: "path",
            skip: SKIPPED_DIRECTORIES,
            results: "matches",
            order: Order::Walk,
        })
    }

    fn call(args: Args, call: &Call) -> Result<Output, Error> {
        let matcher = pattern::compile(&args.pattern)?;
        scan::run(&call.path("path")?, matcher, call.caps())
    }
}

toolgate_plugin::export!(Grep);
