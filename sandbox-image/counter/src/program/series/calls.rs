//! Judges the program's system calls for a series of inputs.
//!
//! [`is_early`] and [`is_undone`] accept only calls that are known to be harmless. Any other call
//! is assumed to depend on the input and to leave something behind.

use crate::abort;
use crate::program::call::{Call, low};
use crate::sys;
use libc::{c_char, c_int, c_long};
use std::ffi::CStr;

/// The last of stdin, stdout and stderr.
const LAST_STANDARD: u64 = 2;
/// The first number that is not a descriptor.
const BEYOND: u64 = 1 << 31;
/// Folders with the files of the loader and the libraries. A file elsewhere could be the input.
const LIBRARIES: [&[u8]; 5] = [b"/lib", b"/usr/lib", b"/usr/share", b"/usr/local/lib", b"/etc/"];
/// Advice for `madvise` that changes only the content of memory, or nothing that a program could
/// notice.
const ADVICE: [c_int; 9] = [
    libc::MADV_NORMAL,
    libc::MADV_RANDOM,
    libc::MADV_SEQUENTIAL,
    libc::MADV_WILLNEED,
    libc::MADV_DONTNEED,
    libc::MADV_FREE,
    libc::MADV_HUGEPAGE,
    libc::MADV_NOHUGEPAGE,
    libc::MADV_COLD,
];
/// Requests of `ioctl` by which libraries find out whether a file is a terminal, and how much of it
/// is left.
const QUESTIONS: [u64; 3] = [libc::TCGETS, libc::TIOCGWINSZ, libc::FIONREAD];

/// Calls that change nothing, and whose answers do not depend on the input.
const FACTS: [c_long; 17] = [
    libc::SYS_getpid,
    libc::SYS_gettid,
    libc::SYS_getppid,
    libc::SYS_getuid,
    libc::SYS_geteuid,
    libc::SYS_getgid,
    libc::SYS_getegid,
    libc::SYS_uname,
    libc::SYS_getrandom,
    libc::SYS_getrlimit,
    libc::SYS_sched_getaffinity,
    libc::SYS_clock_getres,
    libc::SYS_futex,
    // The counter answers rseq, clone3 and brk itself.
    libc::SYS_rseq,
    libc::SYS_clone3,
    libc::SYS_brk,
    libc::SYS_membarrier,
];
/// Calls whose effects are in the snapshot if they come before it.
const STATE: [c_long; 9] = [
    libc::SYS_mprotect,
    libc::SYS_munmap,
    libc::SYS_mremap,
    libc::SYS_arch_prctl,
    libc::SYS_set_tid_address,
    libc::SYS_set_robust_list,
    libc::SYS_rt_sigaction,
    libc::SYS_rt_sigprocmask,
    libc::SYS_sigaltstack,
];
/// Calls that only query, whatever their arguments are. The answers may depend on the input or on
/// the time.
const QUERIES: [c_long; 22] = [
    libc::SYS_stat,
    libc::SYS_lstat,
    libc::SYS_newfstatat,
    libc::SYS_statx,
    libc::SYS_access,
    libc::SYS_faccessat,
    libc::SYS_faccessat2,
    libc::SYS_readlink,
    libc::SYS_readlinkat,
    libc::SYS_poll,
    libc::SYS_ppoll,
    libc::SYS_select,
    libc::SYS_pselect6,
    libc::SYS_clock_gettime,
    libc::SYS_gettimeofday,
    libc::SYS_time,
    libc::SYS_times,
    libc::SYS_getrusage,
    libc::SYS_nanosleep,
    libc::SYS_clock_nanosleep,
    libc::SYS_sched_yield,
    libc::SYS_mincore,
];
/// Calls that read or write a file at the descriptor in their first argument.
const FILES: [c_long; 12] = [
    libc::SYS_read,
    libc::SYS_readv,
    libc::SYS_pread64,
    libc::SYS_preadv,
    libc::SYS_preadv2,
    libc::SYS_write,
    libc::SYS_writev,
    libc::SYS_pwrite64,
    libc::SYS_pwritev,
    libc::SYS_pwritev2,
    libc::SYS_lseek,
    libc::SYS_fstat,
];

/// Whether a call may come before the snapshot: it does not depend on the input, and its effects
/// are in the snapshot.
pub(crate) fn is_early(call: &Call) -> bool {
    let [first, second, third, flags, descriptor, _] = call.arguments;
    // A file that was opened before the snapshot is not the input.
    let is_opened = |it: u64| (LAST_STANDARD + 1..BEYOND).contains(&it) && !abort::hides(it);
    match call.number {
        libc::SYS_mmap => {
            let is_private = flags & sys::word(libc::MAP_TYPE) == sys::word(libc::MAP_PRIVATE);
            let is_anonymous = flags & sys::word(libc::MAP_ANONYMOUS) != 0;
            is_private && (is_anonymous || is_opened(low(descriptor)))
        }
        libc::SYS_open => is_reading(second) && is_library(first),
        libc::SYS_openat => is_reading(third) && is_library(second),
        libc::SYS_newfstatat if flags & sys::word(libc::AT_EMPTY_PATH) != 0 => {
            is_opened(low(first)) && is_text(second, <[u8]>::is_empty)
        }
        libc::SYS_newfstatat | libc::SYS_faccessat | libc::SYS_faccessat2 => is_library(second),
        libc::SYS_access | libc::SYS_stat => is_library(first),
        libc::SYS_read | libc::SYS_pread64 | libc::SYS_fstat | libc::SYS_close => {
            is_opened(low(first))
        }
        libc::SYS_madvise => is_harmless_advice(third),
        libc::SYS_prlimit64 => third == 0,
        number => FACTS.contains(&number) || STATE.contains(&number),
    }
}

/// Whether the restored snapshot undoes all effects of a call. For changes of mappings,
/// [`Snapshot::covers`](super::snapshot::Snapshot::covers) decides too.
pub(crate) fn is_undone(call: &Call) -> bool {
    let [first, second, third, _, descriptor, _] = call.arguments;
    let is_standard = |it: u64| low(it) <= LAST_STANDARD;
    match call.number {
        libc::SYS_mmap => {
            call.arguments[3] & sys::word(libc::MAP_ANONYMOUS) != 0 || is_standard(descriptor)
        }
        libc::SYS_mprotect | libc::SYS_munmap | libc::SYS_mremap => true,
        libc::SYS_ioctl => is_standard(first) && QUESTIONS.contains(&second),
        libc::SYS_fcntl => {
            let asks = [libc::F_GETFD, libc::F_GETFL].map(sys::word).contains(&low(second));
            is_standard(first) && asks
        }
        libc::SYS_madvise => is_harmless_advice(third),
        libc::SYS_prlimit64 => third == 0,
        number if FILES.contains(&number) => is_standard(first),
        number => FACTS.contains(&number) || QUERIES.contains(&number),
    }
}

fn is_harmless_advice(advice: u64) -> bool {
    ADVICE.map(sys::word).contains(&low(advice))
}

/// Whether these flags open a file only for reading.
fn is_reading(flags: u64) -> bool {
    let other = libc::O_ACCMODE | libc::O_CREAT | libc::O_TRUNC | libc::O_PATH;
    flags & sys::word(other) == sys::word(libc::O_RDONLY)
}

/// Whether the path at an address is that of a library, without a `..` that could lead to another
/// file.
fn is_library(path: u64) -> bool {
    let leads_away = |path: &[u8]| path.windows(2).any(|two| two == b"..");
    is_text(path, |path| {
        LIBRARIES.iter().any(|folder| path.starts_with(folder)) && !leads_away(path)
    })
}

/// Whether a condition holds for the text at an address of the program.
fn is_text(address: u64, holds: impl FnOnce(&[u8]) -> bool) -> bool {
    // The kernel says whether the address can be read.
    // SAFETY: the call only reads it.
    let found = unsafe { sys::call(libc::SYS_access, [address, 0]) };
    // SAFETY: the kernel has just read this text.
    sys::value(found) != Err(libc::EFAULT)
        && holds(unsafe { CStr::from_ptr(address as *const c_char) }.to_bytes())
}
