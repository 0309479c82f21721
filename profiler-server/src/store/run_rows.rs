//! The rows of runs: one per accepted run.

use super::retention::Retention;
use super::time;
use profiler_proto::Word;
use profiler_proto::v1::{self, ErrorCode, RunState};
use rusqlite::{Connection, OptionalExtension, Row, params};

/// SHA-256 of a job. It distinguishes two jobs.
pub(super) type Digest = [u8; 32];

/// In the order of [`read`].
const COLUMNS: &str = "run_id, request_id, caller, task_id, iteration, state, accepted_ns, ended_ns, \
                       last_sequence, error_code";

/// Inserts an accepted run, after `retention` has made room for it.
pub(super) fn insert(
    connection: &mut Connection,
    run: &v1::Run,
    job: &Digest,
    retention: Retention,
) -> rusqlite::Result<()> {
    let transaction = connection.transaction()?;
    retention.with_room().apply(&transaction, u32::MAX)?;
    transaction.execute(
        "INSERT INTO runs VALUES (?1, nullif(?2, ''), ?3, ?4, ?5, ?6, ?7, ?8, NULL, 0, '', 0)",
        params![
            run.run_id,
            run.request_id,
            job,
            run.caller,
            run.task_id,
            run.iteration,
            RunState::Queued as i32,
            time::to_ns(run.accepted_time),
        ],
    )?;
    transaction.commit()
}

/// Marks a live run as running.
pub(super) fn start(connection: &Connection, run_id: &str) -> rusqlite::Result<()> {
    let start = "UPDATE runs SET state = ?2 WHERE run_id = ?1 AND ended_ns IS NULL";
    connection.execute(start, params![run_id, RunState::Running as i32])?;
    Ok(())
}

/// Deletes a run that has ended, with its events. Returns whether there was one.
pub(super) fn delete(connection: &Connection, run_id: &str) -> rusqlite::Result<bool> {
    let delete = "DELETE FROM runs WHERE run_id = ?1 AND ended_ns IS NOT NULL";
    Ok(connection.execute(delete, [run_id])? > 0)
}

/// The bytes of the events of a caller's runs.
pub(super) fn kept_bytes(connection: &Connection, caller: &str) -> rusqlite::Result<u64> {
    let kept = "SELECT ifnull(sum(bytes), 0) FROM runs WHERE caller = ?1";
    connection.query_row(kept, [caller], |row| row.get(0).map(i64::unsigned_abs))
}

/// The IDs of the runs that have not ended.
pub(super) fn live(connection: &Connection) -> rusqlite::Result<Vec<String>> {
    let live = "SELECT run_id FROM runs WHERE ended_ns IS NULL";
    connection.prepare(live)?.query_map([], |row| row.get(0))?.collect()
}

/// The run of a request ID, and the digest of its job.
pub(super) fn find_request(
    connection: &Connection,
    request_id: &str,
) -> rusqlite::Result<Option<(String, Digest)>> {
    let wanted = "SELECT run_id, job FROM runs WHERE request_id = ?1";
    connection.query_row(wanted, [request_id], |row| Ok((row.get(0)?, row.get(1)?))).optional()
}

/// One run.
pub(super) fn find(connection: &Connection, run_id: &str) -> rusqlite::Result<Option<v1::Run>> {
    let wanted = format!("SELECT {COLUMNS} FROM runs WHERE run_id = ?1");
    connection.query_row(&wanted, [run_id], read).optional()
}

/// At most `most` runs that are older than run `before`, the newest first.
pub(super) fn list(
    connection: &Connection,
    before: Option<&str>,
    most: u32,
) -> rusqlite::Result<Vec<v1::Run>> {
    let wanted = format!(
        "SELECT {COLUMNS} FROM runs WHERE ?1 IS NULL OR run_id < ?1 ORDER BY run_id DESC LIMIT ?2"
    );
    connection.prepare(&wanted)?.query_map(params![before, most], read)?.collect()
}

fn read(row: &Row<'_>) -> rusqlite::Result<v1::Run> {
    // The database has words, so that a person can query it.
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
