//! The runner: a small program that lives in a sandbox for as long as a job does.
//!
//! The runner is the sandbox's pid 1: orphans become its children, and nothing inside can signal
//! it. It takes requests over one channel (stdin and stdout, see `runner_protocol`), and compiles,
//! runs and measures programs. It has one thread. It stays small, because its resident memory at a
//! fork is part of every child's peak.
//!
//! ```text
//! namespaces   the native backend's way in: namespaces and a private root
//!  └─ serve    the loop: one request, one answer
//!      └─ runs
//!          ├─ compile
//!          ├─ generate      an input, by a recipe
//!          ├─ batch         warm-up under /usr/bin/time (warm_up_child), then repetitions
//!          │   └─ interactive   two programs that are connected by pipes
//!          ├─ check         a checker, on the output of another sandbox's program
//!          ├─ profile       under gprof
//!          ├─ allocations   the program's malloc records its calls
//!          ├─ count         under the instruction counter; series: on many inputs;
//!          │                forked: from an origin that has not read its input
//!          ├─ trace         the same, by lines: attribution, stacks
//!          ├─ trace::fault  a run that process::tracer traces to its crash
//!          └─ memory_probe  seccomp_notify says when to read, memory_reader reads
//!              └─ process::run_program   start, measure, sweep, read back, empty
//!                  ├─ measure   one process: interval, limits, evidence
//!                  ├─ spawn     between clone and exec: user, limits, Landlock, seccomp
//!                  └─ sweep     kill and reap what the program left, empty scratch
//! ```
//!
//! Each layer calls only the layers below it: `serve` → `runs` → `process` → `confine` → `sys`.

mod confine;
mod process;
mod runs;
mod serve;
mod sys;

use confine::namespaces;
use nix::sys::signal::{SigHandler, Signal, signal};
use nix::sys::stat::{Mode, umask};
use runs::warm_up_child;
use std::process::ExitCode;
use sys::calibration;
use sys::fault::{Fault, Result, Stage};
use sys::files::INSIDE;

/// Permissions that new files do not get: writing, for everybody but the owner.
const READABLE: Mode = Mode::from_bits_truncate(0o022);

fn main() -> ExitCode {
    // Programs inherit the mask. With a stricter one, they could not read their own files.
    umask(READABLE);
    match run() {
        Ok(()) => ExitCode::SUCCESS,
        Err(fault) => {
            eprintln!("swiftprof-runner: {fault}");
            ExitCode::FAILURE
        }
    }
}

/// Gives SIGCHLD its default action. If the caller ignores SIGCHLD, this process inherits that, and
/// the kernel then reaps children together with their figures. Only the runner itself may call
/// this: the filter of a program, such as the calibration, forbids it.
fn expect_children() -> Result<()> {
    // SAFETY: the default action runs no code of this process.
    unsafe { signal(Signal::SIGCHLD, SigHandler::SigDfl) }.stage("reset SIGCHLD")?;
    Ok(())
}

/// Runs in the mode that the first argument selects.
fn run() -> Result<()> {
    match std::env::args().nth(1).as_deref() {
        None => {
            expect_children()?;
            serve::serve(runner_protocol::RUNNER_PATH, Ok(None))
        }
        Some(runner_protocol::ENTER) => {
            expect_children()?;
            let run_cgroup = namespaces::enter()?;
            run_cgroup.map_or(Ok(()), |run_cgroup| serve::serve(INSIDE, run_cgroup))
        }
        Some(warm_up_child::ARGUMENT) => warm_up_child::run(),
        Some(calibration::ARGUMENT) => {
            calibration::work();
            Ok(())
        }
        Some(other) => Err(Fault::new("start", format!("unknown argument {other:?}"))),
    }
}
