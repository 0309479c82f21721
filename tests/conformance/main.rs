//! One suite for every backend: the whole [`model`](profiler_tests::model), and the plan's
//! acceptance tests. Each row of the table is a test of its own: `cargo test --test conformance
//! docker::fork_bomb`.

#![allow(clippy::panic, clippy::expect_used, reason = "a test fails by panicking")]

mod acceptance;
mod advice;
mod allocations;
mod binaries;
mod clocks;
mod inputs;
mod interactive;
mod invariants;
mod table;

use libtest_mimic::{Arguments, Failed, Trial};
use profiler_core::error::SandboxFault;
use profiler_core::sandbox::Choice;
use profiler_test_support::require;
use profiler_tests::harness::{Backend, Ended};
use profiler_tests::model::{CASES, Case, Group};
use profiler_tests::remains::Holdings;
use std::env;
use std::process::ExitCode;
use std::sync::mpsc::{self, Sender};
use std::sync::{Arc, OnceLock};
use std::time::{Duration, Instant};
use table::Row;
use tokio::runtime::Runtime;

/// The backends; the native one works in two ways.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Flavour {
    Docker,
    Native,
    /// As an ordinary user: one user id, no cgroup. If an ordinary user runs the tests, it equals
    /// [`Flavour::Native`].
    NativeUser,
}

const FLAVOURS: [Flavour; 3] = [Flavour::Docker, Flavour::Native, Flavour::NativeUser];

impl Flavour {
    fn name(self) -> &'static str {
        match self {
            Self::Docker => "docker",
            Self::Native => "native",
            Self::NativeUser => "native_user",
        }
    }

    /// What the host must have, as [`require::VARIABLE`] calls it.
    fn tool(self) -> &'static str {
        match self {
            Self::Docker => "docker",
            Self::Native | Self::NativeUser => "native",
        }
    }
}

/// If set to `first`, only the first case of each group of the table runs, and no other check.
/// `cargo xtask test --quick` sets it. If set to `memory`, the other cases about memory run too.
const ROWS: &str = "PROFILER_TEST_ROWS";

/// Part of the sentence in [`Backend::not_enforced`] of a backend without a memory cgroup.
const NO_CGROUP: &str = "no memory cgroup";

/// A backend under test, and its state after its first case.
struct Subject {
    backend: Backend,
    /// The peak resident set of the benign program.
    usual_mb: OnceLock<f64>,
    holdings: OnceLock<Holdings>,
}

type Check = Box<dyn FnOnce(&Runtime, &Subject) -> Result<(), Failed> + Send>;

fn main() -> ExitCode {
    let mut arguments = Arguments::from_args();
    // One measured program at a time, because two would disturb each other.
    arguments.test_threads = Some(1);
    let runtime = Arc::new(Runtime::new().expect("a runtime starts"));
    let listed = arguments.list;
    let (rows, told) = mpsc::channel();
    let trials = FLAVOURS
        .into_iter()
        .flat_map(|flavour| {
            let backend = (!listed).then(|| runtime.block_on(select(flavour)));
            let backend = backend.and_then(|selected| {
                let missing = |reason| eprintln!("ignored {reason}");
                require::or_reason(flavour.tool(), selected).map_err(missing).ok()
            });
            suite(flavour, backend, &runtime, &rows)
        })
        .collect();
    let conclusion = libtest_mimic::run(&arguments, trials);
    table::print(&told, &FLAVOURS.map(Flavour::name));
    conclusion.exit_code()
}

async fn select(flavour: Flavour) -> Result<Backend, SandboxFault> {
    match flavour {
        Flavour::Docker => Backend::select(Choice::Docker).await,
        Flavour::Native => Backend::select(Choice::Native).await,
        Flavour::NativeUser => Backend::ordinary_user().await,
    }
}

/// The tests of one backend. All of them are ignored if the host does not have it. A row that needs
/// a memory cgroup is left out if the backend says, as in every report, that it has none.
fn suite(
    flavour: Flavour,
    backend: Option<Backend>,
    runtime: &Arc<Runtime>,
    rows: &Sender<Row>,
) -> Vec<Trial> {
    let lacking = backend.as_ref().map(Backend::not_enforced).unwrap_or_default();
    let has_cgroup = !lacking.iter().any(|sentence| sentence.contains(NO_CGROUP));
    let subject = backend.map(|backend| {
        Arc::new(Subject { backend, usual_mb: OnceLock::new(), holdings: OnceLock::new() })
    });
    let trial = |test: &str, check: Check| {
        let (shared, runtime) = (subject.clone(), runtime.clone());
        let run = move || match shared {
            Some(subject) => check(&runtime, &subject),
            None => Err(Failed::from("this host does not have the backend")),
        };
        let name = format!("{}::{test}", flavour.name());
        Trial::test(name, run).with_ignored_flag(subject.is_none())
    };
    let rows_chosen = env::var(ROWS).unwrap_or_default();
    let is_quick = ["first", "memory"].contains(&rows_chosen.as_str());
    let is_whole = |group| !is_quick || (rows_chosen == "memory" && group == Group::Memory);
    let cases = CASES.iter().flat_map(|&(group, cases)| {
        let rows_of_group = if is_whole(group) { usize::MAX } else { 1 };
        cases.iter().take(rows_of_group).map(move |case| (group, case))
    });
    let answerable = cases.filter(|(_, case)| has_cgroup || !case.needs_cgroup);
    let cases = answerable.map(|(group, case)| {
        let rows = rows.clone();
        let check: Check = Box::new(move |runtime, subject| {
            runtime.block_on(conforms(flavour, subject, (group, case), &rows))
        });
        trial(case.program, check)
    });
    if is_quick {
        return cases.collect();
    }
    let binaries: Check = Box::new(|runtime, subject| {
        runtime.block_on(binaries::equal_those_of_plain_gxx(&subject.backend));
        Ok(())
    });
    let binaries = trial("binaries_are_those_of_plain_gxx", binaries);
    let (inputs, interactive) = (inputs::trials(trial), interactive::trials(trial));
    let (allocations, clocks) = (allocations::trials(trial), clocks::trials(trial));
    let others = acceptance::trials(trial)
        .into_iter()
        .chain(inputs)
        .chain(interactive)
        .chain(allocations)
        .chain(advice::trials(trial))
        .chain(clocks);
    cases.chain(others).chain([binaries]).collect()
}

/// Checks that the program's ending is an expected one, and that afterwards everything is as
/// before.
///
/// A case that declares a retry is tried once more if it ended wrongly. Remains on the host are not
/// tried again.
async fn conforms(
    flavour: Flavour,
    subject: &Subject,
    (group, case): (Group, &Case),
    rows: &Sender<Row>,
) -> Result<(), Failed> {
    let (mut ended, mut took) = profile(subject, (group, case)).await;
    let mut retried = None;
    if let Some(reason) = case.retry
        && !invariants::is_expected(case, &ended)
    {
        retried = Some(format!("{reason}: {ended:#?}"));
        (ended, took) = profile(subject, (group, case)).await;
    }
    let mut wrong = invariants::of_answer(case, &ended);
    wrong.extend(invariants::of_host(subject).await);
    let mut row = Row::of(flavour.name(), (group, case), &ended, took);
    (row.wrong, row.retried) = (wrong.clone(), retried);
    rows.send(row).expect("the table is printed at the end");
    // No panic: its backtrace would enlarge this process, and the next row would find the growth.
    if wrong.is_empty() {
        return Ok(());
    }
    Err(format!("{}\ngot {ended:#?}", wrong.join("\n")).into())
}

/// Runs the case's job, and returns how long it took. Cases about the compiler never use the cache.
async fn profile(subject: &Subject, (group, case): (Group, &Case)) -> (Ended, Duration) {
    let compiling;
    let backend = if group == Group::Compile {
        compiling = subject.backend.without_cache();
        &compiling
    } else {
        &subject.backend
    };
    let profiling = match case.interactive {
        Some((program, interactor)) => backend.profile_interactive(program, interactor),
        None => backend.profile(case.program),
    };
    let profiling = profiling
        .flags(case.flags)
        .timeout_ms(case.timeout_ms)
        .memory_mb(case.memory_mb)
        .recording_memory_limit();
    let begun = Instant::now();
    let ended = if case.debug { profiling.debug().await } else { profiling.await };
    (ended, begun.elapsed())
}
