//! The rows of events. The last event of a run also marks the row of the run as ended.

use super::runs::{self, Viewer};
use super::waiting;
use crate::store::time;
use profiler_proto::v1::event::Kind;
use profiler_proto::v1::{self, RunState};
use profiler_proto::{Word, v0_1};
use profiler_wire as wire;
use prost::Message;
use rusqlite::types::Type;
use rusqlite::{Connection, Error, Transaction, params};

/// Appends the next event of a run.
pub(in crate::store) fn append(
    transaction: &Transaction<'_>,
    event: &v1::Event,
) -> rusqlite::Result<()> {
    let bytes = event.encode_to_vec();
    let size = i64::try_from(bytes.len()).unwrap_or(i64::MAX);
    let sequence = sql_sequence(event.sequence);
    let insert = "INSERT INTO events VALUES (?1, ?2, ?3) ON CONFLICT DO NOTHING";
    if transaction.execute(insert, params![event.run_id, sequence, bytes])? == 0 {
        // An earlier attempt stored the event, and only its answer was lost.
        return Ok(());
    }
    let (state, error_code) = match &event.kind {
        Some(Kind::Finished(_)) => (Some(RunState::Finished), ""),
        Some(Kind::Failed(error)) => (Some(RunState::Failed), error.code().word()),
        _ => (None, ""),
    };
    transaction.execute(
        "UPDATE runs SET last_sequence = ?2, bytes = bytes + ?3, state = ifnull(?4, state),
            error_code = ?5, ended_ns = ?6 WHERE run_id = ?1",
        params![
            event.run_id,
            sequence,
            size,
            state.map(|state| state as i32),
            error_code,
            state.map(|_| time::to_ns(event.time)),
        ],
    )?;
    if state.is_some() { waiting::forget(transaction, &event.run_id) } else { Ok(()) }
}

/// Encodes the events of version 0.1 in the current format, one at a time.
pub(in crate::store) fn upgrade_from_0_1(transaction: &Transaction<'_>) -> rusqlite::Result<()> {
    let keys: Vec<(String, i64)> = transaction
        .prepare("SELECT run_id, sequence FROM events")?
        .query_map([], |row| Ok((row.get(0)?, row.get(1)?)))?
        .collect::<rusqlite::Result<_>>()?;
    let mut select =
        transaction.prepare("SELECT event FROM events WHERE run_id = ?1 AND sequence = ?2")?;
    let mut update =
        transaction.prepare("UPDATE events SET event = ?3 WHERE run_id = ?1 AND sequence = ?2")?;
    for (run_id, sequence) in keys {
        let event = select.query_row(params![run_id, sequence], |row| {
            let broken = |error| Error::FromSqlConversionFailure(0, Type::Blob, Box::new(error));
            v0_1::decode_event(row.get_ref(0)?.as_blob()?).map_err(broken)
        })?;
        update.execute(params![run_id, sequence, event.encode_to_vec()])?;
    }
    // Retention relies on the bytes of a run's events.
    transaction.execute(
        "UPDATE runs SET bytes =
            (SELECT ifnull(sum(length(event)), 0) FROM events WHERE events.run_id = runs.run_id)",
        [],
    )?;
    Ok(())
}

/// Ends a live run as interrupted, with the sizes that it measured.
pub(in crate::store) fn interrupt(
    transaction: &Transaction<'_>,
    run_id: &str,
) -> rusqlite::Result<()> {
    let found = runs::find(transaction, run_id, &Viewer::Everyone)?;
    let Some(run) = found.filter(|run| run.ended_time.is_none()) else {
        return Ok(());
    };
    let stored = list(transaction, run_id, 0, u32::MAX)?;
    append(transaction, &wire::interrupted(&run, stored))
}

/// Lists at most `most` events of a run after event `after`.
pub(in crate::store) fn list(
    connection: &Connection,
    run_id: &str,
    after: u64,
    most: u32,
) -> rusqlite::Result<Vec<v1::Event>> {
    page(connection, run_id, after, (most, usize::MAX))
}

/// Lists events of a run after event `after`: at most `most`, and at most `most_bytes` of them,
/// unless the first has more.
pub(in crate::store) fn page(
    connection: &Connection,
    run_id: &str,
    after: u64,
    (most, most_bytes): (u32, usize),
) -> rusqlite::Result<Vec<v1::Event>> {
    let wanted =
        "SELECT event FROM events WHERE run_id = ?1 AND sequence > ?2 ORDER BY sequence LIMIT ?3";
    let invalid = |error| Error::FromSqlConversionFailure(0, Type::Blob, Box::new(error));
    let mut statement = connection.prepare(wanted)?;
    let mut rows = statement.query(params![run_id, sql_sequence(after), most])?;
    let (mut events, mut left) = (Vec::new(), most_bytes);
    while let Some(row) = rows.next()? {
        let bytes = row.get_ref(0)?.as_blob()?;
        if bytes.len() > left && !events.is_empty() {
            break;
        }
        left = left.saturating_sub(bytes.len());
        events.push(v1::Event::decode(bytes).map_err(invalid)?);
    }
    Ok(events)
}

/// Converts a number for `SQLite`, whose integers are signed. No run has too many events for that.
fn sql_sequence(sequence: u64) -> i64 {
    i64::try_from(sequence).unwrap_or(i64::MAX)
}
