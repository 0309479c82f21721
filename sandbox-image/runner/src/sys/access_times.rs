//! Access times, which would tell a run what earlier runs have read.
//!
//! Native sandboxes, and container engines that mount with `noatime`, keep access times in few
//! places: in `/dev` of a container, and for the links of `/proc`.

use super::files::BINARIES;
use nix::fcntl::AT_FDCWD;
use nix::sys::stat::{UtimensatFlags, utimensat};
use nix::sys::statvfs::{FsFlags, statvfs};
use nix::sys::time::TimeSpec;
use runner_protocol::WORK_DIR;
use std::fs;
use std::path::Path;

/// Folders that a program can read, and whose file system may keep access times.
const FOLDERS: [&str; 6] = ["/dev", "/dev/mqueue", "/dev/pts", "/dev/shm", WORK_DIR, BINARIES];
/// The links of `/proc` that stay from run to run.
const LINKS: [&str; 4] = ["/proc/self", "/proc/thread-self", "/proc/mounts", "/proc/net"];
/// An access time in the future: the last one that fits 32 bits. A mount with `relatime` does not
/// update it.
const AHEAD: TimeSpec = TimeSpec::new(i32::MAX as i64, 0);

/// Folders and links that keep access times in this sandbox.
pub(crate) struct AccessTimes {
    folders: Vec<&'static str>,
    links: Vec<&'static str>,
}

impl AccessTimes {
    pub(crate) fn find() -> Self {
        let keeps = |folder: &&str| {
            let flags = statvfs(*folder).map(|it| it.flags());
            flags.is_ok_and(|it| !it.intersects(FsFlags::ST_NOATIME | FsFlags::ST_RDONLY))
        };
        let is_there = |link: &&str| fs::read_link(link).is_ok();
        Self {
            folders: FOLDERS.into_iter().filter(keeps).collect(),
            links: LINKS.into_iter().filter(is_there).collect(),
        }
    }

    /// Makes the access times the same for every run.
    pub(crate) fn forget(&self) {
        // The kernel sets a link's access time when it is read first, and not again on the same day
        // (`relatime`). It sets it again if it is of the same instant as the link, so one reading
        // is not enough.
        for link in &self.links {
            let _ = fs::read_link(link);
        }
        for folder in &self.folders {
            for entry in fs::read_dir(folder).into_iter().flatten().flatten() {
                set(&entry.path());
            }
            set(Path::new(folder));
        }
    }
}

/// Sets a file's access time, unless the file belongs to somebody else, such as a host's device.
fn set(path: &Path) {
    let _ =
        utimensat(AT_FDCWD, path, &AHEAD, &TimeSpec::UTIME_OMIT, UtimensatFlags::NoFollowSymlink);
}
