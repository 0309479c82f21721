//! What stands in the database, and the only place that knows how.

use super::{MAX_RETAINED_BYTES, MAX_RETAINED_RUNS, OpenFailure};
use crate::wire;
use profiler_core::sandbox::Instance;
use profiler_proto::v1::event::Kind;
use profiler_proto::v1::{self, RunState};
use prost::Message;
use prost_types::Timestamp;
use rusqlite::types::Type;
use rusqlite::{
    Connection, Error, OptionalExtension, Row, Transaction, TransactionBehavior, params,
};
use std::time::SystemTime;

/// Tells one job from another.
pub(crate) type Digest = [u8; 32];

/// The version of [`SCHEMA`], kept as the database's `user_version`.
const VERSION: u32 = 1;
/// A run's id rises with the time it was accepted at.
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
/// In the order of [`read_run`].
const COLUMNS: &str = "run_id, request_id, caller, task_id, iteration, state, accepted_ns, ended_ns, \
                       last_sequence, error_code";
/// A report with all its samples has some hundred kilobytes.
const ROOM_BYTES: u32 = 4 << 20;
const NS_PER_S: i64 = 1_000_000_000;

/// How much of the ended runs is kept.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Retention {
    pub(crate) runs: u32,
    pub(crate) bytes: u64,
}

impl Default for Retention {
    fn default() -> Self {
        Self { runs: MAX_RETAINED_RUNS, bytes: MAX_RETAINED_BYTES }
    }
}

/// Makes the tables where there are none, ends the runs that were interrupted, and says
/// whose they are.
pub(super) fn prepare(connection: &mut Connection) -> Result<Instance, OpenFailure> {
    connection.pragma_update(None, "foreign_keys", "ON")?;
    let all = connection.transaction_with_behavior(TransactionBehavior::Immediate)?;
    let version: u32 = all.query_row("PRAGMA user_version", [], |row| row.get(0))?;
    match version {
        0 => {
            all.execute_batch(SCHEMA)?;
            all.pragma_update(None, "user_version", VERSION)?;
            let name = Instance::fresh().to_string();
            all.execute("INSERT INTO instance VALUES (?1, NULL)", [name])?;
        }
        VERSION => {}
        other => return Err(OpenFailure::Version(other)),
    }
    let live: Vec<String> = all
        .prepare("SELECT run_id FROM runs WHERE ended_ns IS NULL")?
        .query_map([], |row| row.get(0))?
        .collect::<rusqlite::Result<_>>()?;
    for run_id in live {
        end_interrupted(&all, &run_id)?;
    }
    let broken = |error| Error::FromSqlConversionFailure(0, Type::Text, Box::new(error));
    let name = |row: &Row<'_>| row.get_ref(0)?.as_str()?.parse().map_err(broken);
    let instance = all.query_row("SELECT name FROM instance", [], name)?;
    all.commit()?;
    Ok(instance)
}

/// Writes as much as a large event, and takes it away again, to see whether there is room.
pub(super) fn try_room(connection: &mut Connection) -> rusqlite::Result<()> {
    connection.execute("UPDATE instance SET room = zeroblob(?1)", [ROOM_BYTES])?;
    connection.execute("UPDATE instance SET room = NULL", [])?;
    Ok(())
}

pub(super) fn begin(
    connection: &mut Connection,
    run: &v1::Run,
    job: &Digest,
    retention: Retention,
) -> rusqlite::Result<()> {
    let all = connection.transaction()?;
    forget(&all, retention)?;
    all.execute(
        "INSERT INTO runs VALUES (?1, nullif(?2, ''), ?3, ?4, ?5, ?6, ?7, ?8, NULL, 0, '', 0)",
        params![
            run.run_id,
            run.request_id,
            job,
            run.caller,
            run.task_id,
            run.iteration,
            RunState::Queued as i32,
            nanoseconds(run.accepted_time),
        ],
    )?;
    all.commit()
}

/// Lets the oldest ended runs go, so that there is room for one more.
fn forget(all: &Transaction<'_>, retention: Retention) -> rusqlite::Result<()> {
    all.execute(
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

pub(super) fn started(connection: &mut Connection, run_id: &str) -> rusqlite::Result<()> {
    let started = "UPDATE runs SET state = ?2 WHERE run_id = ?1 AND ended_ns IS NULL";
    connection.execute(started, params![run_id, RunState::Running as i32])?;
    Ok(())
}

pub(super) fn append(connection: &mut Connection, events: &[v1::Event]) -> rusqlite::Result<()> {
    let all = connection.transaction()?;
    events.iter().try_for_each(|event| append_to(&all, event))?;
    all.commit()
}

fn append_to(all: &Transaction<'_>, event: &v1::Event) -> rusqlite::Result<()> {
    let bytes = event.encode_to_vec();
    let size = i64::try_from(bytes.len()).unwrap_or(i64::MAX);
    let sequence = sql_sequence(event.sequence);
    let kept = "INSERT INTO events VALUES (?1, ?2, ?3) ON CONFLICT DO NOTHING";
    if all.execute(kept, params![event.run_id, sequence, bytes])? == 0 {
        // It is kept already, and only saying so failed.
        return Ok(());
    }
    let (state, error_code) = match &event.kind {
        Some(Kind::Finished(_)) => (Some(RunState::Finished), ""),
        Some(Kind::Failed(error)) => (Some(RunState::Failed), error.code.as_str()),
        _ => (None, ""),
    };
    all.execute(
        "UPDATE runs SET last_sequence = ?2, bytes = bytes + ?3, state = ifnull(?4, state),
            error_code = ?5, ended_ns = ?6 WHERE run_id = ?1",
        params![
            event.run_id,
            sequence,
            size,
            state.map(|state| state as i32),
            error_code,
            state.map(|_| nanoseconds(event.time)),
        ],
    )?;
    Ok(())
}

pub(super) fn interrupt(connection: &mut Connection, run_id: &str) -> rusqlite::Result<()> {
    let all = connection.transaction()?;
    end_interrupted(&all, run_id)?;
    all.commit()
}

fn end_interrupted(all: &Transaction<'_>, run_id: &str) -> rusqlite::Result<()> {
    let Some(run) = run(all, run_id)?.filter(|run| run.ended_time.is_none()) else {
        return Ok(());
    };
    let had = events(all, run_id, 0, u32::MAX)?;
    append_to(all, &wire::interrupted(&run, had))
}

pub(super) fn request(
    connection: &Connection,
    request_id: &str,
) -> rusqlite::Result<Option<(String, Digest)>> {
    let wanted = "SELECT run_id, job FROM runs WHERE request_id = ?1";
    connection.query_row(wanted, [request_id], |row| Ok((row.get(0)?, row.get(1)?))).optional()
}

pub(super) fn run(connection: &Connection, run_id: &str) -> rusqlite::Result<Option<v1::Run>> {
    let wanted = format!("SELECT {COLUMNS} FROM runs WHERE run_id = ?1");
    connection.query_row(&wanted, [run_id], read_run).optional()
}

pub(super) fn runs(
    connection: &Connection,
    before: Option<&str>,
    most: u32,
) -> rusqlite::Result<Vec<v1::Run>> {
    let wanted = format!(
        "SELECT {COLUMNS} FROM runs WHERE ?1 IS NULL OR run_id < ?1 ORDER BY run_id DESC LIMIT ?2"
    );
    connection.prepare(&wanted)?.query_map(params![before, most], read_run)?.collect()
}

pub(super) fn events(
    connection: &Connection,
    run_id: &str,
    after: u64,
    most: u32,
) -> rusqlite::Result<Vec<v1::Event>> {
    let wanted =
        "SELECT event FROM events WHERE run_id = ?1 AND sequence > ?2 ORDER BY sequence LIMIT ?3";
    let event = |row: &Row<'_>| {
        let bytes = row.get_ref(0)?.as_blob()?;
        let broken = |error| Error::FromSqlConversionFailure(0, Type::Blob, Box::new(error));
        v1::Event::decode(bytes).map_err(broken)
    };
    let found = params![run_id, sql_sequence(after), most];
    connection.prepare(wanted)?.query_map(found, event)?.collect()
}

fn read_run(row: &Row<'_>) -> rusqlite::Result<v1::Run> {
    Ok(v1::Run {
        run_id: row.get(0)?,
        request_id: row.get::<_, Option<String>>(1)?.unwrap_or_default(),
        caller: row.get(2)?,
        task_id: row.get(3)?,
        iteration: row.get(4)?,
        state: row.get(5)?,
        accepted_time: Some(timestamp(row.get(6)?)),
        ended_time: row.get::<_, Option<i64>>(7)?.map(timestamp),
        last_sequence: u64::try_from(row.get::<_, i64>(8)?).unwrap_or(0),
        error_code: row.get(9)?,
    })
}

/// Integers in `SQLite` have a sign; no run has so many events.
fn sql_sequence(sequence: u64) -> i64 {
    i64::try_from(sequence).unwrap_or(i64::MAX)
}

fn nanoseconds(time: Option<Timestamp>) -> i64 {
    let time = time.unwrap_or_else(|| SystemTime::now().into());
    time.seconds.saturating_mul(NS_PER_S).saturating_add(time.nanos.into())
}

fn timestamp(ns: i64) -> Timestamp {
    let nanos = i32::try_from(ns.rem_euclid(NS_PER_S)).unwrap_or(0);
    Timestamp { seconds: ns.div_euclid(NS_PER_S), nanos }
}
