//! Deleting sessions and giving their space back.

use rusqlite::{Connection, Transaction};

use super::failure::Failure;

/// Pages returned to the file system in one transaction: 4 MiB, a few milliseconds.
const STEP: i64 = 1024;

/// Deletes a session; what belongs to it goes with its row.
pub(super) fn end(transaction: &Transaction<'_>, name: &str) -> Result<(), Failure> {
    transaction
        .prepare_cached("DELETE FROM session WHERE name = ?1")?
        .execute([name])?;
    Ok(())
}

/// Deletes one session that was last used at `cutoff` (milliseconds since 1970)
/// or before; false if there is none.
pub(super) fn end_one(transaction: &Transaction<'_>, cutoff: i64) -> Result<bool, Failure> {
    let deleted = transaction
        .prepare_cached(
            "DELETE FROM session WHERE id = (SELECT id FROM session WHERE touched <= ?1 ORDER BY touched LIMIT 1)",
        )?
        .execute([cutoff])?;
    Ok(deleted > 0)
}

/// Returns some of the free space to the file system; false if there is no more.
pub(super) fn give_back(connection: &Connection) -> Result<bool, Failure> {
    let free = || connection.pragma_query_value(None, "freelist_count", |row| row.get::<_, i64>(0));
    let before = free()?;
    if before == 0 {
        return Ok(false);
    }
    // One row per page: what is not stepped over is not returned.
    let mut statement = connection.prepare_cached(&format!("PRAGMA incremental_vacuum({STEP})"))?;
    let mut pages = statement.query([])?;
    while pages.next()?.is_some() {}
    drop(pages);
    // A file that cannot shrink is not an endless loop.
    let after = free()?;
    Ok(after > 0 && after < before)
}
