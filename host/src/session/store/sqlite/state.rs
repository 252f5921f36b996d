//! Values of plugins.

use rusqlite::{OptionalExtension, Transaction};

use super::failure::Failure;
use super::sessions::{Used, natural, stored};
use crate::session::store::{StoreError, Versioned, limits};

/// The value of a key.
pub(super) fn get(
    transaction: &Transaction<'_>,
    session: i64,
    space: &str,
    key: &str,
) -> Result<Option<Versioned>, Failure> {
    let found: Option<(Vec<u8>, i64)> = transaction
        .prepare_cached("SELECT value, version FROM state WHERE session = ?1 AND space = ?2 AND key = ?3")?
        .query_row((session, space, key), |row| Ok((row.get(0)?, row.get(1)?)))
        .optional()?;
    let Some((value, version)) = found else {
        return Ok(None);
    };
    let version = natural(version)?;
    Ok(Some(Versioned { value, version }))
}

/// Replaces the value of a key if its version is `expected`, and returns the new one.
pub(super) fn put(
    transaction: &Transaction<'_>,
    session: &Used,
    (space, key): (&str, &str),
    value: &[u8],
    expected: u64,
) -> Result<u64, Failure> {
    let current: Option<(i64, i64)> = transaction
        .prepare_cached("SELECT version, length(value) FROM state WHERE session = ?1 AND space = ?2 AND key = ?3")?
        .query_row((session.id, space, key), |row| Ok((row.get(0)?, row.get(1)?)))
        .optional()?;
    let (version, replaced) = match current {
        Some((version, bytes)) => (natural(version)?, natural(bytes)?),
        None => (0, 0),
    };
    if version != expected {
        return Err(StoreError::Conflict.into());
    }
    if version == 0 {
        room_for_key(transaction, session.id, space)?;
    }
    let others = session.state_bytes.checked_sub(replaced).ok_or(Failure::Damaged)?;
    let total = others + value.len() as u64;
    if total > limits::STATE_BYTES {
        return Err(StoreError::Quota(format!(
            "the values of a session have at most {} bytes in total; with this one there would be {total}",
            limits::STATE_BYTES
        ))
        .into());
    }
    transaction
        .prepare_cached(
            "INSERT INTO state (session, space, key, version, value) VALUES (?1, ?2, ?3, ?4, ?5)
             ON CONFLICT (session, space, key) DO UPDATE SET version = excluded.version, value = excluded.value",
        )?
        .execute((session.id, space, key, stored(version + 1)?, value))?;
    transaction
        .prepare_cached("UPDATE session SET state_bytes = ?2 WHERE id = ?1")?
        .execute((session.id, stored(total)?))?;
    Ok(version + 1)
}

fn room_for_key(transaction: &Transaction<'_>, session: i64, space: &str) -> Result<(), Failure> {
    let keys: i64 = transaction
        .prepare_cached("SELECT count(*) FROM state WHERE session = ?1 AND space = ?2")?
        .query_row((session, space), |row| row.get(0))?;
    if natural(keys)? < limits::KEYS {
        return Ok(());
    }
    Err(StoreError::Quota(format!("a plugin has at most {} keys in a session", limits::KEYS)).into())
}
