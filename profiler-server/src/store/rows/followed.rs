//! What a gateway of a fleet keeps: the events of all runs, as the engine has them, and how far it
//! has come. Reading an event twice changes nothing.

use super::events;
use super::runs::{self, Digest, Viewer};
use crate::store::database;
use crate::store::retention::Retention;
use crate::store::{Store, StoreFault};
use profiler_proto::v1;
use profiler_proto::v1::event::Kind;
use rusqlite::{Connection, OptionalExtension, Transaction};
use std::sync::Arc;

/// The table is made when it is first needed, so a server without a fleet has none.
const TABLE: &str = "CREATE TABLE IF NOT EXISTS followed (position INTEGER NOT NULL)";

/// A run of the fleet that begins.
#[derive(Debug, Clone)]
pub(crate) struct Adopted {
    /// Its row.
    pub(crate) run: v1::Run,
    /// Who sees it.
    pub(crate) owner: String,
    /// SHA-256 of its job.
    pub(crate) job: Digest,
}

/// Events of the fleet that follow each other.
#[derive(Debug, Clone, Default)]
pub(crate) struct Batch {
    /// The runs that begin in it.
    pub(crate) adopted: Vec<Adopted>,
    /// The events.
    pub(crate) events: Vec<v1::Event>,
    /// The runs that somebody deleted.
    pub(crate) deleted: Vec<String>,
    /// The position of the last.
    pub(crate) position: u64,
}

impl Store {
    /// Keeps events of a fleet, all or nothing, and how far they go.
    pub(crate) async fn follow(&self, batch: Arc<Batch>) -> Result<(), StoreFault> {
        let retention = self.retention;
        self.write(move |connection| keep(connection, &batch, retention)).await
    }

    /// The position of the last event of a fleet that was kept.
    pub(crate) async fn followed(&self) -> Result<u64, StoreFault> {
        self.read(|connection| position(connection)).await
    }

    /// The IDs of the runs that have not ended.
    pub(crate) async fn live(&self) -> Result<Vec<String>, StoreFault> {
        self.read(|connection| runs::live(connection)).await
    }
}

/// The position of the last event that was kept; 0 before the first.
fn position(connection: &Connection) -> rusqlite::Result<u64> {
    connection.execute_batch(TABLE)?;
    let kept = "SELECT position FROM followed";
    let found = connection.query_row(kept, [], |row| row.get(0).map(i64::unsigned_abs));
    Ok(found.optional()?.unwrap_or(0))
}

/// Keeps a batch, all or nothing.
fn keep(connection: &mut Connection, batch: &Batch, retention: Retention) -> rusqlite::Result<()> {
    connection.execute_batch(TABLE)?;
    let transaction = connection.transaction()?;
    for Adopted { run, owner, job } in &batch.adopted {
        retention.with_room().apply(&transaction, u32::MAX)?;
        runs::adopt(&transaction, run, owner, job)?;
    }
    for event in &batch.events {
        keep_event(&transaction, event)?;
    }
    for run_id in &batch.deleted {
        runs::delete(&transaction, run_id, &Viewer::Everyone)?;
    }
    transaction.execute("DELETE FROM followed", [])?;
    let position = i64::try_from(batch.position).unwrap_or(i64::MAX);
    transaction.execute("INSERT INTO followed VALUES (?1)", [position])?;
    transaction.commit()?;
    if batch.deleted.is_empty() { Ok(()) } else { database::shrink(connection) }
}

/// Keeps an event, if its run is here: retention may have deleted it.
fn keep_event(transaction: &Transaction<'_>, event: &v1::Event) -> rusqlite::Result<()> {
    if !runs::exists(transaction, &event.run_id)? {
        return Ok(());
    }
    events::append_one(transaction, event)?;
    if let Some(Kind::Started(_)) = event.kind {
        runs::start(transaction, &event.run_id)?;
    }
    Ok(())
}
