//! Faults while `swiftprof serve` is running: in the Docker daemon, a container, a runner, the
//! disk, the clock, or another server. After each fault the right error must come within a bound
//! that the test names, health must follow, the next job must work without a restart, and nothing
//! may be left. One test at a time: `cargo test --test faults daemon::`.

#![allow(clippy::panic, clippy::expect_used, reason = "a test fails by panicking")]

mod clock;
mod daemon;
mod disk;
mod engine;
mod neighbours;
mod orphans;
mod sandbox;
mod scene;

use libtest_mimic::{Arguments, Trial};
use profiler_core::sandbox::Choice;
use profiler_test_support::require;
use profiler_tests::harness::{Backend, own_core};
use sandbox::{Fault, Moment};
use std::process::ExitCode;
use std::sync::{Arc, OnceLock};
use tokio::runtime::Runtime;

/// A row of the table: its name, its needs, and how to run it.
type Row = (String, Vec<&'static str>, Box<dyn Fn(&Runtime) + Send>);

/// Rows: a test, its arguments, and after `needs` the tools that it needs.
macro_rules! rows {
    ($($test:path [$($given:expr),*] needs $($tool:ident)*;)*) => {
        vec![$({
            let mut name = vec![stringify!($test).to_owned()];
            name.extend([$(format!("{:?}", $given).to_lowercase().replace('"', "")),*]);
            let run = move |runtime: &Runtime| runtime.block_on($test($($given),*));
            let row: Row = (name.join(" "), vec![$(stringify!($tool)),*], Box::new(run));
            row
        }),*]
    };
}

fn rows() -> Vec<Row> {
    let mut rows = rows![
        daemon::ends_hangs_and_comes_back [] needs docker dockerd;
        sandbox::meets ["docker", Fault::RunnerKilled, Moment::Running] needs docker;
        sandbox::meets ["native", Fault::LauncherKilled, Moment::Running] needs native;
        orphans::containers_of_the_same_instance_are_swept [] needs docker;
        orphans::control_groups_of_the_same_instance_are_swept [] needs native;
        orphans::stopped_sandboxes_are_killed ["docker", Fault::ContainerPaused] needs docker;
        orphans::stopped_sandboxes_are_killed ["native", Fault::RunnerStopped] needs native;
        disk::control_groups_cannot_be_made [] needs native;
    ];
    for moment in [Moment::Idle, Moment::Waiting, Moment::Compiling, Moment::Running] {
        rows.extend(rows![
            sandbox::meets ["docker", Fault::ContainerKilled, moment] needs docker;
            sandbox::meets ["docker", Fault::ContainerRemoved, moment] needs docker;
            sandbox::meets ["docker", Fault::ContainerPaused, moment] needs docker;
            sandbox::meets ["native", Fault::RunnerKilled, moment] needs native;
            sandbox::meets ["native", Fault::RunnerStopped, moment] needs native;
        ]);
    }
    for backend in ["docker", "native"] {
        rows.extend(rows![
            disk::is_full [backend] needs both;
            clock::jumps_during_a_run [backend] needs both faketime;
            clock::jumps_before_a_deadline [backend] needs both faketime;
            neighbours::a_sweep_spares_the_living_server [backend] needs both;
        ]);
    }
    rows
}

/// Tools of this host. The first test that needs one looks for it.
struct Host {
    runtime: Runtime,
    docker: OnceLock<Result<(), String>>,
    native: OnceLock<Result<(), String>>,
}

impl Host {
    /// Whether the host has everything that a test needs. If not, the test counts as skipped.
    fn has(&self, needs: &[&'static str], test: &str) -> bool {
        needs.iter().all(|&need| {
            let (tool, found) = match need {
                "both" if test.ends_with("docker") => ("docker", self.docker()),
                "docker" => ("docker", self.docker()),
                "both" | "native" => ("native", self.native()),
                "dockerd" => ("docker", engine::is_installed()),
                "faketime" => ("native", clock::is_installed()),
                other => panic!("no such tool: {other}"),
            };
            require::or_skip(tool, found).is_some()
        })
    }

    fn docker(&self) -> Result<(), String> {
        self.docker.get_or_init(|| self.select(Choice::Docker)).clone()
    }

    fn native(&self) -> Result<(), String> {
        self.native.get_or_init(|| self.select(Choice::Native)).clone()
    }

    fn select(&self, choice: Choice) -> Result<(), String> {
        let selected = self.runtime.block_on(Backend::select(choice));
        selected.map(drop).map_err(|fault| fault.to_string())
    }
}

fn main() -> ExitCode {
    let mut arguments = Arguments::from_args();
    // The tests measure durations, so they must not disturb each other.
    arguments.test_threads = Some(1);
    // Before anything starts a thread. The servers inherit it.
    if let Some(core) = own_core() {
        core.keep_off();
    }
    let runtime = Runtime::new().expect("a runtime starts");
    let host = Arc::new(Host { runtime, docker: OnceLock::new(), native: OnceLock::new() });
    let trials = rows().into_iter().map(|(name, needs, run)| {
        let (host, test) = (host.clone(), name.clone());
        Trial::test(name, move || {
            if host.has(&needs, &test) {
                run(&host.runtime);
            }
            Ok(())
        })
    });
    let conclusion = libtest_mimic::run(&arguments, trials.collect());
    host.runtime.block_on(engine::close());
    conclusion.exit_code()
}
