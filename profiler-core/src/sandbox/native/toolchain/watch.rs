//! Watches on the folders of a toolchain, which tell whether anything in them has changed.
//!
//! A watch on a folder reports every file in it that is created, removed, moved, written or given
//! another mode or time (`inotify(7)`). It does not report what another host writes to a shared
//! file system, nor a mount that hides the folder. So a file system that may be shared is not
//! watched, and the table of mounts counts too. Without a watch on everything, everything is read.

use nix::errno::Errno;
use nix::sys::inotify::{AddWatchFlags, InitFlags, Inotify};
use nix::sys::statfs::{
    BTRFS_SUPER_MAGIC, EXT4_SUPER_MAGIC, FsType, OVERLAYFS_SUPER_MAGIC, TMPFS_MAGIC,
    XFS_SUPER_MAGIC, statfs,
};
use std::fs;
use std::path::Path;

/// Table of this process's mounts.
const MOUNTS: &str = "/proc/self/mountinfo";
/// File systems that only this host writes to.
const LOCAL: [FsType; 5] =
    [BTRFS_SUPER_MAGIC, EXT4_SUPER_MAGIC, OVERLAYFS_SUPER_MAGIC, TMPFS_MAGIC, XFS_SUPER_MAGIC];

/// Watches on folders, and the mounts when the first of them was made.
#[derive(Debug)]
pub(super) struct Watch {
    /// `None` if a folder could not be watched.
    watches: Option<Inotify>,
    mounts: Option<Vec<u8>>,
}

impl Watch {
    /// Watches nothing yet.
    pub(super) fn new() -> Self {
        let watches = Inotify::init(InitFlags::IN_NONBLOCK | InitFlags::IN_CLOEXEC).ok();
        Self { watches, mounts: fs::read(MOUNTS).ok() }
    }

    /// Watches a folder too. Changes from now on count, so the folder is read afterwards.
    pub(super) fn add(&mut self, folder: &Path) {
        let changes = AddWatchFlags::IN_ATTRIB
            | AddWatchFlags::IN_CLOSE_WRITE
            | AddWatchFlags::IN_CREATE
            | AddWatchFlags::IN_DELETE
            | AddWatchFlags::IN_DELETE_SELF
            | AddWatchFlags::IN_MODIFY
            | AddWatchFlags::IN_MOVE
            | AddWatchFlags::IN_MOVE_SELF
            | AddWatchFlags::IN_ONLYDIR;
        let is_local = statfs(folder).is_ok_and(|is| LOCAL.contains(&is.filesystem_type()));
        self.watches = self.watches.take().filter(|watches| {
            // The limits of inotify are those of all processes of a user.
            is_local && watches.add_watch(folder, changes).is_ok()
        });
    }

    /// Returns whether nothing has changed in any of the folders.
    pub(super) fn is_quiet(&self) -> bool {
        let Some(watches) = &self.watches else { return false };
        let is_silent = matches!(watches.read_events(), Err(Errno::EAGAIN));
        is_silent && self.mounts.is_some() && fs::read(MOUNTS).ok() == self.mounts
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_kind_of_change_is_seen() {
        let folder = tempfile::tempdir().expect("a folder");
        let (file, other) = (folder.path().join("a.h"), folder.path().join("b.h"));
        fs::write(&file, "1").expect("a file");
        let watch = || {
            let mut watch = Watch::new();
            watch.add(folder.path());
            watch
        };
        if watch().watches.is_none() {
            println!("{} is on a file system that may be shared", folder.path().display());
            return;
        }
        let changes: [(&str, &dyn Fn() -> std::io::Result<()>); 6] = [
            ("written in place", &|| fs::write(&file, "22")),
            ("given another time", &|| {
                fs::File::options().write(true).open(&file)?.set_modified(std::time::UNIX_EPOCH)
            }),
            ("added", &|| fs::write(&other, "")),
            ("replaced", &|| fs::rename(&other, &file)),
            ("a new folder", &|| fs::create_dir(&other)),
            ("removed", &|| fs::remove_file(&file)),
        ];
        for (change, make) in changes {
            let watch = watch();
            assert!(watch.is_quiet(), "before: {change}");
            make().expect(change);
            assert!(!watch.is_quiet(), "{change}");
        }
    }

    #[test]
    fn folder_that_cannot_be_watched_is_never_quiet() {
        let mut watch = Watch::new();
        watch.add(Path::new("/proc/self"));
        assert!(!watch.is_quiet());
        let mut watch = Watch::new();
        watch.add(Path::new("/there/is/none"));
        assert!(!watch.is_quiet());
    }
}
