//! `swiftprof` as people and scripts use it: a process, its exit code, its stdout and stderr.

#![allow(
    clippy::expect_used,
    clippy::panic,
    clippy::unwrap_used,
    reason = "a test fails by panicking"
)]

mod check;
mod checkers;
mod compare;
#[cfg(target_arch = "x86_64")]
mod compiled;
mod export;
mod failure;
mod fault;
mod generators;
mod host;
mod infer;
mod inputs;
mod interrupt;
mod next_steps;
mod program_files;
mod remote;
mod report;
mod runs;
mod sanitize;
mod starved;
mod test_cases;
mod worst;

use profiler_core::sandbox::Choice;
use profiler_test_support::require;
use profiler_tests::harness::Backend;
use profiler_tests::swiftprof::file;
use serde_json::Value;
use std::process::Output;

/// An exit code and what it means.
const REPORT: i32 = 0;
const DIFFERENT: i32 = 1;
const SANDBOX_ERROR: i32 = 1;
const BAD_INPUT: i32 = 2;
const FAULT: i32 = 3;
const CANNOT_TELL: i32 = 4;
const INTERRUPTED: i32 = 130;
const TERMINATED: i32 = 143;

fn sort() -> String {
    file("examples/sort.cpp")
}

/// Whether this host has the backend. If not, the reason is printed.
async fn has(name: &str, choice: Choice) -> bool {
    require::or_skip(name, Backend::select(choice).await).is_some()
}

fn stderr(output: &Output) -> String {
    String::from_utf8_lossy(&output.stderr).into_owned()
}

/// The JSON on stdout of a process with this exit code.
fn json(output: &Output, exit: i32) -> Value {
    assert_eq!(output.status.code(), Some(exit), "{}", stderr(output));
    serde_json::from_slice(&output.stdout).expect("stdout is JSON and nothing else")
}
