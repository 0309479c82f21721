//! The rows of runs: one per accepted run.

use super::waiting::{self, WaitingJob, WaitingRun};
use crate::store::retention::Retention;
use crate::store::time;
use profiler_proto::Word;
use profiler_proto::v1::{self, ErrorCode, RunState};
use prost::Message;
use rusqlite::types::Type;
use rusqlite::{Connection, Error, OptionalExtension, Row, Transaction, params};

/// Number of the last event of a run that only waited: `accepted`. A run that has built ahead of
/// its turn has more.
const ACCEPTED: i64 = 1;
/// The runs that only waited, among those with a job in `waiting`.
const ONLY_WAITED: &str = "state = ?1 AND last_sequence <= ?2";

/// SHA-256 of a job. It distinguishes two jobs.
pub(in crate::store) type Digest = [u8; 32];

/// Set of runs that a caller sees.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Viewer {
    /// The runs that this owner submitted.
    Owner(String),
    /// All runs, as for an admin, or for an operator who can read the folder.
    Everyone,
}

impl Viewer {
    /// Returns the owner whose runs are seen; `None` if all runs are seen.
    pub(crate) fn owner(&self) -> Option<&str> {
        match self {
            Self::Owner(owner) => Some(owner),
            Self::Everyone => None,
        }
    }

    /// Whether the runs of `owner` are seen.
    pub(crate) fn sees(&self, owner: &str) -> bool {
        self.owner().is_none_or(|own| own == owner)
    }
}

/// The columns that [`read`] expects, in its order.
pub(in crate::store) const COLUMNS: &str = "run_id, request_id, caller, task_id, iteration, state, accepted_ns, ended_ns, \
                       last_sequence, error_code";

/// Inserts an accepted run, after `retention` has made room for it, and the job with which it
/// waits.
pub(in crate::store) fn insert(
    connection: &mut Connection,
    run: &v1::Run,
    owner: &str,
    job: &Digest,
    retention: Retention,
    waiting: Option<&WaitingJob>,
) -> rusqlite::Result<()> {
    let transaction = connection.transaction()?;
    retention.with_room().apply(&transaction, u32::MAX)?;
    insert_row(&transaction, "INSERT", run, &run.request_id, owner, job)?;
    if let Some(waiting) = waiting {
        waiting::keep(&transaction, &run.run_id, waiting)?;
    }
    transaction.commit()
}

/// Inserts a run of a fleet, unless the store has it. If the store has an older run with the same
/// request ID, which the fleet has forgotten, the new run is stored without a request ID.
#[cfg(feature = "fleet")]
pub(super) fn adopt(
    transaction: &Transaction<'_>,
    run: &v1::Run,
    owner: &str,
    job: &Digest,
) -> rusqlite::Result<()> {
    for request_id in [run.request_id.as_str(), ""] {
        insert_row(transaction, "INSERT OR IGNORE", run, request_id, owner, job)?;
    }
    Ok(())
}

fn insert_row(
    transaction: &Transaction<'_>,
    insert: &str,
    run: &v1::Run,
    request_id: &str,
    owner: &str,
    job: &Digest,
) -> rusqlite::Result<()> {
    let insert = format!(
        "{insert} INTO runs
            VALUES (?1, nullif(?2, ''), ?3, ?4, ?5, ?6, ?7, ?8, ?9, NULL, 0, '', 0)"
    );
    transaction.execute(
        &insert,
        params![
            run.run_id,
            request_id,
            job,
            owner,
            run.caller,
            run.task_id,
            run.iteration,
            RunState::Queued as i32,
            time::to_ns(run.accepted_time),
        ],
    )?;
    Ok(())
}

#[cfg(feature = "fleet")]
pub(super) fn is_live(connection: &Connection, run_id: &str) -> rusqlite::Result<bool> {
    let found = "SELECT EXISTS (SELECT 1 FROM runs WHERE run_id = ?1 AND ended_ns IS NULL)";
    connection.query_row(found, [run_id], |row| row.get(0))
}

pub(in crate::store) fn start(connection: &Connection, run_id: &str) -> rusqlite::Result<()> {
    let start = "UPDATE runs SET state = ?2 WHERE run_id = ?1 AND ended_ns IS NULL";
    connection.execute(start, params![run_id, RunState::Running as i32])?;
    waiting::forget(connection, run_id)
}

/// Deletes a run, with its events, even if the store does not have its last event. Returns whether
/// there was such a run.
#[cfg(feature = "fleet")]
pub(super) fn forget(connection: &Connection, run_id: &str) -> rusqlite::Result<bool> {
    Ok(connection.execute("DELETE FROM runs WHERE run_id = ?1", [run_id])? > 0)
}

#[cfg(feature = "fleet")]
pub(super) fn live(connection: &Connection) -> rusqlite::Result<Vec<String>> {
    let live = "SELECT run_id FROM runs WHERE ended_ns IS NULL";
    connection.prepare(live)?.query_map([], |row| row.get(0))?.collect()
}

/// Returns the live runs that cannot wait for a server.
pub(in crate::store) fn begun(connection: &Connection) -> rusqlite::Result<Vec<String>> {
    let begun = format!(
        "SELECT run_id FROM runs WHERE ended_ns IS NULL
            AND NOT ({ONLY_WAITED} AND run_id IN (SELECT run_id FROM waiting))"
    );
    connection
        .prepare(&begun)?
        .query_map(params![RunState::Queued as i32, ACCEPTED], |row| row.get(0))?
        .collect()
}

/// Returns the runs that only waited, in the order of acceptance.
pub(in crate::store) fn waiting(connection: &Connection) -> rusqlite::Result<Vec<WaitingRun>> {
    let wanted = format!(
        "SELECT {COLUMNS}, owner, waiting.job FROM runs JOIN waiting USING (run_id)
            WHERE {ONLY_WAITED} ORDER BY run_id"
    );
    let found = |row: &Row<'_>| {
        let bytes = row.get_ref("job")?.as_blob()?;
        let invalid = |error| Error::FromSqlConversionFailure(0, Type::Blob, Box::new(error));
        let waiting = WaitingJob::decode(bytes).map_err(invalid)?;
        Ok(WaitingRun { run: read(row)?, owner: row.get("owner")?, waiting })
    };
    connection
        .prepare(&wanted)?
        .query_map(params![RunState::Queued as i32, ACCEPTED], found)?
        .collect()
}

pub(in crate::store) fn find(
    connection: &Connection,
    run_id: &str,
    viewer: &Viewer,
) -> rusqlite::Result<Option<v1::Run>> {
    let wanted =
        format!("SELECT {COLUMNS} FROM runs WHERE run_id = ?1 AND (?2 IS NULL OR owner = ?2)");
    connection.query_row(&wanted, params![run_id, viewer.owner()], read).optional()
}

/// Reads a row of [`COLUMNS`].
pub(in crate::store) fn read(row: &Row<'_>) -> rusqlite::Result<v1::Run> {
    // The database stores error codes as words, so that a person can query it.
    let error_code = ErrorCode::from_word(row.get_ref(9)?.as_str()?);
    Ok(v1::Run {
        run_id: row.get(0)?,
        request_id: row.get::<_, Option<String>>(1)?.unwrap_or_default(),
        caller: row.get(2)?,
        task_id: row.get(3)?,
        iteration: row.get(4)?,
        state: row.get(5)?,
        accepted_time: Some(time::from_ns(row.get(6)?)),
        ended_time: row.get::<_, Option<i64>>(7)?.map(time::from_ns),
        last_sequence: u64::try_from(row.get::<_, i64>(8)?).unwrap_or(0),
        error_code: error_code.unwrap_or_default().into(),
    })
}
