//! The counter: runs a program and counts every instruction it executes, without hardware counters.
//!
//! `swiftprof-counter PROGRAM` loads the program into its own process, where the program finds what
//! it would find natively. The counter translates what is executed block by block: a copy of the
//! instructions, an addition to a counter, and jumps to the next translated block. The program's
//! own code stays where it is and is never executed, so return addresses, function pointers,
//! exceptions and `longjmp` work as usual. When the program exits, the counter writes one line to
//! descriptor 3 and exits with the program's code:
//!
//! ```text
//! instructions N own M     N: all user-mode instructions, from the first of the dynamic loader to
//!                          the call that ends the process; M: those outside of libraries
//! instructions N           the same for a static program, whose libraries are part of it
//! unsupported REASON       the program cannot be counted exactly; the exit code is 125
//! ```
//!
//! If a signal kills the program, the counter dies of the same signal and writes no line.
//!
//! The file at descriptor 3 holds a nonce of 16 bytes when the counter starts. The counter empties
//! the file before the program starts, and writes the nonce before each line, without a separator.
//! So a program that could write to the file could still not write a line that is believed.
//!
//! `swiftprof-counter profile PROGRAM` also reports where the instructions were executed. After the
//! line follow, as little-endian numbers:
//!
//! ```text
//! u32 blocks, u32 nodes, u32 full
//! blocks   u32 address, u64 executions, u8 instructions, and a u8 each: their lengths in bytes
//! nodes    u32 parent, u32 site, u32 target, u32 library, u64 calls, u64 instructions
//! ```
//!
//! A block is a basic block of the program itself that was executed. One instruction can be in
//! several blocks. A node is a chain of calls (`call_tree.rs`). `site` is the return address of the
//! call, or 0 if a library made the call. `target` is what was called. If `library` is 1, the
//! called function is outside the program, and `target` is the address of the pointer that it was
//! called by, or 0. The first node, and the nodes with unknown callers, have the parent 2^32 - 1;
//! nodes with unknown callers exist if `full` is 1. Addresses are those in the program's file. The
//! instructions of all nodes add up to the number in the line. A library function has one node,
//! from the call to the return, without the program's functions that it calls. A tail call through
//! a pointer that stays in the program belongs to the caller's node. A library function's tail call
//! of another library function belongs to the node of the first.
//!
//! `swiftprof-counter series INPUTS STDIN EACH_MS ALL_MS PROGRAM` counts the program on one input
//! after another (`program/series.rs`). `INPUTS` is a descriptor of the inputs, and `STDIN` is a
//! descriptor that writes the file that is open as stdin. For each input on which the program exits
//! there is a line `exited CODE instructions N own M`, and after it `u32 blocks` and the blocks, as
//! in a profile. The series may end early, with an `unsupported` line, by a signal, or for no
//! visible reason. Signal 64 is the time limit of an input.
//!
//! `swiftprof-counter origin SOCKET PROGRAM` counts the program on one input after another, each in
//! a process of its own that is forked from this one (`program/origin.rs`). With the word `profile`
//! before `PROGRAM`, each process also reports where the instructions were executed.
//!
//! A repeated string instruction counts once, and what the kernel executes does not count. The same
//! program with the same libraries, input and environment has exactly the same count on every host:
//! it gets the same addresses, the same "random" bytes and the same answers of `cpuid`
//! (`program/processor.rs`) in every run. The counter hides the kernel's vDSO, so asking for the
//! time is a system call like any other. What no run can repeat, such as the time or a process id,
//! differs. The results of `rsqrtss` and `rcpss` depend on the vendor of the processor.
//!
//! Not supported: threads and processes, signal handlers, code that is made or changed at run time,
//! jumps between segments, the register gs, transactions, and programs with more than a gigabyte of
//! static data. The program shares its address space with the counter, whose memory is at random
//! addresses (`layout.rs`). So the files of `/proc` that tell addresses cannot be opened. A program
//! that finds the memory can forge its own count, and nothing else.
//!
//! ```text
//! main ─ program::{image, stack}   the program in memory, as the kernel would load it
//!  └─ enter             the transitions between generated code and Rust, through `context`
//!      └─ machine       the work that generated code leaves to Rust
//!          ├─ translation   from a decoded `block`, by `writer`, chained by `block_chaining`
//!          ├─ profiling     counts by blocks and by chains of calls
//!          ├─ program::system_calls   those that change code or memory, or end the run
//!          ├─ program::series         many inputs, each started from a snapshot
//!          └─ program::origin         many inputs, each in a process forked from this one
//! ```

#![cfg_attr(target_arch = "x86_64", no_main)]

#[cfg(target_arch = "x86_64")]
mod abort;
#[cfg(target_arch = "x86_64")]
mod context;
#[cfg(target_arch = "x86_64")]
mod enter;
#[cfg(target_arch = "x86_64")]
mod layout;
#[cfg(target_arch = "x86_64")]
mod leave_reason;
#[cfg(target_arch = "x86_64")]
mod machine;
#[cfg(target_arch = "x86_64")]
mod profiling;
#[cfg(target_arch = "x86_64")]
mod program;
#[cfg(target_arch = "x86_64")]
mod result;
#[cfg(target_arch = "x86_64")]
mod sys;
#[cfg(target_arch = "x86_64")]
mod translation;

#[cfg(target_arch = "x86_64")]
use machine::Inputs;
#[cfg(target_arch = "x86_64")]
use profiler_decode::counter_output::{ORIGIN, PROFILE, SERIES};
#[cfg(target_arch = "x86_64")]
use profiling::{profile, tallies};
#[cfg(target_arch = "x86_64")]
use program::series::{Arguments, Series};
#[cfg(target_arch = "x86_64")]
use program::{image, memory, origin::Origin, stack};
#[cfg(target_arch = "x86_64")]
use std::ffi::{CStr, OsStr, c_char, c_int};
#[cfg(target_arch = "x86_64")]
use std::os::unix::ffi::OsStrExt;

/// Parses the arguments of a series.
#[cfg(target_arch = "x86_64")]
fn series_of(texts: [&CStr; 4]) -> Option<Arguments> {
    let [inputs, stdin, each_ms, all_ms] = texts.map(|text| text.to_str().ok()?.parse().ok());
    let descriptor = |number: u64| c_int::try_from(number).ok();
    Some(Arguments {
        inputs: descriptor(inputs?)?,
        stdin: descriptor(stdin?)?,
        each_ms: each_ms?,
        all_ms: all_ms?,
    })
}

/// There is no Rust runtime, because it would handle faults and ignore broken pipes. Signals affect
/// this process as they would affect the program.
///
/// # Safety
/// Only for libc: `arguments` holds at least `count` strings.
#[cfg(target_arch = "x86_64")]
#[unsafe(no_mangle)]
pub unsafe extern "C" fn main(count: c_int, arguments: *const *const c_char) -> c_int {
    abort::hide();
    std::panic::set_hook(Box::new(|_| abort::unsupported("the counter itself failed")));
    // SAFETY: see above; arguments live as long as the process.
    let argument = |at| unsafe { CStr::from_ptr(*arguments.add(at)) };
    let is = |at, word: &str| argument(at).to_bytes() == word.as_bytes();
    let (series, socket) = match count {
        2 => (None, None),
        3 if is(1, PROFILE) => (None, None),
        4 | 5 if is(1, ORIGIN) => match argument(2).to_str().map(str::parse) {
            Ok(Ok(socket)) => (None, Some(socket)),
            _ => abort::unsupported("the socket has no number"),
        },
        7 if is(1, SERIES) => match series_of([2, 3, 4, 5].map(argument)) {
            Some(series) => (Some(series), None),
            None => abort::unsupported("the series has no numbers"),
        },
        _ => abort::unsupported("no program is named"),
    };
    let last = count.unsigned_abs() as usize - 1;
    let is_profiled = is(last - 1, PROFILE);
    context::prepare(enter::ways_in());
    let mut memory = memory::Memory::new();
    let path = OsStr::from_bytes(argument(last).to_bytes());
    let main = image::load_main(path, &mut memory);
    if is_profiled {
        profile::begin(&main, image::functions(path, main.base));
    }
    if is_profiled || series.is_some() {
        tallies::begin(&main);
    }
    let loader = main.loader.as_ref().map(|path| image::load_loader(path, &mut memory));
    let stack = stack::build(&main, loader.as_ref());
    let entry = loader.as_ref().map_or(main.entry, |loader| loader.entry);
    let inputs = match (series, socket) {
        (Some(arguments), _) => Inputs::Series(Box::new(Series::begin(&arguments))),
        (_, Some(socket)) => Inputs::Origin(Origin::begin(socket)),
        _ => Inputs::One,
    };
    machine::Machine::prepare(memory, entry, stack, inputs);
    // SAFETY: the context is complete, and nothing of this thread is used again but its stack.
    unsafe { enter::start() }
}

/// Reports that only x86-64 code can be translated.
#[cfg(not(target_arch = "x86_64"))]
fn main() -> std::process::ExitCode {
    use std::os::fd::FromRawFd;
    use std::os::unix::fs::FileExt;
    let mut nonce: profiler_decode::counter_output::Nonce = Default::default();
    // SAFETY: descriptor 3 is the result file, and nothing else in this process uses it.
    let result = unsafe { std::fs::File::from_raw_fd(3) };
    let _ = result.read_exact_at(&mut nonce, 0).and_then(|()| {
        result.set_len(0)?;
        result
            .write_all_at(&[&nonce[..], b"unsupported this machine is not an x86-64\n"].concat(), 0)
    });
    std::process::ExitCode::from(125)
}
