//! A valid job, or no job. What a caller sends is a [`Draft`]; [`Job::try_from`] checks all of it and
//! names every bad field at once.

use crate::error::{Violation, Violations};
use crate::limits::{
    DEFAULT_MEMORY_MB, DEFAULT_TIMEOUT, MAX_INPUT_BYTES, MAX_INPUTS_BYTES, MAX_MEMORY_MB,
    MAX_SOURCE_BYTES, MAX_TASK_ID_BYTES, MAX_TIMEOUT, MIB, MIN_MEMORY_MB, MIN_TIMEOUT,
    RUNTIME_LIMIT_MARGIN, RunLimits,
};
use crate::measure::RuntimeClock;
use crate::schedule::{SizeLists, Sizes};
use crate::{compile, report::SCHEMA_VERSION};
use runner_protocol::MAX_STDOUT_HEAD_BYTES;
use std::collections::BTreeMap;
use std::time::Duration;

/// The message type of a `CodeMessage`.
const CODE_TYPE: &str = "code";

/// What a caller asks for, unchecked. Field names in violations are the wire's.
#[derive(Debug, Clone, Default, PartialEq)]
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
    /// `raw_samples`.
    pub raw_samples: bool,
    /// `stdout_bytes`.
    pub stdout_bytes: u32,
}

/// A job that can be run.
#[derive(Debug, Clone, PartialEq)]
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
    /// Explicit inputs; either none, or one for each size.
    pub inputs: BTreeMap<u32, Vec<u8>>,
    /// Limits of one run.
    pub limits: RunLimits,
    /// What a size over the memory limit does to the run.
    pub on_memory_limit: OnMemoryLimit,
    /// Whether to take a gprof profile.
    pub debug: bool,
    /// Whether to count instructions.
    pub instructions: bool,
    /// Whether the raw samples go out with the report.
    pub raw_samples: bool,
    /// How much of stdout's beginning to keep.
    pub stdout_bytes: u32,
}

impl Job {
    /// How much of memory its source and its inputs take, in bytes.
    pub fn bytes(&self) -> usize {
        self.source.len() + self.inputs.values().map(Vec::len).sum::<usize>()
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
        bad.source(&draft.source);
        let limits = bad.limits(&draft);
        let flags = bad.keep(compile::flags(draft.flags));
        let sizes =
            bad.keep(Sizes::try_new(draft.sizes, &draft.bounds, draft.size_variable.as_deref()));
        let inputs = bad.inputs(draft.inputs, sizes.as_ref());
        bad.check(draft.stdout_bytes <= MAX_STDOUT_HEAD_BYTES, "stdout_bytes", || {
            format!("{} is over the limit of {MAX_STDOUT_HEAD_BYTES}", draft.stdout_bytes)
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
                on_memory_limit: draft.on_memory_limit,
                debug: draft.debug,
                instructions: draft.instructions,
                raw_samples: draft.raw_samples,
                stdout_bytes: draft.stdout_bytes,
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

    fn source(&mut self, source: &[u8]) {
        let blank = source.iter().all(u8::is_ascii_whitespace);
        self.check(!blank, "code.code_cpp", || "must not be empty".into());
        self.check(source.len() <= MAX_SOURCE_BYTES, "code.code_cpp", || {
            format!("{} bytes are over the limit of {MAX_SOURCE_BYTES}", source.len())
        });
    }

    /// All inputs are looked at even if one is bad, so that every bad one is named.
    fn inputs(
        &mut self,
        given: Vec<(u32, Vec<u8>)>,
        sizes: Option<&Sizes>,
    ) -> BTreeMap<u32, Vec<u8>> {
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
        if let Some(sizes) = sizes.filter(|_| !inputs.is_empty()) {
            for size in sizes.requested().iter().filter(|size| !inputs.contains_key(size)) {
                self.check(false, "inputs", || format!("size {size} has none"));
            }
        }
        inputs
    }

    fn limits(&mut self, draft: &Draft) -> RunLimits {
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
        RunLimits {
            timeout: timeout
                .or(runtime_limit.map(|limit| limit + RUNTIME_LIMIT_MARGIN))
                .unwrap_or(DEFAULT_TIMEOUT),
            memory_bytes: u64::from(memory) * MIB,
            address_space_bytes: draft.address_space_mb.map(|mb| u64::from(mb) * MIB),
            clock: draft.clock,
        }
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
