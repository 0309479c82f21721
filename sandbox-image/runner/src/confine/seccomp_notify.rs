//! Notifies the runner of a program's system calls through seccomp's user notification, see
//! `seccomp_unotify(2)`.
//!
//! A filter stops the calling thread at each call that can make its memory smaller, and at its
//! exit. The runner reads the memory and then lets the call go on. ptrace would have to follow
//! every thread and child, handle their signals and stops, and be allowed in the container. With
//! notifications, a child inherits the filter and only needs an answer.
//!
//! Letting a call go on weakens no other filter: a filter that refuses takes precedence over one
//! that notifies. The filter for all programs is a part of this one.
//!
//! One thing differs from a normal run. A signal may arrive in the microseconds before the runner
//! has received a notification. Then the thread leaves the call, and the call fails with EINTR
//! unless the signal's handler restarts calls.

use crate::confine::control_message::Control;
use crate::confine::seccomp::install::install;
use crate::confine::seccomp::{self, condition, flagged, step, unsigned};
use crate::sys::facts;
use crate::sys::fault::{Fault, Result, Stage};
use nix::errno::Errno;
use nix::poll::{PollFd, PollFlags, PollTimeout, poll};
use nix::unistd::Pid;
use seccompiler::{BpfProgram, SeccompAction, SeccompCmpOp, sock_filter};
use std::collections::BTreeMap;
use std::ffi::c_long;
use std::os::fd::{AsFd, AsRawFd, BorrowedFd, FromRawFd, OwnedFd, RawFd};
use std::os::unix::net::UnixDatagram;

/// The first kernel that can let a call go on after a notification, by major and minor version.
const SINCE: (u32, u32) = (5, 5);
/// Calls that notify the runner, whatever their arguments: those that can make `VmData`, `VmStk`,
/// `VmSize` or the resident set smaller, and those after which the memory is gone. A page fault
/// only adds memory.
const ASKED: [c_long; 13] = [
    libc::SYS_brk,
    libc::SYS_munmap,
    libc::SYS_mremap,
    libc::SYS_mprotect,
    libc::SYS_pkey_mprotect,
    libc::SYS_madvise,
    libc::SYS_remap_file_pages,
    libc::SYS_shmat,
    libc::SYS_shmdt,
    libc::SYS_execve,
    libc::SYS_execveat,
    libc::SYS_exit,
    libc::SYS_exit_group,
];
/// The filter, and a socket pair that transfers its listener. The runner makes both before the
/// fork.
pub(crate) struct NotifyFilter {
    filter: BpfProgram,
    ours: UnixDatagram,
    theirs: UnixDatagram,
}

impl NotifyFilter {
    /// Creates a filter that notifies of calls that `for_programs` allows. `None` if the kernel
    /// cannot let calls go on after a notification.
    pub(crate) fn open(for_programs: &BpfProgram) -> Result<Option<Self>> {
        if version(&facts::kernel()) < Some(SINCE) {
            return Ok(None);
        }
        let mut asked: BTreeMap<_, _> = ASKED.map(|call| (call, Vec::new())).into();
        // Mapping only adds memory, unless it replaces a mapping.
        asked.insert(libc::SYS_mmap, vec![flagged(3, libc::MAP_FIXED)?]);
        // abort(3) ends a program by this call, also after a failed assertion or an uncaught
        // exception.
        let aborts = condition(2, SeccompCmpOp::Eq, unsigned(libc::SIGABRT))?;
        asked.insert(libc::SYS_tgkill, vec![aborts]);
        // The filter compiler does not know the action that we need, so another action stands in
        // for it.
        let mut filter = seccomp::program(asked, SeccompAction::Trace(0))?;
        for step in filter.iter_mut().filter(|step| step.k == libc::SECCOMP_RET_TRACE) {
            step.k = libc::SECCOMP_RET_USER_NOTIF;
        }
        let filter = joined(for_programs, filter)?;
        let (ours, theirs) = UnixDatagram::pair().stage("socket pair")?;
        Ok(Some(Self { filter, ours, theirs }))
    }

    /// Installs the filter in the child, and sends its listener to the runner. From here on the
    /// child must not allocate until the runner listens. So this function uses only the stack, and
    /// the message is put together by hand.
    pub(crate) fn install(&self) -> Result<()> {
        let listener = listening(&self.filter).stage("install the notification filter")?;
        let sent = Control::with([listener.as_raw_fd()]).send(&self.theirs);
        // Without a listener, such calls fail instead of blocking, so the child can report an
        // error.
        drop(listener);
        sent.stage("send the listener")
    }

    /// Receives the listener in the runner, and waits for it as long as the child lives. `None` if
    /// the child ended without sending one.
    pub(crate) fn listener(self, child: &OwnedFd) -> Result<Option<Listener>> {
        let mut fds =
            [self.ours.as_fd(), child.as_fd()].map(|fd| PollFd::new(fd, PollFlags::POLLIN));
        poll(&mut fds, PollTimeout::NONE).stage("wait for the listener")?;
        match receive(&self.ours) {
            Ok(listener) => Ok(Some(Listener(listener))),
            Err(Errno::EAGAIN) => Ok(None),
            Err(errno) => Err(Fault::new("receive the listener", errno)),
        }
    }
}

/// The descriptor that delivers notifications; readable when a thread waits for an answer.
pub(crate) struct Listener(OwnedFd);

/// A thread that waits at a system call.
pub(crate) struct Notification {
    id: u64,
    pub(crate) thread: Pid,
    pub(crate) call: c_long,
}

impl AsFd for Listener {
    fn as_fd(&self) -> BorrowedFd<'_> {
        self.0.as_fd()
    }
}

impl Listener {
    /// Receives a notification. `None` if a signal has already ended the thread's wait.
    pub(crate) fn receive(&self) -> Result<Option<Notification>> {
        // SAFETY: `seccomp_notif` is plain integers, and the kernel requires it to be all zeroes.
        let mut received: libc::seccomp_notif = unsafe { std::mem::zeroed() };
        // SAFETY: this request writes one `seccomp_notif` through its pointer.
        let done = unsafe {
            libc::ioctl(self.0.as_raw_fd(), libc::SECCOMP_IOCTL_NOTIF_RECV, &raw mut received)
        };
        match Errno::result(done) {
            Ok(_) => {
                let thread =
                    Pid::from_raw(i32::try_from(received.pid).stage("receive a notification")?);
                Ok(Some(Notification {
                    id: received.id,
                    thread,
                    call: c_long::from(received.data.nr),
                }))
            }
            Err(Errno::ENOENT | Errno::EINTR) => Ok(None),
            Err(errno) => Err(Fault::new("receive a notification", errno)),
        }
    }

    /// Lets the call go on to the kernel. No other filter is bypassed: one that refuses takes
    /// precedence over this one.
    pub(crate) fn let_go(&self, notification: &Notification) -> Result<()> {
        let flags =
            u32::try_from(libc::SECCOMP_USER_NOTIF_FLAG_CONTINUE).stage("let a call go on")?;
        let mut answer = libc::seccomp_notif_resp { id: notification.id, val: 0, error: 0, flags };
        // SAFETY: this request reads one `seccomp_notif_resp` through its pointer.
        let done = unsafe {
            libc::ioctl(self.0.as_raw_fd(), libc::SECCOMP_IOCTL_NOTIF_SEND, &raw mut answer)
        };
        match Errno::result(done) {
            // A signal has already ended the thread's wait.
            Ok(_) | Err(Errno::ENOENT) => Ok(()),
            Err(errno) => Err(Fault::new("let a call go on", errno)),
        }
    }
}

/// Joins two filters into one, in which `second` judges what `first` allows. A program can see how
/// many filters it has, and must not recognize a memory probe by that.
fn joined(first: &BpfProgram, second: BpfProgram) -> Result<BpfProgram> {
    let mut joined = first.clone();
    let is_allow = |step: &sock_filter| {
        u32::from(step.code) == libc::BPF_RET | libc::BPF_K && step.k == libc::SECCOMP_RET_ALLOW
    };
    for (after, allow) in joined.iter_mut().rev().enumerate().filter(|(_, allow)| is_allow(allow)) {
        let skipped = u32::try_from(after).stage("seccomp filter")?;
        *allow = step(libc::BPF_JMP | libc::BPF_JA, 0, 0, skipped)?;
    }
    joined.extend(second);
    Ok(joined)
}

/// Installs the filter and returns its listener. A signal would make a waiting call fail with
/// EINTR, which no program expects of munmap(2). Since Linux 5.19 the kernel can restrict this to
/// fatal signals, so the filter asks for that.
fn listening(filter: &BpfProgram) -> nix::Result<OwnedFd> {
    let listening = libc::SECCOMP_FILTER_FLAG_NEW_LISTENER;
    let fd = install(filter, listening | libc::SECCOMP_FILTER_FLAG_WAIT_KILLABLE_RECV).or_else(
        |errno| match errno {
            Errno::EINVAL => install(filter, listening),
            _ => Err(errno),
        },
    )?;
    let fd = RawFd::try_from(fd).map_err(|_| Errno::EBADF)?;
    // SAFETY: the kernel has just given this descriptor to us alone.
    Ok(unsafe { OwnedFd::from_raw_fd(fd) })
}

fn receive(from: &UnixDatagram) -> nix::Result<OwnedFd> {
    /// No descriptor.
    const NONE: RawFd = -1;
    let flags = libc::MSG_CMSG_CLOEXEC | libc::MSG_DONTWAIT;
    let mut control = Control::with([NONE]);
    // SAFETY: the message points to live, writable values, as long as it says.
    control.over(|message| unsafe { libc::recvmsg(from.as_raw_fd(), message, flags) })?;
    match control.files {
        [NONE] => Err(Errno::ENOMSG),
        // SAFETY: the kernel has just made this descriptor for us alone.
        [fd] => Ok(unsafe { OwnedFd::from_raw_fd(fd) }),
    }
}

/// The major and minor version of a kernel's release.
fn version(release: &str) -> Option<(u32, u32)> {
    let mut numbers = release.split(|c: char| !c.is_ascii_digit()).map(str::parse);
    Some((numbers.next()?.ok()?, numbers.next()?.ok()?))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn kernel_release_begins_with_its_version() {
        assert_eq!(version("6.18.44-fc-v669"), Some((6, 18)));
        assert_eq!(version("5.5-rc1"), Some((5, 5)));
        assert!(version("5.4.0-generic") < Some(SINCE));
        assert!(version("unknown") < Some(SINCE));
    }
}
