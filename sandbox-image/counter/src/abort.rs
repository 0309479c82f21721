//! The result file, and the end of a program that cannot be counted.

use crate::sys;
use std::sync::atomic::{AtomicI32, Ordering};

/// The descriptor of the result file when the counter starts.
pub(crate) const RESULT_FD: i32 = 3;
/// The exit code of a program that cannot be counted.
pub(crate) const UNSUPPORTED: i32 = 125;

/// The current descriptor of the result file.
static RESULT: AtomicI32 = AtomicI32::new(RESULT_FD);

/// The descriptor of the result file.
pub(crate) fn descriptor() -> i32 {
    RESULT.load(Ordering::Relaxed)
}

/// Moves the result file out of the program's way, to the highest possible descriptor.
pub(crate) fn hide() {
    let mut limit = libc::rlimit { rlim_cur: 0, rlim_max: 0 };
    // SAFETY: fills a variable that outlives the call.
    unsafe { libc::getrlimit(libc::RLIMIT_NOFILE, &raw mut limit) };
    let last = i32::try_from(limit.rlim_cur).unwrap_or(i32::MAX).saturating_sub(1);
    // SAFETY: plain integers.
    let moved = unsafe { libc::fcntl(RESULT_FD, libc::F_DUPFD_CLOEXEC, last) };
    if moved < 0 {
        eprintln!("swiftprof-counter: descriptor {RESULT_FD} must be a result file");
        exit(UNSUPPORTED);
    }
    RESULT.store(moved, Ordering::Relaxed);
    // SAFETY: the descriptor is ours, and nothing else in this process knows it.
    unsafe { libc::close(RESULT_FD) };
}

/// Reports why the program cannot be counted, and ends it.
pub(crate) fn unsupported(reason: &str) -> ! {
    write(format!("unsupported {reason}\n").as_bytes());
    exit(UNSUPPORTED)
}

/// Writes to the result file.
pub(crate) fn write(mut bytes: &[u8]) {
    while !bytes.is_empty() {
        let arguments =
            [sys::word(descriptor()), bytes.as_ptr() as u64, bytes.len() as u64, 0, 0, 0];
        // SAFETY: the kernel reads the bytes, which outlive the call.
        let written = unsafe { sys::call(sys::number(libc::SYS_write), arguments) };
        match usize::try_from(written).ok().and_then(|written| bytes.get(written..)) {
            Some(rest) if written > 0 => bytes = rest,
            _ => exit(UNSUPPORTED),
        }
    }
}

/// Exits without atexit handlers: the process belongs to the program, and libc's state is not
/// consistent.
pub(crate) fn exit(code: i32) -> ! {
    loop {
        // SAFETY: ends the process.
        unsafe { sys::call(sys::number(libc::SYS_exit_group), [sys::word(code), 0, 0, 0, 0, 0]) };
    }
}
