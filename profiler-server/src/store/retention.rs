//! Retention: how much of the ended runs is kept. The oldest runs are deleted first.

use rusqlite::{Transaction, params};

/// Most ended runs that are kept.
pub const MAX_RETAINED_RUNS: u32 = 1000;
/// Most bytes of events of ended runs that are kept.
pub const MAX_RETAINED_BYTES: u64 = 256 << 20;

/// How much of the ended runs is kept.
#[derive(Debug, Clone, Copy)]
pub(super) struct Retention {
    pub(super) runs: u32,
    pub(super) bytes: u64,
}

impl Default for Retention {
    fn default() -> Self {
        Self { runs: MAX_RETAINED_RUNS, bytes: MAX_RETAINED_BYTES }
    }
}

/// Deletes the oldest ended runs, so that there is room for one more. Live runs stay.
pub(super) fn delete_oldest(
    transaction: &Transaction<'_>,
    retention: Retention,
) -> rusqlite::Result<()> {
    transaction.execute(
        "DELETE FROM runs WHERE ended_ns IS NOT NULL AND run_id IN (
            SELECT run_id FROM (
                SELECT run_id,
                    row_number() OVER newest AS place,
                    sum(bytes) OVER newest AS bytes_until
                FROM runs WHERE ended_ns IS NOT NULL WINDOW newest AS (ORDER BY run_id DESC)
            ) WHERE place >= ?1 OR bytes_until > ?2
        )",
        params![retention.runs, i64::try_from(retention.bytes).unwrap_or(i64::MAX)],
    )?;
    Ok(())
}
