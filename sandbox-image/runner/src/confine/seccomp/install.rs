//! The system call that installs a filter.

use nix::errno::Errno;
use seccompiler::BpfProgram;

/// Installs a filter on this process, which has given up new privileges, as the kernel requires.
/// Allocates no memory.
pub(crate) fn install(filter: &BpfProgram, flags: libc::c_ulong) -> nix::Result<libc::c_long> {
    let program = libc::sock_fprog {
        len: u16::try_from(filter.len()).map_err(|_| Errno::E2BIG)?,
        filter: filter.as_ptr().cast_mut().cast(),
    };
    let mode = libc::SECCOMP_SET_MODE_FILTER;
    // SAFETY: `program` points to as many steps as it says, and both outlive the call.
    Errno::result(unsafe { libc::syscall(libc::SYS_seccomp, mode, flags, &raw const program) })
}
