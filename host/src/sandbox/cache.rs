//! The cache of compiled components and their definitions. Nothing from it is
//! used unless a keyed MAC proves that this user's Toolgate wrote it, for this
//! engine and this component. Anything else is ignored and made anew.

use std::io::{Read, Write};
use std::os::fd::OwnedFd;
use std::path::{Path, PathBuf};
use std::sync::Once;
use std::sync::atomic::{AtomicU64, Ordering};

use rustix::fs::{AtFlags, FileType, Mode, OFlags, ResolveFlags};
use rustix::io::Errno;

const MAGIC: &[u8; 8] = b"TGCACHE1";
const MAC: usize = 32;
/// Most bytes the cache keeps; the oldest files make room.
const MAX_TOTAL: u64 = 1 << 30;
/// Longest cache file that is read.
const MAX_FILE: u64 = 1 << 30;

/// Bytes whose origin is proven. Made by [`Cache::get`] only.
pub struct Authentic {
    file: Vec<u8>,
}

impl Authentic {
    /// The payload.
    pub fn bytes(&self) -> &[u8] {
        &self.file[MAGIC.len() + MAC..]
    }
}

/// What a cache entry is for; part of its name and of its MAC.
#[derive(Debug, Clone, Copy)]
pub struct EntryKey<'a> {
    /// SHA-256 of the component.
    pub component: &'a [u8; 32],
    /// Identity of the engine.
    pub engine: &'a [u8; 32],
    /// `code`, or a name for definitions.
    pub kind: &'a str,
}

/// An open cache directory with its key.
pub struct Cache {
    directory: OwnedFd,
    path: PathBuf,
    key: [u8; 32],
    warned: Once,
}

impl Cache {
    /// Opens or creates the directory (mode 0700) and the key (mode 0600, in
    /// `state`). `None`, with one warning, if either belongs to somebody else
    /// or is open to others: then everything is compiled in memory.
    pub fn open(directory: &Path, state: &Path) -> Option<Self> {
        let opened = open_private(directory).and_then(|fd| {
            let state = open_private(state)?;
            Ok((fd, load_key(&state)?))
        });
        match opened {
            Ok((fd, key)) => Some(Self {
                directory: fd,
                path: directory.to_owned(),
                key,
                warned: Once::new(),
            }),
            Err(reason) => {
                tracing::warn!(directory = %directory.display(), %reason, "the cache is not used; components are compiled at each start");
                None
            }
        }
    }

    /// The directory.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Whether there is an entry, authentic or not.
    pub fn has(&self, entry: EntryKey<'_>) -> bool {
        self.path.join(file_name(entry)).exists()
    }

    /// The entry, if it is there and authentic. The file is read once into
    /// private memory and judged there, so that it cannot change in between.
    pub fn get(&self, entry: EntryKey<'_>) -> Option<Authentic> {
        let name = file_name(entry);
        match self.read(&name) {
            Ok(Some(file)) => {
                if file.len() >= MAGIC.len() + MAC
                    && &file[..MAGIC.len()] == MAGIC
                    && self.mac(entry, &file[MAGIC.len() + MAC..]) == *mac_of(&file)
                {
                    return Some(Authentic { file });
                }
                self.warn(&name, "it is damaged or was not written by this user's Toolgate");
                None
            }
            Ok(None) => None,
            Err(reason) => {
                self.warn(&name, &reason);
                None
            }
        }
    }

    /// Stores an entry; readers see all of it or nothing. A failure costs
    /// time at the next start and nothing else, so it is only logged.
    pub fn put(&self, entry: EntryKey<'_>, payload: &[u8]) {
        let name = file_name(entry);
        if let Err(error) = self.write(&name, entry, payload) {
            tracing::debug!(file = %self.path.join(&name).display(), %error, "cannot store into the cache");
        }
        self.make_room(MAX_TOTAL);
    }

    /// Removes the oldest files until `most` bytes are left: engines and
    /// plugins change, and nobody else cleans up.
    fn make_room(&self, most: u64) {
        let Ok(entries) = std::fs::read_dir(&self.path) else {
            return;
        };
        let mut files: Vec<_> = entries
            .flatten()
            .filter_map(|entry| {
                let data = entry.metadata().ok().filter(std::fs::Metadata::is_file)?;
                Some((data.modified().ok()?, data.len(), entry.file_name()))
            })
            .collect();
        files.sort_unstable();
        let mut total: u64 = files.iter().map(|(_, size, _)| size).sum();
        // The newest stays whatever its size: it was made for the call that waits.
        files.pop();
        for (_, size, name) in files {
            if total <= most {
                break;
            }
            if rustix::fs::unlinkat(&self.directory, &*name, AtFlags::empty()).is_ok() {
                total -= size;
            }
        }
    }

    fn read(&self, name: &str) -> Result<Option<Vec<u8>>, String> {
        let fd = match rustix::fs::openat2(
            &self.directory,
            name,
            OFlags::RDONLY | OFlags::CLOEXEC | OFlags::NOFOLLOW | OFlags::NONBLOCK | OFlags::NOCTTY,
            Mode::empty(),
            ResolveFlags::BENEATH | ResolveFlags::NO_SYMLINKS,
        ) {
            Ok(fd) => fd,
            Err(Errno::NOENT) => return Ok(None),
            Err(error) => return Err(error.to_string()),
        };
        let stat = rustix::fs::fstat(&fd).map_err(|error| error.to_string())?;
        if FileType::from_raw_mode(stat.st_mode) != FileType::RegularFile {
            return Err("it is not a regular file".to_owned());
        }
        private(&stat)?;
        let size = u64::try_from(stat.st_size).unwrap_or(u64::MAX);
        if size > MAX_FILE {
            return Err(format!("it has {size} bytes"));
        }
        let mut file = Vec::with_capacity(usize::try_from(size).unwrap_or(0) + 1);
        std::fs::File::from(fd)
            .take(MAX_FILE)
            .read_to_end(&mut file)
            .map_err(|error| error.to_string())?;
        Ok(Some(file))
    }

    fn write(&self, name: &str, entry: EntryKey<'_>, payload: &[u8]) -> std::io::Result<()> {
        let temporary = temporary_name(name);
        let result = (|| {
            let fd = rustix::fs::openat(
                &self.directory,
                &*temporary,
                OFlags::WRONLY | OFlags::CREATE | OFlags::TRUNC | OFlags::CLOEXEC | OFlags::NOFOLLOW,
                Mode::RUSR | Mode::WUSR,
            )?;
            let mut file = std::fs::File::from(fd);
            file.write_all(MAGIC)?;
            file.write_all(&self.mac(entry, payload))?;
            file.write_all(payload)?;
            rustix::fs::renameat(&self.directory, &*temporary, &self.directory, name)?;
            Ok(())
        })();
        if result.is_err() {
            let _ = rustix::fs::unlinkat(&self.directory, &*temporary, AtFlags::empty());
        }
        result
    }

    fn mac(&self, entry: EntryKey<'_>, payload: &[u8]) -> [u8; MAC] {
        let mut hasher = blake3::Hasher::new_keyed(&self.key);
        hasher.update(entry.component);
        hasher.update(entry.engine);
        hasher.update(&(entry.kind.len() as u64).to_le_bytes());
        hasher.update(entry.kind.as_bytes());
        hasher.update(payload);
        *hasher.finalize().as_bytes()
    }

    fn warn(&self, name: &str, reason: &str) {
        // One line is enough: a damaged cache usually has many damaged files.
        self.warned.call_once(|| {
            tracing::warn!(file = %self.path.join(name).display(), reason, "a cache file is ignored and made anew");
        });
    }
}

/// A name that no other thread or process of this user takes.
fn temporary_name(name: &str) -> String {
    static COUNT: AtomicU64 = AtomicU64::new(0);
    let count = COUNT.fetch_add(1, Ordering::Relaxed);
    format!("{name}.{}-{count}.tmp", std::process::id())
}

fn mac_of(file: &[u8]) -> &[u8; MAC] {
    file[MAGIC.len()..].first_chunk().unwrap_or(&[0; MAC])
}

fn file_name(entry: EntryKey<'_>) -> String {
    format!(
        "{}-{}.{}",
        hex(&entry.component[..16]),
        hex(&entry.engine[..8]),
        entry.kind
    )
}

/// Lower-case hexadecimal.
pub(crate) fn hex(bytes: &[u8]) -> String {
    use std::fmt::Write as _;
    bytes
        .iter()
        .fold(String::with_capacity(bytes.len() * 2), |mut text, byte| {
            // Writing to a string cannot fail.
            let _ = write!(text, "{byte:02x}");
            text
        })
}

/// Opens a directory that only this user may write to, creating it if needed.
pub(crate) fn open_private(path: &Path) -> Result<OwnedFd, String> {
    use std::os::unix::fs::DirBuilderExt;
    std::fs::DirBuilder::new()
        .recursive(true)
        .mode(0o700)
        .create(path)
        .map_err(|error| format!("{}: {error}", path.display()))?;
    let fd = rustix::fs::open(
        path,
        OFlags::RDONLY | OFlags::DIRECTORY | OFlags::CLOEXEC | OFlags::NOFOLLOW,
        Mode::empty(),
    )
    .map_err(|error| format!("{}: {error}", path.display()))?;
    let stat = rustix::fs::fstat(&fd).map_err(|error| error.to_string())?;
    private(&stat).map_err(|reason| format!("{}: {reason}", path.display()))?;
    Ok(fd)
}

fn private(stat: &rustix::fs::Stat) -> Result<(), String> {
    let me = rustix::process::geteuid().as_raw();
    if stat.st_uid != me {
        return Err(format!("it belongs to user {}, not to {me}", stat.st_uid));
    }
    if stat.st_mode & 0o022 != 0 {
        return Err(format!("others may write to it (mode {:o})", stat.st_mode & 0o7777));
    }
    Ok(())
}

/// The MAC key: 32 random bytes, readable by this user only. Two processes
/// that start together agree on one, because it is linked into place.
fn load_key(state: &OwnedFd) -> Result<[u8; 32], String> {
    const NAME: &str = "cache.key";
    for _ in 0..3 {
        match rustix::fs::openat(
            state,
            NAME,
            OFlags::RDONLY | OFlags::CLOEXEC | OFlags::NOFOLLOW,
            Mode::empty(),
        ) {
            Ok(fd) => {
                let stat = rustix::fs::fstat(&fd).map_err(|error| error.to_string())?;
                private(&stat)?;
                if stat.st_mode & 0o044 != 0 {
                    return Err(format!("{NAME}: others may read it; remove it"));
                }
                let mut key = [0; 32];
                std::fs::File::from(fd)
                    .read_exact(&mut key)
                    .map_err(|error| format!("{NAME}: {error}"))?;
                return Ok(key);
            }
            Err(Errno::NOENT) => create_key(state, NAME)?,
            Err(error) => return Err(format!("{NAME}: {error}")),
        }
    }
    Err(format!("{NAME}: it keeps disappearing"))
}

fn create_key(state: &OwnedFd, name: &str) -> Result<(), String> {
    let mut key = [0; 32];
    fill_random(&mut key)?;
    let temporary = temporary_name(name);
    let result = (|| {
        let fd = rustix::fs::openat(
            state,
            &*temporary,
            OFlags::WRONLY | OFlags::CREATE | OFlags::EXCL | OFlags::CLOEXEC,
            Mode::RUSR | Mode::WUSR,
        )?;
        let mut file = std::fs::File::from(fd);
        file.write_all(&key)?;
        file.sync_all()?;
        match rustix::fs::linkat(state, &*temporary, state, name, AtFlags::empty()) {
            Ok(()) | Err(Errno::EXIST) => Ok(()),
            Err(error) => Err(std::io::Error::from(error)),
        }
    })();
    let _ = rustix::fs::unlinkat(state, &*temporary, AtFlags::empty());
    result.map_err(|error: std::io::Error| format!("{name}: {error}"))
}

pub(crate) fn fill_random(buffer: &mut [u8]) -> Result<(), String> {
    let mut filled = 0;
    while filled < buffer.len() {
        filled += rustix::rand::getrandom(&mut buffer[filled..], rustix::rand::GetRandomFlags::empty())
            .map_err(|error| error.to_string())?;
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_oldest_make_room() {
        let base = tempfile::tempdir().unwrap();
        let cache = Cache::open(&base.path().join("cache"), &base.path().join("state")).unwrap();
        let entry = |component| EntryKey {
            component,
            engine: &[0; 32],
            kind: "code",
        };
        let names: [[u8; 32]; 3] = [[1; 32], [2; 32], [3; 32]];
        for name in &names {
            cache.put(entry(name), &[7; 1000]);
            std::thread::sleep(std::time::Duration::from_millis(20));
        }
        cache.make_room(2500);
        assert!(cache.get(entry(&names[0])).is_none());
        assert_eq!(cache.get(entry(&names[1])).unwrap().bytes(), [7; 1000]);
        cache.make_room(0);
        assert!(cache.get(entry(&names[1])).is_none());
        assert!(cache.get(entry(&names[2])).is_some());
    }
}
