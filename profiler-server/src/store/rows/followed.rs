//! State that a gateway of a fleet keeps: the events of all runs, as the engine has them, and the
//! position of the last one. Storing an event twice changes nothing.

use super::events;
use super::runs::{self, Digest};
use crate::store::database;
use crate::store::retention::Retention;
use crate::store::{Store, StoreFault};
use profiler_fleet::Followed;
use profiler_proto::v1::{self, event::Kind};
use rusqlite::{Connection, OptionalExtension, Transaction};
use std::sync::Arc;

/// The table is created when it is first needed, so a server without a fleet does not have it.
const TABLE: &str = "CREATE TABLE IF NOT EXISTS followed (position INTEGER NOT NULL)";

impl Store {
    /// Stores events of a fleet and the position of the last one in one transaction.
    pub(crate) async fn follow(&self, followed: Arc<Vec<Followed>>) -> Result<(), StoreFault> {
        let retention = self.retention;
        let deletes = followed.iter().any(|followed| followed.is_deletion);
        let _nothing_is_read = if deletes { self.pause_reads().await? } else { None };
        self.write(move |connection| keep(connection, &followed, retention)).await
    }

    /// Returns the position of the last event of a fleet that was stored; 0 before the first.
    pub(crate) async fn followed(&self) -> Result<u64, StoreFault> {
        self.read(|connection| position(connection)).await
    }

    /// Returns the IDs of the runs that have not ended.
    pub(crate) async fn live(&self) -> Result<Vec<String>, StoreFault> {
        self.read(|connection| runs::live(connection)).await
    }
}

fn position(connection: &Connection) -> rusqlite::Result<u64> {
    connection.execute_batch(TABLE)?;
    let kept = "SELECT position FROM followed";
    let found = connection.query_row(kept, [], |row| row.get(0).map(i64::unsigned_abs));
    Ok(found.optional()?.unwrap_or(0))
}

fn keep(
    connection: &mut Connection,
    followed: &[Followed],
    retention: Retention,
) -> rusqlite::Result<()> {
    connection.execute_batch(TABLE)?;
    let transaction = connection.transaction()?;
    let mut has_deleted = false;
    for followed in followed.iter().filter(|followed| !followed.is_move()) {
        let Followed { event, origin, is_deletion, .. } = followed;
        if let Some(origin) = origin
            && let Some(run) = &origin.run
        {
            retention.with_room().apply(&transaction, u32::MAX)?;
            // Only a broken message has a digest of another length. The replacement is the digest
            // of no job.
            let job: Digest = origin.digest.as_slice().try_into().unwrap_or_default();
            runs::adopt(&transaction, run, &origin.owner, &job)?;
        }
        if *is_deletion {
            has_deleted |= runs::forget(&transaction, &event.run_id)?;
        } else {
            keep_event(&transaction, event)?;
        }
    }
    transaction.execute("DELETE FROM followed", [])?;
    let position = followed.last().map_or(0, |last| last.position);
    let position = i64::try_from(position).unwrap_or(i64::MAX);
    transaction.execute("INSERT INTO followed VALUES (?1)", [position])?;
    transaction.commit()?;
    if has_deleted { database::shrink(connection) } else { Ok(()) }
}

/// Stores an event, unless retention has deleted its run.
fn keep_event(transaction: &Transaction<'_>, event: &v1::Event) -> rusqlite::Result<()> {
    if !runs::exists(transaction, &event.run_id)? {
        return Ok(());
    }
    events::append(transaction, event)?;
    if let Some(Kind::Started(_)) = event.kind {
        runs::start(transaction, &event.run_id)?;
    }
    Ok(())
}
