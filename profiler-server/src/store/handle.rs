//! The handle on the store. It sends queries to the owner of the database and awaits the results.

use super::database::{self, Database, Live, OpenError};
use super::fault::{StoreFault, StoreHealth};
use super::owner::{self, Work};
use super::readers::Readers;
use super::retention::Retention;
use super::run_rows::{COLUMNS, Digest, Viewer};
use super::{WaitingJob, WaitingRun, event_rows, run_rows};
use crate::telemetry::metrics::Metrics;
use profiler_core::sandbox::Instance;
use profiler_core::sandbox::user_folders;
use profiler_proto::v1;
use rusqlite::{Connection, OptionalExtension, Row, params};
use std::path::PathBuf;
use std::sync::Arc;
use std::time::Instant;
use tokio::sync::{OwnedSemaphorePermit, mpsc, oneshot, watch};
use tokio::task::spawn_blocking;

/// Maximum number of pieces of work that wait for the owner.
const MAX_QUEUED_WORK: usize = 64;
/// Length of the write-ahead log, in bytes, at which a write first waits until nothing is read, and
/// empties the log, which cannot shrink under a reader. Without readers, it has a quarter of that.
pub(super) const MAX_LOG_BYTES: u64 = 128 << 20;

/// A handle on the store. Clones share one store.
#[derive(Debug, Clone)]
pub struct Store {
    pub(super) work: mpsc::Sender<Work>,
    /// `None` for a store in memory, which its owner reads.
    pub(super) readers: Option<Readers>,
    /// The caller in whose turns this handle reads; empty for the service itself.
    reader: Arc<str>,
    health: watch::Receiver<StoreHealth>,
    instance: Instance,
    pub(super) retention: Retention,
    /// `None` for a store in memory.
    folder: Option<PathBuf>,
    metrics: Option<Metrics>,
    /// Number of runs that were ended as interrupted when the store was opened.
    interrupted: u64,
}

impl Store {
    /// Opens the store in `folder`, or in the [user's own folder](user_folders::state), and creates
    /// it if there is none. Runs that it lists as live were interrupted, and are ended as
    /// interrupted; those that only waited wait on. Ended runs beyond `retention` are deleted. Must
    /// be called inside a tokio runtime.
    pub async fn open(folder: Option<PathBuf>, retention: Retention) -> Result<Self, OpenError> {
        Self::open_with(folder, retention, Live::WasInterrupted).await
    }

    /// Opens the store of a gateway of a fleet, whose live runs go on elsewhere.
    pub async fn open_for_gateway(
        folder: Option<PathBuf>,
        retention: Retention,
    ) -> Result<Self, OpenError> {
        Self::open_with(folder, retention, Live::GoesOn).await
    }

    async fn open_with(
        folder: Option<PathBuf>,
        retention: Retention,
        live: Live,
    ) -> Result<Self, OpenError> {
        let folder = folder.or_else(user_folders::state).ok_or(OpenError::Nowhere)?;
        let opened = spawn_blocking({
            let folder = folder.clone();
            move || Database::open(&folder, live)
        });
        let panicked = |panic: tokio::task::JoinError| OpenError::Broken {
            folder: folder.clone(),
            cause: panic.to_string(),
        };
        let (database, instance) = opened.await.map_err(panicked)??;
        Ok(Self { folder: Some(folder), ..Self::start(database, instance, retention) })
    }

    /// Makes a store in memory, where every run stays until the last handle is dropped.
    pub fn in_memory() -> Result<Self, StoreFault> {
        let (database, instance) = Database::in_memory()?;
        Ok(Self::start(database, instance, Retention::default()))
    }

    fn start(database: Database, instance: Instance, retention: Retention) -> Self {
        let (work, queue) = mpsc::channel(MAX_QUEUED_WORK);
        let interrupted = database.interrupted;
        let readers = database.file.clone().map(Readers::new);
        let (report, health) = watch::channel(Ok(()));
        tokio::spawn(owner::own(database, retention, queue, report));
        let (reader, folder, metrics) = (Arc::default(), None, None);
        Self { work, readers, reader, health, instance, retention, folder, metrics, interrupted }
    }

    /// Makes the handle read in the turns of `caller`.
    #[must_use]
    pub(crate) fn read_by(&self, caller: &str) -> Self {
        Self { reader: caller.into(), ..self.clone() }
    }

    /// Makes the handle report metrics of the store's work, and those of the runs that were ended
    /// when the store was opened.
    #[must_use]
    pub(crate) fn measured(self, metrics: Metrics) -> Self {
        metrics.runs_interrupted(self.interrupted);
        Self { metrics: Some(metrics), ..self }
    }

    /// Returns the sizes in bytes of the database and of its write-ahead log; 0 in memory.
    pub(crate) fn file_bytes(&self) -> [(&'static str, u64); 2] {
        let [database, log] = self.folder.as_deref().map_or([0; 2], database::file_bytes);
        [("database", database), ("log", log)]
    }

    /// Returns the instance of the profiler that owns these runs. It stays the same across
    /// restarts.
    pub fn instance(&self) -> Instance {
        self.instance
    }

    /// Returns a watch on the health. A failing store is probed until it works again.
    pub(crate) fn health(&self) -> watch::Receiver<StoreHealth> {
        self.health.clone()
    }

    /// Whether the next server finds what this one stores.
    pub(crate) fn is_on_disk(&self) -> bool {
        self.folder.is_some()
    }

    /// Stores an accepted run, and deletes the oldest ended runs if necessary. If this server ends
    /// before the run's turn, the next one measures the job with which the run waits.
    pub(crate) async fn accept(
        &self,
        run: v1::Run,
        owner: String,
        job: Digest,
        waiting: Option<WaitingJob>,
    ) -> Result<(), StoreFault> {
        let retention = self.retention;
        self.write(move |connection| {
            run_rows::insert(connection, &run, &owner, &job, retention, waiting.as_ref())
        })
        .await
    }

    /// Stores an accepted run whose turn has come.
    #[cfg(test)]
    pub(crate) async fn begin(
        &self,
        run: v1::Run,
        owner: String,
        job: Digest,
    ) -> Result<(), StoreFault> {
        self.accept(run, owner, job, None).await
    }

    /// Returns the runs that waited when the last server ended, in the order of acceptance.
    pub(crate) async fn waiting(&self) -> Result<Vec<WaitingRun>, StoreFault> {
        self.read(|connection| run_rows::waiting(connection)).await
    }

    /// Marks a run as running.
    pub(crate) async fn start_run(&self, run_id: &str) -> Result<(), StoreFault> {
        let run_id = run_id.to_owned();
        self.write(move |connection| run_rows::start(connection, &run_id)).await
    }

    /// Stores the next events of a run, all or none.
    pub(crate) async fn append(&self, events: Arc<[v1::Event]>) -> Result<(), StoreFault> {
        self.write(move |connection| {
            let transaction = connection.transaction()?;
            events.iter().try_for_each(|event| event_rows::append(&transaction, event))?;
            transaction.commit()
        })
        .await
    }

    /// Ends a run whose task is gone as interrupted, with the sizes that it measured.
    pub(crate) async fn interrupt(&self, run_id: &str) -> Result<(), StoreFault> {
        let run_id = run_id.to_owned();
        self.write(move |connection| {
            let transaction = connection.transaction()?;
            event_rows::interrupt(&transaction, &run_id)?;
            transaction.commit()
        })
        .await
    }

    /// Deletes an ended run that `viewer` sees, and its bytes from the files. Returns whether there
    /// was such a run.
    pub(crate) async fn delete(&self, run_id: &str, viewer: &Viewer) -> Result<bool, StoreFault> {
        let (run_id, viewer) = (run_id.to_owned(), viewer.clone());
        // Under a reader, the log would keep the bytes.
        let _nothing_is_read = self.pause_reads().await?;
        self.read(move |connection| {
            let delete = "DELETE FROM runs
                WHERE run_id = ?1 AND ended_ns IS NOT NULL AND (?2 IS NULL OR owner = ?2)";
            let deleted = connection.execute(delete, params![run_id, viewer.owner()])? > 0;
            if deleted {
                database::shrink(connection)?;
            }
            Ok(deleted)
        })
        .await
    }

    /// Returns the run of an owner's request ID, and the digest of its job.
    pub(crate) async fn find_request(
        &self,
        owner: &str,
        request_id: &str,
    ) -> Result<Option<(String, Digest)>, StoreFault> {
        let key = [owner.to_owned(), request_id.to_owned()];
        self.look_up(move |connection| {
            let wanted = "SELECT run_id, job FROM runs WHERE owner = ?1 AND request_id = ?2";
            let found = |row: &Row<'_>| Ok((row.get(0)?, row.get(1)?));
            connection.query_row(wanted, key, found).optional()
        })
        .await
    }

    /// Returns the total size in bytes of the events of a caller's runs.
    pub(crate) async fn kept_bytes(&self, caller: &str) -> Result<u64, StoreFault> {
        let caller = caller.to_owned();
        self.look_up(move |connection| {
            let kept = "SELECT ifnull(sum(bytes), 0) FROM runs WHERE caller = ?1";
            connection.query_row(kept, [caller], |row| row.get(0).map(i64::unsigned_abs))
        })
        .await
    }

    /// Returns a run, if `viewer` sees it.
    pub(crate) async fn run(
        &self,
        run_id: &str,
        viewer: &Viewer,
    ) -> Result<Option<v1::Run>, StoreFault> {
        let (run_id, viewer) = (run_id.to_owned(), viewer.clone());
        self.look_up(move |connection| run_rows::find(connection, &run_id, &viewer)).await
    }

    /// Returns at most `most` runs that `viewer` sees and that are older than run `before`, the
    /// newest first.
    pub(crate) async fn runs(
        &self,
        viewer: &Viewer,
        before: Option<String>,
        most: u32,
    ) -> Result<Vec<v1::Run>, StoreFault> {
        let viewer = viewer.clone();
        self.look_up(move |connection| {
            let wanted = format!(
                "SELECT {COLUMNS} FROM runs
                    WHERE (?1 IS NULL OR owner = ?1) AND (?2 IS NULL OR run_id < ?2)
                    ORDER BY run_id DESC LIMIT ?3"
            );
            let shown = params![viewer.owner(), before, most];
            connection.prepare(&wanted)?.query_map(shown, run_rows::read)?.collect()
        })
        .await
    }

    /// Returns at most `most` events of a run after event `after`.
    pub(crate) async fn events(
        &self,
        run_id: &str,
        after: u64,
        most: u32,
    ) -> Result<Vec<v1::Event>, StoreFault> {
        let run_id = run_id.to_owned();
        self.look_up(move |connection| event_rows::list(connection, &run_id, after, most)).await
    }

    /// Returns the events of a run after event `after`, at most so many, and at most so many bytes
    /// of them beyond the first.
    pub(crate) async fn page(
        &self,
        run_id: &str,
        after: u64,
        (most, most_bytes): (u32, usize),
    ) -> Result<Vec<v1::Event>, StoreFault> {
        let run_id = run_id.to_owned();
        let page = move |connection: &mut Connection| {
            event_rows::page(connection, &run_id, after, (most, most_bytes))
        };
        self.look_up(page).await
    }

    /// Returns when the owner of the database answers.
    pub(crate) async fn answered(&self) -> Result<(), StoreFault> {
        self.read(|_| Ok(())).await
    }

    /// Reads beside the owner, in the turn of the caller.
    pub(super) async fn look_up<T: Send + 'static>(
        &self,
        work: impl FnOnce(&mut Connection) -> rusqlite::Result<T> + Send + 'static,
    ) -> Result<T, StoreFault> {
        let Some(readers) = &self.readers else { return self.read(work).await };
        let begun = Instant::now();
        let result = readers.read(&self.reader, work).await;
        if let Some(metrics) = &self.metrics {
            metrics.store("read", begun.elapsed());
        }
        result
    }

    /// Waits until nothing is read. Until the result is dropped, no read begins.
    pub(super) async fn pause_reads(&self) -> Result<Option<OwnedSemaphorePermit>, StoreFault> {
        let Some(readers) = &self.readers else { return Ok(None) };
        readers.pause().await.map(Some)
    }

    /// Has the owner read. A failure does not change the health of the store.
    pub(super) async fn read<T: Send + 'static>(
        &self,
        work: impl FnOnce(&mut Connection) -> rusqlite::Result<T> + Send + 'static,
    ) -> Result<T, StoreFault> {
        self.perform("read", work, |_| Ok(())).await
    }

    /// Writes to the database. A failure makes the store unhealthy.
    pub(super) async fn write(
        &self,
        work: impl FnOnce(&mut Connection) -> rusqlite::Result<()> + Send + 'static,
    ) -> Result<(), StoreFault> {
        let [_, (_, log_bytes)] = self.file_bytes();
        if log_bytes > MAX_LOG_BYTES {
            let _nothing_is_read = self.pause_reads().await?;
            // If the log cannot be emptied, the write says why.
            let _ = self.read(|connection| database::shrink(connection)).await;
        }
        self.perform("write", work, Clone::clone).await
    }

    async fn perform<T: Send + 'static>(
        &self,
        operation: &'static str,
        work: impl FnOnce(&mut Connection) -> rusqlite::Result<T> + Send + 'static,
        health: impl FnOnce(&Result<T, StoreFault>) -> StoreHealth + Send + 'static,
    ) -> Result<T, StoreFault> {
        let begun = Instant::now();
        let (answer, answered) = oneshot::channel();
        let work: Work = Box::new(move |database| {
            let result = database.perform(work);
            let health = health(&result);
            // A caller that stopped waiting needs no answer.
            let _ = answer.send(result);
            health
        });
        let ended = || StoreFault::new(&"the store has ended");
        self.work.send(work).await.map_err(|_| ended())?;
        let result = answered.await.map_err(|_| ended())?;
        if let Some(metrics) = &self.metrics {
            metrics.store(operation, begun.elapsed());
        }
        result
    }
}
