//! Access times, which would tell a run what earlier runs have read.
//!
//! Native sandboxes, and container engines that mount with `noatime`, keep access times in only two
//! places: in a container's `/dev`, and for the links in `/proc`.

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
/// The links in `/proc` that persist from run to run.
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
        // With `relatime`, the kernel sets a link's access time at the first reading, and then not
        // for a day. But it also does so at the next reading if that time equals the time of the
        // link itself, so one reading is not enough.
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
