//! Jobs of the runs that wait. If the server ends before their turns, the next one measures them.

use profiler_proto::v1;
use prost::Message;
use rusqlite::{Connection, Transaction, params};

/// Table that an older database lacks, and that an older server does not read.
const TABLE: &str = "CREATE TABLE IF NOT EXISTS waiting (
    run_id TEXT PRIMARY KEY REFERENCES runs ON DELETE CASCADE,
    job BLOB NOT NULL
) WITHOUT ROWID";

/// A waiting run's job, and its terms.
#[derive(Clone, PartialEq, Message)]
pub(crate) struct WaitingJob {
    /// An encoded [`v1::Job`].
    #[prost(bytes = "vec", tag = "1")]
    pub(crate) job: Vec<u8>,
    /// Encoded defaults for the fields that the job omits.
    #[prost(bytes = "vec", tag = "2")]
    pub(crate) defaults: Vec<u8>,
    /// Kind of the caller's identity.
    #[prost(string, tag = "3")]
    pub(crate) class: String,
    /// The address of the caller's connection, or the user of its socket.
    #[prost(string, tag = "4")]
    pub(crate) peer: String,
}

/// A run that waited when the last server ended.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct WaitingRun {
    pub(crate) run: v1::Run,
    pub(crate) owner: String,
    pub(crate) waiting: WaitingJob,
}

/// Creates the table if it is missing.
pub(in crate::store) fn prepare(connection: &Connection) -> rusqlite::Result<()> {
    connection.execute_batch(TABLE)
}

pub(super) fn keep(
    transaction: &Transaction<'_>,
    run_id: &str,
    job: &WaitingJob,
) -> rusqlite::Result<()> {
    let insert = "INSERT INTO waiting VALUES (?1, ?2)";
    transaction.execute(insert, params![run_id, job.encode_to_vec()])?;
    Ok(())
}

/// Forgets the job of a run that begins, or ends without a turn.
pub(super) fn forget(connection: &Connection, run_id: &str) -> rusqlite::Result<()> {
    connection.execute("DELETE FROM waiting WHERE run_id = ?1", [run_id])?;
    Ok(())
}
