//! The database: opening, locking, checking and probing it.

use super::fault::{StoreFault, StoreHealth};
use super::lock::{FolderLock, PRIVATE_FILE};
use super::retention::Retention;
use super::schema::{self, Found};
use super::{event_rows, run_rows, waiting_rows};
use crate::telemetry::logging::TARGET;
use profiler_core::sandbox::Instance;
use rusqlite::types::Type;
use rusqlite::{Connection, Error, ErrorCode, OpenFlags, Row, TransactionBehavior};
use std::fs::{self, DirBuilder, OpenOptions};
use std::io;
use std::os::unix::fs::{DirBuilderExt, MetadataExt, OpenOptionsExt};
use std::path::{Path, PathBuf};
use std::time::Duration;

/// Name of the database file in the folder.
pub(super) const FILE: &str = "runs.sqlite3";
/// Name of the write-ahead log of the database.
const LOG_FILE: &str = "runs.sqlite3-wal";
/// Mode of a folder: only the user may enter, because it holds the outputs of programs.
const PRIVATE_FOLDER: u32 = 0o700;
/// Time that one connection waits while another one writes, such as `swiftprof state prune`.
const BUSY_LIMIT: Duration = Duration::from_secs(2);
/// Number of pages of 4 KiB at which the write-ahead log is written back (a checkpoint). The number
/// is large, so that checkpoints, which wait for the disk, are rare.
const CHECKPOINT_PAGES: u32 = 8192;
/// Value of `SQLite`'s `auto_vacuum` with which a file shrinks on request.
const AUTO_VACUUM_INCREMENTAL: u32 = 2;
/// Size of the probe, in bytes. A report with all its samples has a few hundred kilobytes.
const PROBE_BYTES: u32 = 4 << 20;

/// Reason why the store cannot be opened.
#[derive(Debug, thiserror::Error)]
pub enum OpenError {
    /// The user has no home and named no folder.
    #[error("there is no folder for the runs: name one with --state-dir")]
    Nowhere,
    /// Another server uses the folder.
    #[error("another server keeps its runs in {}: use another --state-dir", .0.display())]
    Locked(PathBuf),
    /// The folder has no database.
    #[error("{} has no runs: use the --state-dir of a server", .0.display())]
    Absent(PathBuf),
    /// The folder or the database cannot be created or read.
    #[error("cannot keep runs in {}: {cause}", folder.display())]
    Broken {
        /// The folder.
        folder: PathBuf,
        /// Cause.
        cause: String,
    },
}

#[derive(Debug)]
pub(super) struct Database {
    connection: Connection,
    /// `None` for a database in memory.
    pub(super) file: Option<DatabaseFile>,
    _lock: Option<FolderLock>,
    /// Number of runs that were ended as interrupted when the database was opened.
    pub(super) interrupted: u64,
}

/// The path of the database, and the device and inode of the file that was opened there.
#[derive(Debug, Clone)]
pub(super) struct DatabaseFile {
    path: PathBuf,
    identity: (u64, u64),
}

/// State of the runs that a database lists as live when it is opened.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Live {
    /// The server that ran them has ended. Those that only waited wait on.
    WasInterrupted,
    /// The runs go on elsewhere.
    GoesOn,
}

#[derive(Debug, thiserror::Error)]
enum OpenFailure {
    #[error("{0}")]
    Folder(#[from] io::Error),
    #[error("{0}")]
    Database(#[from] Error),
    #[error("locked")]
    Locked,
    #[error("no database")]
    Absent,
    #[error(
        "another version of swiftprof wrote it (format {0}): start the version that wrote it, or \
         use another --state-dir"
    )]
    Version(u32),
}

impl DatabaseFile {
    fn new(path: PathBuf) -> io::Result<Self> {
        Ok(Self { identity: identity(&path)?, path })
    }

    /// Fails if the file was removed or replaced. Writing to it would still succeed, but nobody
    /// could read it later.
    fn check(&self) -> StoreHealth {
        let now = identity(&self.path).map_err(|error| StoreFault::new(&error))?;
        if now == self.identity {
            return Ok(());
        }
        Err(StoreFault::new(&"the database was replaced: start the server again"))
    }
}

/// Creates a folder that only the user may enter, if there is none.
pub(super) fn create_private(folder: &Path) -> io::Result<()> {
    DirBuilder::new().recursive(true).mode(PRIVATE_FOLDER).create(folder)
}

/// Returns the sizes in bytes of the database in `folder` and of its write-ahead log. A file that
/// does not exist has 0 bytes.
pub(super) fn file_bytes(folder: &Path) -> [u64; 2] {
    [FILE, LOG_FILE].map(|name| fs::metadata(folder.join(name)).map_or(0, |file| file.len()))
}

fn identity(path: &Path) -> io::Result<(u64, u64)> {
    let found = fs::metadata(path)?;
    Ok((found.dev(), found.ino()))
}

impl Database {
    /// Opens the database in `folder` for a server, and creates both if they are missing. Runs that
    /// were interrupted are ended as interrupted.
    pub(super) fn open(folder: &Path, live: Live) -> Result<(Self, Instance), OpenError> {
        Self::open_file(folder, live).map_err(|failure| failure.in_folder(folder))
    }

    fn open_file(folder: &Path, live: Live) -> Result<(Self, Instance), OpenFailure> {
        create_private(folder)?;
        let lock = FolderLock::take(folder)?.ok_or(OpenFailure::Locked)?;
        let path = folder.join(FILE);
        OpenOptions::new().append(true).create(true).mode(PRIVATE_FILE).open(&path)?;
        let mut connection = Connection::open(&path)?;
        connection.busy_timeout(BUSY_LIMIT)?;
        compact(&connection)?;
        connection.pragma_update(None, "journal_mode", "WAL")?;
        connection.pragma_update(None, "synchronous", "NORMAL")?;
        connection.pragma_update(None, "wal_autocheckpoint", CHECKPOINT_PAGES)?;
        let (instance, interrupted) = prepare(&mut connection, live)?;
        let file = Some(DatabaseFile::new(path)?);
        Ok((Self { connection, file, _lock: Some(lock), interrupted }, instance))
    }

    pub(super) fn in_memory() -> Result<(Self, Instance), StoreFault> {
        let open = || {
            let mut connection = Connection::open_in_memory()?;
            let (instance, interrupted) = prepare(&mut connection, Live::WasInterrupted)?;
            Ok((Self { connection, file: None, _lock: None, interrupted }, instance))
        };
        open().map_err(|failure: OpenFailure| StoreFault::new(&failure))
    }

    /// Opens another connection to a file that a server has opened. It only reads.
    pub(super) fn reader(file: &DatabaseFile) -> Result<Self, StoreFault> {
        let open = || {
            let flags = OpenFlags::SQLITE_OPEN_READ_ONLY | OpenFlags::SQLITE_OPEN_NO_MUTEX;
            let connection = Connection::open_with_flags(&file.path, flags)?;
            connection.busy_timeout(BUSY_LIMIT)?;
            Ok(Self { connection, file: Some(file.clone()), _lock: None, interrupted: 0 })
        };
        open().map_err(|error: Error| StoreFault::new(&error))
    }

    /// Does `work` with the connection, if the database is still in its place.
    pub(super) fn perform<T>(
        &mut self,
        work: impl FnOnce(&mut Connection) -> rusqlite::Result<T>,
    ) -> Result<T, StoreFault> {
        self.file.as_ref().map_or(Ok(()), DatabaseFile::check)?;
        work(&mut self.connection).map_err(|error| StoreFault::new(&error))
    }

    /// Writes as much as a large event and deletes it again, to see whether there is room.
    pub(super) fn probe(&mut self) -> StoreHealth {
        self.perform(|connection| {
            connection.execute("UPDATE instance SET room = zeroblob(?1)", [PROBE_BYTES])?;
            connection.execute("UPDATE instance SET room = NULL", [])?;
            Ok(())
        })
    }

    /// Deletes the ended runs beyond `retention`, and their bytes from the files.
    pub(super) fn retain(&mut self, retention: Retention) -> StoreHealth {
        self.perform(|connection| {
            retention.apply(connection, u32::MAX)?;
            shrink(connection)
        })
    }
}

/// Opens the database in `folder` for an operator, even while a server uses it.
pub(super) fn attend(folder: &Path) -> Result<Connection, OpenError> {
    let open = || {
        let path = folder.join(FILE);
        if !path.try_exists()? {
            return Err(OpenFailure::Absent);
        }
        let connection = Connection::open_with_flags(path, OpenFlags::SQLITE_OPEN_READ_WRITE)?;
        connection.busy_timeout(BUSY_LIMIT)?;
        erase_and_cascade(&connection)?;
        match schema::version(&connection)? {
            schema::VERSION => Ok(connection),
            version => Err(OpenFailure::Version(version)),
        }
    };
    open().map_err(|failure| failure.in_folder(folder))
}

impl OpenFailure {
    fn in_folder(self, folder: &Path) -> OpenError {
        match self {
            Self::Locked => OpenError::Locked(folder.into()),
            Self::Absent => OpenError::Absent(folder.into()),
            // Servers of earlier versions lock the database itself.
            Self::Database(error) if is_locked(&error) => OpenError::Locked(folder.into()),
            failure => OpenError::Broken { folder: folder.into(), cause: failure.to_string() },
        }
    }
}

/// Makes the deletion of a run delete its events, and overwrite deleted bytes with zeros.
fn erase_and_cascade(connection: &Connection) -> rusqlite::Result<()> {
    connection.pragma_update(None, "secure_delete", "ON")?;
    connection.pragma_update(None, "foreign_keys", "ON")
}

/// Lets the file shrink when runs are deleted. A database of an earlier version is rewritten,
/// without the bytes that were deleted from it.
fn compact(connection: &Connection) -> rusqlite::Result<()> {
    let mode: u32 = connection.query_row("PRAGMA auto_vacuum", [], |row| row.get(0))?;
    if mode != AUTO_VACUUM_INCREMENTAL {
        connection.pragma_update(None, "auto_vacuum", AUTO_VACUUM_INCREMENTAL)?;
        connection.execute_batch("VACUUM")?;
    }
    Ok(())
}

/// Makes the database as small as the runs in it, writes the log back to it, and empties the log,
/// so that deleted runs are in neither file. If another connection reads the log now, a later call
/// empties it.
pub(super) fn shrink(connection: &Connection) -> rusqlite::Result<()> {
    let mut vacuum = connection.prepare("PRAGMA incremental_vacuum")?;
    let mut steps = vacuum.query([])?;
    while steps.next()?.is_some() {}
    connection.query_row("PRAGMA wal_checkpoint(TRUNCATE)", [], |_| Ok(()))
}

/// Creates or upgrades the tables if necessary, and ends interrupted runs. Returns the instance of
/// the store, and the number of these runs.
fn prepare(connection: &mut Connection, live: Live) -> Result<(Instance, u64), OpenFailure> {
    erase_and_cascade(connection)?;
    // An upgrade replaces a table. The setting cannot be changed within a transaction.
    connection.pragma_update(None, "foreign_keys", "OFF")?;
    let transaction = connection.transaction_with_behavior(TransactionBehavior::Immediate)?;
    match schema::prepare(&transaction)? {
        Found::New => {
            let name = Instance::fresh().to_string();
            transaction.execute("INSERT INTO instance VALUES (?1, NULL)", [name])?;
        }
        Found::Current => {}
        Found::Other(version) => return Err(OpenFailure::Version(version)),
    }
    waiting_rows::prepare(&transaction)?;
    let mut interrupted = 0;
    if live == Live::WasInterrupted {
        for run_id in run_rows::begun(&transaction)? {
            event_rows::interrupt(&transaction, &run_id)?;
            tracing::warn!(target: TARGET, run_id, "the last server ended during this run");
            interrupted += 1;
        }
    }
    let invalid = |error| Error::FromSqlConversionFailure(0, Type::Text, Box::new(error));
    let name = |row: &Row<'_>| row.get_ref(0)?.as_str()?.parse().map_err(invalid);
    let instance = transaction.query_row("SELECT name FROM instance", [], name)?;
    transaction.commit()?;
    connection.pragma_update(None, "foreign_keys", "ON")?;
    Ok((instance, interrupted))
}

fn is_locked(error: &Error) -> bool {
    matches!(error.sqlite_error_code(), Some(ErrorCode::DatabaseBusy | ErrorCode::DatabaseLocked))
}
