//! What must hold on disk, and of prompts, when the calls of a row are done.

use std::io::ErrorKind;
use std::os::unix::fs::PermissionsExt;

use serde::Deserialize;

use super::Workspace;
use super::setup::FileStep;
use super::workspace::parse_mode;

/// One condition.
#[derive(Clone, Debug, Deserialize)]
#[serde(untagged, deny_unknown_fields)]
pub enum After {
    /// A regular file of that name, not a link to one, has this content and, if given, this mode.
    File(FileStep),
    /// Nothing of that name exists, not even a dangling link.
    Absent {
        /// The name.
        absent: String,
    },
    /// The permission bits are these.
    Mode {
        /// In octal, for example `0755`.
        mode: String,
        /// Of what.
        of: String,
    },
    /// A symbolic link of that name exists.
    Symlink {
        /// The name.
        symlink: String,
        /// The text of the link, when it matters.
        #[serde(default)]
        to: Option<String>,
    },
    /// The directory holds exactly these names, in byte order; a left-over temporary file would be one more.
    Entries {
        /// The names.
        entries: Vec<String>,
        /// The directory.
        of: String,
    },
    /// The operator was asked this often.
    Prompts {
        /// How often.
        prompts: usize,
    },
    /// At least one of these holds.
    AnyOf {
        /// The alternatives.
        any_of: Vec<After>,
    },
}

/// Checks every condition; the error names the first that does not hold and what is there instead.
pub fn check_after(after: &[After], workspace: &Workspace) -> Result<(), String> {
    after.iter().try_for_each(|condition| check(condition, workspace))
}

fn check(condition: &After, workspace: &Workspace) -> Result<(), String> {
    match condition {
        After::File(file) => check_file(file, workspace),
        After::Absent { absent } => match std::fs::symlink_metadata(workspace.path(absent)) {
            Err(error) if error.kind() == ErrorKind::NotFound => Ok(()),
            Err(error) => Err(format!("{absent}: expected to be absent, got {error}")),
            Ok(found) => Err(format!(
                "{absent}: expected to be absent, found {:?}",
                found.file_type()
            )),
        },
        After::Mode { mode, of } => check_mode(of, mode, workspace),
        After::Symlink { symlink, to } => {
            let text = std::fs::read_link(workspace.path(symlink))
                .map_err(|error| format!("{symlink}: expected a symbolic link, got {error}"))?;
            match to.as_deref().map(|to| workspace.path(to)).filter(|to| *to != text) {
                Some(to) => Err(format!("{symlink}: expected a link to {to:?}, got {text:?}")),
                None => Ok(()),
            }
        }
        After::Entries { entries, of } => {
            let found = names(of, workspace)?;
            if found == *entries {
                Ok(())
            } else {
                Err(format!("{of}: expected {entries:?}, found {found:?}"))
            }
        }
        After::Prompts { prompts } => match workspace.prompt_count() {
            count if count == *prompts => Ok(()),
            count => Err(format!("prompts: expected {prompts}, got {count}")),
        },
        After::AnyOf { any_of } => {
            let failures: Vec<_> = any_of.iter().filter_map(|one| check(one, workspace).err()).collect();
            if failures.len() < any_of.len() {
                Ok(())
            } else {
                Err(failures.join("; and "))
            }
        }
    }
}

fn check_file(file: &FileStep, workspace: &Workspace) -> Result<(), String> {
    let name = &file.file;
    let path = workspace.path(name);
    let found = std::fs::symlink_metadata(&path).map_err(|error| format!("{name}: {error}"))?;
    if !found.is_file() {
        return Err(format!(
            "{name}: expected a regular file, found {:?}",
            found.file_type()
        ));
    }
    let expected = file.content()?;
    let actual = std::fs::read(&path).map_err(|error| format!("{name}: {error}"))?;
    if actual != expected {
        return Err(format!(
            "{name}: expected {}, found {}",
            shown(&expected),
            shown(&actual)
        ));
    }
    file.mode
        .as_deref()
        .map_or(Ok(()), |mode| check_mode(name, mode, workspace))
}

fn check_mode(name: &str, mode: &str, workspace: &Workspace) -> Result<(), String> {
    const PERMISSION_BITS: u32 = 0o7777;
    let found = std::fs::metadata(workspace.path(name)).map_err(|error| format!("{name}: {error}"))?;
    let bits = found.permissions().mode() & PERMISSION_BITS;
    if bits == parse_mode(mode)? {
        Ok(())
    } else {
        Err(format!("{name}: expected mode {mode}, found {bits:04o}"))
    }
}

fn names(dir: &str, workspace: &Workspace) -> Result<Vec<String>, String> {
    let failed = |error: std::io::Error| format!("{dir}: {error}");
    let mut names = std::fs::read_dir(workspace.path(dir))
        .map_err(failed)?
        .map(|entry| Ok(entry?.file_name().to_string_lossy().into_owned()))
        .collect::<std::io::Result<Vec<_>>>()
        .map_err(failed)?;
    names.sort();
    Ok(names)
}

fn shown(bytes: &[u8]) -> String {
    const SHOWN_BYTES: usize = 100;
    let head = &bytes[..bytes.len().min(SHOWN_BYTES)];
    format!("{} bytes {:?}", bytes.len(), String::from_utf8_lossy(head))
}
