//! What lives here: the tool `stat`.
//! What may call it: the host, through the exported `tool` interface.
//! What it must not touch: the content of any file.

mod format;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use toolgate_plugin::fs::Kind;
use toolgate_plugin::{Access, Call, Definition, DefinitionContext, Error, Tool};

/// Arguments of `stat`.
#[derive(Deserialize, JsonSchema)]
pub struct Args {
    /// The file or directory to describe.
    pub path: String,
}

/// Result of `stat`. Of a path that does not exist only `path` and `exists` are told.
#[derive(Default, Serialize, JsonSchema)]
pub struct Output {
    /// The resolved absolute path that is described.
    pub path: String,
    /// Whether anything is there.
    pub exists: bool,
    /// Whether it is a directory.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub is_dir: Option<bool>,
    /// `file`, `dir`, `symlink` or `other` (pipe, socket, device).
    #[serde(rename = "type", skip_serializing_if = "Option::is_none")]
    pub kind: Option<&'static str>,
    /// Size in bytes; of a directory whatever the filesystem reports.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub size: Option<u64>,
    /// Time of the last change of the content: RFC 3339, UTC, whole seconds.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub mtime: Option<String>,
    /// The same as `mtime`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub mod_time: Option<String>,
    /// Type and permissions, for example `-rw-r--r--` or `drwxr-xr-x`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub mode: Option<String>,
    /// Where the link points, if the path as given is a symbolic link; the rest describes its
    /// target.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub symlink_target: Option<String>,
}

/// The tool `stat`.
pub struct Stat;

impl Tool for Stat {
    type Args = Args;
    type Output = Output;

    fn definition(context: &DefinitionContext) -> Definition {
        Definition::new(
            "stat",
            "Describe a file or directory without reading it: whether it exists, type, size in bytes, modification \
             time (`mtime`), permissions (`mode`), and where a symbolic link points. A missing path is not an error \
             but `exists: false`, so this answers \"has this been written yet?\". Paths outside the permitted ones \
             may need approval.",
        )
        .describe_if(
            context.has("bash"),
            "Prefer this to running stat or ls -l through bash: it starts no subprocess.",
        )
        .read_only()
        .access(Access::file("path").read())
    }

    fn call(_: Args, call: &Call) -> Result<Output, Error> {
        let path = call.path("path")?;
        let missing = Output {
            path: path.display().to_owned(),
            ..Output::default()
        };
        let Some(metadata) = path.metadata()? else {
            return Ok(missing);
        };
        let mtime = metadata.modified.map(format::rfc3339);
        Ok(Output {
            exists: true,
            is_dir: Some(metadata.kind == Kind::Directory),
            kind: Some(metadata.kind.word()),
            size: Some(metadata.size),
            mod_time: mtime.clone(),
            mtime,
            mode: path.mode().ok().map(|bits| format::mode(metadata.kind, bits)),
            symlink_target: path.link().map(str::to_owned),
            ..missing
        })
    }
}

toolgate_plugin::export!(Stat);
