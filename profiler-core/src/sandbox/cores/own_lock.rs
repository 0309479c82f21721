//! Lock of a processor among the processes of one user.
//!
//! Any local user can bind a processor's address, and keep it. Nobody else can take this lock: it
//! is a file in a folder that only this user can change. Another file there says when a
//! process of another user was last waited for in vain.

use nix::unistd::{AccessFlags, Uid, access};
use std::env;
use std::fs::{self, File, OpenOptions};
use std::io;
use std::os::unix::fs::{MetadataExt, OpenOptionsExt};
use std::path::{Path, PathBuf};
use std::time::{Duration, SystemTime};

/// Folder of root's locks.
const ROOTS: &str = "/run";
/// Variables that name a folder of this user: of a login session, and of a service.
const FOLDERS: [&str; 2] = ["XDG_RUNTIME_DIR", "RUNTIME_DIRECTORY"];
/// Beginning of the name of a lock. The processor's number follows.
const NAME: &str = "swiftprof-core-";
/// Name of the file that was written when a process of another user was last waited for in vain.
const OUTWAITED: &str = "swiftprof-outwaited";
/// The mode bits that let others change a folder.
const OTHERS_WRITE: u32 = 0o022;
/// The mode of a lock, which others cannot open.
const MODE: u32 = 0o600;

/// Finds the folder of this user's locks.
pub(super) fn folder() -> Option<PathBuf> {
    let named = FOLDERS.into_iter().filter_map(env::var_os).map(PathBuf::from);
    [PathBuf::from(ROOTS)].into_iter().chain(named).find(|folder| is_private(folder))
}

/// Whether this user can write to the folder, and nobody else.
fn is_private(folder: &Path) -> bool {
    let is_own = fs::metadata(folder).is_ok_and(|folder| {
        folder.uid() == Uid::effective().as_raw() && folder.mode() & OTHERS_WRITE == 0
    });
    is_own && access(folder, AccessFlags::W_OK).is_ok()
}

/// Opens the lock of a processor.
pub(super) fn open(folder: &Path, cpu: u32) -> io::Result<File> {
    let mut options = OpenOptions::new();
    options.append(true).create(true).mode(MODE).open(folder.join(format!("{NAME}{cpu}")))
}

/// Returns how long ago a process of another user was waited for in vain. `None` if it never was.
pub(super) fn outwaited(folder: &Path) -> Option<Duration> {
    let written = fs::metadata(folder.join(OUTWAITED)).and_then(|file| file.modified()).ok()?;
    // The clock may have been set back.
    Some(written.elapsed().unwrap_or_default())
}

/// Marks that a process of another user was waited for in vain, until `now`.
pub(super) fn mark_outwaited(folder: &Path, now: SystemTime) {
    let mut options = OpenOptions::new();
    let file = options.append(true).create(true).mode(MODE).open(folder.join(OUTWAITED));
    // Without the mark, the next process waits as well.
    let _ = file.and_then(|file| file.set_modified(now));
}

/// Removes the mark.
pub(super) fn forget_outwaited(folder: &Path) {
    // Another process may have removed it.
    let _ = fs::remove_file(folder.join(OUTWAITED));
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::os::unix::fs::PermissionsExt;

    #[test]
    fn folder_that_others_can_change_has_no_locks() {
        let folder = tempfile::tempdir().unwrap();
        assert!(is_private(folder.path()));
        fs::set_permissions(folder.path(), fs::Permissions::from_mode(0o1777)).unwrap();
        assert!(!is_private(folder.path()));
    }
}
