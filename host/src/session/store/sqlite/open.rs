//! Opening the file: modes first, then what it is, then how it is used.

use std::os::fd::OwnedFd;
use std::path::Path;
use std::time::{Duration, Instant};

use rusqlite::config::DbConfig;
use rusqlite::{Connection, ErrorCode, OpenFlags};
use rustix::fs::{AtFlags, FileType, Mode};
use rustix::io::Errno;

use super::failure::Failure;
use super::schema::{self, Found};
use crate::sandbox::cache::open_private;
use crate::session::store::StoreError;

/// The file in the state directory.
pub(in super::super) const FILE: &str = "sessions.db";

/// How long a call waits for changes of other processes. The longest one, a
/// payload of 100 MiB, holds the lock for about a second.
pub(super) const PATIENCE: Duration = Duration::from_secs(5);

/// Most bytes the write-ahead log keeps on disk once its content is in the file.
const LOG_BYTES: i64 = 4 << 20;

/// Opens or creates the file in this directory; also returns its name for errors.
pub(super) fn open(directory: &Path) -> Result<(Connection, String), StoreError> {
    let unusable =
        |reason: String| StoreError::Unavailable(format!("the session store cannot use its directory: {reason}"));
    let handle = open_private(directory).map_err(unusable)?;
    // SQLite refuses links anywhere in a path that must not end in one, so the
    // ones above the directory are followed here.
    let directory = directory
        .canonicalize()
        .map_err(|error| unusable(format!("{}: {error}", directory.display())))?;
    let file = directory.join(FILE);
    let name = file.display().to_string();
    make_private(&handle).map_err(|reason| StoreError::Unavailable(format!("{name}: {reason}")))?;

    let flags = OpenFlags::SQLITE_OPEN_READ_WRITE | OpenFlags::SQLITE_OPEN_NOFOLLOW | OpenFlags::SQLITE_OPEN_NO_MUTEX;
    let connect = || {
        let mut connection = Connection::open_with_flags(&file, flags)?;
        connection.busy_timeout(PATIENCE)?;
        let found = schema::recognise(&mut connection)?;
        configure(&connection)?;
        if journal(&connection)? != "wal" {
            return Err(Failure::Unshared);
        }
        if found == Found::Empty {
            schema::create(&mut connection)?;
        }
        Ok(connection)
    };
    let connection = connect().map_err(|failure| failure.at(&name))?;
    Ok((connection, name))
}

/// A store without a file.
pub(super) fn in_memory() -> Result<Connection, Failure> {
    let mut connection = Connection::open_in_memory()?;
    configure(&connection)?;
    schema::create(&mut connection)?;
    Ok(connection)
}

/// Sees to it that the file exists and that only this user can read it. It is
/// made without being opened: closing any descriptor of it would drop the locks
/// that another connection of this process holds. SQLite gives the log and its
/// index the mode of the file; ones that are there already are narrowed here.
fn make_private(directory: &OwnedFd) -> Result<(), String> {
    let private = Mode::RUSR | Mode::WUSR;
    match rustix::fs::mknodat(directory, FILE, FileType::RegularFile, private, 0) {
        Ok(()) | Err(Errno::EXIST) => {}
        Err(error) => return Err(format!("cannot be created: {error}")),
    }
    for name in [FILE, "sessions.db-wal", "sessions.db-shm"] {
        let stat = match rustix::fs::statat(directory, name, AtFlags::SYMLINK_NOFOLLOW) {
            Ok(stat) => stat,
            Err(Errno::NOENT) => continue,
            Err(error) => return Err(format!("cannot be examined: {error}")),
        };
        if FileType::from_raw_mode(stat.st_mode) != FileType::RegularFile {
            return Err(format!("{name} is not a regular file; move it away"));
        }
        if stat.st_mode & 0o077 != 0 {
            // Nobody else can put a link here meanwhile: the directory is this user's.
            rustix::fs::chmodat(directory, name, private, AtFlags::empty())
                .map_err(|error| format!("the mode of {name} cannot be set to 0600: {error}"))?;
        }
    }
    Ok(())
}

fn configure(connection: &Connection) -> Result<(), Failure> {
    connection.set_prepared_statement_cache_capacity(32);
    // The file may come from elsewhere: nothing in its schema may run code, and
    // no statement may write to the schema or past the tables.
    connection.set_db_config(DbConfig::SQLITE_DBCONFIG_DEFENSIVE, true)?;
    connection.pragma_update(None, "trusted_schema", false)?;
    connection.pragma_update(None, "cell_size_check", true)?;
    connection.pragma_update(None, "foreign_keys", true)?;
    // Nothing of a session may end up in a temporary file elsewhere.
    connection.pragma_update(None, "temp_store", "MEMORY")?;
    // Has an effect on an empty file only: lets a sweep give space back.
    connection.pragma_update(None, "auto_vacuum", "INCREMENTAL")?;
    // With a write-ahead log, NORMAL means: a process that crashes or is killed
    // loses nothing it was told is stored, since the system has it. A power cut
    // or a crash of the system may lose the last changes, those since the log
    // was last written back (some 4 MB), but never leaves half of one.
    connection.pragma_update(None, "synchronous", "NORMAL")?;
    connection.pragma_update(None, "journal_size_limit", LOG_BYTES)?;
    Ok(())
}

/// Turns the write-ahead log on and returns the mode in use. SQLite does not
/// wait for others here, so several processes that start on an empty file
/// would turn each other away.
fn journal(connection: &Connection) -> Result<String, Failure> {
    let started = Instant::now();
    loop {
        let mode = connection.pragma_update_and_check(None, "journal_mode", "WAL", |row| row.get(0));
        match mode {
            Err(error)
                if error.sqlite_error_code() == Some(ErrorCode::DatabaseBusy) && started.elapsed() < PATIENCE =>
            {
                std::thread::sleep(Duration::from_millis(2));
            }
            mode => return Ok(mode?),
        }
    }
}
