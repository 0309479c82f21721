//! State that a gateway of a fleet keeps: the events of all runs, as the engine has them, and how
//! far it has come. Reading an event twice changes nothing.

use super::events;
use super::runs::{self, Digest};
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
    /// Owner that sees it.
    pub(crate) owner: String,
    /// SHA-256 of its job.
    pub(crate) job: Digest,
}

/// Change to a run.
#[derive(Debug, Clone)]
pub(crate) enum Change {
    /// Beginning of the run.
    Adopted(Box<Adopted>),
    /// An event of it.
    Event(Box<v1::Event>),
    /// Somebody deleted it.
    Deleted(String),
}

/// Changes in the fleet, in order.
#[derive(Debug, Clone, Default)]
pub(crate) struct Batch {
    /// Changes to its runs.
    pub(crate) changes: Vec<Change>,
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
    let mut has_deleted = false;
    for change in &batch.changes {
        match change {
            Change::Adopted(adopted) => {
                let Adopted { run, owner, job } = &**adopted;
                retention.with_room().apply(&transaction, u32::MAX)?;
                runs::adopt(&transaction, run, owner, job)?;
            }
            Change::Event(event) => keep_event(&transaction, event)?,
            Change::Deleted(run_id) => has_deleted |= runs::forget(&transaction, run_id)?,
        }
    }
    transaction.execute("DELETE FROM followed", [])?;
    let position = i64::try_from(batch.position).unwrap_or(i64::MAX);
    transaction.execute("INSERT INTO followed VALUES (?1)", [position])?;
    transaction.commit()?;
    if has_deleted { database::shrink(connection) } else { Ok(()) }
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
