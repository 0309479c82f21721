//! `swiftprof serve` in a process of its own, on every backend: how fast a run ends with its
//! caller, how the server ends, and that nothing is left. One test at a time: `cargo test --test
//! serve docker::cancel`.

#![allow(clippy::panic, clippy::expect_used, reason = "a test fails by panicking")]

mod ending;
mod input;
mod kills;
mod shutdown;

use libtest_mimic::{Arguments, Trial};
use profiler_core::sandbox::Choice;
use profiler_test_support::require;
use profiler_tests::harness::Backend;
use std::process::ExitCode;
use std::sync::Arc;
use tokio::runtime::Runtime;

type Test = fn(&Runtime, &'static str);

/// A test of both backends, which it gets by name.
macro_rules! tests {
    ($($name:path),* $(,)?) => {
        [$((stringify!($name), (|runtime, backend| runtime.block_on($name(backend))) as Test)),*]
    };
}

fn main() -> ExitCode {
    let mut arguments = Arguments::from_args();
    // What they measure is how long something takes.
    arguments.test_threads = Some(1);
    let runtime = Arc::new(Runtime::new().expect("a runtime starts"));
    let tests = tests![
        ending::cancel_ends_the_program,
        ending::a_client_that_dies_ends_the_program,
        ending::a_dropped_run_ends_the_program,
        ending::a_dropped_stream_ends_the_program,
        ending::a_deadline_ends_the_program,
        ending::a_deadline_ends_the_compiler,
        shutdown::a_run_under_way_is_finished,
        shutdown::a_run_that_does_not_end_is_interrupted,
        shutdown::an_idle_server_leaves_nothing,
        shutdown::a_server_asked_at_once_leaves_nothing,
        shutdown::a_server_that_is_killed_leaves_no_program,
        input::a_large_input_is_not_the_servers,
        kills::nothing_is_lost_and_nothing_is_run_twice,
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

/// Whether this host has the backend; where not, the reason is printed.
fn is_here(name: &str, choice: Choice, runtime: &Runtime) -> bool {
    let selected = runtime.block_on(Backend::select(choice));
    let missing = |reason| eprintln!("ignored {reason}");
    require::or_reason(name, selected).map_err(missing).is_ok()
}
