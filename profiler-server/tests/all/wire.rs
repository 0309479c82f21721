//! Conversion of requests to jobs, and partial reports for runs that were lost.

use profiler_core::figures::RuntimeClock;
use profiler_growth::Effort;
use profiler_proto::v1::{self, event::Kind};
use profiler_wire::Defaults;
use profiler_wire::{self as wire, MAX_REQUEST_ID_BYTES};
use std::time::Duration;

/// Partial report of a lost run. One of `candidates` was measured at each size: size 1 took 2 ms and
/// 3 MiB, and size 1000 crashed.
fn partial(candidates: u32) -> v1::ProfileReport {
    let ok = v1::SizeResult {
        size: 1,
        outcome: v1::Outcome::Ok.into(),
        runtime_ms: Some(2.0),
        peak_memory_mb: Some(3.0),
        ..v1::SizeResult::default()
    };
    let outcome = v1::Outcome::RuntimeError.into();
    let crashed = v1::SizeResult { size: 1000, outcome, ..v1::SizeResult::default() };
    let had = [ok, crashed].map(|size| {
        let kind = Some(Kind::SizeMeasured(v1::SizeResult { candidates, ..size }));
        v1::Event { kind, ..v1::Event::default() }
    });
    let code = v1::ErrorCode::Interrupted;
    let error = wire::ended_early(&v1::Run::default(), had.into(), code, "it was lost");
    error.partial.unwrap()
}

#[test]
fn three_lists_have_one_length() {
    let report = partial(1);
    let lists = (report.input_sizes, report.runtime_ms, report.peak_memory_mb);
    let inf = f64::INFINITY;
    assert_eq!(lists, (vec![1, 1000], vec![2.0, inf], vec![3.0, inf]));
    assert_eq!(report.hotspots["_crash"], "RUNTIME_ERROR");
}

/// Only one of two candidates was measured when the run ended, so the worst case is unknown.
#[test]
fn size_that_is_not_finished_is_not_in_the_lists_unless_it_failed() {
    let report = partial(2);
    assert_eq!((report.sizes.len(), report.input_sizes.as_slice()), (2, &[1000][..]));
    assert!(report.runtime_ms.iter().all(|ms| ms.is_infinite()), "{:?}", report.runtime_ms);
}

fn request() -> v1::Job {
    v1::Job {
        code: Some(v1::CodeMessage {
            task_id: " two_sum ".into(),
            code_cpp: "int main() {}".into(),
            ..v1::CodeMessage::default()
        }),
        ..v1::Job::default()
    }
}

#[test]
fn request_becomes_a_job() {
    let wire = v1::Job {
        input_scales: Some(v1::SizeList { values: vec![] }),
        inputs: vec![],
        limits: Some(v1::RunLimits { timeout_ms: Some(1.5), ..Default::default() }),
        input_experiment: v1::InputExperiment::First.into(),
        on_memory_limit: v1::OnMemoryLimit::Record.into(),
        runtime_clock: v1::RuntimeClock::Cpu.into(),
        ..request()
    };
    let job = wire::job(wire, &Defaults::default()).unwrap();
    let read =
        (job.sizes.requested(), job.limits.timeout, job.options.on_memory_limit, job.limits.clock);
    let timeout = Duration::from_micros(1500);
    assert_eq!(read, (&[0, 1][..], timeout, v1::OnMemoryLimit::Record, Some(RuntimeClock::Cpu)));
    assert_eq!(job.options.input_experiment, v1::InputExperiment::First);
}

#[test]
fn servers_defaults_fill_what_is_left_out() {
    let defaults = Defaults { sandbox_mem_mb: Some(64), ..Defaults::default() };
    let job = wire::job(request(), &defaults).unwrap();
    assert_eq!(job.limits.memory_bytes, 64 << 20);
}

/// The only bad field of a request.
fn refused(wire: v1::Job) -> String {
    let found = wire::job(wire, &Defaults::default()).unwrap_err();
    assert_eq!(found.len(), 1, "{found:?}");
    found[0].field.clone()
}

#[test]
fn growth_is_counted_unless_the_job_says_otherwise() {
    let [left_out, full] = [0, v1::Growth::Full.into()].map(|growth| {
        let asked = v1::Job { growth, ..request() };
        wire::job(asked, &Defaults::default()).unwrap().options.growth
    });
    assert_eq!((left_out, full), (Effort::Counted, Effort::Full));
}

#[test]
fn interactor_is_taken_along() {
    let asked =
        v1::Interactor { code_cpp: "int main() {}".into(), compiler_flags: vec!["-O1".into()] };
    let wire = v1::Job { interactor: Some(asked.clone()), ..request() };
    let job = wire::job(wire.clone(), &Defaults::default()).unwrap();
    let interactor = job.interactor.unwrap();
    assert_eq!(interactor.source, asked.code_cpp.as_bytes());
    assert_eq!(
        (interactor.flags, job.limits.clock),
        (asked.compiler_flags, Some(RuntimeClock::Cpu))
    );
    let with_cases = v1::Job { test_cases: vec![v1::TestCase::default()], ..wire };
    let found = wire::job(with_cases, &Defaults::default()).unwrap_err();
    let why = "cannot be used with interactor";
    assert!(found.iter().any(|bad| bad.field == "test_cases" && bad.problem == why), "{found:?}");
}

#[test]
fn checker_is_taken_along_with_its_header() {
    let asked = v1::CheckerProgram {
        code_cpp: "#include <testlib.h>".into(),
        compiler_flags: vec!["-O1".into()],
        testlib_h: "int f();".into(),
    };
    let test_cases = vec![v1::TestCase::default()];
    let wire = v1::Job { checker_program: Some(asked), test_cases, ..request() };
    let checker = wire::job(wire, &Defaults::default()).unwrap().checker.unwrap();
    let source = String::from_utf8(checker.source).unwrap();
    assert!(source.contains("\nint f();\n"), "{source}");
    assert_eq!(checker.flags, ["-O1"]);
}

#[test]
fn validator_is_taken_along_with_its_header() {
    let asked = v1::CheckerProgram {
        code_cpp: "#include <testlib.h>".into(),
        testlib_h: "int f();".into(),
        ..v1::CheckerProgram::default()
    };
    let test_cases = vec![v1::TestCase::default()];
    let wire = v1::Job { validator_program: Some(asked), test_cases, ..request() };
    let validator = wire::job(wire, &Defaults::default()).unwrap().validator.unwrap();
    assert!(String::from_utf8(validator.source).unwrap().contains("\nint f();\n"));
}

#[test]
fn another_program_is_taken_along() {
    let files = vec![v1::SourceFile { path: "a.h".into(), text: "1".into() }];
    let (code_cpp, compiler_flags) = ("int main() {}".into(), vec!["-O1".into()]);
    let asked = v1::OtherProgram { code_cpp, compiler_flags, files: files.clone() };
    let wire = v1::Job { against: Some(asked), ..request() };
    let other = wire::job(wire, &Defaults::default()).unwrap().against.unwrap();
    assert_eq!((other.source, other.flags), (b"int main() {}".to_vec(), vec!["-O1".to_owned()]));
    assert_eq!(other.files, files);
}

#[test]
fn id_has_a_bound() {
    let id = |bytes| "x".repeat(bytes);
    let long = MAX_REQUEST_ID_BYTES + 1;
    assert_eq!(refused(v1::Job { request_id: id(long), ..request() }), "request_id");
    assert_eq!(refused(v1::Job { same_pool_as: id(long), ..request() }), "same_pool_as");
    let fits = v1::Job { same_pool_as: id(MAX_REQUEST_ID_BYTES), ..request() };
    assert!(wire::job(fits, &Defaults::default()).is_ok());
}

#[test]
fn instructions_are_counted_for_who_asks() {
    let job = |instructions| wire::job(v1::Job { instructions, ..request() }, &Defaults::default());
    assert_eq!([false, true].map(|asked| job(asked).unwrap().options.instructions), [false, true]);
}

#[test]
fn unknown_value_is_not_taken_for_the_default() {
    let clock = v1::Job { runtime_clock: 9, ..request() };
    assert_eq!(refused(clock), "runtime_clock");
}
