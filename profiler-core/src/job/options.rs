//! Options that steps use exactly as the request declares them.

use crate::error::Violations;
use profiler_growth::Effort;
use profiler_proto::options;
use profiler_proto::v1::{self, Checker, InputExperiment, OnMemoryLimit, Schedule, TestOrder};
use runner_protocol::{FileName, MAX_FILE_NAME_BYTES, NamedFiles};

/// Default error of a number that the checker NUMBERS allows. Most tasks with real-valued answers
/// allow this error or a larger one.
const TOLERANCE: f64 = 1e-6;

/// Problem of a checker that judges nothing. Some clients set `check_sizes` without an option.
pub(super) const NOTHING_TO_JUDGE: &str =
    "requires test cases, a stress test, or a job that judges the outputs at its sizes";

/// Errors of a number that [`Checker::Numbers`] allows. A number may have either.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub struct Tolerance {
    /// Largest absolute error.
    pub absolute: f64,
    /// Largest error relative to the expected number.
    pub relative: f64,
}

impl Tolerance {
    /// Reads the tolerance of a request. One number is both errors.
    fn of(request: &v1::Job) -> Self {
        match (request.tolerance, request.relative_tolerance) {
            (absolute, Some(relative)) => Self { absolute: absolute.unwrap_or_default(), relative },
            (both, None) => {
                let error = both.unwrap_or(TOLERANCE);
                Self { absolute: error, relative: error }
            }
        }
    }
}

/// Options that steps use exactly as the request declares them. `job.proto` declares their ranges,
/// and which of them exclude each other.
#[derive(Debug, Clone, PartialEq)]
#[expect(clippy::struct_excessive_bools, reason = "each is an option of its own")]
pub struct Options {
    /// Reaction to a size above the memory limit.
    pub on_memory_limit: OnMemoryLimit,
    /// Time at which an experiment checks whether the input is enough.
    pub input_experiment: InputExperiment,
    /// Number that is added to the seed of each spec.
    pub input_seed: u32,
    /// Order of the test cases and the sizes.
    pub test_order: TestOrder,
    /// Whether only the verdict on the test cases counts, so that no size is measured.
    pub reward: bool,
    /// Comparison of the answer to a test case with the expected output.
    pub checker: Checker,
    /// Errors that [`Checker::Numbers`] allows.
    pub tolerance: Tolerance,
    /// Whether the checker also judges the output at every size.
    pub check_sizes: bool,
    /// Whether sizes are left out after smaller ones exceeded a limit.
    pub skip_after_limits: bool,
    /// Number of timed runs of every size; `None` if each size is repeated until its headline is
    /// known.
    pub repetitions: Option<u32>,
    /// Relative precision of the headline at which a size has enough timed runs.
    pub precision: Option<f64>,
    /// Whether to find hotspots.
    pub debug: bool,
    /// Whether to sample the time of hotspots.
    pub time_shares: bool,
    /// Whether to count instructions.
    pub instructions: bool,
    /// Whether to count the instructions of right answers to the test cases.
    pub counts_tests: bool,
    /// Whether to record allocations.
    pub allocations: bool,
    /// Whether to run a failing size with sanitizers.
    pub sanitize: bool,
    /// Whether to try changes to the program that may make it faster.
    pub advice: bool,
    /// Effort of measuring for the growth class.
    pub growth: Effort,
    /// Whether to find the line at which the program fails.
    pub fault_location: bool,
    /// Whether to count the lines that the program writes to the interactor.
    pub count_questions: bool,
    /// The files that the program opens in place of stdin and stdout.
    pub files: NamedFiles,
    /// Whether the report includes the raw samples.
    pub raw_samples: bool,
    /// Maximum length of the start of stdout that is kept, in bytes.
    pub stdout_bytes: u32,
}

impl Options {
    /// Reads the options of a request, and checks their declared ranges and exclusions.
    pub(super) fn read(request: &v1::Job, bad: &mut Violations) -> Self {
        for (field, problem) in options::problems(request) {
            bad.add(field, problem);
        }
        let checker = bad.known("checker", request.checker, Checker::Words);
        let has_numbers = checker == Checker::Numbers;
        for (field, value) in
            [("tolerance", request.tolerance), ("relative_tolerance", request.relative_tolerance)]
        {
            bad.check(has_numbers || value.is_none(), field, || {
                "requires the checker NUMBERS".into()
            });
        }
        let has_words = checker == Checker::Words;
        let can_differ = request.checker_program.is_some() || request.reference.is_some();
        bad.check(!request.check_sizes || can_differ || !has_words, "check_sizes", || {
            "requires a checker other than WORDS, or a reference".into()
        });
        let has_answers =
            request.check_sizes || request.stress.is_some() || !request.test_cases.is_empty();
        bad.check(has_words || has_answers, "checker", || NOTHING_TO_JUDGE.into());
        let options = Self {
            on_memory_limit: bad.known(
                "on_memory_limit",
                request.on_memory_limit,
                OnMemoryLimit::Abort,
            ),
            input_experiment: bad.known(
                "input_experiment",
                request.input_experiment,
                InputExperiment::After,
            ),
            input_seed: request.input_seed,
            test_order: bad.known("test_order", request.test_order, TestOrder::After),
            reward: request.reward,
            checker,
            tolerance: Tolerance::of(request),
            check_sizes: request.check_sizes,
            skip_after_limits: request.skip_after_limits,
            repetitions: request.repetitions,
            precision: request.precision,
            debug: request.debug,
            time_shares: request.time_shares,
            instructions: request.instructions,
            // Clients of version 0.2 set no order, and asked for the counts of sizes alone.
            counts_tests: request.reward
                || (request.instructions && request.test_order() != TestOrder::Unspecified),
            allocations: request.allocations,
            sanitize: request.sanitize,
            advice: request.advice,
            growth: match bad.known("growth", request.growth, v1::Growth::Counted) {
                v1::Growth::Timed => Effort::Timed,
                v1::Growth::Unspecified | v1::Growth::Counted => Effort::Counted,
                v1::Growth::Full => Effort::Full,
            },
            fault_location: request.fault_location,
            count_questions: request.count_questions,
            files: bad.named_files(request),
            raw_samples: request.raw_samples,
            stdout_bytes: request.stdout_bytes,
        };
        if request.reward {
            options.judging_alone(request, bad)
        } else if request.stress.is_some() {
            Self { input_experiment: InputExperiment::Off, growth: Effort::Timed, ..options }
        } else {
            options
        }
    }

    /// Turns everything off but the test cases, which then come first.
    fn judging_alone(self, request: &v1::Job, bad: &mut Violations) -> Self {
        for (is_good, problem) in [
            (!request.test_cases.is_empty(), "requires test cases"),
            (self.growth != Effort::Full, "cannot be used with growth FULL"),
            (request.schedule() != Schedule::Auto, "cannot be used with the schedule AUTO"),
        ] {
            bad.check(is_good, "reward", || problem.into());
        }
        let is_all = self.test_order == TestOrder::All;
        Self {
            test_order: if is_all { TestOrder::All } else { TestOrder::First },
            input_experiment: InputExperiment::Off,
            growth: Effort::Timed,
            ..self
        }
    }
}

impl Violations {
    /// Reads the names of the files in place of stdin and stdout.
    fn named_files(&mut self, request: &v1::Job) -> NamedFiles {
        let mut read = |field: &str, name: &str| {
            let known = FileName::new(name);
            self.check(name.is_empty() || known.is_some(), field, || {
                format!(
                    "must be a plain name of at most {MAX_FILE_NAME_BYTES} letters, digits and \
                     ._-, not {name:?}"
                )
            });
            known
        };
        let input = read("input_file", &request.input_file);
        let output = read("output_file", &request.output_file);
        let are_one = input.is_some() && input == output;
        self.check(!are_one, "output_file", || "must differ from input_file".into());
        NamedFiles { input, output }
    }

    /// Returns the value of an enum field, or `default` if it is unspecified. An unknown value is a
    /// violation, because the default would do something that the caller did not ask for.
    pub(super) fn known<E: TryFrom<i32> + Default + PartialEq>(
        &mut self,
        field: &str,
        value: i32,
        default: E,
    ) -> E {
        let known = E::try_from(value).ok();
        self.check(known.is_some(), field, || format!("unknown value {value}"));
        known.filter(|known| *known != E::default()).unwrap_or(default)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_of_files_are_plain() {
        for name in ["../a", "a/b", ".", "..", ".hidden", "a b", "-", "é", &"x".repeat(33)] {
            let request = v1::Job { input_file: name.into(), ..v1::Job::default() };
            let mut bad = Violations::default();
            Options::read(&request, &mut bad);
            assert!(bad.to_string().contains("input_file"), "{name}: {bad}");
        }
        let [input_file, output_file] = ["input.txt", "output.txt"].map(String::from);
        let request = v1::Job { input_file, output_file, ..v1::Job::default() };
        let mut bad = Violations::default();
        let files = Options::read(&request, &mut bad).files;
        assert_eq!(files.input.unwrap().bytes(), b"input.txt");
        assert_eq!(files.output.unwrap().bytes(), b"output.txt");
    }

    #[test]
    fn one_tolerance_is_both_and_two_are_apart() {
        for (tolerance, relative_tolerance, absolute, relative) in [
            (None, None, 1e-6, 1e-6),
            (Some(1e-3), None, 1e-3, 1e-3),
            (None, Some(1e-3), 0.0, 1e-3),
            (Some(1e-9), Some(1e-3), 1e-9, 1e-3),
            (Some(1e-3), Some(0.0), 1e-3, 0.0),
        ] {
            let request = v1::Job { tolerance, relative_tolerance, ..v1::Job::default() };
            assert_eq!(Tolerance::of(&request), Tolerance { absolute, relative });
        }
    }
}
