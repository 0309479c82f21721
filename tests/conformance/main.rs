//! One suite for every backend: the whole [`model`](profiler_tests::model), and the plan's acceptance
//! tests. A row of the table is a test of its own: `cargo test --test conformance docker::fork_bomb`.

#![allow(clippy::panic, clippy::expect_used, reason = "a test fails by panicking")]

mod acceptance;
mod binaries;

use libtest_mimic::{Arguments, Failed, Trial};
use profiler_core::error::{ErrorCode, SandboxFault};
use profiler_core::outcome::Outcome;
use profiler_core::sandbox::Choice;
use profiler_tests::harness::{Backend, SIZE, survivors};
use profiler_tests::model::{CASES, Case};
use profiler_tests::require;
use std::process::ExitCode;
use std::sync::{Arc, OnceLock};
use tokio::runtime::Runtime;

/// By how much a benign program's peak resident set may differ after a hostile one: the kernel
/// counts in batches, so less says nothing.
const SAME_MEMORY_MB: f64 = 1.0;
/// A benign program that takes longer than this on a machine that only runs it was disturbed.
const BENIGN_MS: f64 = 100.0;
/// What a benign program cannot come down to: its libraries alone are larger.
const BENIGN_MIN_MB: f64 = 1.0;

/// The backends, and the two ways in which one of them works.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Flavour {
    Docker,
    Native,
    /// What an ordinary user gets: one user id, no cgroup. Where an ordinary user runs the tests it is
    /// the same as [`Flavour::Native`].
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

/// A backend under test, and the peak resident set that the benign program has on it.
struct Subject {
    backend: Backend,
    usual_mb: OnceLock<f64>,
}

type Check = Box<dyn FnOnce(&Runtime, &Subject) + Send>;

fn main() -> ExitCode {
    let mut arguments = Arguments::from_args();
    // One measured program at a time: two would disturb each other.
    arguments.test_threads = Some(1);
    let runtime = Arc::new(Runtime::new().expect("a runtime starts"));
    let listed = arguments.list;
    let trials = FLAVOURS
        .into_iter()
        .flat_map(|flavour| {
            let backend = (!listed).then(|| runtime.block_on(select(flavour)));
            let backend = backend.and_then(|selected| {
                let missing = |reason| eprintln!("ignored {reason}");
                require::or_reason(flavour.tool(), selected).map_err(missing).ok()
            });
            suite(flavour, backend, &runtime)
        })
        .collect();
    libtest_mimic::run(&arguments, trials).exit_code()
}

async fn select(flavour: Flavour) -> Result<Backend, SandboxFault> {
    match flavour {
        Flavour::Docker => Backend::select(Choice::Docker).await,
        Flavour::Native => Backend::select(Choice::Native).await,
        Flavour::NativeUser => Backend::ordinary_user().await,
    }
}

/// The tests of one backend; all of them ignored where the host does not have it.
fn suite(flavour: Flavour, backend: Option<Backend>, runtime: &Arc<Runtime>) -> Vec<Trial> {
    let usual_mb = OnceLock::new();
    let subject = backend.map(|backend| Arc::new(Subject { backend, usual_mb }));
    let trial = |test: &str, check: Check| {
        let (shared, runtime) = (subject.clone(), runtime.clone());
        let run = move || match shared {
            Some(subject) => {
                check(&runtime, &subject);
                Ok(())
            }
            None => Err(Failed::from("this host does not have the backend")),
        };
        let name = format!("{}::{test}", flavour.name());
        Trial::test(name, run).with_ignored_flag(subject.is_none())
    };
    let limited = |case: &&Case| flavour != Flavour::NativeUser || !case.needs_cgroup;
    let cases = CASES.iter().filter(limited).map(|case| {
        let check: Check = Box::new(|runtime, subject| runtime.block_on(conforms(subject, case)));
        trial(case.program, check)
    });
    let binaries: Check = Box::new(|runtime, subject| {
        runtime.block_on(binaries::are_those_of_plain_gxx(&subject.backend));
    });
    let binaries = trial("binaries_are_those_of_plain_gxx", binaries);
    cases.chain(acceptance::trials(trial)).chain([binaries]).collect()
}

/// The program's ending is one of the right ones, and an ordinary job afterwards measures as ever.
async fn conforms(subject: &Subject, case: &Case) {
    let profiling = subject
        .backend
        .profile(case.program)
        .flags(case.flags)
        .timeout_ms(case.timeout_ms)
        .memory_mb(case.memory_mb)
        .recording_memory_limit();
    let ended = profiling.await;
    let right = case.expected.iter().any(|expected| match expected.outcome {
        None => ended.error_code() == Some(ErrorCode::Compile),
        Some(_) => ended.error().is_none() && expected.admits(ended.size(SIZE)),
    });
    assert!(right, "expected one of {:#?}\ngot {ended:#?}", case.expected);
    ended.report().sizes.iter().for_each(acceptance::agrees_with_gnu_time);
    let last = ended.events().iter().filter(|event| event.is_last()).count();
    assert_eq!(last, 1, "exactly one last event: {:#?}", ended.events());
    assert_eq!(survivors().await, Vec::<String>::new(), "left alive");
    measures_as_ever(subject).await;
}

async fn measures_as_ever(subject: &Subject) {
    let ended = subject.backend.profile("hello").await;
    assert_eq!(ended.outcome(SIZE), Outcome::Ok, "afterwards: {ended:#?}");
    let benign = ended.size(SIZE);
    let [runtime, memory] = [benign.runtime_ms(), benign.peak_memory_mb()];
    assert!(runtime > 0.0 && runtime < BENIGN_MS, "afterwards: {benign:#?}");
    assert!(memory > BENIGN_MIN_MB, "afterwards: {benign:#?}");
    let usual = subject.usual_mb.get_or_init(|| memory);
    assert!(
        (memory - usual).abs() <= SAME_MEMORY_MB,
        "afterwards: {memory} MiB instead of {usual}"
    );
}
