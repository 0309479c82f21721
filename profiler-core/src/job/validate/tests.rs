mod test_cases;

use super::*;
use crate::job::flags::DEFAULT_FLAGS;
use crate::limits::{
    ADDRESS_SPACE_MARGIN_BYTES, MAX_BOUNDS, MAX_FLAGS, MAX_VIOLATIONS, MOST_REPETITIONS,
};
use runner_protocol::Clock;

fn good() -> Draft {
    asking(Draft::new(" task ", "int main() {}"), |job| job.input_sizes = vec![1, 2])
}

fn asking(mut draft: Draft, ask: impl FnOnce(&mut v1::Job)) -> Draft {
    ask(&mut draft.request);
    draft
}

fn code(job: &mut v1::Job) -> &mut CodeMessage {
    job.code.get_or_insert_default()
}

fn limits(job: &mut v1::Job) -> &mut v1::RunLimits {
    job.limits.get_or_insert_default()
}

fn inputs(all: Vec<(u64, Vec<u8>)>) -> Vec<ExplicitInput> {
    all.into_iter().map(|(size, data)| ExplicitInput { size, data }).collect()
}

fn job(draft: Draft) -> Job {
    Job::try_from(draft).unwrap()
}

/// Fields of the violations, in order.
fn bad_fields(draft: Draft) -> Vec<String> {
    let bad = Job::try_from(draft).unwrap_err();
    bad.into_iter().map(|violation| violation.field).collect()
}

fn interactive() -> Draft {
    let code_cpp = "int main() {}".into();
    let interactor = v1::Interactor { code_cpp, ..v1::Interactor::default() };
    asking(good(), |job| job.interactor = Some(interactor))
}

#[test]
fn interactor_has_flags_of_its_own() {
    let draft = asking(interactive(), |job| code(job).compiler_flags = vec!["-O1".into()]);
    assert_eq!(job(draft).interactor.unwrap().flags, DEFAULT_FLAGS);
}

#[test]
fn bad_interactor_is_named() {
    let interactor = v1::Interactor { code_cpp: " ".into(), compiler_flags: vec!["-o".into()] };
    let draft = asking(good(), |job| job.interactor = Some(interactor));
    let fields = ["interactor.code_cpp", "interactor.compiler_flags[0]"];
    assert_eq!(bad_fields(draft), fields);
}

#[test]
fn default_clock_with_an_interactor_is_processor_time() {
    assert_eq!(job(interactive()).limits.clock, Some(RuntimeClock::Cpu));
    let wall = asking(interactive(), |job| job.runtime_clock = v1::RuntimeClock::Wall.into());
    assert_eq!(job(wall).limits.clock, Some(RuntimeClock::Wall));
    assert_eq!(job(good()).limits.clock, None);
}

#[test]
fn every_bad_field_is_named_at_once() {
    let draft = Draft { source: b" \n".into(), ..good() };
    let draft = asking(draft, |job| {
        *code(job) = CodeMessage {
            r#type: "report".into(),
            task_id: "  ".into(),
            schema_version: "2.0.0".into(),
            compiler_flags: vec!["-O2".into(), "-o".into()],
            ..CodeMessage::default()
        };
        job.input_bounds = [("n".into(), -1)].into();
        job.input_sizes = vec![2, 1];
        job.inputs = inputs(vec![(1, Vec::new()), (1, vec![0; MAX_INPUT_BYTES + 1])]);
        *limits(job) = v1::RunLimits {
            timeout_ms: Some(f64::NAN),
            runtime_limit_ms: Some(-1.0),
            memory_mb: Some(MIN_MEMORY_MB - 1),
            address_space_mb: Some(MAX_MEMORY_MB + 1),
        };
    });
    assert_eq!(
        bad_fields(draft),
        [
            "code.type",
            "code.schema_version",
            "code.task_id",
            "code.code_cpp",
            "limits.timeout_ms",
            "limits.runtime_limit_ms",
            "limits.memory_mb",
            "limits.address_space_mb",
            "code.compiler_flags[1]",
            "input_sizes[1]",
            "input_bounds[\"n\"]",
            "inputs[1].data",
            "inputs[1].size",
        ]
    );
}

#[test]
fn job_above_one_per_cent_is_brief() {
    let brief = |precision| job(asking(good(), |job| job.precision = precision)).brief_precision();
    assert_eq!([None, Some(0.01), Some(0.1)].map(brief), [None, None, Some(0.1)]);
}

#[test]
fn interactive_task_is_brief_only_with_one_run() {
    let brief = |precision| {
        job(asking(interactive(), |job| job.precision = Some(precision))).brief_precision()
    };
    assert_eq!([0.1, 1.0].map(brief), [None, Some(1.0)]);
}

#[test]
fn repetitions_have_a_bound_in_time() {
    let refused = Job::try_from(asking(good(), |job| {
        limits(job).timeout_ms = Some(60_000.0);
        job.repetitions = Some(MOST_REPETITIONS);
    }));
    let said = refused.unwrap_err().to_string();
    assert!(said.contains("repetitions: must let all runs end within 1 h"), "{said}");
    let refused = Job::try_from(asking(good(), |job| {
        job.input_sizes.clear();
        job.schedule = v1::Schedule::Auto.into();
        job.repetitions = Some(3);
    }));
    let said = refused.unwrap_err().to_string();
    assert!(said.contains("repetitions: cannot be used with the schedule AUTO"), "{said}");
}

#[test]
fn every_field_that_is_too_long_is_named() {
    let draft = Draft { source: vec![b'x'; MAX_SOURCE_BYTES + 1], ..good() };
    let draft = asking(draft, |job| {
        code(job).task_id = "x".repeat(MAX_TASK_ID_BYTES + 1);
        code(job).compiler_flags = vec!["-O2".into(); MAX_FLAGS + 1];
    });
    assert_eq!(bad_fields(draft), ["code.task_id", "code.code_cpp", "code.compiler_flags"]);
}

#[test]
fn violations_read_as_one_line() {
    let draft = asking(good(), |job| {
        *code(job) = CodeMessage { r#type: "report".into(), ..CodeMessage::default() };
    });
    assert_eq!(
        Job::try_from(draft).unwrap_err().to_string(),
        r#"code.type: must be "code", not "report"; code.task_id: must not be empty"#
    );
}

#[test]
fn envelope_may_be_spelled_out() {
    let draft = asking(good(), |job| {
        code(job).r#type = "code".into();
        code(job).schema_version = "1.0.0".into();
    });
    assert!(Job::try_from(draft).is_ok());
}

#[test]
fn task_id_is_trimmed() {
    assert_eq!(job(good()).task_id, "task");
}

#[test]
fn source_need_not_be_utf_8() {
    let draft = Draft { source: b"// \xff".into(), ..good() };
    assert_eq!(job(draft).source, b"// \xff");
}

#[test]
fn default_limits() {
    let limits = RunLimits {
        timeout: Duration::from_secs(2),
        grace: Duration::ZERO,
        memory_bytes: 512 << 20,
        address_space_bytes: None,
        clock: None,
    };
    assert_eq!(job(good()).limits, limits);
}

#[test]
fn runtime_limit_is_widened() {
    let draft = asking(good(), |job| limits(job).runtime_limit_ms = Some(1_000.0));
    let limits = job(draft).limits;
    assert_eq!([limits.timeout, limits.grace].map(|it| it.as_millis()), [1_250, 250]);
}

#[test]
fn timeout_overrides_a_runtime_limit() {
    let draft = asking(good(), |job| {
        limits(job).timeout_ms = Some(500.0);
        limits(job).runtime_limit_ms = Some(1_000.0);
    });
    let limits = job(draft).limits;
    assert_eq!([limits.timeout, limits.grace].map(|it| it.as_millis()), [500, 0]);
}

#[test]
fn timeouts_must_be_in_range() {
    for (ms, good_one) in [(0.9, false), (1.0, true), (60_000.0, true), (60_001.0, false)] {
        let draft = asking(good(), |job| limits(job).timeout_ms = Some(ms));
        assert_eq!(Job::try_from(draft).is_ok(), good_one, "{ms}");
    }
}

#[test]
fn hard_stop_leaves_room_for_load() {
    assert_eq!(job(good()).limits.wall_stop(), Duration::from_millis(4_250));
}

#[test]
fn processor_limit_is_later_than_the_hard_stop() {
    let limits = job(good()).limits;
    assert!(limits.cpu() >= limits.wall_stop());
}

#[test]
fn runner_gets_the_chosen_clock() {
    for (chosen, expected) in [
        (v1::RuntimeClock::Unspecified, Clock::Unloaded),
        (v1::RuntimeClock::Unloaded, Clock::Unloaded),
        (v1::RuntimeClock::Wall, Clock::Wall),
        (v1::RuntimeClock::Cpu, Clock::Cpu),
    ] {
        let draft = asking(good(), |job| job.runtime_clock = chosen.into());
        assert_eq!(job(draft).limits.for_runner().clock, expected);
    }
}

#[test]
fn address_space_is_much_larger_than_the_memory_limit() {
    let bytes = job(good()).limits.for_runner().address_space_bytes;
    assert_eq!(bytes, (512 << 20) + ADDRESS_SPACE_MARGIN_BYTES);
}

#[test]
fn plans_literal_address_space_can_be_asked_for() {
    let draft = asking(good(), |job| limits(job).address_space_mb = Some(64));
    assert_eq!(job(draft).limits.for_runner().address_space_bytes, 64 << 20);
}

#[test]
fn each_size_has_its_input() {
    let draft = asking(good(), |job| job.inputs = inputs(vec![(2, b"b".into()), (1, b"a".into())]));
    let inputs = [(1, b"a".to_vec()), (2, b"b".to_vec())];
    assert_eq!(job(draft).inputs, Inputs::Explicit(inputs.into()));
}

fn with_inputs(of: &[u64]) -> String {
    let all = of.iter().map(|&size| (size, Vec::new())).collect();
    let draft = asking(good(), |job| job.inputs = inputs(all));
    Job::try_from(draft).unwrap_err().to_string()
}

#[test]
fn size_without_input_is_named() {
    assert_eq!(with_inputs(&[1]), "inputs: must have an input for size 2");
}

#[test]
fn input_without_a_size_is_named() {
    assert_eq!(with_inputs(&[1, 2, 3]), "inputs[2].size: must be one of the job's sizes, not 3");
}

#[test]
fn two_inputs_of_one_size_are_named() {
    assert_eq!(with_inputs(&[1, 2, 1]), "inputs[2].size: 1 is listed twice");
}

#[test]
fn inputs_too_large_together_are_named() {
    let sizes = 1..=4;
    let draft = asking(good(), |job| {
        job.input_sizes = sizes.clone().collect();
        job.inputs =
            sizes.map(|size| ExplicitInput { size, data: vec![0; MAX_INPUT_BYTES] }).collect();
    });
    assert_eq!(
        Job::try_from(draft).unwrap_err().to_string(),
        "inputs: must have at most 50331648 bytes in total, not 67108864"
    );
}

#[test]
fn elements_beyond_the_limits_are_not_checked() {
    let exact: Vec<u64> = (0..MAX_SIZES as u64).collect();
    let empty = |size: u64| ExplicitInput { size, data: Vec::new() };
    let draft = asking(good(), |job| {
        job.inputs = exact.iter().copied().chain([0; 1000]).map(empty).collect();
        job.input_sizes.clone_from(&exact);
    });
    assert_eq!(bad_fields(draft), ["inputs"]);

    let draft = asking(good(), |job| job.input_sizes = [exact, vec![0; 1000]].concat());
    assert_eq!(bad_fields(draft), ["input_sizes"]);

    let wrong = TestCase { output: "0".repeat(MAX_ANSWER_BYTES + 1), ..TestCase::default() };
    let mut test_cases = vec![TestCase::default(); MAX_TEST_CASES];
    test_cases.extend([wrong]);
    assert_eq!(bad_fields(asking(good(), |job| job.test_cases = test_cases)), ["test_cases"]);
}

#[test]
fn refusal_names_a_bounded_number_of_fields() {
    let draft = asking(good(), |job| code(job).compiler_flags = vec![String::new(); MAX_FLAGS]);
    let fields = bad_fields(draft);
    assert_eq!(fields.len(), MAX_VIOLATIONS + 1);
    assert_eq!(fields.last().unwrap(), "");
}

#[test]
fn bounds_beyond_the_limit_are_refused() {
    let bounds = (0..=MAX_BOUNDS).map(|at| (format!("x{at}"), 1)).collect();
    assert_eq!(bad_fields(asking(good(), |job| job.input_bounds = bounds)), ["input_bounds"]);
}
