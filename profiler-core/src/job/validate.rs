//! Validation of a draft. [`Job::try_from`] checks every field and names all bad fields at once.

mod judges;
mod program;
mod source_files;

use super::accepted::{Inputs, Job};
use super::draft::{Draft, OtherProgram, SCHEMA_VERSION};
use super::flags;
use super::input_candidates::Candidates;
use super::options::Options;
use super::run_limits::{INTERACTIVE_CLOCK, RunLimits};
use super::sizes::Sizes;
use super::stress_plan::StressPlan;
use super::worst_plan::WorstPlan;
use crate::error::{Violation, Violations};
use crate::figures::RuntimeClock;
use crate::limits::{
    DEFAULT_MEMORY_MB, DEFAULT_TIMEOUT, GROWTH_TIME_SHARE, MAX_ANSWER_BYTES, MAX_GROWTH_TIME_SHARE,
    MAX_INPUT_BYTES, MAX_INPUTS_BYTES, MAX_MEMORY_MB, MAX_SIZES, MAX_SOURCE_BYTES,
    MAX_TASK_ID_BYTES, MAX_TEST_CASES, MAX_TESTS_BYTES, MAX_TIMEOUT, MIB, MIN_MEMORY_MB,
    MIN_TIMEOUT, RUNTIME_LIMIT_MARGIN, SHA256_BYTES,
};
use profiler_input::{InputSpec, Scope};
use profiler_proto::v1::{
    self, Checker, CodeMessage, ExplicitInput, SourceFile, TestCase, WorstSearch,
};
use std::collections::BTreeMap;
use std::time::Duration;

/// The message type of a `CodeMessage`.
const CODE_TYPE: &str = "code";

impl TryFrom<Draft> for Job {
    type Error = Violations;

    fn try_from(draft: Draft) -> Result<Self, Violations> {
        let Draft { mut request, source, growth_share } = draft;
        let mut bad = Violations::default();
        let options = Options::read(&request, &mut bad);
        let code = request.code.take().unwrap_or_default();
        bad.envelope(&code);
        let added = bad.program(&code, &source, &request);
        bad.files("code.files", &code.files);
        let growth_share = growth_share.unwrap_or(GROWTH_TIME_SHARE);
        let (limits, runtime_limit) = bad.limits(&request);
        let flags = bad.keep(flags::check("code.compiler_flags", code.compiler_flags));
        let flags = flags.map(|flags| [flags, added].concat());
        let mut sizes = bad.keep(Sizes::try_new(&request));
        let has_specs = !request.input_specs.is_empty();
        let has_inputs = has_specs || !request.inputs.is_empty() || !request.test_cases.is_empty();
        for spec in &mut request.input_specs {
            spec.seed = spec.seed.wrapping_add(options.input_seed);
        }
        let stress = bad.stress(&mut request, sizes.as_ref());
        let given = (request.input_specs, request.inputs);
        let inputs = bad.inputs(given, &request.input_bounds, &mut sizes);
        let worst = request.worst.and_then(|worst| {
            bad.worst((&worst, (&source, &code.files)), has_specs, &inputs, sizes.as_ref())
        });
        bad.test_cases(&request.test_cases, options.checker);
        let against = request.against.and_then(|other| bad.other_program("against", other));
        let interactor =
            request.interactor.and_then(|v1::Interactor { code_cpp, compiler_flags }| {
                bad.single_source("interactor", code_cpp, compiler_flags)
            });
        let checker = request
            .checker_program
            .and_then(|program| bad.checker_program(program, &request.test_cases, &options));
        let validator = request
            .validator_program
            .and_then(|program| bad.validator_program(program, has_inputs));
        let reference =
            request.reference.and_then(|program| bad.reference(program, options.check_sizes));
        bad.check((0.0..=MAX_GROWTH_TIME_SHARE).contains(&growth_share), "growth_share", || {
            format!("must be from 0 to {MAX_GROWTH_TIME_SHARE}, not {growth_share}")
        });
        let (Some(flags), Some(sizes)) = (flags, sizes) else { return Err(bad) };
        let measures_none = options.reward || stress.is_some();
        let (sizes, inputs) =
            if measures_none { (sizes.none(), Inputs::Size) } else { (sizes, inputs) };
        let job = bad.or(Self {
            task_id: code.task_id.trim().to_owned(),
            iteration: code.iteration,
            source,
            program: code.program,
            files: code.files,
            flags,
            sizes,
            inputs,
            limits,
            runtime_limit,
            growth_share,
            worst,
            stress,
            options,
            against,
            interactor,
            checker,
            validator,
            reference,
            test_cases: request.test_cases,
        })?;
        match job.too_many_repetitions() {
            None => Ok(job),
            Some(problem) => Err(Violation { field: "repetitions".into(), problem }.into()),
        }
    }
}

impl Violations {
    fn envelope(&mut self, code: &CodeMessage) {
        let (kind, version) = (&code.r#type, &code.schema_version);
        self.check(kind.is_empty() || kind == CODE_TYPE, "code.type", || {
            format!("must be {CODE_TYPE:?}, not {kind:?}")
        });
        self.check(version.is_empty() || version == SCHEMA_VERSION, "code.schema_version", || {
            format!("must be {SCHEMA_VERSION:?}, not {version:?}")
        });
        let id = code.task_id.trim();
        self.check(!id.is_empty(), "code.task_id", || "must not be empty".into());
        self.check(id.len() <= MAX_TASK_ID_BYTES, "code.task_id", || {
            format!("must have at most {MAX_TASK_ID_BYTES} bytes, not {}", id.len())
        });
    }

    fn source(&mut self, field: &str, source: &[u8]) {
        let blank = source.iter().all(u8::is_ascii_whitespace);
        self.check(!blank, field, || "must not be empty".into());
        self.check(source.len() <= MAX_SOURCE_BYTES, field, || {
            format!("must have at most {MAX_SOURCE_BYTES} bytes, not {}", source.len())
        });
    }

    fn test_cases(&mut self, cases: &[TestCase], checker: Checker) {
        self.check(cases.len() <= MAX_TEST_CASES, "test_cases", || {
            format!("must have at most {MAX_TEST_CASES} test cases, not {}", cases.len())
        });
        let total: usize = cases.iter().map(|case| case.input.len() + case.output.len()).sum();
        self.check(total <= MAX_TESTS_BYTES, "test_cases", || {
            format!("must have at most {MAX_TESTS_BYTES} bytes in total, not {total}")
        });
        let has_digest = cases.iter().any(|case| !case.output_words_sha256.is_empty());
        self.check(!has_digest || checker == Checker::Words, "test_cases", || {
            "output_words_sha256 requires the checker WORDS".into()
        });
        for (at, case) in cases.iter().enumerate().take(MAX_TEST_CASES) {
            let digest = &case.output_words_sha256;
            if !digest.is_empty() {
                let field = format!("test_cases[{at}].output_words_sha256");
                self.check(digest.len() == SHA256_BYTES, &field, || {
                    format!("must have {SHA256_BYTES} bytes, not {}", digest.len())
                });
                self.check(case.output.is_empty(), &field, || "cannot be used with output".into());
            }
            for (name, text, most) in [
                ("input", &case.input, MAX_INPUT_BYTES),
                ("output", &case.output, MAX_ANSWER_BYTES),
            ] {
                if text.len() > most {
                    let problem = format!("must have at most {most} bytes, not {}", text.len());
                    self.add(format!("test_cases[{at}].{name}"), problem);
                }
            }
        }
    }

    /// Checks a search for the worst input. It needs specs, each with an input of the search's
    /// size. If the specs are bad, `inputs` does not have them.
    fn worst(
        &mut self,
        (given, source): (&WorstSearch, (&[u8], &[SourceFile])),
        has_specs: bool,
        inputs: &Inputs,
        sizes: Option<&Sizes>,
    ) -> Option<WorstPlan> {
        self.check(has_specs, "worst", || "requires an input spec".into());
        let plan = self.keep(WorstPlan::try_new(given, sizes.and_then(Sizes::n_max), source))?;
        if let Inputs::Described(candidates) = inputs {
            self.keep(candidates.check_at(plan.n))?;
        }
        Some(plan)
    }

    /// Checks a stress test. Takes the specs, because they need no input at the default sizes.
    fn stress(&mut self, request: &mut v1::Job, sizes: Option<&Sizes>) -> Option<StressPlan> {
        let mut test = request.stress.take()?;
        let specs = std::mem::take(&mut request.input_specs);
        let given = test.reference.take().unwrap_or_default();
        let reference = self.other_program("stress.reference", given)?;
        let (bounds, size_variable) = (request.input_bounds.clone(), sizes?.variable().to_owned());
        let inputs = (specs, Scope { bounds, size_variable });
        let sizes = std::mem::take(&mut request.input_sizes);
        self.keep(StressPlan::try_new((&test, reference), inputs, sizes))
    }

    fn other_program(&mut self, field: &str, given: v1::OtherProgram) -> Option<OtherProgram> {
        let v1::OtherProgram { code_cpp, compiler_flags, files } = given;
        self.files(&format!("{field}.files"), &files);
        let program = self.single_source(field, code_cpp, compiler_flags)?;
        Some(OtherProgram { files, ..program })
    }

    fn single_source(
        &mut self,
        field: &str,
        source: String,
        flags: Vec<String>,
    ) -> Option<OtherProgram> {
        self.source(&format!("{field}.code_cpp"), source.as_bytes());
        let flags = self.keep(flags::check(&format!("{field}.compiler_flags"), flags))?;
        Some(OtherProgram { source: source.into_bytes(), files: Vec::new(), flags })
    }

    /// Checks the inputs: described by specs, given explicitly, or neither.
    fn inputs(
        &mut self,
        (specs, given): (Vec<InputSpec>, Vec<ExplicitInput>),
        bounds: &BTreeMap<String, i64>,
        sizes: &mut Option<Sizes>,
    ) -> Inputs {
        match (sizes, specs.is_empty(), given.is_empty()) {
            (Some(sizes), false, true) => self
                .keep(Candidates::try_new(specs, bounds, sizes))
                .map_or(Inputs::Size, Inputs::Described),
            (sizes, no_specs, none) => {
                self.check(no_specs || none, "input_specs", || "cannot be used with inputs".into());
                self.given_inputs(given, sizes.as_ref())
            }
        }
    }

    /// Checks the explicit inputs. Goes on after a bad one, so that every bad input is named.
    fn given_inputs(&mut self, given: Vec<ExplicitInput>, sizes: Option<&Sizes>) -> Inputs {
        if given.is_empty() {
            return Inputs::Size;
        }
        self.check(given.len() <= MAX_SIZES, "inputs", || {
            format!("must have at most {MAX_SIZES} inputs, not {}", given.len())
        });
        let mut inputs = BTreeMap::new();
        let mut total = 0;
        for (at, ExplicitInput { size, data }) in given.into_iter().enumerate().take(MAX_SIZES) {
            total += data.len();
            self.check(data.len() <= MAX_INPUT_BYTES, &format!("inputs[{at}].data"), || {
                format!("must have at most {MAX_INPUT_BYTES} bytes, not {}", data.len())
            });
            let known = sizes.is_none_or(|s| s.requested().contains(&size));
            self.check(known, &format!("inputs[{at}].size"), || {
                format!("must be one of the job's sizes, not {size}")
            });
            let twice = inputs.insert(size, data).is_some();
            self.check(!twice, &format!("inputs[{at}].size"), || format!("{size} is listed twice"));
        }
        self.check(total <= MAX_INPUTS_BYTES, "inputs", || {
            format!("must have at most {MAX_INPUTS_BYTES} bytes in total, not {total}")
        });
        if let Some(sizes) = sizes {
            let certain = sizes.promised().is_some();
            self.check(certain, "inputs", || "cannot be used with the schedule AUTO".into());
            for size in sizes.requested().iter().filter(|size| !inputs.contains_key(size)) {
                self.check(false, "inputs", || format!("must have an input for size {size}"));
            }
        }
        Inputs::Explicit(inputs)
    }

    fn limits(&mut self, request: &v1::Job) -> (RunLimits, Option<Duration>) {
        let clock =
            match self.known("runtime_clock", request.runtime_clock, v1::RuntimeClock::Unspecified)
            {
                v1::RuntimeClock::Unspecified => {
                    request.interactor.as_ref().map(|_| INTERACTIVE_CLOCK)
                }
                v1::RuntimeClock::Unloaded => Some(RuntimeClock::Unloaded),
                v1::RuntimeClock::Wall => Some(RuntimeClock::Wall),
                v1::RuntimeClock::Cpu => Some(RuntimeClock::Cpu),
            };
        let given = request.limits.unwrap_or_default();
        let timeout = self.duration("limits.timeout_ms", given.timeout_ms);
        let runtime_limit = self.duration("limits.runtime_limit_ms", given.runtime_limit_ms);
        let memory = given.memory_mb.unwrap_or(DEFAULT_MEMORY_MB);
        for (field, mb) in [
            ("limits.memory_mb", Some(memory)),
            ("limits.address_space_mb", given.address_space_mb),
        ] {
            if let Some(mb) = mb.filter(|mb| !(MIN_MEMORY_MB..=MAX_MEMORY_MB).contains(mb)) {
                self.add(
                    field,
                    format!("must be from {MIN_MEMORY_MB} to {MAX_MEMORY_MB}, not {mb}"),
                );
            }
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
            address_space_bytes: given.address_space_mb.map(|mb| u64::from(mb) * MIB),
            clock,
        };
        (limits, runtime_limit)
    }

    fn duration(&mut self, field: &str, ms: Option<f64>) -> Option<Duration> {
        let (ms, allowed) = (ms?, MIN_TIMEOUT..=MAX_TIMEOUT);
        let parsed = Duration::try_from_secs_f64(ms / 1000.0).ok().filter(|d| allowed.contains(d));
        self.check(parsed.is_some(), field, || {
            format!(
                "must be from {} to {} milliseconds, not {ms}",
                MIN_TIMEOUT.as_millis(),
                MAX_TIMEOUT.as_millis()
            )
        });
        parsed
    }
}

#[cfg(test)]
mod tests;
