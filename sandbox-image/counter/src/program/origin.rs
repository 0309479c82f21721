//! Counts the same program on several inputs, each in a process of its own.
//!
//! This process, the *origin*, loads, links and translates the program up to the first system call
//! that could depend on its input. There it waits on a socket for messages of the runner. Each
//! message brings the stdin, the stdout, the stderr and the result file of one input. For each, the
//! origin forks a process and answers with its id. The new process is a child of the runner, like a
//! process that is started for one count, and goes on from that call. The origin itself executes no
//! more of the program, so nothing that one input does can reach another one.
//!
//! The new process has the limits, the confinement, the signals and the memory of the origin, and
//! no other descriptors than a process that is started. It forgets that it was forked: it begins a
//! session, and the id that the C library remembers is its own. The origin answers no call that
//! returns an id, and it is small. If it cannot be like that, it exits, and the runner starts a
//! process for each input.

use crate::abort;
use crate::context::{RAX, context};
use crate::layout::PAGE;
use crate::program::call::Call;
use crate::program::memory::Memory;
use crate::program::series::calls;
use crate::program::system_calls;
use crate::sys;
use libc::{c_int, c_long};
use std::mem::size_of;

/// Number of descriptors in a message: stdin, stdout, stderr and the result file.
const FILES: usize = 4;
/// Maximum memory of an origin. It counts in the origin and in the forked process.
const MAX_OWN_PAGES: u64 = (16 << 20) / PAGE;
/// Calls that tell a process its id, which is another one after the fork.
const IDS: [c_long; 2] = [libc::SYS_getpid, libc::SYS_gettid];

/// The state of an origin before its first fork.
pub(crate) struct Origin {
    /// The number of files that the program has open. Forked processes would share their offsets.
    open_files: u32,
    /// The call that told the C library the process's id, and where the kernel clears it.
    id: Option<(u64, u64)>,
    /// The list of held locks that the kernel looks at when the process ends.
    locks: Option<[u64; 2]>,
}

/// The descriptors in a message, as `recvmsg` writes them.
#[repr(C)]
struct Control {
    header: libc::cmsghdr,
    files: [c_int; FILES],
}

impl Origin {
    pub(crate) fn begin(socket: c_int) -> Self {
        abort::hide_other(socket);
        // A forked process has the origin's user, and must not open the origin's memory.
        set_dumpable(false);
        Self { open_files: 0, id: None, locks: None }
    }

    /// Answers the program's system call, and returns whether translations are stale now. `None` in
    /// a forked process, in which the call has no answer yet.
    pub(crate) fn handle(&mut self, memory: &mut Memory) -> Option<bool> {
        let call = Call::made();
        if calls::is_early(&call) && !IDS.contains(&call.number) {
            let stale = system_calls::handle(memory);
            self.note(&call);
            return Some(stale);
        }
        let is_small = own_pages().is_some_and(|pages| pages <= MAX_OWN_PAGES);
        if self.open_files > 0 || !is_small {
            abort::exit(abort::UNSUPPORTED);
        }
        loop {
            // The runner has closed its end, or has sent something else.
            let Some(files) = receive() else { abort::exit(0) };
            let flags = sys::word(libc::CLONE_PARENT | libc::SIGCHLD);
            // SAFETY: as `fork`; this process has one thread.
            let forked = unsafe { sys::call(libc::SYS_clone, [flags, 0, 0, 0, 0]) };
            if forked == 0 {
                self.become_a_run(files);
                return None;
            }
            close(files);
            answer(forked);
        }
    }

    /// Notes the effects of an answered call that a fork would share or lose.
    fn note(&mut self, call: &Call) {
        let Ok(result) = sys::value(context().registers[RAX]) else { return };
        let [first, second, ..] = call.arguments;
        match call.number {
            libc::SYS_open | libc::SYS_openat => self.open_files += 1,
            libc::SYS_close => self.open_files = self.open_files.saturating_sub(1),
            libc::SYS_set_tid_address => self.id = Some((result, first)),
            libc::SYS_set_robust_list => self.locks = Some([first, second]),
            _ => {}
        }
    }

    /// Makes this process, which has just been forked, like one that was started for a count.
    fn become_a_run(&self, [stdin, stdout, stderr, result]: [c_int; FILES]) {
        // SAFETY: plain integers; the files and the socket are ours.
        unsafe {
            libc::setsid();
            for (from, to) in [(stdin, 0), (stdout, 1), (stderr, 2)] {
                libc::dup2(from, to);
            }
            libc::dup3(result, abort::descriptor(), libc::O_CLOEXEC);
        }
        abort::take_nonce();
        close([stdin, stdout, stderr, result]);
        abort::close_other();
        set_dumpable(true);
        if let Some((old, place)) = self.id {
            // SAFETY: the program made the same call, and the C library keeps its id in that place.
            // A wrong address ends the process.
            unsafe {
                let id = sys::call(libc::SYS_set_tid_address, [place]);
                let [old, id] = [old, id].map(|id| u32::try_from(id).unwrap_or(0));
                if (place as *const u32).read_unaligned() == old {
                    (place as *mut u32).write_unaligned(id);
                }
            }
        }
        if let Some(locks) = self.locks {
            // SAFETY: the program made the same call.
            unsafe { sys::call(libc::SYS_set_robust_list, locks) };
        }
    }
}

/// Receives the files of the next input. `None` if there is no other, or no files.
fn receive() -> Option<[c_int; FILES]> {
    // SAFETY: all-zero is a valid value of both.
    let (mut control, mut message): (Control, libc::msghdr) = unsafe { std::mem::zeroed() };
    let mut byte = 0_u8;
    let mut part = libc::iovec { iov_base: (&raw mut byte).cast(), iov_len: 1 };
    message.msg_iov = &raw mut part;
    message.msg_iovlen = 1;
    message.msg_control = (&raw mut control).cast();
    message.msg_controllen = size_of::<Control>();
    // SAFETY: the message points to live, writable values, as long as it says.
    let received =
        unsafe { libc::recvmsg(abort::other(), &raw mut message, libc::MSG_CMSG_CLOEXEC) };
    let is_whole = received == 1 && control.header.cmsg_len == size_of::<Control>();
    is_whole.then_some(control.files)
}

/// Tells the runner the id of the forked process, or a negated errno.
fn answer(forked: u64) {
    let [a, b, c, d, ..] = forked.to_le_bytes();
    let bytes = [a, b, c, d];
    let arguments = [sys::word(abort::other()), bytes.as_ptr() as u64, bytes.len() as u64];
    // SAFETY: the kernel reads the bytes, which outlive the call.
    unsafe { sys::call(libc::SYS_write, arguments) };
}

fn close(files: [c_int; FILES]) {
    for file in files {
        // SAFETY: the descriptors are ours, and nothing uses them from now on.
        unsafe { libc::close(file) };
    }
}

fn set_dumpable(is_dumpable: bool) {
    // SAFETY: plain integers.
    unsafe { libc::prctl(libc::PR_SET_DUMPABLE, c_int::from(is_dumpable), 0, 0, 0) };
}

/// The number of pages that a fork shares until one of the processes writes to them, if the kernel
/// tells it: the resident ones that belong to no file.
fn own_pages() -> Option<u64> {
    let text = std::fs::read_to_string("/proc/self/statm").ok()?;
    let mut numbers = text.split(' ').skip(1).map_while(|number| number.parse::<u64>().ok());
    let (resident, of_files) = (numbers.next()?, numbers.next()?);
    Some(resident.saturating_sub(of_files))
}
