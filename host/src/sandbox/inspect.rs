//! What a component is: imports, tools, size, digest.

use std::io::Read;
use std::path::Path;

use rustix::fs::{FileType, Mode, OFlags};
use serde::Serialize;
use sha2::{Digest, Sha256};

use super::component::LoadError;
use super::imports::{ImportInfo, describe};
use crate::catalog::{Origin, ToolInfo};

/// A component as `toolgate inspect` shows it.
#[derive(Debug, Clone, Serialize)]
pub struct Inspection {
    /// The built-in's name or the file's name.
    pub name: String,
    /// Where it comes from.
    pub origin: Origin,
    /// Size of the component.
    pub size_bytes: u64,
    /// `sha256:` and the digest in hexadecimal.
    pub digest: String,
    /// Its imports: what it can reach at most.
    pub imports: Vec<ImportInfo>,
    /// Its tools, where they could be asked for.
    pub tools: Vec<ToolInfo>,
}

/// Looks at a component file without running any of it.
///
/// # Errors
/// It cannot be read or is no component.
pub fn inspect_file(path: &Path) -> Result<Inspection, LoadError> {
    let fail = |reason: String| LoadError {
        plugin: path.display().to_string(),
        reason,
    };
    let bytes = read_component(path).map_err(fail)?;
    let name = path
        .file_name()
        .map_or_else(String::new, |name| name.to_string_lossy().into_owned());
    inspect_bytes(&name, Origin::Plugin(path.to_owned()), &bytes).map_err(fail)
}

/// Looks at a component in memory without running any of it.
///
/// # Errors
/// It is no component.
pub fn inspect_bytes(name: &str, origin: Origin, bytes: &[u8]) -> Result<Inspection, String> {
    let outline = super::precheck::outline(bytes)?;
    Ok(Inspection {
        name: name.to_owned(),
        imports: describe(&outline.imports, &origin),
        origin,
        size_bytes: bytes.len() as u64,
        digest: format!("sha256:{}", super::cache::hex(&Sha256::digest(bytes))),
        tools: Vec::new(),
    })
}

/// Reads a regular file, whatever stands at the path.
pub(super) fn read_component(path: &Path) -> Result<Vec<u8>, String> {
    const MAX: u64 = (128 << 20) + 1;
    let fd = rustix::fs::open(
        path,
        OFlags::RDONLY | OFlags::CLOEXEC | OFlags::NONBLOCK | OFlags::NOCTTY,
        Mode::empty(),
    )
    .map_err(|error| format!("cannot be opened: {error}"))?;
    let stat = rustix::fs::fstat(&fd).map_err(|error| error.to_string())?;
    if FileType::from_raw_mode(stat.st_mode) != FileType::RegularFile {
        return Err("it is not a regular file".to_owned());
    }
    let mut bytes = Vec::new();
    std::fs::File::from(fd)
        .take(MAX)
        .read_to_end(&mut bytes)
        .map_err(|error| format!("cannot be read: {error}"))?;
    Ok(bytes)
}
