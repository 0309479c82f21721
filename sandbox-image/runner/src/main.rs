//! The runner: a small program that lives in a sandbox for as long as a job does.
//!
//! It is the sandbox's pid 1, so that everything a program leaves behind becomes its child, and
//! nothing inside can signal it. Over one channel (stdin and stdout, see `runner_protocol`) it
//! compiles, runs and measures; it is single-threaded and stays small, for what it has resident when
//! it forks is part of every child's peak.
//!
//! ```text
//! serve   the loop: one request, one answer
//!  ├─ compile ─┐
//!  ├─ generate ┤ an input, by a recipe
//!  ├─ batch  ──┤ warm-up under /usr/bin/time (once), then repetitions
//!  │   └─ talk │ of two programs that are connected
//!  ├─ profile ─┤
//!  ├─ allocate ┤ its own malloc tells: record
//!  ├─ count  ──┤ under the instruction counter
//!  ├─ trace  ──┤ the same, by lines: ledger (what it says), symbols and pointers (names), account
//!  ├─ probe  ──┤ looked into: notice (when) and look (at what)
//!  │           └─ measure   one process: gate, interval, limits, evidence
//!  │               └─ child   between fork and exec: user, limits, filter
//!  └─ after every run: kill everything of the program's, reap it, wipe scratch
//! enter   the native backend's way in: namespaces and a private root, then serve
//! ```

mod account;
mod allocate;
mod batch;
mod calibration;
mod child;
mod compile;
mod confine;
mod count;
mod enter;
mod facts;
mod fault;
mod fence;
mod files;
mod filter;
mod generate;
mod image;
mod look;
mod measure;
mod notice;
mod once;
mod probe;
mod profile;
mod run_cgroup;
mod runner;
mod serve;
mod slim;
mod sweep;
mod talk;
mod trace;
mod warm;
mod whose;

use std::process::ExitCode;

fn main() -> ExitCode {
    let ended = match std::env::args().nth(1).as_deref() {
        None => serve::serve(runner_protocol::RUNNER_PATH, None),
        Some(runner_protocol::ENTER) => enter::enter(),
        Some(once::ARGUMENT) => once::once(),
        Some(calibration::ARGUMENT) => {
            calibration::work();
            Ok(())
        }
        Some(other) => Err(fault::Fault::new("start", format!("unknown argument {other:?}"))),
    };
    match ended {
        Ok(()) => ExitCode::SUCCESS,
        Err(fault) => {
            eprintln!("swiftprof-runner: {fault}");
            ExitCode::FAILURE
        }
    }
}
