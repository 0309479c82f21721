//! The system calls that the counter must handle: those that change or show code, mappings, or what
//! is counted. All others go directly to the kernel.

use crate::abort;
use crate::context::{RAX, context, intercept as see};
use crate::layout::{ADDRESSES_END, PAGE};
use crate::program::call::{Call, low};
use crate::program::descriptors;
use crate::program::hidden_files;
use crate::program::memory::Memory;
use crate::program::pointers;
use crate::result;
use crate::sys;
use crate::translation::block::USES_GS;
use libc::{c_char, c_long};
use std::ffi::CStr;

/// Every call that [`answer`] knows, except for those in [`ABSENT`] and [`descriptors::OTHERS`].
const SEEN: [c_long; 34] = [
    libc::SYS_mmap,
    libc::SYS_mprotect,
    libc::SYS_pkey_mprotect,
    libc::SYS_munmap,
    libc::SYS_mremap,
    libc::SYS_remap_file_pages,
    libc::SYS_mincore,
    libc::SYS_madvise,
    libc::SYS_msync,
    libc::SYS_brk,
    libc::SYS_arch_prctl,
    libc::SYS_rt_sigaction,
    libc::SYS_clone,
    libc::SYS_fork,
    libc::SYS_vfork,
    libc::SYS_execve,
    libc::SYS_execveat,
    libc::SYS_prctl,
    libc::SYS_open,
    libc::SYS_openat,
    libc::SYS_creat,
    libc::SYS_readv,
    libc::SYS_writev,
    libc::SYS_preadv,
    libc::SYS_pwritev,
    libc::SYS_preadv2,
    libc::SYS_pwritev2,
    libc::SYS_pselect6,
    libc::SYS_mlock,
    libc::SYS_mlock2,
    libc::SYS_munlock,
    libc::SYS_close_range,
    libc::SYS_exit,
    libc::SYS_exit_group,
];
/// Calls that the counter answers as a kernel without them. rseq would need the addresses of
/// generated code. Callers of clone3 fall back to clone, whose flags are in a register. After
/// `rt_sigreturn`, the program would go on at an address of its choice, and no signal has a
/// handler. The others tell addresses of the counter, access its memory or duplicate its
/// descriptors, and programs can do without them; a sandbox refuses most of them anyway.
const ABSENT: [c_long; 23] = [
    libc::SYS_rseq,
    libc::SYS_clone3,
    libc::SYS_rt_sigreturn,
    libc::SYS_openat2,
    libc::SYS_process_vm_readv,
    libc::SYS_process_vm_writev,
    libc::SYS_process_madvise,
    libc::SYS_get_robust_list,
    libc::SYS_shmat,
    libc::SYS_vmsplice,
    libc::SYS_mq_notify,
    libc::SYS_futex_waitv,
    FUTEX_REQUEUE,
    libc::SYS_io_setup,
    libc::SYS_io_uring_setup,
    libc::SYS_perf_event_open,
    libc::SYS_userfaultfd,
    libc::SYS_move_pages,
    libc::SYS_pidfd_getfd,
    libc::SYS_sendmsg,
    libc::SYS_sendmmsg,
    MAP_SHADOW_STACK,
    MSEAL,
];
/// `futex_requeue`, of Linux 6.7.
const FUTEX_REQUEUE: c_long = 456;
/// `map_shadow_stack`, of Linux 6.6.
const MAP_SHADOW_STACK: c_long = 453;
/// `mseal`, of Linux 6.10.
const MSEAL: c_long = 462;
/// Request of `prctl` that names a range of memory, and tells whether it is mapped.
const PR_SET_VMA: u64 = 0x5356_4D41;
/// Requests of `prctl` that tell or change addresses of the process: `PR_GET_TID_ADDRESS`,
/// `PR_SET_MM` and, of Linux 6.4, `PR_GET_AUXV`.
const ADDRESS_REQUESTS: [u64; 3] = [40, 35, 0x4155_5856];
/// Signals that the C library sends between threads. With one thread they are never sent, so their
/// handlers are not needed.
const BETWEEN_THREADS: [u64; 2] = [32, 33];
/// The loader's cache of library paths. The cost of searching it depends on what else is installed.
/// So the counter hides this file, and the loader searches its own few folders.
const LOADER_CACHE: &CStr = c"/etc/ld.so.cache";
/// `arch_prctl` codes for `cpuid` faulting. All other codes that [`arch_prctl`] does not answer are
/// refused.
const HARMLESS_ARCH_PRCTL: [u64; 2] = [0x1011, 0x1012];
/// Upper bound of the numbers of all calls.
const NUMBERS: u16 = 1024;

/// Makes generated code leave at the calls in [`SEEN`], [`ABSENT`] and [`descriptors::OTHERS`], and
/// at no other call.
pub(crate) fn intercept() {
    (0..NUMBERS).for_each(|number| see(number, false));
    for call in seen() {
        see(u16::try_from(call).unwrap_or(0), true);
    }
}

/// The calls at which generated code always leaves.
fn seen() -> impl Iterator<Item = c_long> {
    let others = descriptors::OTHERS.into_iter().flat_map(|(_, calls)| calls);
    SEEN.into_iter().chain(ABSENT).chain(others.copied())
}

/// Makes generated code leave at every call.
pub(crate) fn intercept_all() {
    (0..NUMBERS).for_each(|number| see(number, true));
}

/// Answers the call in the program's registers. Returns whether translations are stale now.
pub(crate) fn handle(memory: &mut Memory) -> bool {
    let (result, stale) = answer(memory, &Call::made());
    context().registers[RAX] = result;
    stale
}

fn answer(memory: &mut Memory, call: &Call) -> (u64, bool) {
    let Call { number, arguments } = *call;
    let [first, second, third, fourth, ..] = arguments;
    // Callers of an absent call use another one only if the kernel seems not to know the first.
    if ABSENT.contains(&number) {
        return (sys::refusal(libc::ENOSYS), false);
    }
    if pointers::lead_beyond(call) {
        return (sys::refusal(libc::EFAULT), false);
    }
    if descriptors::are_given(call) {
        return (sys::refusal(libc::EBADF), false);
    }
    let result = match number {
        libc::SYS_mmap => return map(memory, arguments),
        libc::SYS_mprotect | libc::SYS_pkey_mprotect => return protect(memory, number, arguments),
        libc::SYS_munmap => return changing(memory, number, arguments),
        libc::SYS_mremap => return remap(memory, arguments),
        libc::SYS_remap_file_pages => abort::unsupported("it rearranges a mapping"),
        // Outside of the counter, nothing is mapped there.
        libc::SYS_mincore
        | libc::SYS_madvise
        | libc::SYS_msync
        | libc::SYS_mlock
        | libc::SYS_mlock2
        | libc::SYS_munlock
            if is_ours(first, second) =>
        {
            sys::refusal(libc::ENOMEM)
        }
        libc::SYS_prctl if low(first) == PR_SET_VMA && is_ours(third, fourth) => {
            sys::refusal(libc::ENOMEM)
        }
        libc::SYS_prctl if ADDRESS_REQUESTS.contains(&low(first)) => sys::refusal(libc::EINVAL),
        libc::SYS_brk => memory.move_break(first),
        libc::SYS_arch_prctl => arch_prctl(arguments),
        libc::SYS_rt_sigaction => sigaction(arguments),
        libc::SYS_clone if first & sys::word(libc::CLONE_THREAD) != 0 => {
            abort::unsupported("it starts a thread")
        }
        libc::SYS_clone | libc::SYS_fork | libc::SYS_vfork => {
            abort::unsupported("it starts a process")
        }
        libc::SYS_execve | libc::SYS_execveat => abort::unsupported("it runs another program"),
        libc::SYS_open | libc::SYS_creat => open(number, arguments, first),
        libc::SYS_openat => open(number, arguments, second),
        libc::SYS_close_range => descriptors::close_range(arguments),
        libc::SYS_exit | libc::SYS_exit_group => result::finish(call.exit_code().unwrap_or(0)),
        _ if seen().any(|it| it == number) => pass(number, arguments),
        // Generated code looks only at the low 16 bits of a call's number.
        _ if seen().any(|it| it == number & c_long::from(u16::MAX)) => sys::refusal(libc::ENOSYS),
        _ => pass(number, arguments),
    };
    (result, false)
}

fn pass(number: c_long, arguments: [u64; 6]) -> u64 {
    // SAFETY: this is the program's own call, on the program's memory. `handle` and its limits
    // ensure that it does not touch ours.
    unsafe { sys::call(number, arguments) }
}

/// Opens a file, unless it is [`LOADER_CACHE`] or tells addresses of the counter.
fn open(number: c_long, arguments: [u64; 6], path: u64) -> u64 {
    let opened = pass(number, arguments);
    // SAFETY: the kernel has just read this string.
    let is_cache = || unsafe { CStr::from_ptr(path as *const c_char) } == LOADER_CACHE;
    match sys::value(opened) {
        Ok(descriptor) if is_cache() => {
            pass(libc::SYS_close, [descriptor, 0, 0, 0, 0, 0]);
            sys::refusal(libc::ENOENT)
        }
        Ok(descriptor) if hidden_files::is_hidden(descriptor) => {
            pass(libc::SYS_close, [descriptor, 0, 0, 0, 0, 0]);
            sys::refusal(libc::EACCES)
        }
        _ => opened,
    }
}

fn is(protection: u64, bit: i32) -> bool {
    protection & sys::word(bit) != 0
}

/// Whether the program must neither change nor see a range.
fn is_ours(start: u64, bytes: u64) -> bool {
    start.checked_add(bytes).is_none_or(|end| end > ADDRESSES_END)
}

/// The actual protection of a mapping: the translator reads code, so execution requires reading.
fn readable(protection: u64) -> u64 {
    match (is(protection, libc::PROT_WRITE), is(protection, libc::PROT_EXEC)) {
        (true, true) => abort::unsupported("it maps memory that is both writable and executable"),
        (false, true) => protection | sys::word(libc::PROT_READ),
        (_, false) => protection,
    }
}

fn map(memory: &mut Memory, mut arguments: [u64; 6]) -> (u64, bool) {
    let [wish, bytes, protection, flags, ..] = arguments;
    arguments[2] = readable(protection);
    if flags & Call::PLACED == 0 {
        // The kernel would choose an address next to the counter's if it cannot grant a wish.
        arguments[3] |= sys::word(libc::MAP_FIXED_NOREPLACE);
        if wish >= PAGE && !is_ours(wish, bytes) {
            arguments[0] = wish & !(PAGE - 1);
            let result = pass(libc::SYS_mmap, arguments);
            if !matches!(sys::value(result), Err(libc::EEXIST | libc::EPERM)) {
                return mapped(memory, result, bytes, protection);
            }
        }
        let low = !is(flags, libc::MAP_ANONYMOUS) || is(flags, libc::MAP_32BIT);
        arguments[3] &= !sys::word(libc::MAP_32BIT);
        let result = loop {
            let place = if low { memory.place_file(bytes) } else { None };
            let Some(place) = place.or_else(|| memory.place_anonymous(bytes)) else {
                break sys::refusal(libc::ENOMEM);
            };
            arguments[0] = place;
            let result = pass(libc::SYS_mmap, arguments);
            // The program may have placed a mapping there itself.
            if sys::value(result) != Err(libc::EEXIST) {
                break result;
            }
        };
        return mapped(memory, result, bytes, protection);
    }
    if is_ours(wish, bytes) {
        return (sys::refusal(libc::ENOMEM), false);
    }
    let result = pass(libc::SYS_mmap, arguments);
    mapped(memory, result, bytes, protection)
}

/// Notes the result of a new mapping.
fn mapped(memory: &mut Memory, result: u64, bytes: u64, protection: u64) -> (u64, bool) {
    let code = is(protection, libc::PROT_EXEC);
    (result, sys::value(result).is_ok_and(|place| memory.changed(place, bytes, code)))
}

fn protect(memory: &mut Memory, number: c_long, mut arguments: [u64; 6]) -> (u64, bool) {
    let [start, bytes, protection, ..] = arguments;
    arguments[2] = readable(protection);
    if is(protection, libc::PROT_WRITE) && memory.is_translated(start, bytes) {
        abort::unsupported("it changes its own code");
    }
    changing(memory, number, arguments)
}

/// Makes a call that changes the range in its first two arguments.
fn changing(memory: &mut Memory, number: c_long, arguments: [u64; 6]) -> (u64, bool) {
    let [start, bytes, protection, ..] = arguments;
    if is_ours(start, bytes) {
        return (sys::refusal(libc::EINVAL), false);
    }
    let result = pass(number, arguments);
    let code = number != libc::SYS_munmap && is(protection, libc::PROT_EXEC);
    (result, sys::value(result).is_ok() && memory.changed(start, bytes, code))
}

/// Makes a mapping that grows always move if it may, so that its new address does not depend on the
/// free space after it.
fn remap(memory: &mut Memory, mut arguments: [u64; 6]) -> (u64, bool) {
    let [start, bytes, wanted, flags, place, _] = arguments;
    if is_ours(start, bytes) || is(flags, libc::MREMAP_FIXED) && is_ours(place, wanted) {
        return (sys::refusal(libc::EINVAL), false);
    }
    if !is(flags, libc::MREMAP_MAYMOVE) && is_ours(start, wanted) {
        return (sys::refusal(libc::ENOMEM), false);
    }
    let moves = is(flags, libc::MREMAP_MAYMOVE) && !is(flags, libc::MREMAP_FIXED);
    if moves && (wanted > bytes || is(flags, libc::MREMAP_DONTUNMAP)) {
        let Some(place) = memory.place_anonymous(wanted) else {
            return (sys::refusal(libc::ENOMEM), false);
        };
        arguments[3] |= sys::word(libc::MREMAP_FIXED);
        arguments[4] = place;
    }
    let result = pass(libc::SYS_mremap, arguments);
    let Ok(place) = sys::value(result) else { return (result, false) };
    let old = memory.changed(start, bytes, false);
    (result, memory.changed(place, wanted, false) || old)
}

/// Sets and tells the bases of fs and gs. `pointers` has refused addresses beyond the program's.
fn arch_prctl(arguments: [u64; 6]) -> u64 {
    const SET_FS: u64 = sys::ARCH_SET_FS as u64;
    const GET_FS: u64 = sys::ARCH_GET_FS as u64;
    const SET_GS: u64 = sys::ARCH_SET_GS as u64;
    const GET_GS: u64 = sys::ARCH_GET_GS as u64;
    match (arguments[0], arguments[1]) {
        (SET_FS, base) => {
            context().program_fs = base;
            0
        }
        (GET_FS, to) => {
            // SAFETY: it is where the program wants it; a wrong address ends the program.
            unsafe { (to as *mut u64).write_unaligned(context().program_fs) };
            0
        }
        (SET_GS, 0) => 0,
        (SET_GS, _) => abort::unsupported(USES_GS),
        (GET_GS, to) => {
            // SAFETY: as above.
            unsafe { (to as *mut u64).write_unaligned(0) };
            0
        }
        (code, _) if HARMLESS_ARCH_PRCTL.contains(&code) => pass(libc::SYS_arch_prctl, arguments),
        _ => sys::refusal(libc::EINVAL),
    }
}

fn sigaction(mut arguments: [u64; 6]) -> u64 {
    let [signal, action, ..] = arguments;
    if action != 0 {
        // SAFETY: the handler is the first field; a wrong address ends the program.
        let handler = unsafe { (action as *const usize).read_unaligned() };
        if handler != libc::SIG_DFL && handler != libc::SIG_IGN {
            if !BETWEEN_THREADS.contains(&signal) {
                abort::unsupported("it handles a signal");
            }
            arguments[1] = 0;
        }
    }
    pass(libc::SYS_rt_sigaction, arguments)
}
