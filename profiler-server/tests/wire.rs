//! The mapping between the domain and the wire.

#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, reason = "a test may fail")]

use profiler_core::compile::CompileStep;
use profiler_core::error::ErrorCode;
use profiler_core::job::OnMemoryLimit;
use profiler_core::measure::{Figures, Memory, RuntimeClock, Sample};
use profiler_core::outcome::{Evidence, KilledBy, Outcome};
use profiler_core::report::{Host, Instructions, ProfileReport, SandboxError, SizeResult, StartUp};
use profiler_proto::v1;
use profiler_server::config::Defaults;
use profiler_server::wire::{self, MAX_REQUEST_ID_BYTES};
use std::time::{Duration, SystemTime};

/// Two sizes: one that ended OK after 2 ms with 3 MiB, one that crashed.
fn report() -> ProfileReport {
    let sample = Sample { wall_ns: 2_000_000, peak_rss_bytes: 3 << 20, ..Sample::default() };
    let size = |size, outcome, signal| SizeResult {
        size,
        candidate: 0,
        outcome,
        evidence: Evidence {
            met: None,
            killed_by: KilledBy::Itself,
            signal,
            exit_code: None,
            hint: None,
        },
        figures: Figures::of(&[sample], RuntimeClock::Wall),
        memory: Some(Memory { data_stack_mb: Some(1.5), ..Memory::default() }),
        net_runtime_ms: Some(-0.25),
        below_noise_floor: Some(true),
        instructions: Some(Instructions { count: 7, slow_down: 8.0 }),
        samples: vec![sample],
        warm_up: None,
        gnu_time: None,
        stdout: None,
        stderr_tail: String::new(),
    };
    ProfileReport {
        task_id: "two_sum".into(),
        iteration: 4,
        timestamp: SystemTime::UNIX_EPOCH + Duration::from_secs(1),
        run_id: "run".into(),
        sizes: vec![size(1, Outcome::Ok, None), size(1000, Outcome::RuntimeError, Some("SIGSEGV"))],
        compile: None::<CompileStep>,
        host: Host { measured_core: Some(1), neighbours: Some(0), ..Host::default() },
        start_up: Figures::of(&[sample], RuntimeClock::Wall)
            .map(|figures| StartUp { figures, samples: vec![sample] }),
        instructions_method: Some("counted"),
        clock: RuntimeClock::Wall,
        clock_reason: String::new(),
        warnings: Vec::new(),
        hotspots: Vec::new(),
    }
}

#[test]
fn the_three_lists_have_one_length() {
    let wire = wire::report(&report(), false);
    let lists = (wire.input_sizes, wire.runtime_ms, wire.peak_memory_mb);
    let inf = f64::INFINITY;
    assert_eq!(lists, (vec![1, 1000], vec![2.0, inf], vec![3.0, inf]));
}

#[test]
fn a_crash_stands_in_the_hotspots() {
    assert_eq!(wire::report(&report(), false).hotspots["_crash"], "SIGSEGV");
}

#[test]
fn what_was_measured_before_a_crash_stays() {
    let wire = wire::report(&report(), false);
    let wall = wire.sizes[1].figures.unwrap().wall_ms.unwrap();
    assert!((wall.max - 2.0).abs() < f64::EPSILON, "{wall:?}");
}

#[test]
fn a_headline_has_its_own_interval() {
    let wire = wire::report(&report(), false);
    let headline = wire.sizes[0].figures.as_ref().unwrap().headline.as_ref().unwrap();
    let interval = headline.interval.as_ref().unwrap();
    assert!(interval.low <= headline.ms && headline.ms <= interval.high, "{headline:?}");
}

#[test]
fn a_size_is_compared_with_the_start_up() {
    let wire = wire::report(&report(), false);
    let size = &wire.sizes[0];
    assert_eq!((size.net_runtime_ms, size.below_noise_floor), (Some(-0.25), Some(true)));
    assert_eq!(wire.start_up.map(|s| (s.runtime_ms, s.peak_memory_mb)), Some((2.0, 3.0)));
}

#[test]
fn what_is_not_known_is_absent_and_zero_is_not() {
    let wire = wire::report(&report(), false);
    let host = wire.host.unwrap();
    let of_host = (host.measured_core, host.neighbours, host.calibration_ms);
    assert_eq!(of_host, (Some(1), Some(0), None));
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
fn an_error_carries_what_was_measured() {
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
fn a_request_becomes_a_job() {
    let wire = v1::Job {
        input_scales: Some(v1::SizeList { values: vec![] }),
        inputs: vec![],
        limits: Some(v1::RunLimits { timeout_ms: Some(1.5), ..Default::default() }),
        on_memory_limit: v1::OnMemoryLimit::Record.into(),
        runtime_clock: v1::RuntimeClock::Cpu.into(),
        ..request()
    };
    let job = wire::job(wire, &Defaults::default()).unwrap();
    let read = (job.sizes.requested(), job.limits.timeout, job.on_memory_limit, job.limits.clock);
    let timeout = Duration::from_micros(1500);
    assert_eq!(read, (&[0, 1][..], timeout, OnMemoryLimit::Record, Some(RuntimeClock::Cpu)));
}

#[test]
fn the_servers_defaults_fill_what_is_left_out() {
    let defaults = Defaults { sandbox_mem_mb: Some(64), ..Defaults::default() };
    let job = wire::job(request(), &defaults).unwrap();
    assert_eq!(job.limits.memory_bytes, 64 << 20);
}

/// The only field that is wrong with a request.
fn refused(wire: v1::Job) -> String {
    let mut found = wire::job(wire, &Defaults::default()).unwrap_err().0;
    assert_eq!(found.len(), 1, "{found:?}");
    found.remove(0).field
}

#[test]
fn what_is_not_supported_yet_is_refused() {
    let growth = v1::Job { growth: v1::Growth::Timed.into(), ..request() };
    assert_eq!(refused(growth), "growth");
}

#[test]
fn a_request_id_has_a_bound() {
    let request_id = "x".repeat(MAX_REQUEST_ID_BYTES + 1);
    assert_eq!(refused(v1::Job { request_id, ..request() }), "request_id");
}

#[test]
fn instructions_are_counted_for_who_asks() {
    let job = |instructions| wire::job(v1::Job { instructions, ..request() }, &Defaults::default());
    assert_eq!([false, true].map(|asked| job(asked).unwrap().instructions), [false, true]);
}

#[test]
fn an_unknown_value_is_not_taken_for_the_default() {
    let clock = v1::Job { runtime_clock: 9, ..request() };
    assert_eq!(refused(clock), "runtime_clock");
}
