//! Waiting for a child: its descriptor, its wait status and the resources that it used.

use crate::sys::fault::{Result, Stage};
use nix::errno::Errno;
use nix::sys::resource::{UsageWho, getrusage};
use nix::sys::wait::{Id, WaitPidFlag, waitid};
use nix::unistd::Pid;
use runner_protocol::Sample;
use std::ops::{Add, Sub};
use std::os::fd::{FromRawFd, OwnedFd};

/// Resources that a process has used, with those of the children that it waited for.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct Usage {
    pub(crate) user_ns: u64,
    pub(crate) sys_ns: u64,
    /// The largest resident set.
    peak_rss_bytes: u64,
    /// Number of voluntary context switches.
    pub(crate) sleeps: u64,
}

impl Usage {
    /// Reads the usage of this process.
    pub(crate) fn of_self() -> nix::Result<Self> {
        getrusage(UsageWho::RUSAGE_SELF).map(|usage| Self::from(usage.as_ref()))
    }

    /// Adds this usage to the figures of a run.
    pub(crate) fn add_to(self, sample: &mut Sample) {
        sample.user_ns += self.user_ns;
        sample.sys_ns += self.sys_ns;
        sample.peak_rss_bytes = sample.peak_rss_bytes.max(self.peak_rss_bytes);
    }
}

impl From<&libc::rusage> for Usage {
    fn from(usage: &libc::rusage) -> Self {
        let ns = |time: libc::timeval| time.tv_sec * 1_000_000_000 + time.tv_usec * 1_000;
        let count = |value: i64| u64::try_from(value).unwrap_or(0);
        Self {
            user_ns: count(ns(usage.ru_utime)),
            sys_ns: count(ns(usage.ru_stime)),
            peak_rss_bytes: count(usage.ru_maxrss) * 1024,
            sleeps: count(usage.ru_nvcsw),
        }
    }
}

impl Add for Usage {
    type Output = Self;

    /// Sums the usage of two processes.
    fn add(self, other: Self) -> Self {
        Self {
            user_ns: self.user_ns + other.user_ns,
            sys_ns: self.sys_ns + other.sys_ns,
            peak_rss_bytes: self.peak_rss_bytes.max(other.peak_rss_bytes),
            sleeps: self.sleeps + other.sleeps,
        }
    }
}

impl Sub for Usage {
    type Output = Self;

    /// Subtracts an earlier usage of the same process. The peak is that of the whole life.
    fn sub(self, earlier: Self) -> Self {
        Self {
            user_ns: self.user_ns.saturating_sub(earlier.user_ns),
            sys_ns: self.sys_ns.saturating_sub(earlier.sys_ns),
            peak_rss_bytes: self.peak_rss_bytes,
            sleeps: self.sleeps.saturating_sub(earlier.sleeps),
        }
    }
}

/// A descriptor of a process, readable once the process has ended.
pub(crate) fn open_pidfd(pid: Pid) -> Result<OwnedFd> {
    // SAFETY: takes plain integers. The kernel has this call since 5.3, and sets O_CLOEXEC.
    let fd = unsafe { libc::syscall(libc::SYS_pidfd_open, pid.as_raw(), 0) };
    let fd = i32::try_from(Errno::result(fd).stage("pidfd_open")?).stage("pidfd_open")?;
    // SAFETY: the kernel has just given this descriptor to us alone.
    Ok(unsafe { OwnedFd::from_raw_fd(fd) })
}

/// Whether a process is a child of this one that has not been reaped.
pub(crate) fn is_child(pid: Pid) -> bool {
    let looks = WaitPidFlag::WEXITED | WaitPidFlag::WNOHANG | WaitPidFlag::WNOWAIT;
    pid.as_raw() > 0 && waitid(Id::Pid(pid), looks).is_ok()
}

/// Whether this process has a child of any kind, dead or alive.
pub(crate) fn has_children() -> bool {
    let looks = WaitPidFlag::WEXITED | WaitPidFlag::WNOHANG | WaitPidFlag::WNOWAIT;
    waitid(Id::All, looks | WaitPidFlag::__WALL) != Err(Errno::ECHILD)
}

/// Reaps a child, or any child if `pid` is -1. Returns its wait status and its usage.
pub(crate) fn reap(pid: Pid) -> nix::Result<(i32, Usage)> {
    let mut status = 0;
    // SAFETY: `rusage` is plain integers, for which all zeroes is a value.
    let mut usage: libc::rusage = unsafe { std::mem::zeroed() };
    // SAFETY: both pointers are to live, writable values of the right types.
    let reaped = unsafe { libc::wait4(pid.as_raw(), &raw mut status, 0, &raw mut usage) };
    Errno::result(reaped).map(|_| (status, (&usage).into()))
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::process::Command;

    #[test]
    fn child_is_one_until_it_is_reaped() {
        let mut child = Command::new("true").spawn().unwrap();
        let pid = Pid::from_raw(child.id().try_into().unwrap());
        assert!(is_child(pid) && has_children());
        child.wait().unwrap();
        assert!(!is_child(pid));
        for other in [Pid::this(), Pid::parent(), Pid::from_raw(0), Pid::from_raw(-11)] {
            assert!(!is_child(other), "{other}");
        }
    }
}
