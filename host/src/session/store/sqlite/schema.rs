//! The tables, and which file is one of ours.

use rusqlite::{Connection, Transaction, TransactionBehavior};

use super::failure::Failure;

/// The schema this version reads and writes. A file of an older one is brought
/// up here, step by step; there is none yet.
pub(super) const VERSION: i64 = 1;

/// "TGSS" in the header of the file: tells it from databases of other programs.
const APPLICATION: i64 = 0x5447_5353;

/// A payload is kept in chunks, so that a page at its end is found as fast as
/// one at its start, and putting it takes no second copy of it in memory.
/// `session.state_bytes` and `payload_bytes` are the sums of what the session
/// has, kept by every change, so that a limit is checked without adding up.
const TABLES: &str = "
CREATE TABLE session (
    id INTEGER PRIMARY KEY,
    name TEXT NOT NULL UNIQUE,
    touched INTEGER NOT NULL,
    state_bytes INTEGER NOT NULL DEFAULT 0,
    payload_bytes INTEGER NOT NULL DEFAULT 0
) STRICT;
CREATE TABLE state (
    session INTEGER NOT NULL REFERENCES session ON DELETE CASCADE,
    space TEXT NOT NULL,
    key TEXT NOT NULL,
    version INTEGER NOT NULL,
    value BLOB NOT NULL,
    PRIMARY KEY (session, space, key)
) STRICT;
CREATE TABLE payload (
    id INTEGER PRIMARY KEY,
    session INTEGER NOT NULL REFERENCES session ON DELETE CASCADE,
    call_id TEXT NOT NULL,
    tool TEXT NOT NULL,
    created INTEGER NOT NULL,
    bytes INTEGER NOT NULL,
    UNIQUE (session, call_id)
) STRICT;
CREATE INDEX payload_age ON payload (session, id);
CREATE TABLE chunk (
    payload INTEGER NOT NULL REFERENCES payload ON DELETE CASCADE,
    position INTEGER NOT NULL,
    data BLOB NOT NULL,
    PRIMARY KEY (payload, position)
) STRICT;
";

/// What a file is, found without changing it.
#[derive(PartialEq, Eq)]
pub(super) enum Found {
    /// Nothing yet.
    Empty,
    /// A store this version can use.
    Current,
}

/// Reads what the file is.
pub(super) fn recognise(connection: &mut Connection) -> Result<Found, Failure> {
    // One snapshot: another process may be creating the tables.
    let transaction = connection.transaction()?;
    let found = found(&transaction)?;
    transaction.commit()?;
    Ok(found)
}

/// Creates the tables unless another process just did.
pub(super) fn create(connection: &mut Connection) -> Result<(), Failure> {
    let transaction = connection.transaction_with_behavior(TransactionBehavior::Immediate)?;
    if found(&transaction)? == Found::Empty {
        transaction.execute_batch(TABLES)?;
        transaction.pragma_update(None, "application_id", APPLICATION)?;
        transaction.pragma_update(None, "user_version", VERSION)?;
    }
    transaction.commit()?;
    Ok(())
}

fn found(transaction: &Transaction<'_>) -> Result<Found, Failure> {
    let number = |name| transaction.pragma_query_value(None, name, |row| row.get::<_, i64>(0));
    let (application, version) = (number("application_id")?, number("user_version")?);
    let tables: i64 = transaction.query_row("SELECT count(*) FROM sqlite_schema", [], |row| row.get(0))?;
    match (application, version) {
        (0, 0) if tables == 0 => Ok(Found::Empty),
        (APPLICATION, VERSION) if tables > 0 => Ok(Found::Current),
        (APPLICATION, newer) if newer > VERSION => Err(Failure::Newer(newer)),
        _ => Err(Failure::Foreign),
    }
}
