//! Moves the kernel's counter of inode numbers by a random number, so that the numbers of pipes say
//! little about what programs did in another sandbox.
//!
//! The kernel numbers pipes, sockets and other files of no folder with one counter for all
//! sandboxes, of which each processor takes 1,024 numbers at a time. No call sets it.

use crate::process::context::ProcessContext;
use crate::process::spawn::{self, ITSELF};
use crate::sys::fault::{Result, Stage};
use nix::errno::Errno;
use std::collections::BTreeSet;

/// Number of steps by which the counter moves, minus one at most; a power of two. A step takes
/// 1.4 µs, so all take 3 ms at most. A program needs 4.5 µs, because it has no socket and makes
/// pipes. The kernel frees what the steps have used, 832 bytes each, only after some milliseconds,
/// and until then the sandbox's cgroup holds these 1.7 MB.
const STEPS: u16 = 1 << 11;

/// The processors on which the counter has been moved, `None` for this process's own.
#[derive(Default)]
pub(crate) struct InodeCounter(BTreeSet<Option<u32>>);

impl InodeCounter {
    /// Moves the counter before the first run on `core`.
    pub(crate) fn move_once(&mut self, context: &ProcessContext, core: Option<u32>) -> Result<()> {
        if !self.0.insert(core) {
            return Ok(());
        }
        let steps = random()? % STEPS;
        if let Some(core) = core {
            spawn::pin(&[core])?;
        }
        for _ in 0..steps {
            step();
        }
        spawn::set_affinity(ITSELF, &context.cores.get())
    }
}

/// Takes one number. With a protocol that sockets of this host lack, the kernel makes an inode and
/// no socket, which takes a third of the time of a pipe.
fn step() {
    let mut none = [0; 2];
    // SAFETY: the array has room for two descriptors, but the call fails.
    unsafe {
        libc::socketpair(libc::AF_UNIX, libc::SOCK_STREAM, libc::IPPROTO_TCP, none.as_mut_ptr())
    };
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
