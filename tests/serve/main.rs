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
use profiler_tests::harness::{Backend, own_core};
use std::process::ExitCode;
use std::sync::{Arc, OnceLock};
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
    // Before anything starts a thread. The servers inherit it.
    if let Some(core) = own_core() {
        core.keep_off();
    }
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
        // The first test that needs the backend selects it.
        let selected = Arc::new(OnceLock::new());
        for (name, test) in tests {
            let (runtime, selected) = (runtime.clone(), selected.clone());
            let run = move || {
                let select = || runtime.block_on(Backend::select(choice)).map(drop);
                if require::or_skip(backend, selected.get_or_init(select).as_ref()).is_some() {
                    test(&runtime, backend);
                }
                Ok(())
            };
            trials.push(Trial::test(format!("{backend}::{name}"), run));
        }
    }
    libtest_mimic::run(&arguments, trials).exit_code()
}
