//! The tables of the database, and their version.

use super::event_rows;
use rusqlite::{Connection, Transaction};

/// The version of the tables, kept as the database's `user_version`.
pub(super) const VERSION: u32 = 3;
/// The version that swiftprof 0.1 wrote: the same tables, with events that had words for enums.
const VERSION_0_1: u32 = 1;
/// The version whose runs had no owner, so that all callers shared one set of request IDs.
const VERSION_WITHOUT_OWNERS: u32 = 2;
/// The tables other than the table of the runs.
const OTHER_TABLES: &str = "
    CREATE TABLE instance (name TEXT NOT NULL, room BLOB);
    CREATE TABLE events (
        run_id TEXT NOT NULL REFERENCES runs ON DELETE CASCADE,
        sequence INTEGER NOT NULL,
        event BLOB NOT NULL,
        PRIMARY KEY (run_id, sequence)
    ) WITHOUT ROWID;
";

/// The table of the runs. The IDs of runs increase in the order of acceptance. Each owner has
/// separate request IDs.
fn runs_table(name: &str) -> String {
    format!(
        "CREATE TABLE {name} (
            run_id TEXT PRIMARY KEY,
            request_id TEXT,
            job BLOB NOT NULL,
            owner TEXT NOT NULL,
            caller TEXT NOT NULL,
            task_id TEXT NOT NULL,
            iteration INTEGER NOT NULL,
            state INTEGER NOT NULL,
            accepted_ns INTEGER NOT NULL,
            ended_ns INTEGER,
            last_sequence INTEGER NOT NULL,
            error_code TEXT NOT NULL,
            bytes INTEGER NOT NULL,
            UNIQUE (owner, request_id)
        ) WITHOUT ROWID;"
    )
}

/// State of the database before it was opened.
pub(super) enum Found {
    /// A new database. It has the tables now.
    New,
    /// A database of this version, or of an older version that was upgraded.
    Current,
    /// A database of another version, which stays as it is.
    Other(u32),
}

/// Creates the tables in a new database, and upgrades an older one. Foreign keys must be off,
/// because an upgrade drops the old table of the runs, and the events must stay.
pub(super) fn prepare(transaction: &Transaction<'_>) -> rusqlite::Result<Found> {
    let found = match version(transaction)? {
        0 => {
            transaction.execute_batch(&runs_table("runs"))?;
            transaction.execute_batch(OTHER_TABLES)?;
            Found::New
        }
        VERSION_0_1 => {
            event_rows::upgrade_from_0_1(transaction)?;
            add_owners(transaction)?;
            Found::Current
        }
        VERSION_WITHOUT_OWNERS => {
            add_owners(transaction)?;
            Found::Current
        }
        VERSION => Found::Current,
        other => return Ok(Found::Other(other)),
    };
    transaction.pragma_update(None, "user_version", VERSION)?;
    Ok(found)
}

/// Gives every run the owner "", which no caller has: the callers of these runs could choose their
/// names, so a name does not prove who owns a run. Only an admin sees these runs.
fn add_owners(transaction: &Transaction<'_>) -> rusqlite::Result<()> {
    transaction.execute_batch(&runs_table("owned_runs"))?;
    transaction.execute_batch(
        "INSERT INTO owned_runs
            SELECT run_id, request_id, job, '', caller, task_id, iteration, state, accepted_ns,
                ended_ns, last_sequence, error_code, bytes FROM runs;
        DROP TABLE runs;
        ALTER TABLE owned_runs RENAME TO runs;",
    )
}

/// Returns the version of the tables; 0 in a new database.
pub(super) fn version(connection: &Connection) -> rusqlite::Result<u32> {
    connection.query_row("PRAGMA user_version", [], |row| row.get(0))
}
