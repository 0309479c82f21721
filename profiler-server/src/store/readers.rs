//! Connections that only read. `SQLite` lets them read beside the owner's, which alone writes.

use super::database::{Database, DatabaseFile};
use super::fault::StoreFault;
use crate::permits::Permits;
use rusqlite::Connection;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use tokio::sync::OwnedSemaphorePermit;
use tokio::task::spawn_blocking;

/// Maximum number of reads at a time. Each takes a connection and a thread. A caller has one of
/// them.
const MAX_READS: u32 = 4;

/// Readers of a database file. Clones share them.
#[derive(Debug, Clone)]
pub(super) struct Readers {
    file: Arc<DatabaseFile>,
    /// Connections that nobody uses now.
    idle: Arc<Mutex<Vec<Database>>>,
    permits: Permits,
}

impl Readers {
    pub(super) fn new(file: DatabaseFile) -> Self {
        Self { file: Arc::new(file), idle: Arc::default(), permits: Permits::new(MAX_READS, 1) }
    }

    /// Reads in the turn of `caller`, on a blocking thread.
    pub(super) async fn read<T: Send + 'static>(
        &self,
        caller: &str,
        work: impl FnOnce(&mut Connection) -> rusqlite::Result<T> + Send + 'static,
    ) -> Result<T, StoreFault> {
        let permit = self.permits.take(caller, 1).await.map_err(|error| StoreFault::new(&error))?;
        let readers = self.clone();
        let read = spawn_blocking(move || {
            let _until_the_end = permit;
            let idle = readers.lock().pop();
            let mut reader = idle.map_or_else(|| Database::reader(&readers.file), Ok)?;
            let result = reader.perform(work);
            readers.lock().push(reader);
            result
        });
        read.await.map_err(|error| StoreFault::new(&error))?
    }

    /// Waits until nothing is read. Until the result is dropped, no read begins.
    pub(super) async fn pause(&self) -> Result<OwnedSemaphorePermit, StoreFault> {
        self.permits.take_all().await.map_err(|error| StoreFault::new(&error))
    }

    fn lock(&self) -> MutexGuard<'_, Vec<Database>> {
        self.idle.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
