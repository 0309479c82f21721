//! A valid job, or no job. What a caller sends is a [`Draft`]; [`Job::try_from`] checks all of it and
//! names every bad field at once.

use crate::candidates::Candidates;
use crate::error::{Violation, Violations};
use crate::limits::{
    DEFAULT_MEMORY_MB, DEFAULT_TIMEOUT, MAX_ANSWER_BYTES, MAX_INPUT_BYTES, MAX_INPUTS_BYTES,
    MAX_MEMORY_MB, MAX_SOURCE_BYTES, MAX_STDOUT_BYTES, MAX_TASK_ID_BYTES, MAX_TEST_CASES,
    MAX_TIMEOUT, MIB, MIN_MEMORY_MB, MIN_TIMEOUT, RUNTIME_LIMIT_MARGIN, RunLimits,
};
use crate::measure::RuntimeClock;
use crate::schedule::{SizeLists, Sizes};
use crate::{compile, report::SCHEMA_VERSION, talk};
use profiler_growth::Effort;
use profiler_input::Spec;
use std::collections::BTreeMap;
use std::time::Duration;

/// The message type of a `CodeMessage`.
const CODE_TYPE: &str = "code";

/// What a caller asks for, unchecked. Field names in violations are the wire's.
#[derive(Debug, Clone, Default, PartialEq)]
#[expect(clippy::struct_excessive_bools, reason = "each is an option of its own")]
pub struct Draft {
    /// `code.type`: empty or `code`.
    pub message_type: String,
    /// `code.task_id`.
    pub task_id: String,
    /// `code.iteration`.
    pub iteration: u32,
    /// `code.schema_version`: empty or `1.0.0`.
    pub schema_version: String,
    /// `code.code_cpp`; bytes, for a file need not be UTF-8.
    pub source: Vec<u8>,
    /// `code.compiler_flags`; none given: the default ones.
    pub flags: Vec<String>,
    /// `input_bounds`.
    pub bounds: BTreeMap<String, i64>,
    /// `size_variable`.
    pub size_variable: Option<String>,
    /// `input_sizes`, `input_scales` and `extra_corner_cases`.
    pub sizes: SizeLists,
    /// `inputs`, by size, in the caller's order.
    pub inputs: Vec<(u32, Vec<u8>)>,
    /// `input_specs`.
    pub specs: Vec<Spec>,
    /// `limits.timeout_ms`.
    pub timeout_ms: Option<f64>,
    /// `limits.runtime_limit_ms`.
    pub runtime_limit_ms: Option<f64>,
    /// `limits.memory_mb`.
    pub memory_mb: Option<u32>,
    /// `limits.address_space_mb`.
    pub address_space_mb: Option<u32>,
    /// `on_memory_limit`.
    pub on_memory_limit: OnMemoryLimit,
    /// `runtime_clock`; `None` lets the profiler choose.
    pub clock: Option<RuntimeClock>,
    /// `debug`.
    pub debug: bool,
    /// `instructions`.
    pub instructions: bool,
    /// `allocations`.
    pub allocations: bool,
    /// `growth`.
    pub growth: Effort,
    /// `raw_samples`.
    pub raw_samples: bool,
    /// `stdout_bytes`.
    pub stdout_bytes: u32,
    /// `interactor`.
    pub interactor: Option<Interactor>,
    /// `test_cases`.
    pub test_cases: Vec<TestCase>,
}

/// An input, and what the program must answer.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct TestCase {
    /// What it finds on stdin.
    pub input: Vec<u8>,
    /// What it must write to stdout, blanks and line ends apart.
    pub output: Vec<u8>,
}

/// The other side of an interactive task: a program of its own.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Interactor {
    /// The source.
    pub source: Vec<u8>,
    /// Flags for g++; in a draft, none given are the default ones.
    pub flags: Vec<String>,
}

/// Where the input of a size comes from.
#[derive(Debug, Clone, PartialEq)]
pub enum Inputs {
    /// It is the size: `{n}\n`.
    Size,
    /// The caller gave one for each size.
    Explicit(BTreeMap<u32, Vec<u8>>),
    /// Specs describe them.
    Described(Candidates),
}

/// A job that can be run.
#[derive(Debug, Clone, PartialEq)]
#[expect(clippy::struct_excessive_bools, reason = "each is an option of its own")]
pub struct Job {
    /// The task.
    pub task_id: String,
    /// The attempt.
    pub iteration: u32,
    /// The source.
    pub source: Vec<u8>,
    /// Checked flags.
    pub flags: Vec<String>,
    /// The sizes.
    pub sizes: Sizes,
    /// What the program finds on stdin.
    pub inputs: Inputs,
    /// Limits of one run.
    pub limits: RunLimits,
    /// What a run may take at the bound, where the task says so; the limit above is a little more.
    pub runtime_limit: Option<Duration>,
    /// What a size over the memory limit does to the run.
    pub on_memory_limit: OnMemoryLimit,
    /// Whether to say where the work is done.
    pub debug: bool,
    /// Whether to count instructions.
    pub instructions: bool,
    /// Whether to record allocations.
    pub allocations: bool,
    /// What growth is classified from.
    pub growth: Effort,
    /// Whether the raw samples go out with the report.
    pub raw_samples: bool,
    /// How much of stdout's beginning to keep.
    pub stdout_bytes: u32,
    /// The other side of an interactive task.
    pub interactor: Option<Interactor>,
    /// What is run before the sizes.
    pub test_cases: Vec<TestCase>,
}

impl Job {
    /// How long the longest input is at most, in bytes.
    pub fn input_bytes(&self) -> u64 {
        let longest = match &self.inputs {
            Inputs::Size => 0,
            Inputs::Explicit(inputs) => inputs.values().map(Vec::len).max().unwrap_or(0) as u64,
            Inputs::Described(candidates) => candidates.most_bytes(),
        };
        let tests = self.test_cases.iter().map(|case| case.input.len() as u64);
        tests.fold(longest, u64::max)
    }

    /// How many inputs each size is measured with.
    pub fn candidates(&self) -> u32 {
        match &self.inputs {
            Inputs::Size | Inputs::Explicit(_) => 1,
            Inputs::Described(candidates) => candidates.count(),
        }
    }

    /// How much of memory its source and its inputs take, in bytes.
    pub fn bytes(&self) -> usize {
        let interactor = self.interactor.as_ref().map_or(0, |interactor| interactor.source.len());
        let tests = self.test_cases.iter().map(|case| case.input.len() + case.output.len());
        let tests: usize = tests.sum();
        let inputs = match &self.inputs {
            Inputs::Size => 0,
            Inputs::Explicit(inputs) => inputs.values().map(Vec::len).sum(),
            Inputs::Described(candidates) => candidates.own_bytes(),
        };
        self.source.len() + interactor + tests + inputs
    }
}

/// What a size over the memory limit does to the run.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum OnMemoryLimit {
    /// It ends as `SandboxError(code="memory")`.
    #[default]
    Abort,
    /// The size is recorded as infinite, and the run goes on.
    Record,
}

impl TryFrom<Draft> for Job {
    type Error = Violations;

    fn try_from(draft: Draft) -> Result<Self, Violations> {
        let mut bad = Findings::default();
        bad.envelope(&draft);
        bad.source("code.code_cpp", &draft.source);
        let (limits, runtime_limit) = bad.limits(&draft);
        let flags = bad.keep(compile::flags("code.compiler_flags", draft.flags));
        let mut sizes =
            bad.keep(Sizes::try_new(draft.sizes, &draft.bounds, draft.size_variable.as_deref()));
        let inputs = match (&mut sizes, draft.specs.is_empty(), draft.inputs.is_empty()) {
            (Some(sizes), false, true) => bad
                .keep(Candidates::try_new(draft.specs, &draft.bounds, sizes))
                .map_or(Inputs::Size, Inputs::Described),
            (_, described, _) => {
                bad.check(described || draft.inputs.is_empty(), "input_specs", || {
                    "not beside inputs".into()
                });
                bad.inputs(draft.inputs, sizes.as_ref())
            }
        };
        bad.test_cases(&draft.test_cases);
        let with = [
            ("debug", draft.debug),
            ("instructions", draft.instructions),
            ("allocations", draft.allocations),
            ("test_cases", !draft.test_cases.is_empty()),
        ];
        let interactor = draft.interactor.and_then(|other| bad.interactor(other, with));
        bad.check(draft.stdout_bytes <= MAX_STDOUT_BYTES, "stdout_bytes", || {
            format!("{} is over the limit of {MAX_STDOUT_BYTES}", draft.stdout_bytes)
        });
        match (flags, sizes) {
            (Some(flags), Some(sizes)) if bad.0.is_empty() => Ok(Self {
                task_id: draft.task_id.trim().to_owned(),
                iteration: draft.iteration,
                source: draft.source,
                flags,
                sizes,
                inputs,
                limits,
                runtime_limit,
                on_memory_limit: draft.on_memory_limit,
                debug: draft.debug,
                instructions: draft.instructions,
                allocations: draft.allocations,
                growth: draft.growth,
                raw_samples: draft.raw_samples,
                stdout_bytes: draft.stdout_bytes,
                interactor,
                test_cases: draft.test_cases,
            }),
            _ => Err(Violations(bad.0)),
        }
    }
}

/// The bad fields found so far.
#[derive(Default)]
struct Findings(Vec<Violation>);

impl Findings {
    fn check(&mut self, good: bool, field: &str, problem: impl FnOnce() -> String) {
        if !good {
            self.0.push(Violation { field: field.into(), problem: problem() });
        }
    }

    fn keep<T>(&mut self, parsed: Result<T, Vec<Violation>>) -> Option<T> {
        parsed.map_err(|found| self.0.extend(found)).ok()
    }

    fn envelope(&mut self, draft: &Draft) {
        let (kind, version) = (&draft.message_type, &draft.schema_version);
        self.check(kind.is_empty() || kind == CODE_TYPE, "code.type", || {
            format!("{kind:?} is not {CODE_TYPE:?}")
        });
        self.check(version.is_empty() || version == SCHEMA_VERSION, "code.schema_version", || {
            format!("{version:?} is not {SCHEMA_VERSION:?}")
        });
        let id = draft.task_id.trim();
        self.check(!id.is_empty(), "code.task_id", || "must not be empty".into());
        self.check(id.len() <= MAX_TASK_ID_BYTES, "code.task_id", || {
            format!("{} bytes are over the limit of {MAX_TASK_ID_BYTES}", id.len())
        });
    }

    fn source(&mut self, field: &str, source: &[u8]) {
        let blank = source.iter().all(u8::is_ascii_whitespace);
        self.check(!blank, field, || "must not be empty".into());
        self.check(source.len() <= MAX_SOURCE_BYTES, field, || {
            format!("{} bytes are over the limit of {MAX_SOURCE_BYTES}", source.len())
        });
    }

    fn test_cases(&mut self, cases: &[TestCase]) {
        self.check(cases.len() <= MAX_TEST_CASES, "test_cases", || {
            format!("{} are over the limit of {MAX_TEST_CASES}", cases.len())
        });
        let total: usize = cases.iter().map(|case| case.input.len()).sum();
        self.check(total <= MAX_INPUT_BYTES, "test_cases", || {
            format!("inputs of {total} bytes together are over the limit of {MAX_INPUT_BYTES}")
        });
        for (at, case) in cases.iter().enumerate() {
            let length = case.output.len();
            self.check(length <= MAX_ANSWER_BYTES, &format!("test_cases[{at}].output"), || {
                format!("{length} bytes are over the limit of {MAX_ANSWER_BYTES}")
            });
        }
    }

    /// What would run the program alone is refused beside it.
    fn interactor(&mut self, given: Interactor, with: [(&str, bool); 4]) -> Option<Interactor> {
        for (field, set) in with {
            self.check(!set, field, || "not with an interactor".into());
        }
        self.source("interactor.code_cpp", &given.source);
        let flags = self.keep(compile::flags("interactor.compiler_flags", given.flags))?;
        Some(Interactor { flags, ..given })
    }

    /// All inputs are looked at even if one is bad, so that every bad one is named.
    fn inputs(&mut self, given: Vec<(u32, Vec<u8>)>, sizes: Option<&Sizes>) -> Inputs {
        if given.is_empty() {
            return Inputs::Size;
        }
        let mut inputs = BTreeMap::new();
        let mut total = 0;
        for (at, (size, data)) in given.into_iter().enumerate() {
            total += data.len();
            self.check(data.len() <= MAX_INPUT_BYTES, &format!("inputs[{at}].data"), || {
                format!("{} bytes are over the limit of {MAX_INPUT_BYTES}", data.len())
            });
            let known = sizes.is_none_or(|s| s.requested().contains(&size));
            self.check(known, &format!("inputs[{at}].size"), || {
                format!("{size} is not one of the job's sizes")
            });
            let twice = inputs.insert(size, data).is_some();
            self.check(!twice, &format!("inputs[{at}].size"), || format!("{size} stands twice"));
        }
        self.check(total <= MAX_INPUTS_BYTES, "inputs", || {
            format!("{total} bytes together are over the limit of {MAX_INPUTS_BYTES}")
        });
        if let Some(sizes) = sizes {
            let certain = sizes.promised().is_some();
            self.check(certain, "inputs", || "not with schedule AUTO".into());
            for size in sizes.requested().iter().filter(|size| !inputs.contains_key(size)) {
                self.check(false, "inputs", || format!("size {size} has none"));
            }
        }
        Inputs::Explicit(inputs)
    }

    fn limits(&mut self, draft: &Draft) -> (RunLimits, Option<Duration>) {
        let timeout = self.duration("limits.timeout_ms", draft.timeout_ms);
        let runtime_limit = self.duration("limits.runtime_limit_ms", draft.runtime_limit_ms);
        let memory = draft.memory_mb.unwrap_or(DEFAULT_MEMORY_MB);
        for (field, mb) in [
            ("limits.memory_mb", Some(memory)),
            ("limits.address_space_mb", draft.address_space_mb),
        ] {
            let good = mb.is_none_or(|mb| (MIN_MEMORY_MB..=MAX_MEMORY_MB).contains(&mb));
            self.check(good, field, || format!("must lie in {MIN_MEMORY_MB}..={MAX_MEMORY_MB}"));
        }
        let limits = RunLimits {
            timeout: timeout
                .or(runtime_limit.map(|limit| limit + RUNTIME_LIMIT_MARGIN))
                .unwrap_or(DEFAULT_TIMEOUT),
            memory_bytes: u64::from(memory) * MIB,
            address_space_bytes: draft.address_space_mb.map(|mb| u64::from(mb) * MIB),
            clock: draft.clock.or(draft.interactor.as_ref().map(|_| talk::CLOCK)),
        };
        (limits, runtime_limit)
    }

    fn duration(&mut self, field: &str, ms: Option<f64>) -> Option<Duration> {
        let allowed = MIN_TIMEOUT..=MAX_TIMEOUT;
        let parsed = ms.map(|ms| {
            Duration::try_from_secs_f64(ms / 1000.0).ok().filter(|d| allowed.contains(d))
        })?;
        self.check(parsed.is_some(), field, || {
            format!(
                "must lie in {}..={} milliseconds",
                MIN_TIMEOUT.as_millis(),
                MAX_TIMEOUT.as_millis()
            )
        });
        parsed
    }
}

#[cfg(test)]
mod tests;
