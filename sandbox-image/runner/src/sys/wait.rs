//! Waiting for a child: its descriptor, its wait status and its usage.

use crate::sys::fault::{Result, Stage};
use nix::errno::Errno;
use nix::unistd::Pid;
use std::os::fd::{FromRawFd, OwnedFd};

/// A descriptor of a process, readable once the process has ended.
pub(crate) fn open_pidfd(pid: Pid) -> Result<OwnedFd> {
    // SAFETY: takes plain integers. The kernel has this call since 5.3, and sets O_CLOEXEC.
    let fd = unsafe { libc::syscall(libc::SYS_pidfd_open, pid.as_raw(), 0) };
    let fd = i32::try_from(Errno::result(fd).stage("pidfd_open")?).stage("pidfd_open")?;
    // SAFETY: the kernel has just given this descriptor to us alone.
    Ok(unsafe { OwnedFd::from_raw_fd(fd) })
}

/// Reaps a child, or any child if `pid` is -1. Returns its wait status, and its usage with that of
/// the children it waited for.
pub(crate) fn reap(pid: Pid) -> nix::Result<(i32, libc::rusage)> {
    let mut status = 0;
    // SAFETY: `rusage` is plain integers, for which all zeroes is a value.
    let mut usage: libc::rusage = unsafe { std::mem::zeroed() };
    // SAFETY: both pointers are to live, writable values of the right types.
    let reaped = unsafe { libc::wait4(pid.as_raw(), &raw mut status, 0, &raw mut usage) };
    Errno::result(reaped).map(|_| (status, usage))
}

/// The largest resident set, in bytes.
pub(crate) fn peak_rss_bytes(usage: &libc::rusage) -> u64 {
    u64::try_from(usage.ru_maxrss).unwrap_or(0) * 1024
}
