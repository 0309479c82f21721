//! Operations of an operator on a state folder, whether a server uses it or not: look at its size,
//! delete runs, back up, verify and export.

mod export;
mod usage;
mod verify;

pub use usage::{CallerUsage, Usage};
pub use verify::Verification;

use super::database::{self, OpenError};
use super::lock::FolderLock;
use super::retention::{Extent, Retention};
use profiler_core::sandbox::user_folders;
use rusqlite::Connection;
use std::io;
use std::path::{Path, PathBuf};
use tempfile::NamedTempFile;

/// Maximum number of runs that one transaction of [`StateFolder::prune`] deletes. A server waits
/// for the transaction before it stores an event.
const RUNS_PER_TRANSACTION: u32 = 16;

/// Reason why an operator's command failed.
#[derive(Debug, thiserror::Error)]
pub enum StateError {
    /// The database cannot be read or written.
    #[error("the runs in {}: {cause}", folder.display())]
    Database {
        /// The folder.
        folder: PathBuf,
        /// Cause.
        cause: rusqlite::Error,
    },
    /// A file cannot be written.
    #[error("write {}: {cause}", path.display())]
    Write {
        /// The file.
        path: PathBuf,
        /// Cause.
        cause: io::Error,
    },
    /// The folder has no such run.
    #[error("there is no retained run {0:?}")]
    UnknownRun(String),
}

/// A state folder that an operator has opened.
#[derive(Debug)]
pub struct StateFolder {
    folder: PathBuf,
    connection: Connection,
}

impl StateFolder {
    /// Opens the database in `folder`, or in the [user's own folder](user_folders::state). The
    /// database must exist and have the format of this version.
    pub fn open(folder: Option<PathBuf>) -> Result<Self, OpenError> {
        let folder = folder.or_else(user_folders::state).ok_or(OpenError::Nowhere)?;
        Ok(Self { connection: database::attend(&folder)?, folder })
    }

    /// Returns the folder.
    pub fn path(&self) -> &Path {
        &self.folder
    }

    /// Whether a server uses the folder now.
    pub fn is_served(&self) -> Result<bool, StateError> {
        FolderLock::is_held(&self.folder)
            .map_err(|cause| StateError::Write { path: self.folder.clone(), cause })
    }

    /// Measures the contents of the folder.
    pub fn usage(&self) -> Result<Usage, StateError> {
        usage::measure(&self.connection, &self.folder).map_err(|cause| self.failed(cause))
    }

    /// Measures the runs that [`prune`](Self::prune) would delete.
    pub fn prunable(&self, retention: Retention) -> Result<Extent, StateError> {
        retention.beyond(&self.connection).map_err(|cause| self.failed(cause))
    }

    /// Deletes the ended runs beyond `retention`, the oldest first, and returns the space to the
    /// file system.
    pub fn prune(&self, retention: Retention) -> Result<Extent, StateError> {
        let prune = || {
            let pruned = retention.beyond(&self.connection)?;
            while retention.apply(&self.connection, RUNS_PER_TRANSACTION)? > 0 {}
            database::shrink(&self.connection)?;
            Ok(pruned)
        };
        prune().map_err(|cause| self.failed(cause))
    }

    /// Writes all runs, as they are at one moment, to a new database, without anything that was
    /// deleted. Fails if `file` exists.
    pub fn back_up(&self, file: &Path) -> Result<(), StateError> {
        let write = || {
            let folder = file.parent().filter(|folder| !folder.as_os_str().is_empty());
            let copy = NamedTempFile::new_in(folder.unwrap_or(Path::new(".")))?;
            let path = copy.path().to_str().ok_or(io::ErrorKind::InvalidFilename)?;
            // `VACUUM INTO` reads in one transaction: a server can go on writing, and the copy has
            // the runs of one moment. The pages that `SQLite`'s backup API copies would still have
            // bytes of deleted runs.
            self.connection.execute("VACUUM INTO ?1", [path]).map_err(io::Error::other)?;
            copy.as_file().sync_all()?;
            copy.persist_noclobber(file)?;
            Ok(())
        };
        write().map_err(|cause| StateError::Write { path: file.into(), cause })
    }

    /// Reads everything, and returns the problems.
    pub fn verify(&self) -> Result<Verification, StateError> {
        verify::verify(&self.connection).map_err(|cause| self.failed(cause))
    }

    /// Writes each run, or the run `run_id` alone, to the file `RUN.jsonl` in `to`. Its first line
    /// is the `Run`, and each further line an `Event`, in proto3 JSON. Returns the number of runs.
    pub fn export(&self, run_id: Option<&str>, to: &Path) -> Result<usize, StateError> {
        let run_ids =
            export::select(&self.connection, run_id).map_err(|cause| self.failed(cause))?;
        if let Some(unknown) = run_id.filter(|_| run_ids.is_empty()) {
            return Err(StateError::UnknownRun(unknown.to_owned()));
        }
        export::write(&self.connection, &run_ids, to)
            .map_err(|cause| StateError::Write { path: to.into(), cause })
    }

    fn failed(&self, cause: rusqlite::Error) -> StateError {
        StateError::Database { folder: self.folder.clone(), cause }
    }
}
