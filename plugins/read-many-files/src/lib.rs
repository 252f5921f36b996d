//! What lives here: the tool `read_many_files`.
//! What may call it: the host, through the exported `tool` interface.
//! What it must not touch: anything but the files and the tree that a call grants, and those only to read.

mod collect;
mod content;
mod explicit;
mod matching;
mod output;

use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};
use serde::Deserialize;
use toolgate_plugin::glob::Pattern;
use toolgate_plugin::{Access, Call, Caps, Definition, DefinitionContext, Error, Rule, Tool};

use collect::Collector;
use output::Output;

/// Arguments of `read_many_files`.
#[derive(Deserialize, JsonSchema)]
pub struct Args {
    /// The files to read, in this order.
    #[serde(default)]
    #[schemars(schema_with = "list_or_null")]
    pub paths: Option<Vec<String>>,
    /// Also read the files below `path` that match this pattern: without `/` it is matched against
    /// the name of each file, at any depth; with `/` against the path relative to `path`.
    #[serde(default)]
    pub pattern: Option<String>,
    /// The directory for `pattern`, or one file; absent or empty means the working directory.
    /// Without `pattern` it has no effect.
    #[serde(default)]
    pub path: Option<String>,
}

/// Callers that fill in every argument send `null` for a list that they do not need. The type of
/// an optional property loses its `null`, but not that of an alternative of it.
fn list_or_null(_: &mut SchemaGenerator) -> Schema {
    json_schema!({"anyOf": [{"type": ["array", "null"], "items": {"type": "string"}}]})
}

/// The tool `read_many_files`.
pub struct ReadManyFiles;

impl Tool for ReadManyFiles {
    type Args = Args;
    type Output = Output;

    fn definition(context: &DefinitionContext) -> Definition {
        Definition::new(
            "read_many_files",
            "Read several text files in one call: those listed in `paths`, in that order, and those below `path` (by \
             default the working directory) that match `pattern`, in byte order of their paths. Give `paths`, \
             `pattern` or both; a file that both name appears once. A pattern without `/` is matched against names \
             at any depth, with `/` against the path relative to `path`; `*`, `?`, `**`, `[a-z]`, `[!a]` and `{a,b}` \
             are special. Directories named .git, .svn, .hg, node_modules or vendor are not entered, and symbolic \
             links are not followed. Each entry has `path` and either `content` or `skipped`, the reason why it was \
             not read; one such file does not fail the call. A file above 65536 bytes is cut to that size and to \
             1000 lines, and its entry marked `truncated`. The whole result is limited, by default to 262144 bytes: \
             files beyond that are listed as omitted. Paths outside the permitted ones may need approval.",
        )
        .describe_if(
            context.has("read_file"),
            "Prefer this to several read_file calls for small files.",
        )
        .describe_if(
            // Results are digested only where their originals can be retrieved.
            context.has("retrieve_raw"),
            "A large batch comes back as a digest with the beginning of each file: read fewer at a time to get them \
             whole.",
        )
        .read_only()
        .access(Access::file("paths").read().lenient())
        .access(Access::tree("path").read().default(".").when("pattern").lenient())
        .rule(Rule::at_least_one(["paths", "pattern"]))
        .caps(Caps {
            max_bytes: 262_144,
            max_lines: 5000,
        })
        .survey()
    }

    fn call(args: Args, call: &Call) -> Result<Output, Error> {
        let pattern = args.pattern.as_deref().map(Pattern::new).transpose()?;
        let mut collector = Collector::new(call.caps().bytes());
        let listed = explicit::read(call, &mut collector)?;
        let Some(pattern) = pattern else {
            return if listed {
                Ok(collector.into_output())
            } else {
                Err(Error::invalid_arguments(
                    "`paths` is empty; list at least one file there, or give `pattern`",
                ))
            };
        };
        match matching::read(call, &pattern, &mut collector) {
            Ok(matched) => Ok(matched.complete(collector.into_output())),
            // What was read by name is worth having.
            Err(error) if listed => Ok(Output {
                pattern_error: Some(error.message),
                ..collector.into_output()
            }),
            Err(error) => Err(error),
        }
    }
}

toolgate_plugin::export!(ReadManyFiles);
