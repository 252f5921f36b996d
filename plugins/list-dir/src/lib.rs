//! What lives here: the tool `list_dir`.
//! What may call it: the host, through the exported `tool` interface.
//! What it must not touch: the content of files, and anything below the entries of the directory.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use toolgate_plugin::fs::{Directory, Kind};
use toolgate_plugin::{Access, Call, Definition, DefinitionContext, Error, Tool};

/// Arguments of `list_dir`.
#[derive(Deserialize, JsonSchema)]
pub struct Args {
    /// The directory to list; absent or empty means the working directory.
    #[serde(default)]
    pub path: Option<String>,
}

/// Result of `list_dir`.
#[derive(Debug, Serialize, JsonSchema)]
pub struct Output {
    /// The entries in ascending byte order of name, hidden ones included.
    pub entries: Vec<Listed>,
    /// How many entries the directory has.
    pub total: u64,
    /// Present if `entries` is cut; `total` tells how many there are.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub truncated: bool,
}

/// One entry.
#[derive(Debug, Serialize, JsonSchema)]
pub struct Listed {
    /// Its name in this directory.
    pub name: String,
    /// Whether it is a directory; a symbolic link is not.
    pub is_dir: bool,
    /// `file`, `dir`, `symlink` or `other` (pipe, socket, device).
    #[serde(rename = "type")]
    pub kind: &'static str,
    /// Size in bytes; of a symbolic link the length of its text.
    pub size: u64,
}

/// The tool `list_dir`.
pub struct ListDir;

impl Tool for ListDir {
    type Args = Args;
    type Output = Output;

    fn definition(context: &DefinitionContext) -> Definition {
        Definition::new(
            "list_dir",
            "List the files and subdirectories of one directory, not recursively, sorted by name, with type and \
             size. Hidden entries are included and nothing is skipped. At most a limited number of entries is \
             returned, by default 500: a longer list has `truncated`, and `total` always tells how many there are. \
             Paths outside the permitted ones may need approval.",
        )
        .describe_if(
            // Results are digested only where their originals can be retrieved.
            context.has("retrieve_raw"),
            "A long list comes back as a digest: how many entries of each kind there are, and some of them.",
        )
        .read_only()
        .access(Access::directory("path").read().default("."))
        .survey()
    }

    fn call(_: Args, call: &Call) -> Result<Output, Error> {
        list(&call.path("path")?.open_directory()?, call.caps().lines())
    }
}

/// Asks for the metadata only of the entries that are returned. One that vanishes meanwhile is
/// left out, and not counted.
fn list(directory: &Directory, max_entries: usize) -> Result<Output, Error> {
    let found = directory.entries()?;
    let mut total = found.len();
    let mut entries = Vec::new();
    for entry in found {
        if entries.len() == max_entries {
            break;
        }
        match directory.metadata(&entry.name)? {
            Some(metadata) => entries.push(Listed {
                name: entry.name,
                is_dir: metadata.kind == Kind::Directory,
                kind: metadata.kind.word(),
                size: metadata.size,
            }),
            None => total -= 1,
        }
    }
    Ok(Output {
        truncated: entries.len() < total,
        total: total as u64,
        entries,
    })
}

toolgate_plugin::export!(ListDir);
