//! What lives here: the tool `delete_file`.
//! What may call it: the host, through the exported `tool` interface.
//! What it must not touch: anything but the one name that a call grants; never what a link points to.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use toolgate_plugin::fs::Kind;
use toolgate_plugin::{Access, Call, Definition, DefinitionContext, Error, ErrorKind, Tool};

/// Arguments of `delete_file`.
#[derive(Deserialize, JsonSchema)]
pub struct Args {
    /// The file or symbolic link to remove.
    pub path: String,
}

/// Result of `delete_file`.
#[derive(Serialize, JsonSchema)]
pub struct Output {
    /// What was done, with the path.
    pub status: String,
}

/// The tool `delete_file`.
pub struct DeleteFile;

impl Tool for DeleteFile {
    type Args = Args;
    type Output = Output;

    fn definition(context: &DefinitionContext) -> Definition {
        Definition::new(
            "delete_file",
            "Remove one regular file. Of a symbolic link the link itself is removed, never what it points to. \
             Directories, pipes, sockets and devices are refused. Idempotent: if nothing is there, the call \
             succeeds and says so. May require confirmation.",
        )
        .describe_if(context.has("bash"), "Prefer this to running rm through bash.")
        .destructive()
        .idempotent()
        .access(Access::file("path").delete())
    }

    fn call(_: Args, call: &Call) -> Result<Output, Error> {
        let path = call.path("path")?;
        let shown = path.display();
        let absent = || Output {
            status: format!("Nothing to delete (no-op): {shown} was not found."),
        };
        // Removing a name needs no more than its directory, so pipes and devices would go as well.
        let Some(metadata) = path.link_metadata()? else {
            return Ok(absent());
        };
        let status = match metadata.kind {
            Kind::File => format!("Deleted {shown}."),
            Kind::Symlink => format!("Deleted the symbolic link {shown}, not what it points to."),
            kind => {
                return Err(Error::failed(format!(
                    "{shown}: it is {}; only regular files and symbolic links can be deleted",
                    kind.described()
                )));
            }
        };
        match path.remove_file() {
            Ok(()) => Ok(Output { status }),
            // Somebody else was faster, which comes to the same.
            Err(error) if error.kind == ErrorKind::NotFound => Ok(absent()),
            Err(error) => Err(error),
        }
    }
}

toolgate_plugin::export!(DeleteFile);
