//! `swiftprof serve` in a process of its own, on every backend: how fast a run ends after its
//! caller, how the server ends, and that nothing is left. For one test: `cargo test --test serve
//! docker::cancel`.

#![allow(clippy::panic, clippy::expect_used, reason = "a test fails by panicking")]

mod cancel_latency;
mod large_input;
mod shutdown;
mod sigkill;

use libtest_mimic::{Arguments, Trial};
use profiler_core::sandbox::Choice;
use profiler_test_support::require;
use profiler_tests::harness::Backend;
use std::process::ExitCode;
use std::sync::Arc;
use tokio::runtime::Runtime;

type Test = fn(&Runtime, &'static str);

/// A test that runs on both backends. Its argument is the name of the backend.
macro_rules! tests {
    ($($name:path),* $(,)?) => {
        [$((stringify!($name), (|runtime, backend| runtime.block_on($name(backend))) as Test)),*]
    };
}

fn main() -> ExitCode {
    let mut arguments = Arguments::from_args();
    // The tests measure durations, so they must not disturb each other.
    arguments.test_threads = Some(1);
    let runtime = Arc::new(Runtime::new().expect("a runtime starts"));
    let tests = tests![
        shutdown::systemd_is_told,
        shutdown::hanging_up_reads_the_settings_again,
        shutdown::each_step_is_logged_and_a_second_signal_ends_at_once,
        cancel_latency::cancel_ends_the_program,
        cancel_latency::a_client_that_dies_ends_the_program,
        cancel_latency::a_dropped_run_ends_the_program,
        cancel_latency::a_dropped_stream_ends_the_program,
        cancel_latency::a_deadline_ends_the_program,
        cancel_latency::a_deadline_ends_the_compiler,
        shutdown::a_running_run_is_finished,
        shutdown::a_run_that_does_not_end_is_interrupted,
        shutdown::an_idle_server_leaves_nothing,
        shutdown::a_server_asked_at_once_leaves_nothing,
        shutdown::a_server_that_is_killed_leaves_no_program,
        large_input::a_large_input_is_not_in_the_server,
        sigkill::nothing_is_lost_and_nothing_is_run_twice,
    ];
    let mut trials = Vec::new();
    for (backend, choice) in [("docker", Choice::Docker), ("native", Choice::Native)] {
        let missing = !arguments.list && !is_here(backend, choice, &runtime);
        for (name, test) in tests {
            let runtime = runtime.clone();
            let run = move || {
                test(&runtime, backend);
                Ok(())
            };
            let trial = Trial::test(format!("{backend}::{name}"), run);
            trials.push(trial.with_ignored_flag(missing));
        }
    }
    libtest_mimic::run(&arguments, trials).exit_code()
}

/// Whether this host has the backend. If not, the reason is printed.
fn is_here(name: &str, choice: Choice, runtime: &Runtime) -> bool {
    let selected = runtime.block_on(Backend::select(choice));
    let missing = |reason| eprintln!("ignored {reason}");
    require::or_reason(name, selected).map_err(missing).is_ok()
}
