//! The result file, and the end of a program that cannot be counted.

use crate::sys;
use std::sync::atomic::{AtomicI32, Ordering};

/// The descriptor of the result file when the counter starts.
pub(crate) const RESULT_FD: i32 = 3;
/// The exit code of a program that cannot be counted.
pub(crate) const UNSUPPORTED: i32 = 125;

/// The current descriptor of the result file.
static RESULT: AtomicI32 = AtomicI32::new(RESULT_FD);

/// The other descriptor of ours, or [`NONE`]: a series writes the program's stdin through it, and
/// an origin receives files through it.
static OTHER: AtomicI32 = AtomicI32::new(NONE);
/// No descriptor.
const NONE: i32 = -1;

/// The descriptor of the result file.
pub(crate) fn descriptor() -> i32 {
    RESULT.load(Ordering::Relaxed)
}

/// Our descriptor besides the result file.
pub(crate) fn other() -> i32 {
    OTHER.load(Ordering::Relaxed)
}

/// Whether a descriptor is one of ours, which the program must not see.
pub(crate) fn hides(descriptor: u64) -> bool {
    let descriptor = descriptor & u64::from(u32::MAX);
    [self::descriptor(), other()].map(sys::word).contains(&descriptor)
}

/// The last descriptor that the program can use.
pub(crate) fn last_of_program() -> u64 {
    let ours = [descriptor(), other()];
    let first = ours.into_iter().filter(|&it| it != NONE).min().unwrap_or(0);
    sys::word(first).saturating_sub(1)
}

/// Moves the result file out of the program's way, to the highest possible descriptor.
pub(crate) fn hide() {
    let last =
        i32::try_from(sys::soft_limit(libc::RLIMIT_NOFILE)).unwrap_or(i32::MAX).saturating_sub(1);
    RESULT.store(moved(RESULT_FD, last), Ordering::Relaxed);
}

/// Moves another descriptor of ours out of the program's way, next to the result file.
pub(crate) fn hide_other(other: i32) {
    OTHER.store(moved(other, descriptor().saturating_sub(1)), Ordering::Relaxed);
}

/// Closes the other descriptor.
pub(crate) fn close_other() {
    // SAFETY: the descriptor is ours, and nothing uses it from now on.
    unsafe { libc::close(OTHER.swap(NONE, Ordering::Relaxed)) };
}

/// Moves one of our descriptors to `to` or above, and closes the old one.
fn moved(descriptor: i32, to: i32) -> i32 {
    // SAFETY: plain integers.
    let moved = unsafe { libc::fcntl(descriptor, libc::F_DUPFD_CLOEXEC, to) };
    if moved < 0 {
        eprintln!("swiftprof-counter: descriptor {descriptor} must be open");
        exit(UNSUPPORTED);
    }
    // SAFETY: the descriptor is ours, and nothing else in this process knows it.
    unsafe { libc::close(descriptor) };
    moved
}

/// Reports why the program cannot be counted, and ends it.
pub(crate) fn unsupported(reason: &str) -> ! {
    write(format!("unsupported {reason}\n").as_bytes());
    exit(UNSUPPORTED)
}

/// Writes to the result file.
pub(crate) fn write(mut bytes: &[u8]) {
    while !bytes.is_empty() {
        let arguments = [sys::word(descriptor()), bytes.as_ptr() as u64, bytes.len() as u64];
        // SAFETY: the kernel reads the bytes, which outlive the call.
        let written = unsafe { sys::call(libc::SYS_write, arguments) };
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
        unsafe { sys::call(libc::SYS_exit_group, [sys::word(code)]) };
    }
}
