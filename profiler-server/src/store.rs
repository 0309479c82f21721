//! The runs that are kept: what was submitted, and every event, stored before it is sent.
//!
//! An `SQLite` database in a folder that one server at a time may use. A commit is in the kernel's hands
//! when it returns, so a server killed at any moment loses nothing that anybody was told; only a host
//! that loses its power may lose the last moments, and the database stays whole. One task owns the
//! connection, and works where waiting for a disk holds nobody else up.

mod rows;
#[cfg(test)]
mod tests;

use profiler_core::sandbox::Instance;
use profiler_core::sandbox::user_folders;
use profiler_proto::v1;
use rows::{Digest, Retention};
use rusqlite::{Connection, ErrorCode};
use std::fmt;
use std::fs::{self, DirBuilder, OpenOptions};
use std::io;
use std::os::unix::fs::{DirBuilderExt, MetadataExt, OpenOptionsExt};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;
use tokio::sync::{mpsc, oneshot, watch};
use tokio::task::spawn_blocking;
use tokio::time::{Instant, sleep_until};

/// Most ended runs that are kept; the oldest go first.
pub const MAX_RETAINED_RUNS: u32 = 1000;
/// Most bytes of events that are kept; the oldest ended runs go first.
pub const MAX_RETAINED_BYTES: u64 = 256 << 20;
/// The database in the folder.
const FILE: &str = "runs.sqlite3";
/// Only the user may enter: sources' outputs are in it.
const PRIVATE: u32 = 0o700;
/// Only the user may read the database either: a folder that was there before may be open to others.
/// `SQLite` gives the files beside it the same mode.
const PRIVATE_FILE: u32 = 0o600;
/// How long a server waits for the one before it to let the folder go.
const LOCK_LIMIT: Duration = Duration::from_secs(2);
/// The log is written back when it has so many pages of 4 KiB; that waits for the disk, and so is rare.
const CHECKPOINT_PAGES: u32 = 8192;
/// Most pieces of work that wait for the owner.
const MAX_WORKS: usize = 64;
/// How often a store that failed is tried again.
const RETRY: Duration = Duration::from_secs(1);

/// The store cannot be opened.
#[derive(Debug, thiserror::Error)]
pub enum OpenError {
    /// The user has no home, and named no folder.
    #[error("nowhere to keep runs: name a folder (--state-dir)")]
    Nowhere,
    /// Another server uses the folder.
    #[error("another server keeps its runs in {}: name another folder (--state-dir)", .0.display())]
    Locked(PathBuf),
    /// The folder or the database cannot be made or read.
    #[error("keep runs in {}: {cause}", folder.display())]
    Broken {
        /// The folder.
        folder: PathBuf,
        /// Why.
        cause: String,
    },
}

/// A run cannot be kept or read now: the disk is full or broken.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("runs cannot be kept: {0}")]
pub struct StoreFault(String);

impl StoreFault {
    fn new(cause: &impl fmt::Display) -> Self {
        Self(cause.to_string())
    }
}

/// Whether runs can be kept.
pub(crate) type Health = Result<(), StoreFault>;
/// Something to do with the database, and the fault of the store that it found.
type Work = Box<dyn FnOnce(&mut Database) -> Health + Send>;

/// The database, and where it was found.
struct Database {
    connection: Connection,
    /// `None` in memory.
    place: Option<Place>,
}

/// A path, and the device and inode that were there.
struct Place {
    path: PathBuf,
    file: (u64, u64),
}

impl Place {
    fn of(path: PathBuf) -> io::Result<Self> {
        let found = fs::metadata(&path)?;
        Ok(Self { file: (found.dev(), found.ino()), path })
    }

    /// A file that was removed can still be written, and what is kept in it is kept for nobody.
    fn check(&self) -> Health {
        let now = fs::metadata(&self.path).map_err(|error| StoreFault::new(&error))?;
        if (now.dev(), now.ino()) == self.file {
            return Ok(());
        }
        Err(StoreFault("the database was replaced: start the server again".into()))
    }
}

impl Database {
    fn work<T>(
        &mut self,
        work: impl FnOnce(&mut Connection) -> rusqlite::Result<T>,
    ) -> Result<T, StoreFault> {
        self.place.as_ref().map_or(Ok(()), Place::check)?;
        work(&mut self.connection).map_err(|error| StoreFault::new(&error))
    }
}

/// A handle on the store; clones are handles on the same one.
#[derive(Debug, Clone)]
pub struct Store {
    works: mpsc::Sender<Work>,
    health: watch::Receiver<Health>,
    instance: Instance,
}

impl Store {
    /// Opens the store in `folder`, else in the [user's own](user_folders::state), and makes it if there is
    /// none. Runs that are live in it were interrupted, and end so. Must be called inside a runtime.
    pub async fn open(folder: Option<PathBuf>) -> Result<Self, OpenError> {
        let folder = folder.or_else(user_folders::state).ok_or(OpenError::Nowhere)?;
        let opened = spawn_blocking({
            let folder = folder.clone();
            move || open(&folder)
        });
        let broken = |cause: String| OpenError::Broken { folder: folder.clone(), cause };
        match opened.await.map_err(|panic| broken(panic.to_string()))? {
            Ok((database, instance)) => Ok(Self::owning(database, instance)),
            Err(OpenFailure::Database(error)) if is_locked(&error) => {
                Err(OpenError::Locked(folder))
            }
            Err(failure) => Err(broken(failure.to_string())),
        }
    }

    /// A store that is gone with its last handle.
    pub fn in_memory() -> Result<Self, StoreFault> {
        let ready = || {
            let mut connection = Connection::open_in_memory()?;
            let instance = rows::prepare(&mut connection)?;
            Ok((Database { connection, place: None }, instance))
        };
        let (database, instance) =
            ready().map_err(|failure: OpenFailure| StoreFault::new(&failure))?;
        Ok(Self::owning(database, instance))
    }

    fn owning(database: Database, instance: Instance) -> Self {
        let (works, wanted) = mpsc::channel(MAX_WORKS);
        let (report, health) = watch::channel(Ok(()));
        tokio::spawn(keep(database, wanted, report));
        Self { works, health, instance }
    }

    /// The profiler whose runs these are, over all its restarts.
    pub fn instance(&self) -> Instance {
        self.instance
    }

    /// Whether runs can be kept. A store that failed is tried again and again, so this turns back by
    /// itself.
    pub(crate) fn health(&self) -> watch::Receiver<Health> {
        self.health.clone()
    }

    /// Keeps a run that is accepted, and lets the oldest ended ones go.
    pub(crate) async fn begin(&self, run: v1::Run, job: Digest) -> Result<(), StoreFault> {
        self.write(move |connection| rows::begin(connection, &run, &job, Retention::default()))
            .await
    }

    /// Notes that a run has its turn.
    pub(crate) async fn started(&self, run_id: &str) -> Result<(), StoreFault> {
        let run_id = run_id.to_owned();
        self.write(move |connection| rows::started(connection, &run_id)).await
    }

    /// Keeps the next events of a run, all or none.
    pub(crate) async fn append(&self, events: Arc<[v1::Event]>) -> Result<(), StoreFault> {
        self.write(move |connection| rows::append(connection, &events)).await
    }

    /// Ends a run that nobody conducts any more as interrupted, with what it had.
    pub(crate) async fn interrupt(&self, run_id: &str) -> Result<(), StoreFault> {
        let run_id = run_id.to_owned();
        self.write(move |connection| rows::interrupt(connection, &run_id)).await
    }

    /// The run of a request id, and the digest of its job.
    pub(crate) async fn request(
        &self,
        request_id: &str,
    ) -> Result<Option<(String, Digest)>, StoreFault> {
        let request_id = request_id.to_owned();
        self.read(move |connection| rows::request(connection, &request_id)).await
    }

    /// What is known of a run.
    pub(crate) async fn run(&self, run_id: &str) -> Result<Option<v1::Run>, StoreFault> {
        let run_id = run_id.to_owned();
        self.read(move |connection| rows::run(connection, &run_id)).await
    }

    /// At most `most` runs, the newest first, that are older than run `before`.
    pub(crate) async fn runs(
        &self,
        before: Option<String>,
        most: u32,
    ) -> Result<Vec<v1::Run>, StoreFault> {
        self.read(move |connection| rows::runs(connection, before.as_deref(), most)).await
    }

    /// At most `most` events of a run after event `after`.
    pub(crate) async fn events(
        &self,
        run_id: &str,
        after: u64,
        most: u32,
    ) -> Result<Vec<v1::Event>, StoreFault> {
        let run_id = run_id.to_owned();
        self.read(move |connection| rows::events(connection, &run_id, after, most)).await
    }

    async fn read<T: Send + 'static>(
        &self,
        work: impl FnOnce(&mut Connection) -> rusqlite::Result<T> + Send + 'static,
    ) -> Result<T, StoreFault> {
        self.work(work, |_| Ok(())).await
    }

    async fn write(
        &self,
        work: impl FnOnce(&mut Connection) -> rusqlite::Result<()> + Send + 'static,
    ) -> Result<(), StoreFault> {
        self.work(work, Clone::clone).await
    }

    async fn work<T: Send + 'static>(
        &self,
        work: impl FnOnce(&mut Connection) -> rusqlite::Result<T> + Send + 'static,
        fault: impl FnOnce(&Result<T, StoreFault>) -> Health + Send + 'static,
    ) -> Result<T, StoreFault> {
        let (answer, answered) = oneshot::channel();
        let work: Work = Box::new(move |database| {
            let done = database.work(work);
            let health = fault(&done);
            // Whoever does not wait any more needs no answer.
            let _ = answer.send(done);
            health
        });
        let gone = || StoreFault("the store has ended".into());
        self.works.send(work).await.map_err(|_| gone())?;
        answered.await.map_err(|_| gone())?
    }
}

/// Owns the connection until the last handle is gone. A store that failed is well again when what it is
/// tried with can be written, and not when something small can.
async fn keep(
    mut database: Database,
    mut wanted: mpsc::Receiver<Work>,
    report: watch::Sender<Health>,
) {
    let mut retry_at = Instant::now();
    loop {
        let failing = report.borrow().is_err();
        let (work, is_trial) = tokio::select! {
            biased;
            () = sleep_until(retry_at), if failing => {
                let trial: Work = Box::new(|database| database.work(rows::try_room));
                (Some(trial), true)
            }
            work = wanted.recv() => (work, false),
        };
        let Some(work) = work else { return };
        let worked = spawn_blocking(move || {
            let health = work(&mut database);
            (database, health)
        });
        // A piece of work that panicked took the connection along.
        let Ok((back, health)) = worked.await else { return };
        database = back;
        if is_trial || health.is_err() {
            retry_at = Instant::now() + RETRY;
            tell(&report, health);
        }
    }
}

/// What was said before is not said again.
fn tell(report: &watch::Sender<Health>, health: Health) {
    report.send_if_modified(|told| {
        let turned = *told != health;
        match &health {
            Err(fault) if turned => {
                tracing::error!(target: crate::telemetry::TARGET, %fault, "the store failed");
            }
            Ok(()) if turned => {
                tracing::info!(target: crate::telemetry::TARGET, "runs can be kept again");
            }
            _ => {}
        }
        *told = health;
        turned
    });
}

/// What a store could not be opened for.
#[derive(Debug, thiserror::Error)]
enum OpenFailure {
    #[error("{0}")]
    Folder(#[from] io::Error),
    #[error("{0}")]
    Database(#[from] rusqlite::Error),
    #[error("it was written by another version of swiftprof ({0})")]
    Version(u32),
}

fn open(folder: &Path) -> Result<(Database, Instance), OpenFailure> {
    DirBuilder::new().recursive(true).mode(PRIVATE).create(folder)?;
    let database = folder.join(FILE);
    OpenOptions::new().append(true).create(true).mode(PRIVATE_FILE).open(&database)?;
    let mut connection = Connection::open(&database)?;
    connection.busy_timeout(LOCK_LIMIT)?;
    // The lock is taken with the first access and held as long as the process lives.
    connection.pragma_update(None, "locking_mode", "EXCLUSIVE")?;
    connection.pragma_update(None, "journal_mode", "WAL")?;
    connection.pragma_update(None, "synchronous", "NORMAL")?;
    connection.pragma_update(None, "wal_autocheckpoint", CHECKPOINT_PAGES)?;
    let instance = rows::prepare(&mut connection)?;
    let place = Some(Place::of(database)?);
    Ok((Database { connection, place }, instance))
}

fn is_locked(error: &rusqlite::Error) -> bool {
    matches!(error.sqlite_error_code(), Some(ErrorCode::DatabaseBusy | ErrorCode::DatabaseLocked))
}
