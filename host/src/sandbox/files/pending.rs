//! Names of unfinished replacements, noted outside the tree while they exist.
//! If the process dies in between, the next start removes what it left.

use std::os::fd::OwnedFd;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU64, Ordering};

use rustix::fs::{AtFlags, CWD, Mode, OFlags};

use crate::sandbox::bindings::wasi::filesystem::types::ErrorCode;
use crate::sandbox::filesystem::{CallFiles, Parent};

/// Starts every such name; hidden, and no pattern for sources matches it.
const PREFIX: &str = ".toolgate-";
const SUFFIX: &str = ".tmp";

/// Whether a directory entry is an unfinished replacement: no listing shows it.
pub(in crate::sandbox) fn is_unfinished(name: &str) -> bool {
    name.starts_with(PREFIX) && name.ends_with(SUFFIX)
}

/// A name reserved for an unfinished replacement.
pub(super) struct Note {
    name: String,
    file: Option<PathBuf>,
}

impl Note {
    /// Draws a name and notes it, before anything of that name exists.
    pub(super) fn new(files: &CallFiles, parent: &Parent) -> Result<Self, ErrorCode> {
        static COUNT: AtomicU64 = AtomicU64::new(0);
        let mut random = [0; 8];
        crate::sandbox::cache::fill_random(&mut random).map_err(|_| ErrorCode::Io)?;
        let process = std::process::id();
        let count = COUNT.fetch_add(1, Ordering::Relaxed);
        let id = format!("{process}-{count}-{}", crate::sandbox::cache::hex(&random));
        let name = format!("{PREFIX}{id}{SUFFIX}");
        let file = files.pending.as_ref().map(|directory| directory.join(&id));
        if let Some(file) = &file {
            let directory = parent.relative.rsplit_once('/').map_or("", |(directory, _)| directory);
            let path = format!("{}/{name}", files.absolute(parent.root, directory));
            // Without a note the replacement still works; only the sweep would miss it.
            if let Err(error) = std::fs::write(file, path) {
                tracing::debug!(%error, "cannot note an unfinished replacement");
            }
        }
        Ok(Self { name, file })
    }

    pub(super) fn name(&self) -> &str {
        &self.name
    }

    /// The name is not in use any more.
    pub(super) fn done(self) {
        if let Some(file) = &self.file {
            let _ = std::fs::remove_file(file);
        }
    }

    /// Removes what stands under the name.
    pub(super) fn remove(self, directory: &OwnedFd) {
        let _ = rustix::fs::unlinkat(directory, &*self.name, AtFlags::empty());
        self.done();
    }
}

/// Removes what processes that are gone have left. Only regular files with a
/// name of ours are touched, and no link is followed on the way to them.
pub fn sweep(pending: &Path) {
    let Ok(entries) = std::fs::read_dir(pending) else {
        return;
    };
    for entry in entries.flatten() {
        let id = entry.file_name();
        let Some(id) = id.to_str() else { continue };
        let Some(process) = id.split('-').next().and_then(|text| text.parse::<i32>().ok()) else {
            continue;
        };
        let alive = rustix::process::Pid::from_raw(process)
            .is_some_and(|pid| rustix::process::test_kill_process(pid) != Err(rustix::io::Errno::SRCH));
        if alive {
            continue;
        }
        if let Ok(path) = std::fs::read_to_string(entry.path())
            && let Some((directory, name)) = path.rsplit_once('/')
            && name == format!("{PREFIX}{id}{SUFFIX}")
            && let Ok(directory) = rustix::fs::openat2(
                CWD,
                directory,
                OFlags::PATH | OFlags::DIRECTORY | OFlags::CLOEXEC,
                Mode::empty(),
                rustix::fs::ResolveFlags::NO_SYMLINKS,
            )
        {
            let regular = rustix::fs::statat(&directory, name, AtFlags::SYMLINK_NOFOLLOW).is_ok_and(|stat| {
                rustix::fs::FileType::from_raw_mode(stat.st_mode) == rustix::fs::FileType::RegularFile
            });
            if regular {
                let _ = rustix::fs::unlinkat(&directory, name, AtFlags::empty());
            }
        }
        let _ = std::fs::remove_file(entry.path());
    }
}
