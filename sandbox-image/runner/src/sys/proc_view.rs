//! The runner's own view of `/proc`.
//!
//! In a native sandbox, `/proc` shows a program its own processes and nothing of the host. The
//! runner holds another mount, which shows everything and which no path leads to.

use crate::sys::fault::{Result, Stage};
use nix::fcntl::{FcntlArg, FdFlag, fcntl};
use nix::sys::prctl;
use std::fmt::Display;
use std::io;
use std::os::fd::{AsRawFd, FromRawFd, OwnedFd, RawFd};
use std::sync::OnceLock;

/// The folder of the runner's own mount, if there is one.
static WHOLE: OnceLock<OwnedFd> = OnceLock::new();

/// Makes `folder` the view of this process.
pub(crate) fn keep(folder: OwnedFd) {
    // A process enters one sandbox, so nothing was kept before.
    let _ = WHOLE.set(folder);
}

/// Keeps the folder that is open as `fd`, and closes it at exec.
pub(crate) fn inherit(fd: RawFd) -> Result<()> {
    // SAFETY: the runner has opened this descriptor for this process, which has no other name for
    // it.
    let folder = unsafe { OwnedFd::from_raw_fd(fd) };
    fcntl(&folder, FcntlArg::F_SETFD(FdFlag::FD_CLOEXEC)).stage("keep /proc")?;
    keep(folder);
    Ok(())
}

/// Duplicates the folder's descriptor for another process of ours.
pub(crate) fn duplicate() -> Result<Option<OwnedFd>> {
    WHOLE.get().map(OwnedFd::try_clone).transpose().stage("hand over /proc")
}

/// Opens or writes one of this process's own files in `/proc`. An undumpable process's files belong
/// to the host's root, so this process is dumpable for a moment.
pub(crate) fn while_dumpable<T>(access: impl FnOnce() -> io::Result<T>) -> io::Result<T> {
    prctl::set_dumpable(true)?;
    let accessed = access();
    prctl::set_dumpable(false)?;
    accessed
}

/// The path of `entry` of `/proc`.
pub(crate) fn path(entry: impl Display) -> String {
    match WHOLE.get() {
        Some(folder) => format!("/proc/self/fd/{}/{entry}", folder.as_raw_fd()),
        None => format!("/proc/{entry}"),
    }
}
