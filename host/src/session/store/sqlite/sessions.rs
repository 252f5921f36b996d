//! The row of a session: what belongs to it hangs off this row.

use std::time::{Duration, SystemTime};

use rusqlite::{Connection, OptionalExtension, Transaction};

use super::failure::Failure;
use super::open::PATIENCE;

/// Reading is noted as use this often at most, so that it seldom writes.
const NOTED_EVERY: i64 = 60_000;

/// A session that is being changed.
pub(super) struct Used {
    pub(super) id: i64,
    /// Bytes of its values.
    pub(super) state_bytes: u64,
    /// Bytes of its payloads.
    pub(super) payload_bytes: u64,
}

/// The session of this name, made if there is none, used now.
pub(super) fn used(transaction: &Transaction<'_>, name: &str) -> Result<Used, Failure> {
    let (id, state, payload) = transaction
        .prepare_cached(
            "INSERT INTO session (name, touched) VALUES (?1, ?2)
             ON CONFLICT (name) DO UPDATE SET touched = excluded.touched
             RETURNING id, state_bytes, payload_bytes",
        )?
        .query_row((name, now()), |row| {
            Ok((row.get(0)?, row.get::<_, i64>(1)?, row.get::<_, i64>(2)?))
        })?;
    Ok(Used {
        id,
        state_bytes: natural(state)?,
        payload_bytes: natural(payload)?,
    })
}

/// Runs `work` on one snapshot with the session of this name, if it is known,
/// and then notes that it was used.
pub(super) fn with_known<T>(
    connection: &mut Connection,
    name: &str,
    work: impl FnOnce(&Transaction<'_>, i64) -> Result<T, Failure>,
) -> Result<Option<T>, Failure> {
    let transaction = connection.transaction()?;
    let known: Option<(i64, i64)> = transaction
        .prepare_cached("SELECT id, touched FROM session WHERE name = ?1")?
        .query_row([name], |row| Ok((row.get(0)?, row.get(1)?)))
        .optional()?;
    let Some((id, touched)) = known else {
        return Ok(None);
    };
    let result = work(&transaction, id)?;
    transaction.commit()?;
    if now().saturating_sub(touched) >= NOTED_EVERY {
        note_use(connection, name)?;
    }
    Ok(Some(result))
}

/// Notes use unless that would wait or fail: what was read is good even on a
/// full disk, and the next reader tries again.
fn note_use(connection: &Connection, name: &str) -> Result<(), Failure> {
    connection.busy_timeout(Duration::ZERO)?;
    let noted = connection
        .prepare_cached("UPDATE session SET touched = ?2 WHERE name = ?1")
        .and_then(|mut statement| statement.execute((name, now())));
    connection.busy_timeout(PATIENCE)?;
    if noted.is_err() {
        tracing::debug!("the use of a session could not be noted");
    }
    Ok(())
}

/// Milliseconds since 1970.
pub(super) fn now() -> i64 {
    before(Duration::ZERO)
}

/// The moment this long ago, in milliseconds since 1970; 0 for one before.
pub(super) fn before(ago: Duration) -> i64 {
    let now = SystemTime::UNIX_EPOCH.elapsed().unwrap_or_default();
    i64::try_from(now.saturating_sub(ago).as_millis()).unwrap_or(i64::MAX)
}

/// A number that was stored as one that is not negative.
pub(super) fn natural(stored: i64) -> Result<u64, Failure> {
    u64::try_from(stored).map_err(|_| Failure::Damaged)
}

/// A number small enough to be stored: bytes within limits, and counts.
pub(super) fn stored(number: u64) -> Result<i64, Failure> {
    i64::try_from(number).map_err(|_| Failure::Damaged)
}
