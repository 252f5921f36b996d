//! What lives here: the tool `glob`.
//! What may call it: the host, through the exported `tool` interface.
//! What it must not touch: the content of any file; it looks only at names and types in the tree that a call grants.

mod find;
mod output;

use schemars::JsonSchema;
use serde::Deserialize;
use toolgate_plugin::fs::SKIPPED_DIRECTORIES;
use toolgate_plugin::glob::Pattern;
use toolgate_plugin::{Access, Call, Caps, Definition, DefinitionContext, Error, Order, SharedWalk, Tool};

use output::Output;

/// Arguments of `glob`.
#[derive(Deserialize, JsonSchema)]
pub struct Args {
    /// What the files are called. Without `/` it is matched against the name of each file, at any
    /// depth; with `/` against the path relative to `path`.
    pub pattern: String,
    /// A directory to search with all below it, or one file; absent or empty means the working
    /// directory.
    #[serde(default)]
    pub path: Option<String>,
}

/// The tool `glob`.
pub struct Glob;

impl Tool for Glob {
    type Args = Args;
    type Output = Output;

    fn definition(context: &DefinitionContext) -> Definition {
        Definition::new(
            "glob",
            "Find files by name. Walks `path`, by default the working directory, and everything below it; if \
             `path` is a file, that one is matched. A pattern without `/` is matched against the name of each \
             file, at any depth; a pattern with `/` against the path relative to `path`. Case counts. Syntax: `*` \
             any characters but `/`, a leading dot included; `?` one character; `**` across directories, also \
             none (src/**/*.txt); `[a-z]` one of a class, `[!a]` one that is not; `{a,b}` either; `\\` takes the \
             next character as it stands. Directories named .git, .svn, .hg, node_modules or vendor are not \
             entered; all others are, hidden and ignored ones too. `paths` holds absolute paths in byte order, of \
             regular files and of symbolic links to such, never of directories; `total` tells how many match. \
             Output is limited, by default to 500 paths and 32768 bytes; a result with `truncated` has only the \
             first ones, so narrow the pattern or the path. Paths outside the permitted ones may need approval.",
        )
        .describe_if(
            // Results are digested only where their originals can be retrieved.
            context.has("retrieve_raw"),
            "A large result comes back as a digest: how many paths each directory has, and some of them.",
        )
        .read_only()
        .access(Access::tree("path").read().default("."))
        .caps(Caps {
            max_bytes: 32_768,
            max_lines: 500,
        })
        .survey()
        .shared_walk(SharedWalk {
            argument: "path",
            skip: SKIPPED_DIRECTORIES,
            results: "paths",
            order: Order::Bytes,
        })
    }

    fn call(args: Args, call: &Call) -> Result<Output, Error> {
        let pattern = Pattern::new(&args.pattern)?;
        find::run(&call.path("path")?, &pattern, call.caps())
    }
}

toolgate_plugin::export!(Glob);
