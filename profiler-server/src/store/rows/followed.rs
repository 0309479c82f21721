//! State that a gateway of a fleet keeps: the events of all runs, as the engine has them, and the
//! position of the last one. Storing an event twice changes nothing. If the engine has lost its
//! stream, the next one is followed from its beginning, and the runs of the lost one have ended.

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
/// The time at which the followed stream was made.
const STREAM_TABLE: &str = "CREATE TABLE IF NOT EXISTS followed_stream (created INTEGER NOT NULL)";

/// Beginning of the events to follow.
#[derive(Debug, Default, PartialEq)]
pub(crate) struct FollowFrom {
    /// Position of the last event that is stored.
    pub(crate) position: u64,
    /// Runs that were interrupted because the engine has lost their logs; `None` if it has not.
    pub(crate) interrupted: Option<Vec<String>>,
}

impl Store {
    /// Stores events of a fleet and the position of the last one in one transaction.
    pub(crate) async fn follow(&self, followed: Arc<Vec<Followed>>) -> Result<(), StoreFault> {
        let retention = self.retention;
        let deletes = followed.iter().any(|followed| followed.is_deletion);
        let _nothing_is_read = if deletes { self.pause_reads().await? } else { None };
        self.write(move |connection| keep(connection, &followed, retention)).await
    }

    /// Begins to follow the stream that was made at `created` and ends at position `last`. If it
    /// is another stream than before, or an older state of it, or `is_lost`, interrupts all live
    /// runs.
    pub(crate) async fn follow_from(
        &self,
        created: i64,
        last: u64,
        is_lost: bool,
    ) -> Result<FollowFrom, StoreFault> {
        self.read(move |connection| begin(connection, created, last, is_lost)).await
    }

    /// Returns the maximum number of ended runs that are kept; `None` if there is no maximum.
    pub(crate) fn kept_runs(&self) -> Option<u32> {
        self.retention.runs
    }

    /// Returns the IDs of the runs that have not ended.
    pub(crate) async fn live(&self) -> Result<Vec<String>, StoreFault> {
        self.read(|connection| runs::live(connection)).await
    }
}

fn begin(
    connection: &mut Connection,
    created: i64,
    last: u64,
    is_lost: bool,
) -> rusqlite::Result<FollowFrom> {
    let transaction = connection.transaction()?;
    transaction.execute_batch(TABLE)?;
    transaction.execute_batch(STREAM_TABLE)?;
    let kept = "SELECT position FROM followed";
    let kept = transaction.query_row(kept, [], |row| row.get(0).map(i64::unsigned_abs));
    let position = kept.optional()?.unwrap_or(0);
    // A server of an earlier version did not keep it.
    let known = "SELECT created FROM followed_stream";
    let known = transaction.query_row(known, [], |row| row.get::<_, i64>(0)).optional()?;
    let is_lost = is_lost || position > last || known.is_some_and(|known| known != created);
    let mut from = FollowFrom { position, interrupted: None };
    if is_lost {
        let live = runs::live(&transaction)?;
        for run_id in &live {
            events::interrupt(&transaction, run_id)?;
        }
        transaction.execute("DELETE FROM followed", [])?;
        from = FollowFrom { position: 0, interrupted: Some(live) };
    }
    transaction.execute("DELETE FROM followed_stream", [])?;
    transaction.execute("INSERT INTO followed_stream VALUES (?1)", [created])?;
    transaction.commit()?;
    Ok(from)
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

/// Stores an event, unless its run has ended or retention has deleted it. A restored log can go on
/// with a run that has ended here.
fn keep_event(transaction: &Transaction<'_>, event: &v1::Event) -> rusqlite::Result<()> {
    if !runs::is_live(transaction, &event.run_id)? {
        return Ok(());
    }
    events::append(transaction, event)?;
    if let Some(Kind::Started(_)) = event.kind {
        runs::start(transaction, &event.run_id)?;
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use profiler_fleet::Origin;

    #[tokio::test]
    async fn stream_that_was_lost_is_followed_from_its_beginning() {
        let store = Store::in_memory().unwrap();
        let follow = async |position: u64, run_id: &str| {
            let run = Some(v1::Run { run_id: run_id.into(), ..v1::Run::default() });
            let origin = Some(Origin { run, ..Origin::default() });
            let kind = Some(Kind::Accepted(v1::Accepted::default()));
            let event = v1::Event { run_id: run_id.into(), sequence: 1, kind, time: None };
            let (is_deletion, worker) = (false, String::new());
            let followed = Followed { position, event, is_deletion, origin, worker };
            store.follow(vec![followed].into()).await.unwrap();
        };
        let from = async |created, last, is_lost| {
            let from = store.follow_from(created, last, is_lost).await.unwrap();
            (from.position, from.interrupted)
        };
        assert_eq!(from(7, 9, false).await, (0, None), "the first stream");
        follow(5, "one").await;
        assert_eq!(from(7, 9, false).await, (5, None));
        let lost = |run_id: &str| (0, Some(vec![run_id.to_owned()]));
        assert_eq!(from(8, 9, false).await, lost("one"), "it was made again");
        follow(9, "two").await;
        assert_eq!(from(8, 4, false).await, lost("two"), "a backup was restored");
        assert_eq!(from(8, 4, false).await, (0, None), "it is told once");
        follow(4, "three").await;
        assert_eq!(from(8, 4, true).await, lost("three"), "the queue was lost");
        let one = store.run("one", &crate::store::Viewer::Everyone).await.unwrap().unwrap();
        assert_eq!(one.last_sequence, 2, "it has an ending");
    }
}
