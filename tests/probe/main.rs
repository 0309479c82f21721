//! Reports of a runner about a program in a memory probe or under the counter, and what a program
//! sees in each kind of run, requested over the frames. It runs on every backend. At most eight
//! rows of [`memory_probe`], [`counts`] or [`series`] are a test: `cargo test --test probe
//! docker::memory_probe::2`. For one row on its own, its name is in
//! [`VARIABLE`](profiler_tests::rows::VARIABLE): `PROFILER_TEST_ROWS=deep cargo test --test probe`.

#![allow(clippy::panic, clippy::expect_used, reason = "a test fails by panicking")]

mod counts;
mod interactive;
mod memory_probe;
mod series;
mod subject;
mod surroundings;

use libtest_mimic::{Arguments, Failed, Trial};
use profiler_core::sandbox::Cores;
use profiler_test_support::require;
use profiler_tests::harness::own_core;
use profiler_tests::rows::Rows;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::process::ExitCode;
use std::sync::Arc;
use subject::{FLAVOURS, Flavour, Subject};
use tokio::runtime::Runtime;

/// The name of a row, and its check, which panics unless it holds.
type Row = (String, Box<dyn FnOnce(&Runtime, &mut Subject) + Send>);

fn row(name: impl Into<String>, holds: impl AsyncFnOnce(&mut Subject) + Send + 'static) -> Row {
    (name.into(), Box::new(|runtime, subject| runtime.block_on(holds(subject))))
}

fn main() -> ExitCode {
    let mut arguments = Arguments::from_args();
    // Two tests at a time would disturb each other.
    arguments.test_threads = Some(1);
    let core = own_core();
    // Before anything starts a thread.
    if let Some(core) = &core {
        core.keep_off();
    }
    let runtime = Arc::new(Runtime::new().expect("a runtime starts"));
    // Few rows are few of the table of hostile programs.
    let rows = match Rows::chosen() {
        Rows::Named(names) => Rows::Named(names),
        Rows::All | Rows::First | Rows::Memory => Rows::All,
    };
    let of_flavour = |flavour: Flavour| {
        let tests = tests(flavour, &rows).into_iter();
        let trials = tests.map(|(name, rows)| {
            let (runtime, core) = (runtime.clone(), core.clone());
            let name = format!("{}::{name}", flavour.name());
            Trial::test(name, move || hold(flavour, rows, &runtime, core.as_ref()))
        });
        trials.collect::<Vec<_>>()
    };
    let documented = Trial::test("differences_are_documented", || {
        surroundings::are_documented();
        surroundings::channels::are_documented();
        Ok(())
    });
    let documented = Some(documented).filter(|test| rows.include(test.name()));
    let trials: Vec<_> = FLAVOURS.into_iter().flat_map(of_flavour).chain(documented).collect();
    rows.warn_of_unknown(trials.iter().map(Trial::name));
    libtest_mimic::run(&arguments, trials).exit_code()
}

/// Checks that rows hold, one after the other in one sandbox, so that each row meets what the
/// previous one left. A failed row leaves the sandbox like any other.
fn hold(
    flavour: Flavour,
    rows: Vec<Row>,
    runtime: &Runtime,
    core: Option<&Cores>,
) -> Result<(), Failed> {
    let started = runtime.block_on(Subject::start(flavour, core));
    let Some(mut subject) = require::or_skip(flavour.tool(), started) else { return Ok(()) };
    let failed = rows.into_iter().filter_map(|(name, check)| {
        let held = catch_unwind(AssertUnwindSafe(|| check(runtime, &mut subject)));
        let said = held.err()?.downcast::<String>();
        Some(format!("{name}: {}", said.map_or_else(|_| String::new(), |said| *said)))
    });
    let failed: Vec<_> = failed.collect();
    runtime.block_on(subject.end());
    if failed.is_empty() { Ok(()) } else { Err(failed.join("\n").into()) }
}

/// The chosen tests of one backend, each with its rows.
fn tests(flavour: Flavour, rows: &Rows) -> Vec<(String, Vec<Row>)> {
    let probes = of_table(rows, "memory_probe", memory_probe::ROWS, |it| {
        row(it.way, async move |subject: &mut Subject| memory_probe::holds(subject, it).await)
    });
    // The counters of these rows are scripts, and native programs have no shell.
    let scripts = if matches!(flavour, Flavour::Docker) { counts::ROWS } else { &[] };
    let counts = of_table(rows, "counts", scripts, |it| {
        let name = format!("counter_{}", it.name);
        row(name, async move |subject: &mut Subject| counts::holds(subject, it).await)
    });
    let series = of_table(rows, "series", series::ROWS, |it| {
        let name = format!("series_{}", it.wish);
        row(name, async move |subject: &mut Subject| series::holds(subject, it).await)
    });
    let compare = async move |subject: &mut Subject| surroundings::holds(subject, flavour).await;
    let pair =
        async move |subject: &mut Subject| surroundings::neighbours::hold(subject, flavour).await;
    let pass_on =
        async move |subject: &mut Subject| surroundings::channels::hold(subject, flavour).await;
    let alone = [
        row("cgroup_peak", memory_probe::peaks),
        row("channels", pass_on),
        row("neighbours", pair),
        row("surroundings", compare),
        row("interactive_stops", interactive::stops),
        row("stops", memory_probe::stops),
    ];
    let alone = alone.into_iter().filter(|(name, _)| rows.include(name));
    let alone = alone.map(|row| (row.0.clone(), vec![row]));
    probes.chain(counts).chain(series).chain(alone).collect()
}

fn of_table<R>(
    rows: &Rows,
    room: &str,
    table: &'static [R],
    as_row: impl Fn(&'static R) -> Row,
) -> impl Iterator<Item = (String, Vec<Row>)> {
    let tests = rows.tests(room, table, |it| as_row(it).0);
    tests.into_iter().map(move |(name, rows)| (name, rows.iter().map(&as_row).collect()))
}
