//! The lock of a state folder. A server holds it as long as it runs. However the server ends, the
//! kernel releases the lock.

use std::fs::{File, OpenOptions, TryLockError};
use std::io;
use std::os::unix::fs::OpenOptionsExt;
use std::path::Path;
use std::thread;
use std::time::{Duration, Instant};

/// The file in the folder. It is empty.
const FILE: &str = "lock";
/// Mode of the files in the folder, which may be open to others. `SQLite` gives the write-ahead log
/// the mode of the database.
pub(super) const PRIVATE_FILE: u32 = 0o600;
/// Time that a server waits for the previous one to unlock the folder.
const LOCK_LIMIT: Duration = Duration::from_secs(2);
/// Interval between the server's attempts to lock the folder in that time.
const RETRY_INTERVAL: Duration = Duration::from_millis(20);

/// The lock of a folder, until it is dropped.
#[derive(Debug)]
pub(super) struct FolderLock {
    _file: File,
}

impl FolderLock {
    /// Takes the lock; `None` if another server still holds it after [`LOCK_LIMIT`].
    pub(super) fn take(folder: &Path) -> io::Result<Option<Self>> {
        let mut options = OpenOptions::new();
        let file = options.append(true).create(true).mode(PRIVATE_FILE).open(folder.join(FILE))?;
        let begin = Instant::now();
        loop {
            match file.try_lock() {
                Ok(()) => return Ok(Some(Self { _file: file })),
                Err(TryLockError::Error(error)) => return Err(error),
                Err(TryLockError::WouldBlock) if begin.elapsed() > LOCK_LIMIT => return Ok(None),
                Err(TryLockError::WouldBlock) => thread::sleep(RETRY_INTERVAL),
            }
        }
    }

    /// Whether a server holds the lock of `folder`.
    pub(super) fn is_held(folder: &Path) -> io::Result<bool> {
        let file = match File::open(folder.join(FILE)) {
            Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(false),
            opened => opened?,
        };
        // A shared lock is enough, and two concurrent calls do not take each other for a server.
        match file.try_lock_shared() {
            Ok(()) => Ok(false),
            Err(TryLockError::WouldBlock) => Ok(true),
            Err(TryLockError::Error(error)) => Err(error),
        }
    }
}
