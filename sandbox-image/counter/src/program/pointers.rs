//! Arguments of system calls by which the kernel would access memory for the program.
//!
//! Beyond [`ADDRESSES_END`] there is nothing for the program. The kernel would read and write the
//! counter's memory there, or say whether an address has any.

use crate::layout::ADDRESSES_END;
use crate::program::call::{Call, low};
use crate::sys;
use libc::c_long;

/// Arguments that are pointers: a bit for each, the first argument is the lowest. Of all other
/// calls, every argument is taken for a pointer.
const POINTERS: [(u8, &[c_long]); 16] = [
    (
        0,
        &[
            libc::SYS_close,
            libc::SYS_close_range,
            libc::SYS_dup,
            libc::SYS_dup2,
            libc::SYS_dup3,
            libc::SYS_lseek,
            libc::SYS_fsync,
            libc::SYS_fdatasync,
            libc::SYS_ftruncate,
            libc::SYS_fchmod,
            libc::SYS_fchdir,
            libc::SYS_fallocate,
            libc::SYS_fadvise64,
            libc::SYS_flock,
            libc::SYS_getpid,
            libc::SYS_gettid,
            libc::SYS_getppid,
            libc::SYS_getuid,
            libc::SYS_geteuid,
            libc::SYS_getgid,
            libc::SYS_getegid,
            libc::SYS_getpgrp,
            libc::SYS_getpgid,
            libc::SYS_getsid,
            libc::SYS_setsid,
            libc::SYS_setpgid,
            libc::SYS_getpriority,
            libc::SYS_kill,
            libc::SYS_tkill,
            libc::SYS_tgkill,
            libc::SYS_alarm,
            libc::SYS_pause,
            libc::SYS_sched_yield,
            libc::SYS_sched_getscheduler,
            libc::SYS_sched_get_priority_max,
            libc::SYS_sched_get_priority_min,
            libc::SYS_mlockall,
            libc::SYS_munlockall,
            libc::SYS_epoll_create1,
            libc::SYS_eventfd2,
            libc::SYS_timerfd_create,
            libc::SYS_timer_delete,
            libc::SYS_umask,
            libc::SYS_exit,
            libc::SYS_exit_group,
            libc::SYS_membarrier,
            // Their own rules follow.
            libc::SYS_mmap,
            libc::SYS_mprotect,
            libc::SYS_pkey_mprotect,
            libc::SYS_munmap,
            libc::SYS_mremap,
            libc::SYS_madvise,
            libc::SYS_msync,
            libc::SYS_mlock,
            libc::SYS_mlock2,
            libc::SYS_munlock,
            libc::SYS_brk,
            libc::SYS_clone,
            libc::SYS_fork,
            libc::SYS_vfork,
            libc::SYS_execve,
            libc::SYS_execveat,
            libc::SYS_remap_file_pages,
        ],
    ),
    (
        0b1,
        &[
            libc::SYS_open,
            libc::SYS_creat,
            libc::SYS_truncate,
            libc::SYS_chmod,
            libc::SYS_access,
            libc::SYS_chdir,
            libc::SYS_mkdir,
            libc::SYS_rmdir,
            libc::SYS_unlink,
            libc::SYS_time,
            libc::SYS_times,
            libc::SYS_uname,
            libc::SYS_sysinfo,
            libc::SYS_getrandom,
            libc::SYS_getcwd,
            libc::SYS_pipe,
            libc::SYS_pipe2,
            libc::SYS_poll,
            libc::SYS_set_tid_address,
            libc::SYS_set_robust_list,
        ],
    ),
    (
        0b10,
        &[
            libc::SYS_read,
            libc::SYS_write,
            libc::SYS_pread64,
            libc::SYS_pwrite64,
            libc::SYS_readv,
            libc::SYS_writev,
            libc::SYS_preadv,
            libc::SYS_pwritev,
            libc::SYS_preadv2,
            libc::SYS_pwritev2,
            libc::SYS_openat,
            libc::SYS_faccessat,
            libc::SYS_faccessat2,
            libc::SYS_fstat,
            libc::SYS_fstatfs,
            libc::SYS_getdents64,
            libc::SYS_unlinkat,
            libc::SYS_mkdirat,
            libc::SYS_fchmodat,
            libc::SYS_clock_gettime,
            libc::SYS_clock_getres,
            libc::SYS_getrlimit,
            libc::SYS_setrlimit,
            libc::SYS_getrusage,
            libc::SYS_arch_prctl,
            libc::SYS_getgroups,
            libc::SYS_getitimer,
            libc::SYS_timer_gettime,
            libc::SYS_timerfd_gettime,
            libc::SYS_sched_getparam,
            libc::SYS_epoll_wait,
        ],
    ),
    (
        0b11,
        &[
            libc::SYS_stat,
            libc::SYS_lstat,
            libc::SYS_readlink,
            libc::SYS_rename,
            libc::SYS_link,
            libc::SYS_symlink,
            libc::SYS_statfs,
            libc::SYS_nanosleep,
            libc::SYS_gettimeofday,
            libc::SYS_sigaltstack,
        ],
    ),
    (
        0b100,
        &[
            libc::SYS_ioctl,
            libc::SYS_fcntl,
            libc::SYS_sched_getaffinity,
            libc::SYS_sendfile,
            libc::SYS_mincore,
        ],
    ),
    (
        0b110,
        &[
            libc::SYS_newfstatat,
            libc::SYS_readlinkat,
            libc::SYS_rt_sigaction,
            libc::SYS_rt_sigprocmask,
            libc::SYS_setitimer,
            libc::SYS_timer_create,
        ],
    ),
    (0b101, &[libc::SYS_symlinkat]),
    (0b111, &[libc::SYS_getcpu]),
    (0b1000, &[libc::SYS_epoll_ctl]),
    (
        0b1010,
        &[
            libc::SYS_copy_file_range,
            libc::SYS_splice,
            libc::SYS_linkat,
            libc::SYS_renameat,
            libc::SYS_renameat2,
            libc::SYS_wait4,
        ],
    ),
    (
        0b1100,
        &[
            libc::SYS_prlimit64,
            libc::SYS_clock_nanosleep,
            libc::SYS_timer_settime,
            libc::SYS_timerfd_settime,
        ],
    ),
    (0b1101, &[libc::SYS_ppoll]),
    (0b1_0010, &[libc::SYS_statx, libc::SYS_epoll_pwait]),
    (0b1_1001, &[libc::SYS_futex]),
    (0b1_1110, &[libc::SYS_select, libc::SYS_prctl]),
    (0b11_1110, &[libc::SYS_pselect6]),
];
/// Calls with a list of pointers, each followed by a length: the arguments with the list's address
/// and with its length.
const LISTS: [(usize, Option<usize>, &[c_long]); 2] = [
    (
        1,
        Some(2),
        &[
            libc::SYS_readv,
            libc::SYS_writev,
            libc::SYS_preadv,
            libc::SYS_pwritev,
            libc::SYS_preadv2,
            libc::SYS_pwritev2,
        ],
    ),
    (5, None, &[libc::SYS_pselect6]),
];
/// Maximum length of a list; the kernel refuses longer ones.
const LONGEST_LIST: u64 = 1024;
/// Size of a pointer and a length, in bytes.
const ENTRY_BYTES: u64 = 16;

/// Whether a call would make the kernel access memory beyond the program's addresses.
pub(crate) fn lead_beyond(call: &Call) -> bool {
    let pointers = pointers(call);
    let is_pointer = |at: &usize| pointers & 1 << at != 0;
    let mut direct = (0..call.arguments.len()).filter(is_pointer).map(|at| call.arguments[at]);
    direct.any(|pointer| pointer >= ADDRESSES_END) || list_leads_beyond(call)
}

/// Whether the first argument of the calls with this number is known to be a pointer.
pub(crate) fn is_first(number: c_long) -> bool {
    POINTERS.iter().any(|(pointers, calls)| pointers & 1 != 0 && calls.contains(&number))
}

/// The arguments that are pointers, as in [`POINTERS`]. The C library leaves other arguments, and
/// those that a command does not use, as they are in the registers.
fn pointers(call: &Call) -> u8 {
    const WAKE: u64 = libc::FUTEX_WAKE as u64;
    const PRIVATE: u64 = libc::FUTEX_PRIVATE_FLAG as u64;
    let command = low(call.arguments[1]);
    match call.number {
        libc::SYS_fcntl if command <= sys::word(libc::F_SETFL) => 0,
        libc::SYS_futex if command & !PRIVATE == WAKE => 0b1,
        number => {
            let known = POINTERS.iter().find(|(_, calls)| calls.contains(&number));
            known.map_or(u8::MAX, |(pointers, _)| *pointers)
        }
    }
}

fn list_leads_beyond(call: &Call) -> bool {
    let Some((list, length, _)) = LISTS.iter().find(|(.., calls)| calls.contains(&call.number))
    else {
        return false;
    };
    let length = length.map_or(1, |at| call.arguments[at]);
    let start = call.arguments[*list];
    if start == 0 || length > LONGEST_LIST {
        return false;
    }
    // If an entry cannot be read, the kernel refuses the call.
    let mut entries = (0..length).map_while(|at| read(start + at * ENTRY_BYTES));
    entries.any(|pointer| pointer >= ADDRESSES_END)
}

/// The word at an address of the program, if it can be read.
fn read(address: u64) -> Option<u64> {
    const NO_CHANGE: i32 = -1;
    // SAFETY: with an unknown kind of change, the call only reads this word.
    let seen =
        unsafe { sys::call(libc::SYS_rt_sigprocmask, [sys::word(NO_CHANGE), address, 0, 8]) };
    // SAFETY: the kernel has just read this word.
    (sys::value(seen) != Err(libc::EFAULT))
        .then(|| unsafe { (address as *const u64).read_unaligned() })
}
