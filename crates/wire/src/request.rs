//! Maps a request to a job, or to the list of all its violations.

mod defaults;

pub use defaults::Defaults;

use profiler_core::error::{Violation, Violations};
use profiler_core::figures::RuntimeClock;
use profiler_core::job::SizeLists;
use profiler_core::job::{
    Checker, Draft, InputExperiment, Interactor, Job, OnMemoryLimit, Options, OtherProgram,
    TestCase, TestOrder, WorstDraft, WorstGoal,
};
use profiler_growth::Effort;
use profiler_proto::{options, v1};
use std::mem;

/// Precision that callers ask for who wait for the result: the command line and the agents' tools.
pub const BRIEF_PRECISION: f64 = 0.1;
/// Longest id in a request, of the request or of a run, in bytes.
pub const MAX_REQUEST_ID_BYTES: usize = 128;

/// Makes the job of a request. The server's defaults replace absent fields.
///
/// # Errors
/// Returns the violations of the wire format together with those that [`Job`] finds.
pub fn job(mut wire: v1::Job, defaults: &Defaults) -> Result<Job, Violations> {
    let source = wire.code.as_mut().map(|code| mem::take(&mut code.code_cpp));
    job_of(wire, source.unwrap_or_default().into_bytes(), defaults)
}

/// Makes a job like [`job`], from a source that need not be UTF-8.
pub fn job_of(wire: v1::Job, source: Vec<u8>, defaults: &Defaults) -> Result<Job, Violations> {
    let mut bad = Violations::default();
    refuse(&wire, &mut bad);
    let mut draft = Draft { source, ..draft(wire, &mut bad) };
    defaults.apply(&mut draft);
    match Job::try_from(draft) {
        Ok(job) if bad.is_empty() => Ok(job),
        Ok(_) => Err(bad),
        Err(more) => {
            bad.extend(more);
            Err(bad)
        }
    }
}

fn draft(wire: v1::Job, bad: &mut Violations) -> Draft {
    let options = plain_options(&wire, bad);
    let clock = known("runtime_clock", wire.runtime_clock, bad);
    let schedule = known("schedule", wire.schedule, bad);
    let code = wire.code.unwrap_or_default();
    let limits = wire.limits.unwrap_or_default();
    Draft {
        message_type: code.r#type,
        task_id: code.task_id,
        iteration: code.iteration,
        schema_version: code.schema_version,
        flags: code.compiler_flags,
        bounds: wire.input_bounds,
        size_variable: wire.size_variable,
        sizes: SizeLists {
            exact: wire.input_sizes,
            scales: wire.input_scales.map(|list| list.values),
            corner_cases: wire.extra_corner_cases.map(|list| list.values),
            auto: match schedule {
                v1::Schedule::Unspecified | v1::Schedule::List => false,
                v1::Schedule::Auto => true,
            },
        },
        specs: wire.input_specs,
        inputs: wire.inputs.into_iter().map(|i| (i.size, i.data)).collect(),
        timeout_ms: limits.timeout_ms,
        runtime_limit_ms: limits.runtime_limit_ms,
        memory_mb: limits.memory_mb,
        address_space_mb: limits.address_space_mb,
        clock: match clock {
            v1::RuntimeClock::Unspecified => None,
            v1::RuntimeClock::Unloaded => Some(RuntimeClock::Unloaded),
            v1::RuntimeClock::Wall => Some(RuntimeClock::Wall),
            v1::RuntimeClock::Cpu => Some(RuntimeClock::Cpu),
        },
        worst: wire.worst.map(|search| worst(search, bad)),
        options,
        against: wire.against.map(other_program),
        interactor: wire.interactor.map(|other| Interactor {
            source: other.code_cpp.into_bytes(),
            flags: other.compiler_flags,
        }),
        test_cases: wire
            .test_cases
            .into_iter()
            .map(|case| TestCase {
                input: case.input.into_bytes(),
                output: case.output.into_bytes(),
            })
            .collect(),
        ..Draft::default()
    }
}

/// Error of a number that the checker NUMBERS allows by default. Most tasks with real answers allow
/// this, or more.
const TOLERANCE: f64 = 1e-6;

/// Returns the options that mean the same on the wire and in the core.
fn plain_options(wire: &v1::Job, bad: &mut Violations) -> Options {
    Options {
        on_memory_limit: match known("on_memory_limit", wire.on_memory_limit, bad) {
            v1::OnMemoryLimit::Unspecified | v1::OnMemoryLimit::Abort => OnMemoryLimit::Abort,
            v1::OnMemoryLimit::Record => OnMemoryLimit::Record,
        },
        input_experiment: match known("input_experiment", wire.input_experiment, bad) {
            v1::InputExperiment::Unspecified | v1::InputExperiment::After => InputExperiment::After,
            v1::InputExperiment::First => InputExperiment::First,
            v1::InputExperiment::Off => InputExperiment::Off,
        },
        input_seed: wire.input_seed,
        test_order: match known("test_order", wire.test_order, bad) {
            v1::TestOrder::Unspecified | v1::TestOrder::After => TestOrder::After,
            v1::TestOrder::First => TestOrder::First,
            v1::TestOrder::All => TestOrder::All,
        },
        checker: checker(wire, bad),
        skip_after_limits: wire.skip_after_limits,
        repetitions: wire.repetitions,
        precision: wire.precision,
        debug: wire.debug,
        instructions: wire.instructions,
        allocations: wire.allocations,
        advice: wire.advice,
        growth: match known("growth", wire.growth, bad) {
            v1::Growth::Timed => Effort::Timed,
            v1::Growth::Unspecified | v1::Growth::Counted => Effort::Counted,
            v1::Growth::Full => Effort::Full,
        },
        raw_samples: wire.raw_samples,
        stdout_bytes: wire.stdout_bytes,
    }
}

fn checker(wire: &v1::Job, bad: &mut Violations) -> Checker {
    let checker = known("checker", wire.checker, bad);
    if wire.tolerance.is_some() && checker != v1::Checker::Numbers {
        let problem = "only with the checker of numbers".into();
        bad.push(Violation { field: "tolerance".into(), problem });
    }
    let is_default = matches!(checker, v1::Checker::Unspecified | v1::Checker::Words);
    if !is_default && wire.test_cases.is_empty() {
        let problem = "only with test cases".into();
        bad.push(Violation { field: "checker".into(), problem });
    }
    match checker {
        v1::Checker::Unspecified | v1::Checker::Words => Checker::Words,
        v1::Checker::Exact => Checker::Exact,
        v1::Checker::Caseless => Checker::Caseless,
        v1::Checker::Numbers => Checker::Numbers(wire.tolerance.unwrap_or(TOLERANCE)),
    }
}

fn other_program(other: v1::OtherProgram) -> OtherProgram {
    let v1::OtherProgram { code_cpp, compiler_flags } = other;
    OtherProgram { source: code_cpp.into_bytes(), flags: compiler_flags }
}

fn worst(search: v1::WorstSearch, bad: &mut Violations) -> WorstDraft {
    let v1::WorstSearch { size, executions, seconds, seed, goal, line } = search;
    let goal = match known("worst.goal", goal, bad) {
        v1::WorstGoal::Unspecified | v1::WorstGoal::Instructions => WorstGoal::Instructions,
        v1::WorstGoal::Memory => WorstGoal::Memory,
        v1::WorstGoal::Allocations => WorstGoal::Allocations,
        v1::WorstGoal::Line => WorstGoal::Line(line),
    };
    if line > 0 && goal != WorstGoal::Line(line) {
        let problem = "only with the goal LINE".into();
        bad.push(Violation { field: "worst.line".into(), problem });
    }
    WorstDraft { n: size, seed, executions, seconds, goal }
}

/// Checks the declared ranges and exclusions, and the fields that a [`Job`] does not have.
fn refuse(wire: &v1::Job, bad: &mut Violations) {
    let problems = options::problems(wire).into_iter();
    bad.extend(problems.map(|(field, problem)| Violation { field: field.into(), problem }));
    known::<v1::OnDisconnect>("on_disconnect", wire.on_disconnect, bad);
    // Only a fleet has more than one pool, and its gateway reads `same_pool_as` from the wire.
    for (field, id) in [("request_id", &wire.request_id), ("same_pool_as", &wire.same_pool_as)] {
        let id_bytes = id.len();
        if id_bytes > MAX_REQUEST_ID_BYTES {
            let problem = format!("{id_bytes} bytes are over the limit of {MAX_REQUEST_ID_BYTES}");
            bad.push(Violation { field: field.into(), problem });
        }
    }
}

/// Returns the value of an enum field. An unknown value is a violation: the default would do
/// something that the client did not ask for.
fn known<E: TryFrom<i32> + Default>(field: &str, value: i32, bad: &mut Violations) -> E {
    E::try_from(value).unwrap_or_else(|_| {
        bad.push(Violation { field: field.into(), problem: format!("unknown value {value}") });
        E::default()
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use profiler_core::limits::MOST_REPETITIONS;
    use profiler_proto::options::{Kind, of_field};
    use profiler_statistics::KNOWN_SHARE;

    fn job_of_one() -> v1::Job {
        let code_cpp = "int main() {}".to_owned();
        let code = v1::CodeMessage { task_id: "t".into(), code_cpp, ..v1::CodeMessage::default() };
        v1::Job { code: Some(code), input_sizes: vec![1], ..v1::Job::default() }
    }

    fn refused(wire: v1::Job) -> Vec<String> {
        let bad = job(wire, &Defaults::default()).unwrap_err();
        bad.iter().map(ToString::to_string).collect()
    }

    #[test]
    fn declared_ranges_are_those_of_the_measuring() {
        let kind = |field| &of_field(field).unwrap().kind;
        let Kind::Count { range, .. } = kind("repetitions") else { panic!() };
        assert_eq!(range, &(1..=MOST_REPETITIONS));
        let Kind::Number { range, .. } = kind("precision") else { panic!() };
        assert_eq!(range, &(KNOWN_SHARE..=1.0));
    }

    #[test]
    fn declared_range_and_exclusion_are_refused_by_their_fields() {
        let (stdout_bytes, repetitions) = (4097, Some(0));
        let wire = v1::Job { stdout_bytes, repetitions, precision: Some(0.1), ..job_of_one() };
        assert_eq!(
            refused(wire),
            [
                "stdout_bytes: must lie in 0..=4096",
                "repetitions: must lie in 1..=100",
                "precision: not with repetitions",
            ]
        );
    }

    #[test]
    fn runs_of_the_program_alone_are_refused_with_an_interactor() {
        let interactor = v1::Interactor { code_cpp: "int main() {}".into(), ..Default::default() };
        let wire = v1::Job {
            interactor: Some(interactor),
            debug: true,
            instructions: true,
            allocations: true,
            advice: true,
            ..job_of_one()
        };
        let said = ["debug", "instructions", "allocations", "advice"];
        assert_eq!(refused(wire), said.map(|field| format!("{field}: not with interactor")));
    }

    #[test]
    fn input_seed_is_added_to_that_of_each_spec() {
        let inputs = |seed, input_seed| {
            let layout = vec![v1::Layout { kind: Some(v1::layout::Kind::Literal("1".into())) }];
            let input_specs = vec![v1::InputSpec { seed, layout, ..v1::InputSpec::default() }];
            let wire = v1::Job { input_specs, input_seed, ..job_of_one() };
            job(wire, &Defaults::default()).unwrap().inputs
        };
        assert_eq!(inputs(3, 5), inputs(8, 0));
        assert_eq!(inputs(u32::MAX, 1), inputs(0, 0));
        assert_ne!(inputs(3, 5), inputs(3, 0));
    }

    #[test]
    fn comparison_of_two_programs_has_no_search_and_no_advice() {
        let against = v1::OtherProgram { code_cpp: "int main() {}".into(), ..Default::default() };
        let wire = v1::Job { against: Some(against), advice: true, ..job_of_one() };
        assert_eq!(refused(wire), ["advice: not with against"]);
    }
}
