//! Moves counters of the kernel that all sandboxes share by random numbers, so that they say little
//! about what programs did in another sandbox. No call sets these counters.

use crate::process::context::ProcessContext;
use crate::process::spawn::{self, ITSELF};
use crate::sys::fault::{Result, Stage};
use nix::errno::Errno;
use nix::sched::{CloneFlags, clone};
use nix::sys::wait::waitpid;
use nix::unistd;
use std::collections::BTreeSet;

/// Exclusive bound of the inode numbers that are left out: a power of two, so that each amount is
/// equally likely. One takes 1.4 µs, so all take 1.5 ms at most. A program, which has no socket,
/// needs 4.5 µs for a pipe. The kernel frees what they have used, 832 bytes each, only after some
/// milliseconds, and until then the sandbox's cgroup holds these 0.9 MB: peaks of
/// memory allow for 1 MiB.
const INODES: u16 = 1 << 10;
/// Exclusive bound of the processes that are left out, also a power of two. One takes 40 µs, so all
/// take 3 ms at most.
const PROCESSES: u16 = 1 << 6;

/// The processors on which the counters have been moved, `None` for this process's own.
#[derive(Default)]
pub(crate) struct HostCounters(BTreeSet<Option<u32>>);

impl HostCounters {
    /// Moves the counters before the first run on `core`. The kernel numbers pipes, sockets and
    /// other files of no folder with one counter, of which each processor takes 1,024 numbers at a
    /// time.
    pub(crate) fn move_once(&mut self, context: &ProcessContext, core: Option<u32>) -> Result<()> {
        if !self.0.insert(core) {
            return Ok(());
        }
        if let Some(core) = core {
            spawn::pin(&[core])?;
        }
        let moved = leave_out(context);
        spawn::set_affinity(ITSELF, &context.cores.get())?;
        moved
    }
}

/// Leaves out random amounts of inode numbers and of processes.
fn leave_out(context: &ProcessContext) -> Result<()> {
    for _ in 0..random()? % INODES {
        leave_out_inode();
    }
    for _ in 0..random()? % PROCESSES {
        leave_out_process(&mut context.stack.borrow_mut())?;
    }
    Ok(())
}

/// Takes an inode number. With a protocol that sockets of this host lack, the kernel makes an inode
/// and no socket, which takes a third of the time of a pipe.
fn leave_out_inode() {
    let mut none = [0; 2];
    // SAFETY: the array has room for two descriptors, but the call fails.
    unsafe {
        libc::socketpair(libc::AF_UNIX, libc::SOCK_STREAM, libc::IPPROTO_TCP, none.as_mut_ptr())
    };
}

/// Takes the number of a process and that of a session, which has an autogroup.
fn leave_out_process(stack: &mut [u8]) -> Result<()> {
    let in_child = Box::new(|| {
        // A refusal leaves a counter where it is.
        let _ = unistd::setsid();
        0
    });
    let borrows = CloneFlags::CLONE_VM | CloneFlags::CLONE_VFORK;
    // SAFETY: this process has one thread, which is suspended until the child has ended. So the
    // child has the memory to itself, and it has a stack of its own.
    let pid = unsafe { clone(in_child, stack, borrows, Some(libc::SIGCHLD)) };
    waitpid(pid.stage("clone")?, None).stage("reap a child").map(drop)
}

/// A random number from the kernel.
fn random() -> Result<u16> {
    let mut bytes = [0; size_of::<u16>()];
    // SAFETY: the buffer has room for as many bytes as the kernel is asked for. It gives as many,
    // because it gives up to 256 at once.
    let read = unsafe { libc::getrandom(bytes.as_mut_ptr().cast(), bytes.len(), 0) };
    Errno::result(read).stage("get a random number")?;
    Ok(u16::from_ne_bytes(bytes))
}
