//! Conversion of a tool's arguments to a job.

mod flags;
mod modes;
mod test_cases;

pub(crate) use flags::STANDARDS;
pub(crate) use test_cases::TESTS_SHAPE;

use crate::arguments::Arguments;
use crate::failure::{Failure, Problem};
use crate::session::Session;
use profiler_client::Error;
use profiler_input::Scope;
use profiler_proto::file::{self, Format, Places};
use profiler_proto::options::{Kind, OPTIONS, tools_job};
use profiler_proto::v1;
use profiler_proto::v1::infer_inputs_response::Answer as Inferred;
use profiler_wire::BRIEF_PRECISION;
use prost::Message;
use serde_json::Value;
use sha2::{Digest, Sha256};
use test_cases::read_test_cases;
use uuid::Uuid;

/// The name of the task in reports.
const TASK: &str = "program";
/// Task of a run of tests without an expected output.
pub(crate) const TESTS_TASK: &str = "tests";
/// Number of bytes of a program's output that are kept for each size: the service's maximum.
const STDOUT_BYTES: u32 = 4096;
/// Largest time limit that a tool accepts, in milliseconds. The service enforces limits of its own.
const MAX_TIMEOUT_MS: u64 = 3_600_000;
/// Largest memory limit that a tool accepts, in MiB.
const MAX_MEMORY_MB: u64 = 1 << 20;

/// Content of a job besides its program.
#[derive(Debug, Clone, Default)]
pub(crate) struct Options {
    job: v1::Job,
    /// Source text of the specs, in which errors are located.
    spec_text: String,
    samples: Vec<String>,
    /// Inputs of tests without an expected output.
    unjudged_inputs: Vec<String>,
    /// Assumptions with which the spec was inferred from the samples.
    pub(crate) assumptions: Vec<String>,
    fresh: bool,
}

impl Options {
    /// Reads arguments with `read`, [in the session's turn](Session::in_turn). Returns the rest of
    /// the arguments too.
    pub(crate) async fn read_in_turn(
        session: &Session,
        mut arguments: Arguments,
        read: fn(&mut Arguments) -> Self,
    ) -> Result<(Self, Arguments), Failure> {
        session.in_turn(move || (read(&mut arguments), arguments)).await
    }

    /// Reads the arguments that all jobs share. Every test must have an expected output.
    pub(crate) fn read(arguments: &mut Arguments) -> Self {
        let options = Self::read_with_any_tests(arguments);
        if options.are_tests_unjudged() {
            let problem = "must have an output; run_tests also runs inputs without one";
            arguments.refuse("tests", problem);
        }
        options
    }

    /// Reads the arguments that all jobs share.
    pub(crate) fn read_with_any_tests(arguments: &mut Arguments) -> Self {
        let only_one = [("sizes", "n_max"), ("input_spec", "samples")];
        for (one, other) in only_one {
            if arguments.has(one) && arguments.has(other) {
                arguments.refuse(one, format!("cannot be used with {other}"));
            }
        }
        let (input_specs, spec_text) = specs(arguments);
        let n_max = arguments.number("n_max", 0..=profiler_input::limits::MAX_N);
        let timeout = arguments.number("timeout_ms", 1..=MAX_TIMEOUT_MS);
        let memory = arguments.number("memory_mb", 1..=MAX_MEMORY_MB);
        let mut job = v1::Job {
            code: Some(v1::CodeMessage {
                task_id: TASK.into(),
                compiler_flags: flags::read(arguments),
                ..v1::CodeMessage::default()
            }),
            input_sizes: arguments.sizes("sizes"),
            input_bounds: Scope::of_size(n_max).bounds,
            input_specs,
            limits: Some(v1::RunLimits {
                timeout_ms: timeout.map(|ms| ms as f64),
                memory_mb: memory.and_then(|mb| mb.try_into().ok()),
                ..v1::RunLimits::default()
            }),
            stdout_bytes: STDOUT_BYTES,
            ..declared(arguments)
        };
        let unjudged_inputs = read_test_cases(&mut job, arguments);
        let samples = arguments.texts("samples");
        let fresh = arguments.flag("fresh");
        Self { job, spec_text, samples, unjudged_inputs, assumptions: Vec::new(), fresh }
    }

    /// Infers the spec from the samples, if there are any.
    pub(crate) async fn infer(mut self, session: &Session) -> Result<Self, Failure> {
        if self.samples.is_empty() {
            return Ok(self);
        }
        let inferred = session.client.infer_inputs(self.samples.clone()).await;
        let inferred = inferred.map_err(|error| match error {
            Error::Invalid { message, .. } => Failure::argument("samples", message),
            other => Failure::Fault(other.to_string()),
        })?;
        match inferred {
            Inferred::Proposal(proposal) => {
                self.job.input_specs = proposal.spec.into_iter().collect();
                self.assumptions = proposal.assumptions;
                Ok(self)
            }
            Inferred::Refusal(refusal) => {
                let problem = format!("{}; use input_spec instead", refusal.reason);
                Err(Failure::argument("samples", problem))
            }
        }
    }

    /// Returns the job of a program, after the key that it shares with all equal jobs. A fresh job
    /// has a key of its own.
    pub(crate) fn of_program(&self, code_cpp: &str) -> (String, v1::Job) {
        let code = self.job.code.clone().unwrap_or_default();
        let code = v1::CodeMessage { code_cpp: code_cpp.to_owned(), ..code };
        let is_measured = !self.job.reward && self.job.stress.is_none();
        let is_brief = self.job.against.is_none() && is_measured;
        let precision = self.job.precision.or(is_brief.then_some(BRIEF_PRECISION));
        // The program of a comparison is expected to work.
        let sanitize = is_brief;
        let job = v1::Job { code: Some(code), precision, sanitize, ..self.job.clone() };
        let key = if self.fresh {
            format!("mcp-{}", Uuid::now_v7())
        } else {
            format!("mcp-{:x}", Sha256::digest(job.encode_to_vec()))
        };
        (key, job)
    }

    /// Returns a job's failure, in which the problems of specs have their line and column.
    pub(crate) async fn placed(&self, session: &Session, failure: Failure) -> Failure {
        let Failure::Arguments(problems) = failure else { return failure };
        let text = self.spec_text.clone();
        let placed = session.in_turn(move || Self::place(&text, problems)).await;
        placed.unwrap_or_else(|fault| fault)
    }

    fn place(spec_text: &str, problems: Vec<Problem>) -> Failure {
        let places = Places::new(spec_text);
        let renamed = problems.into_iter().map(|bad| {
            let found = bad.argument.strip_prefix("input_spec[").and_then(|rest| {
                let (index, path) = rest.split_once(']')?;
                let path = path.trim_start_matches('.');
                let at = places.in_spec("", index.parse().ok()?, path)?;
                Some(Problem::new("input_spec", format!("{at}: {path}: {}", bad.problem)))
            });
            found.unwrap_or(bad)
        });
        Failure::Arguments(renamed.collect())
    }
}

/// Reads the options that `job.proto` declares, over the defaults of the tools.
fn declared(arguments: &mut Arguments) -> v1::Job {
    let mut job = tools_job();
    for option in OPTIONS.iter().filter(|option| !option.argument.is_empty()) {
        match &option.kind {
            Kind::Switch { set } => set(&mut job, arguments.flag(option.argument)),
            Kind::Choice { values, set, .. } => {
                let words: Vec<_> = values.iter().map(|it| (it.word, it.number)).collect();
                if let Some(number) = arguments.choice(option.argument, &words) {
                    set(&mut job, number);
                }
            }
            Kind::Count { range, set, .. } => {
                let range = u64::from(*range.start())..=u64::from(*range.end());
                let count = arguments.number(option.argument, range);
                if let Some(count) = count.and_then(|count| count.try_into().ok()) {
                    set(&mut job, count);
                }
            }
            Kind::Number { range, set, .. } => {
                if let Some(number) = arguments.real(option.argument, range) {
                    set(&mut job, number);
                }
            }
            Kind::Text { set } => {
                if let Some(text) = arguments.text(option.argument) {
                    set(&mut job, text);
                }
            }
            // No tool has an argument of its own for such an option.
            Kind::Structured => {}
        }
    }
    job
}

/// The specs in an argument, and their text.
fn specs(arguments: &mut Arguments) -> (Vec<v1::InputSpec>, String) {
    let Some(value) = arguments.value("input_spec") else { return Default::default() };
    match read_specs(value) {
        Ok(read) => read,
        Err(problems) => {
            for problem in problems {
                arguments.refuse("input_spec", problem);
            }
            Default::default()
        }
    }
}

/// Reads specs from a text in YAML or JSON, or from their object. Errors say what is wrong and what
/// is allowed, each with its line and column in a text.
pub(crate) fn read_specs(value: Value) -> Result<(Vec<v1::InputSpec>, String), Vec<String>> {
    let (read, text) = match value {
        Value::String(text) => (file::parse(&text, Format::Yaml), text),
        value => (file::specs(value), String::new()),
    };
    match read {
        Ok(specs) => Ok((specs, text)),
        Err(file::Error::Message(faults)) => Err(faults.iter().map(ToString::to_string).collect()),
        Err(error) => Err(vec![error.to_string()]),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tool_result::object;
    use profiler_compare::Outputs;
    use serde_json::json;

    const ALLOWED: [&str; 12] = [
        "flags",
        "std",
        "sizes",
        "n_max",
        "growth",
        "input_spec",
        "fresh",
        "samples",
        "tests",
        "checker",
        "tolerance",
        "relative_tolerance",
    ];

    fn options(given: Value) -> Result<Options, Failure> {
        let mut arguments = Arguments::new(object(given), &ALLOWED);
        let options = Options::read(&mut arguments);
        arguments.end().map(|()| options)
    }

    fn said(failure: Failure) -> String {
        match failure {
            Failure::Arguments(problems) => {
                problems.iter().map(ToString::to_string).collect::<Vec<_>>().join("\n")
            }
            Failure::Fault(cause) => panic!("{cause}"),
        }
    }

    #[test]
    fn equal_arguments_have_one_key_and_fresh_ones_their_own() {
        let key = |given: Value| options(given).unwrap().of_program("int main() {}").0;
        let one = key(json!({ "sizes": [1, 2], "growth": "full" }));
        assert_eq!(one, key(json!({ "growth": "full", "sizes": [1, 2] })));
        assert_ne!(one, key(json!({ "sizes": [1, 3], "growth": "full" })));
        assert_ne!(key(json!({ "fresh": true })), key(json!({ "fresh": true })));
        let other = options(json!({ "sizes": [1, 2], "growth": "full" })).unwrap();
        assert_ne!(one, other.of_program("int main() { }").0);
    }

    #[test]
    fn one_program_is_measured_briefly_and_two_are_compared_precisely() {
        let options = options(json!({})).unwrap();
        let precision = |options: &Options| options.of_program("int main() {}").1.precision;
        assert_eq!(precision(&options), Some(BRIEF_PRECISION));
        assert_eq!(precision(&options.against("int main() { }")), None);
    }

    #[test]
    fn verdict_alone_needs_no_precision() {
        let tests = json!([{ "input": "1", "output": "2" }]);
        let options = options(json!({ "tests": tests })).unwrap().running_tests();
        let job = options.of_program("int main() {}").1;
        assert_eq!((job.reward, job.precision), (true, None));
        let case = &job.test_cases[0];
        assert_eq!((case.input.as_str(), case.output.as_str()), ("1", "2"));
    }

    #[test]
    fn input_without_expected_output_runs_once() {
        let given = json!({ "tests": [{ "input": "1\n" }, { "input": "2\n" }] });
        let refused = said(options(given.clone()).unwrap_err());
        assert_eq!(refused, "tests: must have an output; run_tests also runs inputs without one");
        let mut arguments = Arguments::new(object(given), &ALLOWED);
        let options = Options::read_with_any_tests(&mut arguments);
        let job = options.running_tests().of_program("int main() {}").1;
        assert_eq!((job.input_sizes, job.precision), (vec![1, 2], Some(1.0)));
        assert_eq!(job.inputs[1].data, b"2\n");
        assert!(job.test_cases.is_empty() && !job.reward && !job.skip_after_limits);
    }

    #[test]
    fn stress_test_has_the_reference_with_the_same_flags() {
        let options = options(json!({ "std": "c++20", "checker": "numbers" })).unwrap();
        let job = options.stressing("int main() {}".into(), 7).of_program("int main() { }").1;
        let stress = job.stress.unwrap();
        assert_eq!((stress.seconds, job.precision), (Some(7.0), None));
        let flags = job.code.map(|code| code.compiler_flags);
        assert_eq!(stress.reference.map(|it| it.compiler_flags), flags);
    }

    #[test]
    fn numbers_are_compared_with_both_tolerances_at_every_size() {
        let given = json!({ "checker": "numbers", "tolerance": 1e-3, "relative_tolerance": 0 });
        let options = options(given).unwrap();
        let judged = |outputs| options.clone().judging_outputs(outputs).against("").job;
        let job = judged(Outputs::Agree);
        assert_eq!((job.tolerance, job.relative_tolerance), (Some(1e-3), Some(0.0)));
        assert_eq!((job.checker(), job.check_sizes), (v1::Checker::Numbers, true));
        assert!(!judged(Outputs::Any).check_sizes);
    }

    #[test]
    fn wrong_spec_is_answered_with_its_place_and_what_is_allowed() {
        let spec = "vars: [{name: a, arrey: {len: n}}]\nlayout: [{line: {items: [a]}}]";
        let text = said(options(json!({ "input_spec": spec })).unwrap_err());
        assert!(text.starts_with("input_spec: line 1, column 18: vars[0].arrey: "), "{text}");
        assert!(text.contains("did you mean array?"), "{text}");
    }

    #[test]
    fn fields_that_the_service_refuses_are_arguments() {
        let spec = "layout: [{line: {items: [b]}}]";
        let options = options(json!({ "input_spec": spec })).unwrap();
        let bad = |field: &str, problem: &str| profiler_client::Violation {
            field: field.into(),
            problem: problem.into(),
        };
        let violations = vec![
            bad("input_sizes[1]", "must increase, but 10 follows 10"),
            bad("input_specs[0].layout[0].line.items[0]", "uses the unknown name b"),
        ];
        let error = Error::Invalid { message: String::new(), violations, info: None };
        let Failure::Arguments(problems) = Failure::of_job(error) else { panic!("no arguments") };
        assert_eq!(
            said(Options::place(&options.spec_text, problems)),
            "sizes: must increase, but 10 follows 10\n\
             input_spec: line 1, column 26: layout[0].line.items[0]: uses the unknown name b"
        );
    }

    #[test]
    fn flags_replace_only_defaults_of_their_kind() {
        let flags = |given: Value| {
            let job = options(given).map(|options| options.of_program("").1);
            job.map(|job| job.code.unwrap_or_default().compiler_flags).map_err(said)
        };
        assert_eq!(flags(json!({})), Ok(vec![]));
        for (given, all) in [
            (json!({ "std": "c++20" }), ["-O2", "-std=c++20"].as_slice()),
            (json!({ "flags": ["-O3"] }), &["-std=c++17", "-O3"]),
            (json!({ "flags": "-DX -O1", "std": "c++20" }), &["-std=c++20", "-DX", "-O1"]),
            (json!({ "flags": ["-std=c++23"] }), &["-O2", "-std=c++23"]),
        ] {
            assert_eq!(flags(given).unwrap_or_default(), all);
        }
        let both = flags(json!({ "flags": ["-std=c++20"], "std": "c++20" }));
        assert_eq!(both, Err("std: cannot be used with a flag -std".into()));
    }

    #[test]
    fn default_sizes_are_fitted() {
        for given in [json!({}), json!({ "n_max": 20 })] {
            let job = options(given).unwrap().of_program("int main() {}").1;
            assert!(job.fit_sizes && job.input_sizes.is_empty());
        }
    }

    #[test]
    fn contradictions_are_refused() {
        let text = said(options(json!({ "sizes": [1], "n_max": 5 })).unwrap_err());
        assert_eq!(text, "sizes: cannot be used with n_max");
    }
}
