//! One suite for every backend: the whole [`model`], and the plan's acceptance tests. At most eight
//! rows of one group of the table are a test: `cargo test --test conformance docker::memory::2`.
//! For one row on its own, its name is in [`VARIABLE`](profiler_tests::rows::VARIABLE):
//! `PROFILER_TEST_ROWS=fork_bomb cargo test --test conformance docker::`.

#![allow(clippy::panic, clippy::expect_used, reason = "a test fails by panicking")]

mod acceptance;
mod advice;
mod allocations;
mod binaries;
mod clocks;
mod group;
mod inputs;
mod interactive;
mod invariants;
mod table;

use libtest_mimic::{Arguments, Failed, Trial};
use profiler_core::error::SandboxFault;
use profiler_core::sandbox::{Choice, Cores};
use profiler_test_support::require;
use profiler_tests::harness::{Backend, own_core};
use profiler_tests::model;
use profiler_tests::rows::Rows;
use std::process::ExitCode;
use std::sync::mpsc::{self, Sender};
use std::sync::{Arc, OnceLock};
use table::Row;
use tokio::runtime::Runtime;

/// The backends; the native one works in two ways.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Flavour {
    Docker,
    Native,
    /// Native backend of an ordinary user: one user id, no cgroup. If an ordinary user runs the
    /// tests, it equals [`Flavour::Native`].
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

    /// Returns the tool that the host must have, as [`require::VARIABLE`] calls it.
    fn tool(self) -> &'static str {
        match self {
            Self::Docker => "docker",
            Self::Native | Self::NativeUser => "native",
        }
    }

    async fn select(self) -> Result<Backend, SandboxFault> {
        match self {
            Self::Docker => Backend::select(Choice::Docker).await,
            Self::Native => Backend::select(Choice::Native).await,
            Self::NativeUser => Backend::ordinary_user().await,
        }
    }
}

/// A flavour's backend. The first test that needs it selects it.
struct Subject {
    flavour: Flavour,
    runtime: Arc<Runtime>,
    /// The core that this process keeps to.
    core: Option<Cores>,
    selected: OnceLock<Result<Backend, SandboxFault>>,
}

impl Subject {
    /// `None` if this host does not have it. Then the calling test counts as skipped.
    fn backend(&self) -> Option<&Backend> {
        let selected = self.selected.get_or_init(|| {
            let selected = self.runtime.block_on(self.flavour.select());
            selected.map(|backend| backend.keeping_to(self.core.clone()))
        });
        require::or_skip(self.flavour.tool(), selected.as_ref())
    }
}

type Check = Box<dyn FnOnce(&Runtime, &Backend) -> Result<(), Failed> + Send>;

/// A check that panics unless it holds.
fn check(holds: impl AsyncFnOnce(&Backend) + Send + 'static) -> Check {
    Box::new(|runtime, backend| {
        runtime.block_on(holds(backend));
        Ok(())
    })
}

fn main() -> ExitCode {
    let mut arguments = Arguments::from_args();
    // One measured program at a time, because two would disturb each other.
    arguments.test_threads = Some(1);
    let core = own_core();
    // Before anything starts a thread.
    if let Some(core) = &core {
        core.keep_off();
    }
    let runtime = Arc::new(Runtime::new().expect("a runtime starts"));
    let rows = Rows::chosen();
    let (table, told) = mpsc::channel();
    let suites = FLAVOURS.map(|flavour| {
        let (runtime, core) = (runtime.clone(), core.clone());
        let subject = Subject { flavour, runtime, core, selected: OnceLock::new() };
        suite(&Arc::new(subject), &rows, &table)
    });
    let trials: Vec<Trial> = suites.into_iter().flatten().collect();
    rows.warn_of_unknown(trials.iter().map(Trial::name));
    let conclusion = libtest_mimic::run(&arguments, trials);
    table::print(&told, &FLAVOURS.map(Flavour::name));
    conclusion.exit_code()
}

/// The chosen tests of one backend.
fn suite(subject: &Arc<Subject>, rows: &Rows, table: &Sender<Row>) -> Vec<Trial> {
    let backend = subject.flavour.name();
    let trial = |test: &str, check: Check| {
        let subject = subject.clone();
        let run = move || match subject.backend() {
            Some(backend) => check(&subject.runtime, backend),
            None => Ok(()),
        };
        Trial::test(format!("{backend}::{test}"), run)
    };
    let of_table = model::tests(rows).into_iter().map(|(name, group, cases)| {
        let (rows, table) = (group::Rows { backend, group, cases }, table.clone());
        let conform: Check =
            Box::new(move |runtime, backend| runtime.block_on(rows.conform(backend, &table)));
        trial(&name, conform)
    });
    let room = |room: &'static str| {
        let trial = &trial;
        move |test: &str, check: Check| trial(&format!("{room}::{test}"), check)
    };
    let binaries = check(binaries::equal_those_of_plain_gxx);
    let others = acceptance::trials(room("acceptance"))
        .into_iter()
        .chain(inputs::trials(room("inputs")))
        .chain(interactive::trials(room("interactive")))
        .chain(allocations::trials(room("allocations")))
        .chain(advice::trials(room("advice")))
        .chain(clocks::trials(room("clocks")))
        .chain([room("binaries")("are_those_of_plain_gxx", binaries)]);
    of_table.chain(others.filter(|trial| rows.include(trial.name()))).collect()
}
