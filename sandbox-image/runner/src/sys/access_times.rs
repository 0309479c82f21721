//! Access times, which would tell a run what earlier runs have read.
//!
//! Native sandboxes and Docker's containers, whose folders are mounted with `noatime`, keep access
//! times only for the links in `/proc`. Podman's containers also keep them in `/dev` and in the
//! runner's folders.

use super::files::BINARIES;
use crate::sys::fault::{Result, Stage};
use nix::fcntl::AT_FDCWD;
use nix::sys::stat::{UtimensatFlags, utimensat};
use nix::sys::statvfs::{FsFlags, statvfs};
use nix::sys::time::TimeSpec;
use runner_protocol::WORK_DIR;
use std::cell::RefCell;
use std::ffi::OsString;
use std::fs::{self, File, OpenOptions};
use std::os::unix::fs::{MetadataExt, OpenOptionsExt};
use std::time::{Duration, SystemTime};

/// Folders that a program can read, and whose file system may keep access times.
const FOLDERS: [&str; 6] = ["/dev", "/dev/mqueue", "/dev/pts", "/dev/shm", WORK_DIR, BINARIES];
/// The links in `/proc` that persist from run to run.
const LINKS: [&str; 4] = ["/proc/self", "/proc/thread-self", "/proc/mounts", "/proc/net"];
/// An access time in the future: the last one that fits 32 bits. A mount with `relatime` does not
/// update it.
const AHEAD: TimeSpec = TimeSpec::new(i32::MAX as i64, 0);
/// Time after which a link is read again. With `relatime`, the kernel updates its access time after
/// a day.
const SETTLED: Duration = Duration::from_secs(12 * 60 * 60);

/// Folders and links that keep access times in this sandbox.
pub(crate) struct AccessTimes {
    folders: RefCell<Vec<Folder>>,
    links: RefCell<Vec<Link>>,
}

impl AccessTimes {
    pub(crate) fn find() -> Result<Self> {
        let keeps = |folder: &&str| {
            let flags = statvfs(*folder).map(|it| it.flags());
            flags.is_ok_and(|it| !it.intersects(FsFlags::ST_NOATIME | FsFlags::ST_RDONLY))
        };
        let is_there = |link: &&str| fs::read_link(link).is_ok();
        let folders = FOLDERS.into_iter().filter(keeps).map(Folder::open);
        let links = LINKS.into_iter().filter(is_there).map(Link::open);
        Ok(Self {
            folders: RefCell::new(folders.collect::<Result<_>>()?),
            links: RefCell::new(links.collect::<Result<_>>()?),
        })
    }

    /// Makes the access times the same for every run.
    pub(crate) fn forget(&self) {
        for link in self.links.borrow_mut().iter_mut() {
            link.settle();
        }
        for folder in self.folders.borrow_mut().iter_mut() {
            folder.forget();
        }
    }
}

/// A link whose access time no program can change once it is settled.
struct Link {
    path: &'static str,
    /// The link itself. While it is open, the kernel keeps its times.
    open: File,
    /// The access time, if the kernel leaves it as it is for a day.
    settled: Option<SystemTime>,
}

impl Link {
    fn open(path: &'static str) -> Result<Self> {
        Ok(Self { path, open: pinned(path)?, settled: None })
    }

    /// With `relatime`, the kernel sets a link's access time at the first reading, and then not for
    /// a day. But it also does so at the next reading if that time equals the time of the link
    /// itself, so one reading may not be enough.
    fn settle(&mut self) {
        let is_settled = |at: SystemTime| at.elapsed().is_ok_and(|age| age < SETTLED);
        if self.settled.is_some_and(is_settled) {
            return;
        }
        let _ = fs::read_link(self.path);
        self.settled = self.open.metadata().ok().and_then(|link| {
            let accessed = (link.atime(), link.atime_nsec());
            let is_later = accessed > (link.mtime(), link.mtime_nsec())
                && accessed > (link.ctime(), link.ctime_nsec());
            link.accessed().ok().filter(|_| is_later)
        });
    }
}

/// A folder whose entries have access times.
struct Folder {
    path: &'static str,
    open: File,
    /// The folder's entries, and its modification time when they were listed. Every new entry
    /// changes that time.
    listed: Option<(SystemTime, Vec<OsString>)>,
}

impl Folder {
    fn open(path: &'static str) -> Result<Self> {
        Ok(Self { path, open: pinned(path)?, listed: None })
    }

    /// Sets all access times, even those that no run has changed: setting an access time changes
    /// the time of the file's last change, which would tell which files an earlier run has read.
    fn forget(&mut self) {
        let modified = self.open.metadata().and_then(|metadata| metadata.modified()).ok();
        if self.listed.as_ref().map(|(then, _)| *then) != modified || modified.is_none() {
            let entries = fs::read_dir(self.path).into_iter().flatten().flatten();
            let names = entries.map(|entry| entry.file_name()).collect();
            self.listed = modified.map(|modified| (modified, names));
        }
        let (omit, itself) = (TimeSpec::UTIME_OMIT, UtimensatFlags::NoFollowSymlink);
        // A file that belongs to somebody else, such as a host's device, stays as it is.
        for name in self.listed.iter().flat_map(|(_, names)| names) {
            let _ = utimensat(&self.open, name.as_os_str(), &AHEAD, &omit, itself);
        }
        let _ = utimensat(AT_FDCWD, self.path, &AHEAD, &omit, itself);
    }
}

/// Opens a file or a link itself, without reading it.
fn pinned(path: &str) -> Result<File> {
    let mut pin = OpenOptions::new();
    pin.read(true).custom_flags(libc::O_PATH | libc::O_NOFOLLOW);
    pin.open(path).stage("look at access times")
}
