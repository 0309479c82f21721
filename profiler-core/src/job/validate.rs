//! Validation of a draft. [`Job::try_from`] checks every field and names all bad fields at once.

use super::accepted::{Inputs, Job};
use super::draft::{Draft, Interactor, OtherProgram, SCHEMA_VERSION, TestCase};
use super::flags;
use super::input_candidates::Candidates;
use super::run_limits::{INTERACTIVE_CLOCK, RunLimits};
use super::sizes::Sizes;
use super::worst_plan::{WorstDraft, WorstPlan};
use crate::error::{Violation, Violations};
use crate::limits::{
    DEFAULT_MEMORY_MB, DEFAULT_TIMEOUT, GROWTH_TIME_SHARE, MAX_ANSWER_BYTES, MAX_GROWTH_TIME_SHARE,
    MAX_INPUT_BYTES, MAX_INPUTS_BYTES, MAX_MEMORY_MB, MAX_SIZES, MAX_SOURCE_BYTES,
    MAX_TASK_ID_BYTES, MAX_TEST_CASES, MAX_TIMEOUT, MIB, MIN_MEMORY_MB, MIN_TIMEOUT,
    RUNTIME_LIMIT_MARGIN,
};
use profiler_input::InputSpec;
use std::collections::BTreeMap;
use std::time::Duration;

/// The message type of a `CodeMessage`.
const CODE_TYPE: &str = "code";

impl TryFrom<Draft> for Job {
    type Error = Violations;

    fn try_from(draft: Draft) -> Result<Self, Violations> {
        let mut bad = Findings::default();
        bad.envelope(&draft);
        bad.source("code.code_cpp", &draft.source);
        let growth_share = draft.growth_share.unwrap_or(GROWTH_TIME_SHARE);
        let (limits, runtime_limit) = bad.limits(&draft);
        let flags = bad.keep(flags::check("code.compiler_flags", draft.flags));
        let mut sizes =
            bad.keep(Sizes::try_new(draft.sizes, &draft.bounds, draft.size_variable.as_deref()));
        let has_specs = !draft.specs.is_empty();
        let seeded = |spec: InputSpec| {
            let seed = spec.seed.wrapping_add(draft.options.input_seed);
            InputSpec { seed, ..spec }
        };
        let specs = draft.specs.into_iter().map(seeded).collect();
        let inputs = bad.inputs((specs, draft.inputs), &draft.bounds, &mut sizes);
        let worst = draft
            .worst
            .as_ref()
            .and_then(|worst| bad.worst(worst, &draft.source, has_specs, &inputs, sizes.as_ref()));
        bad.test_cases(&draft.test_cases);
        let against = draft.against.and_then(|other| bad.against(other));
        let interactor = draft.interactor.and_then(|other| bad.interactor(other));
        bad.check((0.0..=MAX_GROWTH_TIME_SHARE).contains(&growth_share), "growth_share", || {
            format!("must lie in 0..={MAX_GROWTH_TIME_SHARE}")
        });
        match (flags, sizes) {
            (Some(flags), Some(sizes)) if bad.0.is_empty() => {
                let job = Self {
                    task_id: draft.task_id.trim().to_owned(),
                    iteration: draft.iteration,
                    source: draft.source,
                    flags,
                    sizes,
                    inputs,
                    limits,
                    runtime_limit,
                    growth_share,
                    worst,
                    options: draft.options,
                    against,
                    interactor,
                    test_cases: draft.test_cases,
                };
                match job.too_many_repetitions() {
                    None => Ok(job),
                    Some(problem) => Err(Violation { field: "repetitions".into(), problem }.into()),
                }
            }
            _ => Err(bad.0),
        }
    }
}

/// The bad fields found so far.
#[derive(Default)]
struct Findings(Violations);

impl Findings {
    fn check(&mut self, good: bool, field: &str, problem: impl FnOnce() -> String) {
        if !good {
            self.0.push(Violation { field: field.into(), problem: problem() });
        }
    }

    fn keep<T>(&mut self, parsed: Result<T, Violations>) -> Option<T> {
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
        let inputs: usize = cases.iter().map(|case| case.input.len()).sum();
        let outputs: usize = cases.iter().map(|case| case.output.len()).sum();
        for (what, total) in [("inputs", inputs), ("outputs", outputs)] {
            self.check(total <= MAX_INPUT_BYTES, "test_cases", || {
                format!("{what} of {total} bytes together are over the limit of {MAX_INPUT_BYTES}")
            });
        }
        for (at, case) in cases.iter().enumerate().take(MAX_TEST_CASES) {
            let length = case.output.len();
            self.check(length <= MAX_ANSWER_BYTES, &format!("test_cases[{at}].output"), || {
                format!("{length} bytes are over the limit of {MAX_ANSWER_BYTES}")
            });
        }
    }

    /// A search needs specs, each with an input of its size. `inputs` may lack specs that are bad.
    fn worst(
        &mut self,
        given: &WorstDraft,
        source: &[u8],
        has_specs: bool,
        inputs: &Inputs,
        sizes: Option<&Sizes>,
    ) -> Option<WorstPlan> {
        self.check(has_specs, "worst", || "needs a spec of the input".into());
        let plan = self.keep(WorstPlan::try_new(given, sizes.and_then(Sizes::n_max), source))?;
        if let Inputs::Described(candidates) = inputs {
            self.keep(candidates.check_at(plan.n))?;
        }
        Some(plan)
    }

    fn against(&mut self, given: OtherProgram) -> Option<OtherProgram> {
        self.source("against.code_cpp", &given.source);
        let flags = self.keep(flags::check("against.compiler_flags", given.flags))?;
        Some(OtherProgram { flags, ..given })
    }

    fn interactor(&mut self, given: Interactor) -> Option<Interactor> {
        self.source("interactor.code_cpp", &given.source);
        let flags = self.keep(flags::check("interactor.compiler_flags", given.flags))?;
        Some(Interactor { flags, ..given })
    }

    /// Described inputs, given ones, or neither.
    fn inputs(
        &mut self,
        (specs, given): (Vec<InputSpec>, Vec<(u64, Vec<u8>)>),
        bounds: &BTreeMap<String, i64>,
        sizes: &mut Option<Sizes>,
    ) -> Inputs {
        match (sizes, specs.is_empty(), given.is_empty()) {
            (Some(sizes), false, true) => self
                .keep(Candidates::try_new(specs, bounds, sizes))
                .map_or(Inputs::Size, Inputs::Described),
            (sizes, no_specs, none) => {
                self.check(no_specs || none, "input_specs", || "not together with inputs".into());
                self.given_inputs(given, sizes.as_ref())
            }
        }
    }

    /// Inputs are checked after a bad one too, so that every bad input is named.
    fn given_inputs(&mut self, given: Vec<(u64, Vec<u8>)>, sizes: Option<&Sizes>) -> Inputs {
        if given.is_empty() {
            return Inputs::Size;
        }
        self.check(given.len() <= MAX_SIZES, "inputs", || {
            format!("{} are over the limit of {MAX_SIZES}", given.len())
        });
        let mut inputs = BTreeMap::new();
        let mut total = 0;
        for (at, (size, data)) in given.into_iter().enumerate().take(MAX_SIZES) {
            total += data.len();
            self.check(data.len() <= MAX_INPUT_BYTES, &format!("inputs[{at}].data"), || {
                format!("{} bytes are over the limit of {MAX_INPUT_BYTES}", data.len())
            });
            let known = sizes.is_none_or(|s| s.requested().contains(&size));
            self.check(known, &format!("inputs[{at}].size"), || {
                format!("{size} is not one of the job's sizes")
            });
            let twice = inputs.insert(size, data).is_some();
            self.check(!twice, &format!("inputs[{at}].size"), || format!("{size} is listed twice"));
        }
        self.check(total <= MAX_INPUTS_BYTES, "inputs", || {
            format!("{total} bytes together are over the limit of {MAX_INPUTS_BYTES}")
        });
        if let Some(sizes) = sizes {
            let certain = sizes.promised().is_some();
            self.check(certain, "inputs", || "not with an automatic schedule".into());
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
        let (timeout, grace) = match (timeout, runtime_limit) {
            (Some(timeout), _) => (timeout, Duration::ZERO),
            (None, Some(limit)) => (limit + RUNTIME_LIMIT_MARGIN, RUNTIME_LIMIT_MARGIN),
            (None, None) => (DEFAULT_TIMEOUT, Duration::ZERO),
        };
        let limits = RunLimits {
            timeout,
            grace,
            memory_bytes: u64::from(memory) * MIB,
            address_space_bytes: draft.address_space_mb.map(|mb| u64::from(mb) * MIB),
            clock: draft.clock.or(draft.interactor.as_ref().map(|_| INTERACTIVE_CLOCK)),
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
