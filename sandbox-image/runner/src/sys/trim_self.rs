//! Keeps this process small. The kernel seeds the child's peak RSS with the parent's (`exec_mmap`
//! in the kernel), so memory that the runner once needed would show in the figures of a small
//! program.

use crate::sys::fault::{Result, Stage};
use crate::sys::proc_view;
use nix::errno::Errno;
use std::fs;

const PAGE_BYTES: usize = 4096;
/// Resets the peak of the resident set, see proc(5).
const FORGET_PEAK: &[u8] = b"5";

unsafe extern "C" {
    /// Start and end of this program's code, as the linker places them.
    static __executable_start: u8;
    static etext: u8;
}

/// Gives back free memory and unused code, and resets the peak. For a moment this process is
/// dumpable, so no untrusted process may be alive.
pub(crate) fn trim() -> Result<()> {
    let (start, end) = ((&raw const __executable_start).addr(), (&raw const etext).addr());
    let length = (end - start) / PAGE_BYTES * PAGE_BYTES;
    // SAFETY: code is never written, so the kernel can read it from the file again.
    let dropped = unsafe { libc::madvise(start as *mut libc::c_void, length, libc::MADV_DONTNEED) };
    match Errno::result(dropped) {
        // If the linker left a gap between two segments, its pages are not mapped. The kernel drops
        // all other pages, and then returns ENOMEM.
        Ok(_) | Err(Errno::ENOMEM) => {}
        Err(error) => return Err(error).stage("let go of code"),
    }
    // SAFETY: gives free memory back to the kernel, and changes no memory in use.
    unsafe { libc::malloc_trim(0) };
    let forget = || fs::write("/proc/self/clear_refs", FORGET_PEAK);
    proc_view::while_dumpable(forget).stage("forget the peak")
}
