//! Watches on the folders of a toolchain, which tell whether anything in them has changed.
//!
//! A watch on a folder reports every file in it that is created, removed, moved, written or given
//! another mode or time (`inotify(7)`). It does not report what another host writes to a shared
//! file system, nor a mount that hides the folder. So a file system that may be shared is not
//! watched, and the table of mounts counts too. If a folder cannot be watched, everything is
//! examined every time.

use crate::sandbox::facts::Facts;
use nix::errno::Errno;
use nix::sys::inotify::{AddWatchFlags, InitFlags, Inotify};
use nix::sys::statfs::{
    BTRFS_SUPER_MAGIC, EXT4_SUPER_MAGIC, FsType, OVERLAYFS_SUPER_MAGIC, TMPFS_MAGIC,
    XFS_SUPER_MAGIC, statfs,
};
use std::ffi::OsString;
use std::fs;
use std::path::{Component, Path, PathBuf};

/// Table of this process's mounts.
const MOUNTS: &str = "/proc/self/mountinfo";
/// File systems that only this host writes to.
const LOCAL: [FsType; 5] =
    [BTRFS_SUPER_MAGIC, EXT4_SUPER_MAGIC, OVERLAYFS_SUPER_MAGIC, TMPFS_MAGIC, XFS_SUPER_MAGIC];

/// Maximum number of links that are followed along a path, as in the kernel.
const MAX_LINKS: usize = 40;

/// Watches on folders, and the table of mounts from before the first watch.
#[derive(Debug, Default)]
pub(super) struct Watch {
    /// `None` if a folder could not be watched.
    watches: Option<Inotify>,
    mounts: Option<Vec<u8>>,
    /// The folders that were added, as they were when they were added.
    pub(super) folders: Vec<(OsString, Facts)>,
}

impl Watch {
    /// Makes a watch without folders. A default watch is never quiet.
    pub(super) fn new() -> Self {
        let watches = Inotify::init(InitFlags::IN_NONBLOCK | InitFlags::IN_CLOEXEC).ok();
        Self { watches, mounts: fs::read(MOUNTS).ok(), folders: Vec::new() }
    }

    /// Returns whether every folder that was added could be watched.
    pub(super) fn is_whole(&self) -> bool {
        self.watches.is_some()
    }

    /// Notes the facts of another folder, and watches it. Only changes from now on are seen, so the
    /// caller examines the folder afterwards.
    pub(super) fn add(&mut self, folder: &Path) {
        let facts = folder.symlink_metadata().map(|meta| Facts::of(&meta));
        self.folders.extend(facts.ok().map(|facts| (folder.into(), facts)));
        self.start(folder);
    }

    /// Watches another folder, unless an earlier one could not be watched.
    pub(super) fn start(&mut self, folder: &Path) {
        if self.watches.is_none() {
            return;
        }
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
            // All processes of a user share the limits of inotify, so this can fail.
            is_local && watches.add_watch(folder, changes).is_ok()
        });
    }

    /// Watches what a path leads to: the folder itself or the folder of a file, and the links along
    /// the path. If nothing is there, watches the folder in which a part of the path would appear.
    pub(super) fn add_reached(&mut self, path: &Path) {
        let real = self.add_links(path);
        if let Some(folder) = real.ancestors().find(|above| above.is_dir()) {
            self.add(folder);
        }
    }

    /// Watches the folder of every link along an absolute path. Returns the path without links.
    pub(super) fn add_links(&mut self, path: &Path) -> PathBuf {
        let (mut at, mut links) = (PathBuf::from("/"), 0);
        let mut left: Vec<PathBuf> = parts(path).collect();
        while let Some(name) = left.pop() {
            match fs::read_link(at.join(&name)) {
                Ok(to) if links < MAX_LINKS => {
                    links += 1;
                    self.add(&at);
                    if to.is_absolute() {
                        at = PathBuf::from("/");
                    }
                    left.extend(parts(&to));
                }
                _ if name.as_os_str() == ".." => {
                    at.pop();
                }
                _ => at.push(name),
            }
        }
        at
    }

    /// Returns whether nothing has changed in any of the folders.
    pub(super) fn is_quiet(&self) -> bool {
        let Some(watches) = &self.watches else { return false };
        let is_silent = matches!(watches.read_events(), Err(Errno::EAGAIN));
        is_silent && self.mounts.is_some() && fs::read(MOUNTS).ok() == self.mounts
    }
}

/// The names in a path, the last one first.
fn parts(path: &Path) -> impl Iterator<Item = PathBuf> {
    let is_name =
        |part: &Component<'_>| matches!(part, Component::Normal(_) | Component::ParentDir);
    path.components().rev().filter(is_name).map(|part| PathBuf::from(part.as_os_str()))
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::os::unix::fs::symlink;

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
    fn link_that_leads_elsewhere_is_seen() {
        let folder = tempfile::tempdir().expect("a folder");
        let [old, new] = ["v1", "v2"].map(|name| folder.path().join(name));
        for version in [&old, &new] {
            fs::create_dir(version).expect("a folder");
            fs::write(version.join("ld"), "").expect("a file");
        }
        let (current, tools) = (folder.path().join("current"), folder.path().join("tools"));
        fs::create_dir(&tools).expect("a folder");
        symlink(&old, &current).expect("a link");
        symlink("../current/ld", tools.join("ld")).expect("a link");
        let mut watch = Watch::new();
        watch.add_reached(&tools.join("ld"));
        if watch.watches.is_none() {
            println!("{} is on a file system that may be shared", folder.path().display());
            return;
        }
        assert!(watch.is_quiet());
        symlink(&new, folder.path().join("next")).expect("a link");
        fs::rename(folder.path().join("next"), &current).expect("a link");
        assert!(!watch.is_quiet(), "current leads to v2");
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
