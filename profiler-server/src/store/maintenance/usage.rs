//! Content of a state folder.

use super::super::database;
use rusqlite::Connection;
use std::path::Path;

/// Content of a state folder.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Usage {
    /// Each caller with its runs, the most bytes first.
    pub callers: Vec<CallerUsage>,
    /// The size of the database file, in bytes.
    pub database_bytes: u64,
    /// The size of its write-ahead log, in bytes.
    pub log_bytes: u64,
}

/// The runs of one caller.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CallerUsage {
    /// The caller.
    pub caller: String,
    /// The number of its runs.
    pub runs: u64,
    /// The number of events of these runs.
    pub events: u64,
    /// The total size of these events, in bytes.
    pub bytes: u64,
}

pub(super) fn measure(connection: &Connection, folder: &Path) -> rusqlite::Result<Usage> {
    // Events are numbered without gaps.
    let by_caller = "SELECT caller, count(*), sum(last_sequence), sum(bytes) AS bytes FROM runs
        GROUP BY caller ORDER BY bytes DESC, caller";
    let mut statement = connection.prepare(by_caller)?;
    let callers = statement.query_map([], |row| {
        let unsigned = |at| row.get(at).map(i64::unsigned_abs);
        Ok(CallerUsage {
            caller: row.get(0)?,
            runs: unsigned(1)?,
            events: unsigned(2)?,
            bytes: unsigned(3)?,
        })
    })?;
    let [database_bytes, log_bytes] = database::file_bytes(folder);
    Ok(Usage { callers: callers.collect::<rusqlite::Result<_>>()?, database_bytes, log_bytes })
}
