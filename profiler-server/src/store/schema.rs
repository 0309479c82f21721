//! The tables of the database, and their version.

use super::event_rows;
use rusqlite::{Connection, Transaction};

/// The version of [`SCHEMA`], kept as the database's `user_version`.
pub(super) const VERSION: u32 = 2;
/// The version that swiftprof 0.1 wrote: the same tables, with events that had words for enums.
const VERSION_0_1: u32 = 1;
/// The ID of a run rises with the time of its acceptance.
const SCHEMA: &str = "
    CREATE TABLE instance (name TEXT NOT NULL, room BLOB);
    CREATE TABLE runs (
        run_id TEXT PRIMARY KEY,
        request_id TEXT UNIQUE,
        job BLOB NOT NULL,
        caller TEXT NOT NULL,
        task_id TEXT NOT NULL,
        iteration INTEGER NOT NULL,
        state INTEGER NOT NULL,
        accepted_ns INTEGER NOT NULL,
        ended_ns INTEGER,
        last_sequence INTEGER NOT NULL,
        error_code TEXT NOT NULL,
        bytes INTEGER NOT NULL
    ) WITHOUT ROWID;
    CREATE TABLE events (
        run_id TEXT NOT NULL REFERENCES runs ON DELETE CASCADE,
        sequence INTEGER NOT NULL,
        event BLOB NOT NULL,
        PRIMARY KEY (run_id, sequence)
    ) WITHOUT ROWID;
";

/// What the database was before it was opened.
pub(super) enum Found {
    /// A new database. It has the tables now.
    New,
    /// A database of this version, or of an older one that is of this version now.
    Current,
    /// A database of another version, which stays as it is.
    Other(u32),
}

/// Creates the tables in a new database, and upgrades an older one.
pub(super) fn prepare(transaction: &Transaction<'_>) -> rusqlite::Result<Found> {
    match version(transaction)? {
        0 => {
            transaction.execute_batch(SCHEMA)?;
            transaction.pragma_update(None, "user_version", VERSION)?;
            Ok(Found::New)
        }
        VERSION_0_1 => {
            event_rows::upgrade_from_0_1(transaction)?;
            transaction.pragma_update(None, "user_version", VERSION)?;
            Ok(Found::Current)
        }
        VERSION => Ok(Found::Current),
        other => Ok(Found::Other(other)),
    }
}

/// The version of the tables; 0 in a new database.
pub(super) fn version(connection: &Connection) -> rusqlite::Result<u32> {
    connection.query_row("PRAGMA user_version", [], |row| row.get(0))
}
