//! The mapping between the domain and the wire.

use profiler_core::error::ErrorCode;
use profiler_core::figures::{Figures, Memory, RuntimeClock, Sample};
use profiler_core::job::{InputExperiment, OnMemoryLimit};
use profiler_core::report::CompileStep;
use profiler_core::report::hotspots::Hotspots;
use profiler_core::report::{Evidence, KilledBy, Outcome};
use profiler_core::report::{
    Host, InputCheck, InputUse, Instructions, InteractorResult, ProfileReport, SandboxError,
    SizeResult, StartUp,
};
use profiler_growth::{
    Class, Classification, Curve, Effort, Growth, Prediction, Signal, SignalKind,
};
use profiler_proto::v1;
use profiler_statistics::{Interval, Statistics};
use profiler_wire::Defaults;
use profiler_wire::{self as wire, MAX_REQUEST_ID_BYTES};
use std::time::{Duration, SystemTime};

/// Evidence that only says who ended the program.
fn nothing(killed_by: KilledBy) -> Evidence {
    Evidence { met: None, killed_by, signal: None, exit_code: None, hint: None }
}

fn interactor(sample: Sample) -> InteractorResult {
    InteractorResult {
        outcome: Outcome::TimeLimit,
        evidence: nothing(KilledBy::Profiler),
        figures: Figures::from_samples(&[sample, sample], RuntimeClock::Wall),
        total_wall_ms: Statistics::from_values(&[3.0, 5.0]),
        stderr_tail: "too late".into(),
    }
}

/// Two sizes: one that ended OK after 2 ms with 3 MiB, one that crashed.
#[expect(clippy::too_many_lines, reason = "a report has many fields")]
fn report() -> ProfileReport {
    let sample = Sample { wall_ns: 2_000_000, peak_rss_bytes: 3 << 20, ..Sample::default() };
    let size = |size, outcome, signal| SizeResult {
        size,
        candidate: 0,
        outcome,
        evidence: Evidence { signal, ..nothing(KilledBy::Itself) },
        figures: Figures::from_samples(&[sample], RuntimeClock::Wall),
        faster_figures: None,
        memory: Some(Memory { data_stack_mb: Some(1.5), ..Memory::default() }),
        net_runtime_ms: Some(-0.25),
        below_noise_floor: Some(true),
        instructions: Some(Instructions { count: 7, own: None, slow_down: 8.0 }),
        input_bytes: Some(2),
        candidates: 1,
        samples: vec![sample],
        warm_up: None,
        cold_run: None,
        fails_cold: false,
        outputs_differ: false,
        works_in_probe: false,
        gnu_time: None,
        stdout: None,
        stderr_tail: String::new(),
        interactor: Some(interactor(sample)),
    };
    ProfileReport {
        task_id: "two_sum".into(),
        iteration: 4,
        source: String::new(),
        allocations: None,
        growth: None,
        timestamp: SystemTime::UNIX_EPOCH + Duration::from_secs(1),
        run_id: "run".into(),
        sizes: vec![size(1, Outcome::Ok, None), size(1000, Outcome::RuntimeError, Some("SIGSEGV"))],
        compile: None::<CompileStep>,
        interactor_compile: Some(CompileStep {
            command: "g++".into(),
            compiler: "12.2.0".into(),
            wall_ms: 1.0,
            cpu_ms: None,
            peak_memory_mb: 1.0,
            binary_bytes: Some(7),
            diagnostics: Vec::new(),
            error_text: String::new(),
            output: String::new(),
            truncated: false,
            cached: false,
        }),
        host: Host {
            measured_core: Some(1),
            neighbours: Some(0),
            name: Some("node-7".into()),
            ..Host::default()
        },
        start_up: Figures::from_samples(&[sample], RuntimeClock::Wall)
            .map(|figures| StartUp { figures, samples: vec![sample] }),
        instructions_method: Some("counted"),
        clock: RuntimeClock::Wall,
        clock_reason: String::new(),
        warnings: Vec::new(),
        hotspots: Hotspots::default(),
        candidates: Vec::new(),
        test_cases: Vec::new(),
        worst: None,
        advice: None,
        turns: Vec::new(),
        input_check: Some(InputCheck {
            input_use: InputUse::Starved,
            size: 24,
            default_input: Some("1000\n".into()),
            unread_bytes: Some(3),
        }),
        schedule_end: None,
        precision: None,
        input_seed: 0,
    }
}

#[test]
fn three_lists_have_one_length() {
    let wire = wire::report(&report(), false);
    let lists = (wire.input_sizes, wire.runtime_ms, wire.peak_memory_mb);
    let inf = f64::INFINITY;
    assert_eq!(lists, (vec![1, 1000], vec![2.0, inf], vec![3.0, inf]));
}

/// Only one of two candidates was measured when the run ended, so the worst case is unknown.
#[test]
fn size_that_is_not_finished_is_not_in_the_lists_unless_it_failed() {
    let mut report = report();
    for result in &mut report.sizes {
        result.candidates = 2;
    }
    let wire = wire::report(&report, false);
    let failed: Vec<_> = report.sizes.iter().filter(|s| !s.is_ok()).map(|s| s.size).collect();
    assert!(!failed.is_empty() && failed.len() < wire.sizes.len());
    assert_eq!(wire.input_sizes, failed);
    assert!(wire.runtime_ms.iter().all(|ms| ms.is_infinite()), "{:?}", wire.runtime_ms);
}

#[test]
fn check_of_the_input_is_on_the_wire() {
    let check = wire::report(&report(), false).input_check.unwrap();
    assert_eq!(check.input_use(), v1::InputUse::Starved);
    assert_eq!((check.size, check.default_input.as_deref()), (24, Some("1000\n")));
    assert_eq!(check.unread_bytes, Some(3));
}

#[test]
fn interactor_is_told_apart_from_the_program() {
    let wire = wire::report(&report(), false);
    assert_eq!(wire.interactor_compile.unwrap().binary_bytes, Some(7));
    let told = wire.sizes[0].interactor.clone().unwrap();
    assert_eq!(
        (told.outcome(), wire.sizes[0].outcome()),
        (v1::Outcome::TimeLimit, v1::Outcome::Ok)
    );
    assert_eq!(
        (told.stderr_tail.as_str(), told.evidence.unwrap().killed_by()),
        ("too late", v1::KilledBy::Profiler)
    );
    let counts = (told.figures.unwrap().wall_ms.unwrap().count, told.total_wall_ms.unwrap().max);
    assert_eq!(counts, (2, 5.0));
}

#[test]
fn outcomes_of_interactive_runs_have_names() {
    for (outcome, told) in [
        (Outcome::ProtocolError, v1::Outcome::ProtocolError),
        (Outcome::InteractorFailed, v1::Outcome::InteractorFailed),
        (Outcome::NotRun, v1::Outcome::NotRun),
    ] {
        let mut report = report();
        report.sizes[0].outcome = outcome;
        let wire = wire::report(&report, false);
        assert_eq!(wire.sizes[0].outcome(), told);
        assert_eq!(wire.hotspots["_crash"], outcome.as_str());
    }
}

#[test]
fn crash_stands_in_the_hotspots() {
    assert_eq!(wire::report(&report(), false).hotspots["_crash"], "SIGSEGV");
}

#[test]
fn measurement_before_a_crash_stays() {
    let wire = wire::report(&report(), false);
    let wall = wire.sizes[1].figures.unwrap().wall_ms.unwrap();
    assert!((wall.max - 2.0).abs() < f64::EPSILON, "{wall:?}");
}

#[test]
fn headline_has_its_own_interval() {
    let wire = wire::report(&report(), false);
    let headline = wire.sizes[0].figures.as_ref().unwrap().headline.as_ref().unwrap();
    let interval = headline.interval.as_ref().unwrap();
    assert!(interval.low <= headline.ms && headline.ms <= interval.high, "{headline:?}");
}

#[test]
fn size_is_compared_with_the_start_up() {
    let wire = wire::report(&report(), false);
    let size = &wire.sizes[0];
    assert_eq!((size.net_runtime_ms, size.below_noise_floor), (Some(-0.25), Some(true)));
    assert_eq!(wire.start_up.map(|s| (s.runtime_ms, s.peak_memory_mb)), Some((2.0, 3.0)));
}

#[test]
fn unknown_figure_is_absent_and_zero_is_not() {
    let wire = wire::report(&report(), false);
    let host = wire.host.unwrap();
    let of_host = (host.measured_core, host.neighbours, host.calibration_ms);
    assert_eq!(of_host, (Some(1), Some(0), None));
    assert_eq!(host.name.as_deref(), Some("node-7"));
    let memory = wire.sizes[0].memory.unwrap();
    assert_eq!((memory.data_stack_mb, memory.heap_mb, memory.statm), (Some(1.5), None, None));
}

#[test]
fn counts_go_out_with_what_they_cost() {
    let wire = wire::report(&report(), false);
    let size = &wire.sizes[0];
    assert_eq!((size.instructions, size.instructions_slow_down), (Some(7), Some(8.0)));
    assert_eq!(wire.instructions_method.as_deref(), Some("counted"));
}

#[test]
fn raw_samples_go_out_if_asked_for() {
    let counts = [false, true].map(|raw| wire::report(&report(), raw).sizes[0].samples.len());
    assert_eq!(counts, [0, 1]);
}

#[test]
fn error_carries_what_was_measured() {
    let error = SandboxError {
        code: ErrorCode::Memory,
        message: "size 1000 exceeded 64 MiB".into(),
        partial: Box::new(report()),
    };
    assert_eq!(wire::error(&error, false).partial.unwrap().input_sizes, [1, 1000]);
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
    assert_eq!(read, (&[0, 1][..], timeout, OnMemoryLimit::Record, Some(RuntimeClock::Cpu)));
    assert_eq!(job.options.input_experiment, InputExperiment::First);
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
fn growth_is_told_with_what_it_was_told_from() {
    let interval = Interval { low: 0.9, high: 1.1, level: 0.95 };
    let told = Classification {
        class: Some(Class::Linearithmic),
        confidence: Some(0.9),
        runner_up: Some((Class::Power(1.25), 0.06)),
        exponent: Some(1.05),
        exponent_interval: Some(interval),
        signals: vec![Signal {
            kind: SignalKind::Line(3),
            class: Some(Class::Linearithmic),
            confidence: 1.0,
            points: vec![(10, 33.0)],
        }],
        curve: Some(Curve { class: Class::Linearithmic, constant: 0.5, coefficient: 1e-6 }),
        prediction: Some(Prediction { size: 20, value: 1.0, interval, limit: 1.05, fits: None }),
        ..Classification::default()
    };
    let undecided =
        Classification { undecided: "too little".to_owned().into(), ..Classification::default() };
    let growth = Growth {
        time: told,
        memory: undecided,
        effort: Effort::Full,
        spent_ms: 2.5,
        observed: None,
    };
    let wire = wire::report(&ProfileReport { growth: Some(growth), ..report() }, false);
    let wire = wire.growth.unwrap();
    assert_eq!((wire.effort(), wire.spent_ms), (v1::Growth::Full, 2.5));
    let (time, memory) = (wire.time.unwrap(), wire.memory.unwrap());
    let classes = (time.class(), time.runner_up_class());
    assert_eq!(classes, (Some(Class::Linearithmic), Some(Class::Power(1.25))));
    assert_eq!((time.confidence, time.runner_up_confidence), (Some(0.9), Some(0.06)));
    assert_eq!(time.signals[0].points, [v1::GrowthPoint { size: 10, value: 33.0 }]);
    assert_eq!(time.curve.unwrap().class(), Some(Class::Linearithmic));
    let prediction = time.prediction.unwrap();
    assert_eq!((prediction.fits, prediction.interval.unwrap().high), (None, 1.1));
    assert_eq!((memory.function, memory.undecided.as_str()), (None, "too little"));
    assert_eq!((memory.undecided_reason.as_str(), memory.remedies.len()), ("too little", 0));
    assert_eq!((memory.confidence, memory.curve), (None, None));
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
    let why = "not with interactor";
    assert!(found.iter().any(|bad| bad.field == "test_cases" && bad.problem == why), "{found:?}");
}

#[test]
fn another_program_is_taken_along() {
    let asked =
        v1::OtherProgram { code_cpp: "int main() {}".into(), compiler_flags: vec!["-O1".into()] };
    let wire = v1::Job { against: Some(asked), ..request() };
    let other = wire::job(wire, &Defaults::default()).unwrap().against.unwrap();
    assert_eq!((other.source, other.flags), (b"int main() {}".to_vec(), vec!["-O1".to_owned()]));
    let turns = vec![report(), report()];
    let told = wire::report(&ProfileReport { turns, ..report() }, false);
    assert_eq!(told.turns.len(), 2);
    assert_eq!(told.turns[0].sizes, told.sizes);
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
