//! System calls without libc, so that a result is exactly what the program would see.

use std::arch::asm;

/// `arch_prctl`: sets the base of gs.
pub(crate) const ARCH_SET_GS: i32 = 0x1001;
/// `arch_prctl`: gets the base of gs.
pub(crate) const ARCH_GET_GS: i32 = 0x1004;
/// `arch_prctl`: sets the base of fs.
pub(crate) const ARCH_SET_FS: i32 = 0x1002;
/// `arch_prctl`: gets the base of fs.
pub(crate) const ARCH_GET_FS: i32 = 0x1003;
/// `MAP_FIXED_NOREPLACE`; for kernels before 4.17 the address is only a hint.
pub(crate) const NOREPLACE: i32 = libc::MAP_FIXED_NOREPLACE;
/// The largest errno in a result.
const ERRNO_MAX: u64 = 4095;

/// Makes a system call with up to six arguments. The result is a value or a negated errno.
///
/// # Safety
/// The call's effect must be sound here. Above all, it must not change memory that Rust uses.
pub(crate) unsafe fn call<const N: usize>(number: libc::c_long, arguments: [u64; N]) -> u64 {
    let result;
    let at = |place: usize| arguments.get(place).copied().unwrap_or(0);
    // SAFETY: the kernel preserves all registers except those named; the caller guarantees the
    // rest.
    unsafe {
        asm!(
            "syscall",
            inlateout("rax") number.unsigned_abs() => result,
            in("rdi") at(0),
            in("rsi") at(1),
            in("rdx") at(2),
            in("r10") at(3),
            in("r8") at(4),
            in("r9") at(5),
            lateout("rcx") _,
            lateout("r11") _,
            options(nostack),
        );
    }
    result
}

/// The result of a call, as a value or an errno.
pub(crate) fn value(result: u64) -> Result<u64, i32> {
    match result.wrapping_neg() {
        errno @ 1..=ERRNO_MAX => Err(i32::try_from(errno).unwrap_or(libc::EINVAL)),
        _ => Ok(result),
    }
}

/// The result of a call that failed with this errno.
pub(crate) fn refusal(errno: i32) -> u64 {
    u64::from(errno.unsigned_abs()).wrapping_neg()
}

/// An argument of a call, as a register holds it.
pub(crate) fn word(flags: i32) -> u64 {
    u64::from(flags.cast_unsigned())
}

/// Maps private anonymous memory without reserving swap space for it. `flags` are additional flags.
pub(crate) fn map(address: u64, bytes: u64, protection: i32, flags: i32) -> Result<u64, i32> {
    let flags = flags | libc::MAP_PRIVATE | libc::MAP_ANONYMOUS | libc::MAP_NORESERVE;
    let arguments = [address, bytes, word(protection), word(flags), u64::MAX, 0];
    // SAFETY: callers map the program's areas and our own fixed areas, which Rust does not use.
    value(unsafe { call(libc::SYS_mmap, arguments) })
}

/// Sets the protection of a part of our own area. Returns whether the kernel did.
pub(crate) fn protect(start: u64, bytes: u64, protection: i32) -> bool {
    let arguments = [start, bytes, word(protection)];
    // SAFETY: Rust uses no memory there that becomes inaccessible.
    value(unsafe { call(libc::SYS_mprotect, arguments) }).is_ok()
}

/// A random number; `None` if the kernel gives none.
pub(crate) fn random() -> Option<u64> {
    let mut bytes = [0; size_of::<u64>()];
    // SAFETY: fills a variable that outlives the call.
    let filled = unsafe { libc::getrandom(bytes.as_mut_ptr().cast(), bytes.len(), 0) };
    (usize::try_from(filled) == Ok(bytes.len())).then(|| u64::from_ne_bytes(bytes))
}

/// Unmaps the program's memory in a range.
pub(crate) fn unmap(start: u64, end: u64) {
    // SAFETY: callers name only mappings of the program.
    unsafe { call(libc::SYS_munmap, [start, end - start]) };
}

pub(crate) fn soft_limit(resource: libc::__rlimit_resource_t) -> u64 {
    let mut limit = libc::rlimit { rlim_cur: 0, rlim_max: 0 };
    // SAFETY: fills a variable that outlives the call.
    unsafe { libc::getrlimit(resource, &raw mut limit) };
    limit.rlim_cur
}

pub(crate) fn fs_base() -> u64 {
    let mut base = 0_u64;
    // SAFETY: writes 8 bytes to a variable that outlives the call.
    unsafe { call(libc::SYS_arch_prctl, [word(ARCH_GET_FS), &raw mut base as u64]) };
    base
}

/// Ends the process by a fault, as a jump to memory that is not code does. Nothing can mask this
/// fault.
pub(crate) fn fault() -> ! {
    // SAFETY: a privileged instruction; the kernel answers it with SIGSEGV.
    unsafe { asm!("hlt", options(noreturn)) }
}
