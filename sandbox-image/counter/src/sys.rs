//! System calls without libc, so that a result is exactly what the program would see.

use std::arch::asm;

/// `arch_prctl`: sets the base of fs.
pub(crate) const ARCH_SET_FS: i32 = 0x1002;
/// `arch_prctl`: gets the base of fs.
pub(crate) const ARCH_GET_FS: i32 = 0x1003;
/// `MAP_FIXED_NOREPLACE`; for kernels before 4.17 the address is only a hint.
pub(crate) const NOREPLACE: i32 = libc::MAP_FIXED_NOREPLACE;
/// The largest errno in a result.
const ERRNO_MAX: u64 = 4095;

/// Makes a system call. The result is a value or a negated errno.
///
/// # Safety
/// The call's effect must be sound here. Above all, it must not change memory that Rust uses.
pub(crate) unsafe fn call(number: u64, arguments: [u64; 6]) -> u64 {
    let result;
    // SAFETY: the kernel preserves all registers except those named; the caller guarantees the
    // rest.
    unsafe {
        asm!(
            "syscall",
            inlateout("rax") number => result,
            in("rdi") arguments[0],
            in("rsi") arguments[1],
            in("rdx") arguments[2],
            in("r10") arguments[3],
            in("r8") arguments[4],
            in("r9") arguments[5],
            lateout("rcx") _,
            lateout("r11") _,
            options(nostack),
        );
    }
    result
}

/// The number of a system call, as a register holds it.
pub(crate) fn number(call: libc::c_long) -> u64 {
    call.unsigned_abs()
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

/// Maps anonymous memory.
pub(crate) fn map(address: u64, bytes: u64, protection: i32, flags: i32) -> Result<u64, i32> {
    let arguments = [address, bytes, word(protection), word(flags), u64::MAX, 0];
    // SAFETY: callers map the program's areas and our own fixed areas, which Rust does not use.
    value(unsafe { call(number(libc::SYS_mmap), arguments) })
}

/// A soft limit of this process.
pub(crate) fn soft_limit(resource: libc::__rlimit_resource_t) -> u64 {
    let mut limit = libc::rlimit { rlim_cur: 0, rlim_max: 0 };
    // SAFETY: fills a variable that outlives the call.
    unsafe { libc::getrlimit(resource, &raw mut limit) };
    limit.rlim_cur
}

/// This thread's base of fs.
pub(crate) fn fs_base() -> u64 {
    let mut base = 0_u64;
    let arguments = [word(ARCH_GET_FS), &raw mut base as u64, 0, 0, 0, 0];
    // SAFETY: writes 8 bytes to a variable that outlives the call.
    unsafe { call(number(libc::SYS_arch_prctl), arguments) };
    base
}

/// Ends the process by a fault, as a jump to memory that is not code does. Nothing can mask this
/// fault.
pub(crate) fn fault() -> ! {
    // SAFETY: a privileged instruction; the kernel answers it with SIGSEGV.
    unsafe { asm!("hlt", options(noreturn)) }
}
