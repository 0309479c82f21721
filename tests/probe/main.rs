//! What a runner reports about a program in a memory probe or under the counter, and what a program
//! sees in each kind of run, requested over the frames. It runs on every backend, row by row of
//! [`memory_probe`], [`counts`] and [`series`]: `cargo test --test probe docker::deep`.

#![allow(clippy::panic, clippy::expect_used, reason = "a test fails by panicking")]

mod counts;
mod interactive;
mod memory_probe;
mod series;
mod subject;
mod surroundings;

use libtest_mimic::{Arguments, Failed, Trial};
use profiler_test_support::require;
use std::process::ExitCode;
use std::sync::{Arc, Mutex, PoisonError};
use subject::{FLAVOURS, Flavour, Subject};
use tokio::runtime::Runtime;

fn main() -> ExitCode {
    let mut arguments = Arguments::from_args();
    // The rows of a backend share a sandbox, so that each row meets what the previous one left.
    arguments.test_threads = Some(1);
    let runtime = Arc::new(Runtime::new().expect("a runtime starts"));
    // A task destroys a sandbox, so this needs the runtime.
    let _inside = runtime.enter();
    let listed = arguments.list;
    let trials = FLAVOURS.into_iter().flat_map(|flavour| {
        let subject = (!listed).then(|| runtime.block_on(Subject::start(flavour)));
        let subject = subject.and_then(|started| {
            let missing = |reason| eprintln!("ignored {reason}");
            require::or_reason(flavour.tool(), started).map_err(missing).ok()
        });
        suite(flavour, subject, &runtime)
    });
    let documented = Trial::test("differences_are_documented", || {
        surroundings::are_documented();
        Ok(())
    });
    libtest_mimic::run(&arguments, trials.chain([documented]).collect()).exit_code()
}

fn suite(flavour: Flavour, subject: Option<Subject>, runtime: &Arc<Runtime>) -> Vec<Trial> {
    let subject = subject.map(|subject| Arc::new(Mutex::new(subject)));
    let trial = |name: &str, check: Check| {
        let (shared, runtime) = (subject.clone(), runtime.clone());
        let run = move || match shared {
            Some(subject) => {
                // A failed row leaves the sandbox like any other.
                check(&runtime, &mut subject.lock().unwrap_or_else(PoisonError::into_inner));
                Ok(())
            }
            None => Err(Failed::from("this host does not have the backend")),
        };
        let name = format!("{}::{name}", flavour.name());
        Trial::test(name, run).with_ignored_flag(subject.is_none())
    };
    let probes = memory_probe::ROWS.iter().map(|row| {
        trial(
            row.way,
            Box::new(|runtime, subject| runtime.block_on(memory_probe::holds(subject, row))),
        )
    });
    let counts = counts::ROWS.iter().map(|row| {
        let name = format!("counter_{}", row.name);
        trial(&name, Box::new(|runtime, subject| runtime.block_on(counts::holds(subject, row))))
    });
    let series = series::ROWS.iter().map(|row| {
        let name = format!("series_{}", row.wish);
        trial(&name, Box::new(|runtime, subject| runtime.block_on(series::holds(subject, row))))
    });
    let peaks = trial(
        "cgroup_peak",
        Box::new(|runtime, subject| runtime.block_on(memory_probe::peaks(subject))),
    );
    let same_run = trial(
        "surroundings",
        Box::new(move |runtime, subject| runtime.block_on(surroundings::holds(subject, flavour))),
    );
    let interactive_stops: Check = Box::new(move |runtime, _| {
        runtime.block_on(async {
            // This test ends its sandbox.
            let mut own = Subject::start(flavour).await.expect("another one starts");
            interactive::stops(&mut own).await;
        });
    });
    let interactive_stops = trial("interactive_stops", interactive_stops);
    // These tests end their sandbox, so they come last.
    let stops =
        trial("stops", Box::new(|runtime, subject| runtime.block_on(memory_probe::stops(subject))));
    probes.chain(counts).chain(series).chain([peaks, same_run, interactive_stops, stops]).collect()
}

type Check = Box<dyn FnOnce(&Runtime, &mut Subject) + Send>;
