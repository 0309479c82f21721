//! Profiles a program of `programs/` in this process: `backend.profile("sort").await.outcome(10)`.

use profiler_core::build::{BinaryCache, CompileLimits};
use profiler_core::cancel::cancel_signal;
use profiler_core::error::SandboxFault;
use profiler_core::job::{Draft, Job};
use profiler_core::report::Events;
use profiler_core::sandbox::native::Native;
use profiler_core::sandbox::{Choice, Cores, Instance, Pool};
use profiler_core::{Profiler, Turn, run_job};
use profiler_input::InputSpec;
use profiler_proto::v1::event::Kind;
use profiler_proto::v1::{
    CheckerProgram, ErrorCode, ExplicitInput, Growth, InputExperiment, Interactor, OnMemoryLimit,
    OtherProgram, Outcome, ProfileReport, RunLimits, RuntimeClock, SandboxError, SizeResult,
    TestCase,
};
use std::env;
use std::fs;
use std::path::Path;
use std::pin::Pin;
use std::process;
use std::sync::Arc;
use std::time::Duration;

/// The size of tests that name no size.
pub const SIZE: u64 = 10;
/// Variable that names a Docker image to use instead of the default one. `swiftprof image build`
/// makes the image.
pub const IMAGE: &str = "PROFILER_TEST_IMAGE";
/// The number that cargo-nextest gives to a test among those of its group that run at the same
/// time.
const SLOT: &str = "NEXTEST_TEST_GROUP_SLOT";
/// Base of the user ids of test processes, above the ids of people and below those of sandboxes.
const FIRST_ORDINARY_USER: u32 = 0x6000_0000;

/// The Docker image under test.
pub fn image() -> String {
    env::var(IMAGE).unwrap_or_else(|_| sandbox_image::DEFAULT_TAG.into())
}

/// An ordinary user id that no other process has, so that whatever is left under it is ours.
pub fn ordinary_user() -> u32 {
    FIRST_ORDINARY_USER + process::id()
}

/// A core of this process's own, if it is one of several test processes that measure at the same
/// time.
pub fn own_core() -> Option<Cores> {
    Cores::alone(env::var(SLOT).ok()?.parse().ok()?)
}

/// A backend that starts a sandbox for every job. No sandbox waits for a job, so no program can
/// inherit from a waiting sandbox what another program left.
///
/// Binaries are cached in `BINARIES`, because most jobs are not about the compiler. The cache
/// identifies binaries by toolchain, flags and source. So native sandboxes of root and of an
/// ordinary user share them, while Docker has its own.
pub struct Backend {
    profiler: Profiler,
}

/// The folder of cached binaries, relative to the repository's root.
const BINARIES: &str = "target/test-binaries";

impl Backend {
    /// The chosen backend, if this host has it.
    pub async fn select(choice: Choice) -> Result<Self, SandboxFault> {
        let selected = choice.select(&image(), Instance::fresh(), |_| {}).await?;
        selected.backend.precompile(&mut |_| {}).await;
        Ok(Self::new(selected.backend))
    }

    /// Native sandboxes as an ordinary user would have them, even if root runs the tests.
    pub async fn ordinary_user() -> Result<Self, SandboxFault> {
        let native = Native::as_ordinary_user(ordinary_user(), Instance::fresh()).await?;
        profiler_core::sandbox::Backend::precompile(&native, &mut |_| {}).await;
        Ok(Self::new(Arc::new(native)))
    }

    fn new(backend: Arc<dyn profiler_core::sandbox::Backend>) -> Self {
        let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("..").join(BINARIES);
        let profiler = Profiler::new(Pool::new(backend, 0), Some(BinaryCache::in_folder(folder)));
        Self { profiler }
    }

    /// Returns the same backend, restricted to this core.
    #[must_use]
    pub fn keeping_to(self, core: Option<Cores>) -> Self {
        let mut profiler = self.profiler;
        profiler.pool = profiler.pool.with_cores(core);
        Self { profiler }
    }

    /// Returns the same backend without the cache, for tests about the compiler.
    #[must_use]
    pub fn without_cache(&self, limits: CompileLimits) -> Self {
        let mut profiler = Profiler::new(self.pool().clone(), None);
        profiler.builder = profiler.builder.with_limits(limits);
        Self { profiler }
    }

    /// Returns the same backend with another time limit of checkers and validators.
    #[must_use]
    pub fn judging_within(&self, timeout: Duration) -> Self {
        let mut profiler = self.profiler.clone();
        profiler.builder = profiler.builder.with_judge_timeout(timeout);
        Self { profiler }
    }

    /// Returns the pool that starts the sandboxes.
    pub fn pool(&self) -> &Pool {
        &self.profiler.pool
    }

    /// Returns what the backend cannot enforce on this host, as in every report.
    pub fn not_enforced(&self) -> Vec<String> {
        self.pool().backend().not_enforced()
    }

    /// `docker` or `native`.
    pub fn name(&self) -> &'static str {
        self.pool().backend().name()
    }

    /// Profiles `programs/{program}.cpp`.
    pub fn profile(&self, program: &str) -> Profiling<'_> {
        self.profile_file(&format!("tests/programs/{program}.cpp"))
    }

    /// Profiles a program of this repository.
    pub fn profile_file(&self, path: &str) -> Profiling<'_> {
        let task_id = Path::new(path).file_stem().unwrap_or_default().to_string_lossy();
        self.profile_source(&task_id, source(path))
    }

    /// Profiles this program. The report has the raw samples.
    pub fn profile_source(&self, task_id: &str, source: impl Into<Vec<u8>>) -> Profiling<'_> {
        let mut draft = Draft::new(task_id, source);
        draft.request.input_sizes = vec![SIZE];
        draft.request.raw_samples = true;
        Profiling { backend: self, draft }
    }

    /// Profiles `interactive/{program}.cpp` with the interactor `interactive/{interactor}.cpp`.
    pub fn profile_interactive(&self, program: &str, interactor: &str) -> Profiling<'_> {
        let mut profiling = self.profile_file(&format!("tests/interactive/{program}.cpp"));
        let code_cpp = text(&format!("tests/interactive/{interactor}.cpp"));
        profiling.draft.request.interactor = Some(Interactor { code_cpp, ..Interactor::default() });
        profiling
    }

    /// Profiles `checked/{program}.cpp`, and runs one test case, whose answer is judged by
    /// `checked/{checker}.cpp`.
    pub fn profile_checked(&self, program: &str, checker: &str) -> Profiling<'_> {
        let mut profiling = self.profile_file(&format!("tests/checked/{program}.cpp"));
        let code_cpp = text(&format!("tests/checked/{checker}.cpp"));
        let checker = CheckerProgram { code_cpp, ..CheckerProgram::default() };
        profiling.draft.request.checker_program = Some(checker);
        let (input, output) = (format!("{SIZE}\n"), "7\n".into());
        let case = TestCase { input, output, ..TestCase::default() };
        profiling.draft.request.test_cases = vec![case];
        profiling
    }
}

/// Reads a source of this repository as a request has it.
fn text(path: &str) -> String {
    String::from_utf8(source(path)).expect("a source is in UTF-8")
}

/// Reads a file of this repository.
fn source(path: &str) -> Vec<u8> {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("..").join(path);
    fs::read(&path).unwrap_or_else(|why| panic!("read {}: {why}", path.display()))
}

/// A job under construction; `.await` runs it.
#[must_use = "it runs when it is awaited"]
pub struct Profiling<'a> {
    backend: &'a Backend,
    draft: Draft,
}

impl Profiling<'_> {
    /// Sets the sizes.
    pub fn sizes(mut self, sizes: &[u64]) -> Self {
        self.draft.request.input_sizes = sizes.into();
        self
    }

    /// Sets the flags. An empty list means the default flags.
    pub fn flags(mut self, flags: &[&str]) -> Self {
        let code = self.draft.request.code.get_or_insert_default();
        code.compiler_flags = flags.iter().copied().map(String::from).collect();
        self
    }

    /// Checks the inputs with `checked/{validator}.cpp`.
    pub fn validated(mut self, validator: &str) -> Self {
        let code_cpp = text(&format!("tests/checked/{validator}.cpp"));
        let validator = CheckerProgram { code_cpp, ..CheckerProgram::default() };
        self.draft.request.validator_program = Some(validator);
        self
    }

    /// Judges the output at every size, of which that of `checked/{reference}.cpp` is right.
    pub fn judging_sizes(mut self, reference: &str) -> Self {
        let code_cpp = text(&format!("tests/checked/{reference}.cpp"));
        self.draft.request.check_sizes = true;
        self.draft.request.reference = Some(OtherProgram { code_cpp, ..OtherProgram::default() });
        self
    }

    /// Sets the limit of address space, as `ulimit -v` does.
    pub fn address_space_mb(mut self, limit: u32) -> Self {
        self.limits().address_space_mb = Some(limit);
        self
    }

    /// Asks for a clock of the headline; `UNSPECIFIED` lets the profiler choose.
    pub fn clock(mut self, clock: RuntimeClock) -> Self {
        self.draft.request.runtime_clock = clock.into();
        self
    }

    /// Makes exactly this many timed runs of every size.
    pub fn repetitions(mut self, count: u32) -> Self {
        self.draft.request.repetitions = Some(count);
        self
    }

    /// Sets the time limit.
    pub fn timeout_ms(mut self, limit: u32) -> Self {
        self.limits().timeout_ms = Some(limit.into());
        self
    }

    /// Sets the limit of the resident set.
    pub fn memory_mb(mut self, limit: u32) -> Self {
        self.limits().memory_mb = Some(limit);
        self
    }

    /// Goes on after a size over the memory limit.
    pub fn recording_memory_limit(mut self) -> Self {
        self.draft.request.on_memory_limit = OnMemoryLimit::Record.into();
        self
    }

    /// Sets the inputs, by size.
    pub fn inputs(mut self, inputs: Vec<(u64, Vec<u8>)>) -> Self {
        let input = |(size, data)| ExplicitInput { size, data };
        self.draft.request.inputs = inputs.into_iter().map(input).collect();
        self
    }

    /// Sets specs that describe the inputs.
    pub fn described(mut self, specs: Vec<InputSpec>) -> Self {
        self.draft.request.input_specs = specs;
        self
    }

    /// Counts instructions.
    pub fn instructions(mut self) -> Self {
        self.draft.request.instructions = true;
        self
    }

    /// Finds hotspots.
    pub fn debug(mut self) -> Self {
        self.draft.request.debug = true;
        self
    }

    /// Measures nothing for growth alone.
    pub fn timed(mut self) -> Self {
        self.draft.request.growth = Growth::Timed.into();
        self
    }

    /// Does not try whether the input is enough.
    pub fn untried(mut self) -> Self {
        self.draft.request.input_experiment = InputExperiment::Off.into();
        self
    }

    /// Records allocations.
    pub fn allocations(mut self) -> Self {
        self.draft.request.allocations = true;
        self
    }

    /// Tries changes of the program.
    pub fn advice(mut self) -> Self {
        self.draft.request.advice = true;
        self
    }

    fn limits(&mut self) -> &mut RunLimits {
        self.draft.request.limits.get_or_insert_default()
    }

    async fn run(self) -> Ended {
        let program = self.draft.request.code.clone().unwrap_or_default().task_id;
        let job = Job::try_from(self.draft).expect("a test's job is valid");
        let (mut events, mut watched) = Events::new(uuid::Uuid::now_v7().to_string());
        let (_stopper, mut stopped) = cancel_signal();
        let result =
            run_job(&job, &self.backend.profiler, &mut events, &mut stopped, Turn::now()).await;
        drop(events);
        let mut said = Vec::new();
        while let Some(event) = watched.recv().await {
            said.extend(event.kind);
        }
        Ended { program, result, said }
    }
}

impl<'a> IntoFuture for Profiling<'a> {
    type Output = Ended;
    type IntoFuture = Pin<Box<dyn Future<Output = Ended> + Send + 'a>>;

    fn into_future(self) -> Self::IntoFuture {
        Box::pin(self.run())
    }
}

/// A job that has ended.
#[derive(Debug)]
pub struct Ended {
    program: String,
    result: Result<ProfileReport, Box<SandboxError>>,
    said: Vec<Kind>,
}

impl Ended {
    /// The job's report; the partial one if the job ended early.
    pub fn report(&self) -> &ProfileReport {
        match &self.result {
            Ok(report) => report,
            Err(error) => error.partial.as_ref().expect("an error has a partial report"),
        }
    }

    /// The error that ended the job early.
    pub fn error(&self) -> Option<&SandboxError> {
        self.result.as_ref().err().map(Box::as_ref)
    }

    /// The code of the error that ended the job early.
    pub fn error_code(&self) -> Option<ErrorCode> {
        self.error().map(SandboxError::code)
    }

    /// The events that the job emitted.
    pub fn events(&self) -> &[Kind] {
        &self.said
    }

    /// The result of a size.
    pub fn size(&self, size: u64) -> &SizeResult {
        let found = self.report().sizes.iter().find(|found| found.size == size);
        found.unwrap_or_else(|| panic!("{}: no result at {size}: {self:#?}", self.program))
    }

    /// Returns the outcome of the program at a size.
    pub fn outcome(&self, size: u64) -> Outcome {
        self.size(size).outcome()
    }
}
