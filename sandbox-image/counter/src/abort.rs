//! The result file, and the end of a program that cannot be counted.

use crate::sys;
use profiler_decode::counter_output::{NONCE_BYTES, Nonce};
use std::ops::RangeInclusive;
use std::sync::atomic::{AtomicI32, AtomicU8, Ordering};

/// The descriptor of the result file when the counter starts.
pub(crate) const RESULT_FD: i32 = 3;
/// The exit code of a program that cannot be counted.
pub(crate) const UNSUPPORTED: i32 = 125;

/// The current descriptor of the result file.
static RESULT: AtomicI32 = AtomicI32::new(RESULT_FD);

/// The nonce that the result file held.
static NONCE_OF_RUN: [AtomicU8; NONCE_BYTES] = [const { AtomicU8::new(0) }; NONCE_BYTES];

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
    ours().any(|it| it == descriptor & u64::from(u32::MAX))
}

/// The range from the first of our descriptors to the last.
pub(crate) fn descriptors() -> RangeInclusive<u64> {
    let result = sys::word(descriptor());
    ours().fold(result, u64::min)..=ours().fold(result, u64::max)
}

fn ours() -> impl Iterator<Item = u64> {
    [descriptor(), other()].into_iter().filter(|&it| it != NONE).map(sys::word)
}

/// Moves the result file out of the program's way, to the highest possible descriptor, and takes
/// its nonce.
pub(crate) fn hide() {
    let last =
        i32::try_from(sys::soft_limit(libc::RLIMIT_NOFILE)).unwrap_or(i32::MAX).saturating_sub(1);
    RESULT.store(moved(RESULT_FD, last), Ordering::Relaxed);
    take_nonce();
}

/// Takes the nonce from the result file, which is empty then. The program cannot know it, so it
/// cannot write a record.
pub(crate) fn take_nonce() {
    let mut nonce: Nonce = [0; NONCE_BYTES];
    let (file, to) = (descriptor(), nonce.as_mut_ptr().cast());
    // SAFETY: fills a variable that outlives the call, and otherwise plain integers.
    let is_taken = unsafe {
        libc::pread(file, to, NONCE_BYTES, 0).cast_unsigned() == NONCE_BYTES
            && libc::ftruncate(file, 0) == 0
            && libc::lseek(file, 0, libc::SEEK_SET) == 0
    };
    if !is_taken {
        eprintln!("swiftprof-counter: the result file must hold a nonce");
        exit(UNSUPPORTED);
    }
    for (place, byte) in NONCE_OF_RUN.iter().zip(nonce) {
        place.store(byte, Ordering::Relaxed);
    }
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
    record(&format!("unsupported {reason}\n"), &[]);
    exit(UNSUPPORTED)
}

/// Writes a record to the result file: the nonce, a line, and what follows it.
pub(crate) fn record(line: &str, rest: &[u8]) {
    let nonce = NONCE_OF_RUN.each_ref().map(|byte| byte.load(Ordering::Relaxed));
    write(&[&nonce[..], line.as_bytes(), rest].concat());
}

fn write(mut bytes: &[u8]) {
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
