//! Where the sockets are.

use std::io;
use std::os::fd::{AsRawFd, BorrowedFd, OwnedFd};
use std::path::{Path, PathBuf};
use std::time::{Duration, SystemTime};

use rustix::fs::{AtFlags, Dir, Mode, OFlags};
use rustix::io::Errno;
use rustix::net::{AddressFamily, SocketAddrUnix, SocketFlags, SocketType};

/// Sockets have this ending once they accept connections.
const READY: &str = ".sock";
/// And this one before.
pub(super) const UNREADY: &str = ".new";

/// After this time, a socket that is not ready belongs to a process that died.
const STARTING: Duration = Duration::from_secs(60);

/// The folder below a state directory.
pub(super) fn folder(state: &Path) -> PathBuf {
    state.join("approvals")
}

/// Opens the folder, which only this user may enter, and makes it if needed.
pub(super) fn open_private(folder: &Path) -> Result<OwnedFd, String> {
    let fd = crate::sandbox::cache::open_private(folder)?;
    rustix::fs::fchmod(&fd, Mode::RWXU).map_err(|error| format!("{}: {error}", folder.display()))?;
    Ok(fd)
}

/// Opens the folder if there is one.
pub(super) fn open(folder: &Path) -> io::Result<Option<OwnedFd>> {
    let flags = OFlags::RDONLY | OFlags::DIRECTORY | OFlags::CLOEXEC | OFlags::NOFOLLOW;
    match rustix::fs::open(folder, flags, Mode::empty()) {
        Ok(fd) => Ok(Some(fd)),
        Err(Errno::NOENT) => Ok(None),
        Err(error) => Err(error.into()),
    }
}

/// The name for a new socket.
pub(super) fn draw_name() -> Result<String, String> {
    let mut random = [0; 6];
    crate::sandbox::cache::fill_random(&mut random)?;
    let random = crate::sandbox::cache::hex(&random);
    Ok(format!("{}-{random}{READY}", std::process::id()))
}

/// A path for `bind` and `connect`, which take at most 108 bytes: it leads
/// through the open folder, wherever that is.
pub(super) fn through(folder: BorrowedFd<'_>, name: &str) -> String {
    format!("/proc/self/fd/{}/{name}", folder.as_raw_fd())
}

/// The names of all sockets that accept connections, or did.
pub(super) fn names(folder: BorrowedFd<'_>) -> io::Result<Vec<String>> {
    let mut names = all(folder)?;
    names.retain(|name| name.ends_with(READY));
    Ok(names)
}

/// Removes what processes have left that are gone.
pub(super) fn sweep(folder: BorrowedFd<'_>) -> io::Result<()> {
    for name in all(folder)? {
        let stale = match name.ends_with(READY) {
            true => refuses(folder, &name),
            false => name.ends_with(UNREADY) && is_old(folder, &name),
        };
        if stale {
            remove(folder, &name);
        }
    }
    Ok(())
}

/// Removes a socket; it may be gone already.
pub(super) fn remove(folder: BorrowedFd<'_>, name: &str) {
    let _ = rustix::fs::unlinkat(folder, name, AtFlags::empty());
}

fn all(folder: BorrowedFd<'_>) -> io::Result<Vec<String>> {
    let mut names = Vec::new();
    for entry in Dir::read_from(folder)? {
        if let Ok(name) = entry?.file_name().to_str() {
            names.push(name.to_owned());
        }
    }
    names.sort();
    Ok(names)
}

/// Whether nobody listens any more. A socket gets its final name only when
/// somebody does.
fn refuses(folder: BorrowedFd<'_>, name: &str) -> bool {
    let flags = SocketFlags::CLOEXEC | SocketFlags::NONBLOCK;
    let Ok(socket) = rustix::net::socket_with(AddressFamily::UNIX, SocketType::STREAM, flags, None) else {
        return false;
    };
    let address = SocketAddrUnix::new(through(folder, name));
    address.is_ok_and(|address| rustix::net::connect(&socket, &address) == Err(Errno::CONNREFUSED))
}

fn is_old(folder: BorrowedFd<'_>, name: &str) -> bool {
    let Ok(status) = rustix::fs::statat(folder, name, AtFlags::SYMLINK_NOFOLLOW) else {
        return false;
    };
    let modified = SystemTime::UNIX_EPOCH + Duration::from_secs(u64::try_from(status.st_mtime).unwrap_or(0));
    modified.elapsed().is_ok_and(|age| age > STARTING)
}
