//! Counts the same program on one input after another, in one process.
//!
//! The program is loaded, linked and translated once. It runs up to the first system call that
//! could depend on its input, and a `snapshot` is taken there. Each input is put into the file that
//! is the program's stdin, and the program goes on from the snapshot. When it exits, its count is
//! recorded, the snapshot is restored, and the next input follows. Translated code stays.
//!
//! `calls` knows the system calls that a snapshot can undo. After any other call the program still
//! runs to its end. Its count is right, because until then nothing differed from a separate run.
//! Then the process ends, and whoever started it starts another process for the next input. A
//! signal that ends the program, and a program that cannot be counted, end the process in the same
//! way.

pub(crate) mod calls;
mod snapshot;

use crate::abort;
use crate::program::call::Call;
use crate::program::memory::Memory;
use crate::program::system_calls;
use crate::result;
use crate::sys;
use profiler_decode::counter_output::{MAX_BYTES, MAX_LINE_BYTES, NONCE_BYTES, OVERTIME_SIGNAL};
use snapshot::Snapshot;
use std::ffi::c_int;
use std::fs::File;
use std::io::Read;
use std::os::fd::FromRawFd;
use std::time::{Duration, Instant};

/// Size of the length before each input, in bytes.
const LENGTH_BYTES: usize = 4;
/// Space that is kept for a last record, that of a program that cannot be counted, in bytes.
const LAST_BYTES: usize = NONCE_BYTES + MAX_LINE_BYTES + 1;
const STDIN: u64 = 0;
const OUTPUTS: [u64; 2] = [1, 2];

/// The arguments of a series, as numbers.
pub(crate) struct Arguments {
    /// The descriptor of the inputs: each is a little-endian `u32` length and that many bytes.
    pub(crate) inputs: c_int,
    /// A descriptor that writes the program's stdin.
    pub(crate) stdin: c_int,
    /// The time limit of an input, in milliseconds.
    pub(crate) each_ms: u64,
    /// The time after which no further input begins, in milliseconds.
    pub(crate) all_ms: u64,
}

/// The remaining inputs, and the state that runs them.
pub(crate) struct Series {
    inputs: Vec<u8>,
    /// Offset of the next input in `inputs`.
    next: usize,
    /// The length of the file that is stdin.
    placed: usize,
    timer: Option<libc::timer_t>,
    each: Duration,
    end: Instant,
    /// Length of the output so far, in bytes.
    written: usize,
    /// Whether the program has made no call yet that could depend on its input.
    is_early: bool,
    /// `None` if no snapshot could be taken. This process then counts only one input.
    snapshot: Option<Snapshot>,
    /// Whether something was done since the snapshot that the next input could notice.
    is_spoiled: bool,
}

impl Series {
    /// Reads the inputs, and starts the time limit of the first one.
    pub(crate) fn begin(arguments: &Arguments) -> Self {
        // SAFETY: the descriptor is ours, and nothing else in this process knows it.
        let mut from = unsafe { File::from_raw_fd(arguments.inputs) };
        let mut inputs = Vec::new();
        if from.read_to_end(&mut inputs).is_err() {
            abort::exit(abort::UNSUPPORTED);
        }
        abort::hide_other(arguments.stdin);
        let series = Self {
            inputs,
            next: 0,
            placed: 0,
            timer: timer(),
            each: Duration::from_millis(arguments.each_ms),
            end: Instant::now() + Duration::from_millis(arguments.all_ms),
            written: 0,
            is_early: true,
            snapshot: None,
            is_spoiled: false,
        };
        series.set_timer();
        series
    }

    /// Answers the program's system call, and returns whether translations are stale now. If the
    /// program exits, this answers the call at the snapshot again, for the next input.
    pub(crate) fn handle(&mut self, memory: &mut Memory) -> bool {
        loop {
            let call = Call::made();
            if self.is_early {
                if calls::is_early(&call) {
                    return system_calls::handle(memory);
                }
                self.is_early = false;
                self.snapshot = Snapshot::take(memory);
                self.place_next();
            }
            let Some(code) = call.exit_code() else {
                self.is_spoiled |= !calls::is_undone(&call)
                    || self.snapshot.as_mut().is_some_and(|snapshot| !snapshot.covers(&call));
                return system_calls::handle(memory);
            };
            let (line, blocks) = (format!("exited {code} {}", result::line()), result::blocks());
            let bytes = NONCE_BYTES + line.len() + blocks.len();
            // If the output could become too long, another process counts this input.
            if self.written > 0 && self.written + bytes > MAX_BYTES - LAST_BYTES {
                abort::exit(0);
            }
            self.written += bytes;
            abort::record(&line, &blocks);
            let is_last = self.next >= self.inputs.len() || Instant::now() >= self.end;
            match &mut self.snapshot {
                Some(snapshot) if !is_last && !self.is_spoiled => snapshot.restore(memory),
                _ => abort::exit(0),
            }
            self.place_next();
        }
    }

    /// Makes the next input the program's stdin, and empties its outputs.
    fn place_next(&mut self) {
        let rest = self.inputs.get(self.next..).unwrap_or_default();
        let Some((length, rest)) = rest.split_first_chunk::<LENGTH_BYTES>() else {
            abort::exit(abort::UNSUPPORTED)
        };
        let length = u32::from_le_bytes(*length) as usize;
        let Some(input) = rest.get(..length) else { abort::exit(abort::UNSUPPORTED) };
        // Writing an input that exceeds the limit of the program's files would end the process.
        if length as u64 > sys::soft_limit(libc::RLIMIT_FSIZE) {
            abort::exit(abort::UNSUPPORTED);
        }
        let writer = sys::word(abort::other());
        let mut written = 0;
        while written < length {
            let part = &input[written..];
            let call = [writer, part.as_ptr() as u64, part.len() as u64, written as u64];
            match simple(libc::SYS_pwrite64, call) {
                Some(more @ 1..) => written += usize::try_from(more).unwrap_or(length),
                _ => abort::exit(abort::UNSUPPORTED),
            }
        }
        if length < self.placed {
            simple(libc::SYS_ftruncate, [writer, length as u64]);
        }
        simple(libc::SYS_lseek, [STDIN, 0, sys::word(libc::SEEK_SET)]);
        // Before the first input the program has written nothing.
        if self.next > 0 {
            for output in OUTPUTS {
                simple(libc::SYS_ftruncate, [output, 0]);
                simple(libc::SYS_lseek, [output, 0, sys::word(libc::SEEK_SET)]);
            }
            self.set_timer();
        }
        self.placed = length;
        self.next += LENGTH_BYTES + length;
    }

    /// Restarts the time limit.
    fn set_timer(&self) {
        let Some(timer) = self.timer else { return };
        let none = libc::timespec { tv_sec: 0, tv_nsec: 0 };
        let each = libc::timespec {
            tv_sec: i64::try_from(self.each.as_secs()).unwrap_or(i64::MAX),
            tv_nsec: i64::from(self.each.subsec_nanos()),
        };
        let after = libc::itimerspec { it_interval: none, it_value: each };
        // SAFETY: reads a variable that outlives the call.
        unsafe { libc::timer_settime(timer, 0, &raw const after, std::ptr::null_mut()) };
    }
}

/// Creates the timer of the time limit. Without it, only the runner's limits apply.
fn timer() -> Option<libc::timer_t> {
    // SAFETY: all-zero is a valid value of both.
    let (mut event, mut timer): (libc::sigevent, libc::timer_t) = unsafe { std::mem::zeroed() };
    event.sigev_notify = libc::SIGEV_SIGNAL;
    event.sigev_signo = OVERTIME_SIGNAL;
    // SAFETY: reads and fills variables that outlive the call.
    let made = unsafe { libc::timer_create(libc::CLOCK_MONOTONIC, &raw mut event, &raw mut timer) };
    (made == 0).then_some(timer)
}

/// Makes a call on files. `None` if it fails.
fn simple<const N: usize>(number: libc::c_long, arguments: [u64; N]) -> Option<u64> {
    // SAFETY: callers name calls that change no memory.
    sys::value(unsafe { sys::call(number, arguments) }).ok()
}
