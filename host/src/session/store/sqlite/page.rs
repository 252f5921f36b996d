//! Reading part of a payload.

use std::ops::Range;

use rusqlite::{OptionalExtension, Transaction};

use super::failure::Failure;
use super::payload::CHUNK;
use super::sessions::{natural, stored};
use crate::session::store::{Page, StoreError};

/// A character has at most this many bytes.
const CHARACTER: u64 = 4;

/// The page at `offset`, of at most `limit` bytes but at least one character.
pub(super) fn read(
    transaction: &Transaction<'_>,
    session: i64,
    call_id: &str,
    offset: u64,
    limit: u64,
) -> Result<Option<Page>, Failure> {
    let found: Option<(i64, i64)> = transaction
        .prepare_cached("SELECT id, bytes FROM payload WHERE session = ?1 AND call_id = ?2")?
        .query_row((session, call_id), |row| Ok((row.get(0)?, row.get(1)?)))
        .optional()?;
    let Some((payload, bytes)) = found else {
        return Ok(None);
    };
    let total = natural(bytes)?;
    if offset > total {
        return Err(StoreError::Range(format!(
            "offset {offset} is beyond the end: the payload has {total} bytes"
        ))
        .into());
    }
    if limit == 0 {
        return Err(StoreError::Range(format!(
            "a limit of 0 bytes returns nothing; give at least 1 (the payload has {total} bytes)"
        ))
        .into());
    }
    // One character more than asked for on either side: enough to see where
    // the ones at the edges start and end.
    let start = offset.saturating_sub(CHARACTER);
    let end = offset.saturating_add(limit).saturating_add(CHARACTER).min(total);
    let window = bytes_of(transaction, payload, start..end)?;
    let within = |number: u64| usize::try_from(number).unwrap_or(usize::MAX);
    let cut = cut(&window, within(offset - start), within(limit));
    let (offset, next) = (start + cut.start as u64, start + cut.end as u64);
    let text = str::from_utf8(&window[cut]).map_err(|_| Failure::Damaged)?.to_owned();
    Ok(Some(Page {
        text,
        offset,
        total_bytes: total,
        next_offset: (next < total).then_some(next),
    }))
}

/// The whole characters from `offset`, or the start of the character it is in,
/// that fit into `limit`, and the first one if none does.
fn cut(window: &[u8], offset: usize, limit: usize) -> Range<usize> {
    let inside = |at: usize| window.get(at).is_some_and(|byte| byte & 0xC0 == 0x80);
    let floor = |mut at: usize| {
        while at > 0 && inside(at) {
            at -= 1;
        }
        at
    };
    let start = floor(offset.min(window.len()));
    let mut end = floor(start.saturating_add(limit).min(window.len()));
    if end <= start {
        end = (start + 1).min(window.len());
        while inside(end) {
            end += 1;
        }
    }
    start..end
}

/// Bytes of a payload; the range lies within it.
fn bytes_of(transaction: &Transaction<'_>, payload: i64, range: Range<u64>) -> Result<Vec<u8>, Failure> {
    let length = usize::try_from(range.end - range.start).map_err(|_| Failure::Damaged)?;
    if length == 0 {
        return Ok(Vec::new());
    }
    let chunk = CHUNK as u64;
    let (first, last) = (range.start / chunk, (range.end - 1) / chunk);
    let mut statement = transaction
        .prepare_cached("SELECT data FROM chunk WHERE payload = ?1 AND position BETWEEN ?2 AND ?3 ORDER BY position")?;
    let mut rows = statement.query((payload, stored(first)?, stored(last)?))?;
    let mut skipped = usize::try_from(range.start % chunk).map_err(|_| Failure::Damaged)?;
    let mut bytes = Vec::with_capacity(length);
    while let Some(row) = rows.next()? {
        let data = row.get_ref(0)?.as_blob().map_err(|_| Failure::Damaged)?;
        let data = data.get(skipped..).ok_or(Failure::Damaged)?;
        bytes.extend_from_slice(&data[..data.len().min(length - bytes.len())]);
        skipped = 0;
    }
    if bytes.len() < length {
        return Err(Failure::Damaged);
    }
    Ok(bytes)
}
