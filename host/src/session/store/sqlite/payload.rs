//! Raw payloads: putting, making room and listing.

use std::time::{Duration, SystemTime};

use rusqlite::{OptionalExtension, Transaction};

use super::failure::Failure;
use super::sessions::{Used, natural, now, stored};
use crate::session::store::{PayloadInfo, limits};

/// Bytes of all chunks of a payload but the last. One page of the default size
/// then lies in at most two.
pub(super) const CHUNK: usize = 64 << 10;

/// Keeps a payload, replacing one of the same id and making room by age. The
/// caller has checked that the payload fits on its own.
pub(super) fn put(
    transaction: &Transaction<'_>,
    session: &Used,
    call_id: &str,
    tool: &str,
    raw: &str,
) -> Result<(), Failure> {
    let bytes = raw.len() as u64;
    let mut kept = session.payload_bytes;
    let replaced: Option<(i64, i64)> = transaction
        .prepare_cached("SELECT id, bytes FROM payload WHERE session = ?1 AND call_id = ?2")?
        .query_row((session.id, call_id), |row| Ok((row.get(0)?, row.get(1)?)))
        .optional()?;
    if let Some(replaced) = replaced {
        delete(transaction, replaced, &mut kept)?;
    }
    while kept + bytes > limits::PAYLOAD_BYTES {
        let oldest = transaction
            .prepare_cached("SELECT id, bytes FROM payload WHERE session = ?1 ORDER BY id LIMIT 1")?
            .query_row([session.id], |row| Ok((row.get(0)?, row.get(1)?)))
            .optional()?
            .ok_or(Failure::Damaged)?;
        delete(transaction, oldest, &mut kept)?;
    }
    insert(transaction, session.id, call_id, tool, raw)?;
    transaction
        .prepare_cached("UPDATE session SET payload_bytes = ?2 WHERE id = ?1")?
        .execute((session.id, stored(kept + bytes)?))?;
    Ok(())
}

fn delete(transaction: &Transaction<'_>, (id, bytes): (i64, i64), kept: &mut u64) -> Result<(), Failure> {
    transaction
        .prepare_cached("DELETE FROM payload WHERE id = ?1")?
        .execute([id])?;
    *kept = kept.checked_sub(natural(bytes)?).ok_or(Failure::Damaged)?;
    Ok(())
}

fn insert(transaction: &Transaction<'_>, session: i64, call_id: &str, tool: &str, raw: &str) -> Result<(), Failure> {
    // A new id is above every other: ids are in the order of age.
    let id = transaction
        .prepare_cached("INSERT INTO payload (session, call_id, tool, created, bytes) VALUES (?1, ?2, ?3, ?4, ?5)")?
        .insert((session, call_id, tool, now(), stored(raw.len() as u64)?))?;
    let mut statement =
        transaction.prepare_cached("INSERT INTO chunk (payload, position, data) VALUES (?1, ?2, ?3)")?;
    for (position, data) in (0_i64..).zip(raw.as_bytes().chunks(CHUNK)) {
        statement.execute((id, position, data))?;
    }
    Ok(())
}

/// What a session has, oldest first.
pub(super) fn list(transaction: &Transaction<'_>, session: i64) -> Result<Vec<PayloadInfo>, Failure> {
    let mut statement = transaction
        .prepare_cached("SELECT call_id, tool, bytes, created FROM payload WHERE session = ?1 ORDER BY id")?;
    let rows = statement.query_map([session], |row| {
        Ok((row.get(0)?, row.get(1)?, row.get::<_, i64>(2)?, row.get::<_, i64>(3)?))
    })?;
    rows.map(|row| {
        let (call_id, tool, bytes, created) = row?;
        Ok(PayloadInfo {
            call_id,
            tool,
            bytes: natural(bytes)?,
            created: SystemTime::UNIX_EPOCH
                .checked_add(Duration::from_millis(natural(created)?))
                .ok_or(Failure::Damaged)?,
        })
    })
    .collect()
}
