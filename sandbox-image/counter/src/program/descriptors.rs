//! Keeps the counter's own descriptors from the program's system calls.
//!
//! To the program they seem closed. Generated code leaves if the first argument of a call is the
//! result file's descriptor. Calls with descriptors in other arguments are always intercepted.

use crate::abort;
use crate::program::call::{Call, low};
use crate::program::pointers;
use crate::sys;
use libc::c_long;
use std::ops::RangeInclusive;

/// Calls with descriptors in other arguments than the first: that argument, and the calls.
pub(crate) const OTHERS: [(usize, &[c_long]); 3] = [
    (1, &[libc::SYS_dup2, libc::SYS_dup3, libc::SYS_sendfile, libc::SYS_symlinkat, libc::SYS_tee]),
    (
        2,
        &[
            libc::SYS_copy_file_range,
            libc::SYS_splice,
            libc::SYS_epoll_ctl,
            libc::SYS_linkat,
            libc::SYS_renameat,
            libc::SYS_renameat2,
        ],
    ),
    (4, &[libc::SYS_mmap]),
];
/// Calls whose first argument is not a descriptor, besides those whose first argument is a pointer.
/// Of calls that are in no list, every first argument is taken for a descriptor.
const NONE_FIRST: &[c_long] = &[
    libc::SYS_alarm,
    libc::SYS_arch_prctl,
    libc::SYS_brk,
    libc::SYS_clock_getres,
    libc::SYS_clock_gettime,
    libc::SYS_clock_nanosleep,
    libc::SYS_clone,
    libc::SYS_close_range,
    libc::SYS_epoll_create,
    libc::SYS_epoll_create1,
    libc::SYS_eventfd,
    libc::SYS_eventfd2,
    libc::SYS_execve,
    libc::SYS_exit,
    libc::SYS_exit_group,
    libc::SYS_fork,
    libc::SYS_getegid,
    libc::SYS_geteuid,
    libc::SYS_getgid,
    libc::SYS_getgroups,
    libc::SYS_getitimer,
    libc::SYS_getpgid,
    libc::SYS_getpgrp,
    libc::SYS_getpid,
    libc::SYS_getppid,
    libc::SYS_getpriority,
    libc::SYS_getrlimit,
    libc::SYS_getrusage,
    libc::SYS_getsid,
    libc::SYS_gettid,
    libc::SYS_getuid,
    libc::SYS_inotify_init,
    libc::SYS_kill,
    libc::SYS_madvise,
    libc::SYS_membarrier,
    libc::SYS_mincore,
    libc::SYS_mlock,
    libc::SYS_mlock2,
    libc::SYS_mlockall,
    libc::SYS_mmap,
    libc::SYS_mprotect,
    libc::SYS_mremap,
    libc::SYS_msync,
    libc::SYS_munlock,
    libc::SYS_munlockall,
    libc::SYS_munmap,
    libc::SYS_pause,
    libc::SYS_pkey_mprotect,
    libc::SYS_prctl,
    libc::SYS_prlimit64,
    libc::SYS_pselect6,
    libc::SYS_remap_file_pages,
    libc::SYS_rt_sigaction,
    libc::SYS_rt_sigprocmask,
    libc::SYS_sched_get_priority_max,
    libc::SYS_sched_get_priority_min,
    libc::SYS_sched_getaffinity,
    libc::SYS_sched_getparam,
    libc::SYS_sched_getscheduler,
    libc::SYS_sched_yield,
    libc::SYS_select,
    libc::SYS_setitimer,
    libc::SYS_setpgid,
    libc::SYS_setrlimit,
    libc::SYS_setsid,
    libc::SYS_tgkill,
    libc::SYS_timer_create,
    libc::SYS_timer_delete,
    libc::SYS_timer_settime,
    libc::SYS_timerfd_create,
    libc::SYS_tkill,
    libc::SYS_umask,
    libc::SYS_timer_getoverrun,
    libc::SYS_timer_gettime,
    libc::SYS_vfork,
    libc::SYS_wait4,
    libc::SYS_waitid,
    libc::SYS_personality,
];

/// Whether a call has one of the counter's descriptors as an argument.
pub(crate) fn are_given(call: &Call) -> bool {
    let Call { number, arguments } = call;
    let is_first = !NONE_FIRST.contains(number) && !pointers::is_first(*number);
    let is_anonymous =
        *number == libc::SYS_mmap && arguments[3] & sys::word(libc::MAP_ANONYMOUS) != 0;
    let other = OTHERS.iter().find(|(_, calls)| calls.contains(number) && !is_anonymous);
    is_first && abort::hides(arguments[0])
        || other.is_some_and(|&(at, _)| abort::hides(arguments[at]))
}

/// Closes the program's descriptors in a range, and none of the counter's.
pub(crate) fn close_range(arguments: [u64; 6]) -> u64 {
    let [first, last, flags, ..] = arguments.map(low);
    let close = |range: RangeInclusive<u64>| {
        // SAFETY: the counter needs none of these descriptors.
        unsafe { sys::call(libc::SYS_close_range, [*range.start(), *range.end(), flags]) }
    };
    let ours = abort::descriptors();
    if first > last {
        return close(first..=last);
    }
    let below = first..=last.min(ours.start().saturating_sub(1));
    let above = first.max(ours.end() + 1)..=last;
    let results = [below, above].into_iter().filter(|range| !range.is_empty()).map(close);
    results.fold(0, |before, result| if sys::value(before).is_err() { before } else { result })
}
