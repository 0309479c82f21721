//! Builds a program's initial stack: its arguments, its environment, and what the kernel tells a
//! new process about itself and the machine.

use crate::abort;
use crate::layout::{PAGE, STACK_BYTES, STACK_END};
use crate::program::image::Image;
use crate::program::processor::HWCAP;
use crate::sys;
use profiler_decode::elf::PROGRAM_HEADER_BYTES;
use std::os::unix::ffi::OsStringExt;

/// The program's `argv[0]`.
const NAME: &[u8] = b"./main.out";
/// The "random" bytes of a new process, from which libc takes canaries and other values.
const RANDOM: &[u8; 16] = b"swiftprof-count\n";
const PLATFORM: &[u8] = b"x86_64";
/// Entries of the auxiliary vector that are copied unchanged.
const TAKEN_OVER: [u64; 7] = [
    libc::AT_CLKTCK,
    libc::AT_FLAGS,
    libc::AT_UID,
    libc::AT_EUID,
    libc::AT_GID,
    libc::AT_EGID,
    libc::AT_SECURE,
];
/// The smallest stack for signals. The kernel's number depends on the processor's registers, and no
/// counted program handles a signal.
const SIGNAL_STACK_BYTES: u64 = libc::MINSIGSTKSZ as u64;
/// The stack pointer of a new process is a multiple of this.
const ALIGNMENT: u64 = 16;

/// Maps the stack, fills it, and returns the stack pointer.
pub(crate) fn build(main: &Image, loader: Option<&Image>) -> u64 {
    map();
    let mut stack = Stack { at: STACK_END };
    let name = stack.string(NAME);
    let platform = stack.string(PLATFORM);
    let random = stack.bytes(RANDOM);
    let environment: Vec<u64> = std::env::vars_os()
        .map(|(mut name, value)| {
            name.push("=");
            name.push(value);
            stack.string(&name.into_vec())
        })
        .collect();
    // SAFETY: getauxval only reads.
    let machine = |key| unsafe { libc::getauxval(key) };
    let mut auxiliary: Vec<[u64; 2]> = TAKEN_OVER.map(|key| [key, machine(key)]).to_vec();
    auxiliary.extend([
        [libc::AT_HWCAP, HWCAP],
        [libc::AT_HWCAP2, 0],
        [libc::AT_MINSIGSTKSZ, SIGNAL_STACK_BYTES],
        [libc::AT_PAGESZ, PAGE],
        [libc::AT_PHDR, main.segments],
        [libc::AT_PHENT, PROGRAM_HEADER_BYTES as u64],
        [libc::AT_PHNUM, main.segment_count],
        [libc::AT_BASE, loader.map_or(0, |loader| loader.base)],
        [libc::AT_ENTRY, main.entry],
        [libc::AT_RANDOM, random],
        [libc::AT_EXECFN, name],
        [libc::AT_PLATFORM, platform],
        [libc::AT_NULL, 0],
    ]);
    let mut words = vec![1, name, 0];
    words.extend(environment);
    words.push(0);
    words.extend(auxiliary.as_flattened());
    stack.words(&words)
}

fn map() {
    let limit = sys::soft_limit(libc::RLIMIT_STACK);
    let bytes = limit.min(STACK_BYTES).next_multiple_of(PAGE);
    let (start, flags) = (STACK_END - bytes, libc::MAP_STACK | sys::NOREPLACE);
    if sys::map(start, bytes, libc::PROT_READ | libc::PROT_WRITE, flags) != Ok(start) {
        abort::unsupported("there is no room for its stack");
    }
}

struct Stack {
    at: u64,
}

impl Stack {
    fn bytes(&mut self, bytes: &[u8]) -> u64 {
        self.at -= bytes.len() as u64;
        // SAFETY: within the stack: exec bounds these sizes far below the size of any stack.
        unsafe {
            std::ptr::copy_nonoverlapping(bytes.as_ptr(), self.at as *mut u8, bytes.len());
        }
        self.at
    }

    fn string(&mut self, text: &[u8]) -> u64 {
        self.bytes(b"\0");
        self.bytes(text)
    }

    /// Pushes words, aligned as the start of a stack must be.
    fn words(&mut self, words: &[u64]) -> u64 {
        let bytes: Vec<u8> = words.iter().flat_map(|word| word.to_ne_bytes()).collect();
        self.at -= bytes.len() as u64;
        self.at -= self.at % ALIGNMENT;
        self.at += bytes.len() as u64;
        self.bytes(&bytes)
    }
}
