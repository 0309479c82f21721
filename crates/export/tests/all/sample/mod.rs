//! A report as a real one looks, made by hand: every section of the page has something to show.

#![allow(
    clippy::unwrap_used,
    clippy::too_many_lines,
    clippy::similar_names,
    clippy::cast_possible_truncation,
    clippy::cast_sign_loss,
    reason = "data of a test"
)]

mod heap;
mod hotspots;

use profiler_growth::Class;
use profiler_proto::Word;
use profiler_proto::v1::{self, Outcome, SignalKind};

const PROGRAM: &str = include_str!("program.cpp");
const N_MAX: u64 = 1_000_000;
const START_UP_INSTRUCTIONS: u64 = 2_104_000;

pub(crate) fn report() -> v1::ProfileReport {
    let sizes: Vec<_> = [0, 1, 1000, 2000, 5000, 10_000, 20_000, 50_000, 100_000, 200_000]
        .into_iter()
        .flat_map(|n| [size(n, 0), size(n, 1)])
        .collect();
    let worst: Vec<_> = sizes.iter().filter(|size| size.candidate == 1).collect();
    v1::ProfileReport {
        r#type: "profile_report".into(),
        task_id: "inversions-and-pairs".into(),
        iteration: 2,
        timestamp_utc: Some(prost_types::Timestamp { seconds: 1_795_000_000, nanos: 0 }),
        schema_version: "1.0.0".into(),
        input_sizes: worst.iter().map(|size| size.size).collect(),
        runtime_ms: worst.iter().map(|size| size.runtime_ms.unwrap()).collect(),
        peak_memory_mb: worst.iter().map(|size| size.peak_memory_mb.unwrap()).collect(),
        worst_cases: worst
            .iter()
            .map(|size| v1::WorstCase {
                size: size.size,
                slowest_candidate: 1,
                largest_candidate: 1,
            })
            .collect(),
        run_id: "01939b5e-7c1f-7f00-8000-3a5b2c0d9e11".into(),
        compile: Some(compile()),
        host: Some(host()),
        runtime_clock: v1::RuntimeClock::Unloaded.into(),
        runtime_clock_reason: "one thread, and no other process took part".into(),
        warnings: vec![
            warning(
                "noisy",
                Some(20_000),
                "the headline is known to 2.4 % only: the time budget ended first",
            ),
            warning(
                "one_core",
                None,
                "this host has one processor: the program shares it with the profiler",
            ),
        ],
        growth: Some(growth(&sizes)),
        start_up: Some(v1::StartUp {
            runtime_ms: 0.503,
            peak_memory_mb: 3.2,
            instructions: Some(START_UP_INSTRUCTIONS),
            ..Default::default()
        }),
        instructions_method: Some("counted by translation, x86-64".into()),
        candidates: vec!["random".into(), "reversed".into()],
        schedule_end: Some("the next size would exceed the bound of n".into()),
        test_cases: vec![
            v1::TestCaseResult {
                outcome: Outcome::Ok.into(),
                correct: Some(true),
                runtime_ms: Some(1.25),
                peak_memory_mb: Some(3.5),
                ..Default::default()
            },
            v1::TestCaseResult {
                outcome: Outcome::Ok.into(),
                correct: Some(false),
                answer: b"0 17\n".into(),
                verdict: v1::TestVerdict::PresentationError.into(),
                ..Default::default()
            },
            v1::TestCaseResult {
                outcome: Outcome::NotRun.into(),
                reason: "an earlier one failed".into(),
                ..Default::default()
            },
        ],
        hotspot_lines: hotspots::lines(),
        hotspot_functions: hotspots::functions(),
        call_stacks: hotspots::stacks(),
        hotspots_method: v1::HotspotsMethod::Instructions.into(),
        allocations: Some(heap::allocations()),
        code_cpp: PROGRAM.into(),
        sizes,
        ..Default::default()
    }
}

/// The partial report of a run that a failing program ended early, and the error.
pub(crate) fn failed() -> (v1::ProfileReport, v1::SandboxError) {
    let full = report();
    let mut sizes: Vec<_> =
        full.sizes.into_iter().filter(|size| size.candidate == 1 && size.size <= 50_000).collect();
    for size in &mut sizes {
        (size.candidate, size.candidates) = (0, 1);
    }
    let last = sizes.last_mut().unwrap();
    last.outcome = Outcome::MemoryLimit.into();
    (last.runtime_ms, last.peak_memory_mb) = (Some(f64::INFINITY), Some(f64::INFINITY));
    last.stderr_tail = "terminate called after throwing an instance of 'std::bad_alloc'\n  what():  std::bad_alloc\n".into();
    last.evidence = Some(v1::Evidence {
        limit: v1::LimitKind::Memory.into(),
        limit_value: Some(64.0),
        met_value: Some(64.2),
        unit: v1::Unit::Mib.into(),
        killed_by: v1::KilledBy::KernelOom.into(),
        method: v1::DetectionMethod::OomKill.into(),
        signal: Some("SIGKILL".into()),
        ..Default::default()
    });
    let report = v1::ProfileReport {
        input_sizes: sizes.iter().map(|size| size.size).collect(),
        runtime_ms: sizes.iter().map(|size| size.runtime_ms.unwrap()).collect(),
        peak_memory_mb: sizes.iter().map(|size| size.peak_memory_mb.unwrap()).collect(),
        sizes,
        candidates: Vec::new(),
        worst_cases: Vec::new(),
        test_cases: Vec::new(),
        hotspot_lines: Vec::new(),
        hotspot_functions: Vec::new(),
        call_stacks: Vec::new(),
        hotspots_method: v1::HotspotsMethod::Unspecified.into(),
        allocations: None,
        growth: Some(v1::GrowthReport {
            time: Some(v1::GrowthClassification {
                undecided_reason: "n (0.50) or n log n (0.40)".into(),
                remedies: vec![v1::RemedyKind::FullGrowth.into()],
                confidence: Some(0.56),
                runner_up: function("n log n"),
                runner_up_confidence: Some(0.41),
                ..Default::default()
            }),
            ..Default::default()
        }),
        ..full
    };
    let message = "the program needed more than 64 MiB at n = 50000".into();
    (report, v1::SandboxError { code: v1::ErrorCode::Memory.into(), message, partial: None })
}

fn time_ms(n: f64) -> f64 {
    0.51 + 1.15e-5 * n * n.max(1.0).log2()
}

fn size(n: u64, candidate: u32) -> v1::SizeResult {
    let of = n as f64;
    let slower = 1.0 + 0.35 * f64::from(candidate);
    let runtime_ms = 0.51 + (time_ms(of) - 0.51) * slower;
    let peak = 3.3 + of * 6.1e-5 * slower;
    let statistics = |value: f64| v1::Statistics {
        min: value,
        max: value * 1.04,
        median: value * 1.008,
        mean: value * 1.01,
        stddev: Some(value * 0.01),
        count: 11,
        interval: Some(v1::Interval { low: value, high: value * 1.02, level: 0.94 }),
        mad: value * 0.004,
        outliers: 0,
    };
    let low = runtime_ms * if n == 20_000 { 0.93 } else { 0.995 };
    v1::SizeResult {
        size: n,
        candidate,
        candidates: 2,
        outcome: Outcome::Ok.into(),
        runtime_ms: Some(runtime_ms),
        peak_memory_mb: Some(peak),
        figures: Some(v1::Figures {
            runtime_ms: Some(statistics(runtime_ms)),
            wall_ms: Some(statistics(runtime_ms * 1.02)),
            cpu_ms: Some(statistics(runtime_ms * 0.99)),
            user_ms: Some(statistics(runtime_ms * 0.9)),
            sys_ms: Some(statistics(runtime_ms * 0.09)),
            run_delay_ms: Some(statistics(runtime_ms * 0.02)),
            blocked_ms: Some(statistics(runtime_ms * 0.003)),
            peak_memory_mb: Some(statistics(peak)),
            headline: Some(v1::Headline {
                ms: runtime_ms,
                interval: Some(v1::Interval { low, high: runtime_ms, level: 0.95 }),
                known: n != 20_000,
            }),
        }),
        memory: Some(v1::MemoryFigures {
            data_stack_mb: Some(peak * 0.8),
            size_mb: Some(peak + 3.0),
            heap_mb: Some(peak - 3.2),
            stack_mb: Some(0.01),
            ..Default::default()
        }),
        net_runtime_ms: Some(runtime_ms - 0.503),
        below_noise_floor: Some(n < 2),
        instructions: Some(START_UP_INSTRUCTIONS + 331 + n * 612),
        own_instructions: Some(331 + n * 450),
        net_instructions: Some(331 + n * 612),
        instructions_slow_down: Some(1.4),
        input_bytes: Some(n * 10 + 8),
        stdout: Some(v1::Output {
            bytes: 14,
            sha256: "ab".repeat(32),
            words_sha256: "cd".repeat(32),
            ..v1::Output::default()
        }),
        ..Default::default()
    }
}

/// The growth function of the class with this name.
fn function(name: &str) -> Option<v1::GrowthFunction> {
    Class::parse(name).map(Into::into)
}

fn warning(code: &str, size: Option<u64>, message: &str) -> v1::Warning {
    let code = v1::WarningCode::from_word(code).unwrap();
    v1::Warning {
        code: code.into(),
        size,
        message: message.into(),
        candidate: size.map(|_| 1),
        ..Default::default()
    }
}

fn compile() -> v1::CompileStep {
    v1::CompileStep {
        command: "g++ -O2 -std=c++17 main.cpp -o main.out".into(),
        compiler: "12.2.0".into(),
        wall_ms: 947.2,
        cpu_ms: Some(902.0),
        peak_memory_mb: 148.0,
        binary_bytes: Some(31_448),
        output: "main.cpp: In function ‘int main()’:\nmain.cpp:52:20: warning: ‘k’ may be used uninitialized [-Wmaybe-uninitialized]\n".into(),
        cached: true,
        ..Default::default()
    }
}

fn host() -> v1::Host {
    v1::Host {
        backend: "docker".into(),
        kernel: "6.1.0-18-amd64".into(),
        cpu_model: "AMD EPYC 7B13".into(),
        cpus: 2,
        cgroup_version: Some(2),
        not_enforced: vec!["frequency of the processor is not fixed".into()],
        calibration_ms: Some(21.4),
        fingerprint: Some("5f0c1be7a2d4".into()),
        measured_core: Some(1),
        neighbours: Some(0),
        name: Some("node-7".into()),
        core_wait_ms: Some(0.0),
        method_version: 2,
        counted_cpu: "x86-64-v2".into(),
    }
}

fn growth(sizes: &[v1::SizeResult]) -> v1::GrowthReport {
    let worst = || sizes.iter().filter(|size| size.candidate == 1 && size.size > 1);
    let signal =
        |kind: SignalKind, class: &str, confidence, of: &dyn Fn(&v1::SizeResult) -> f64| {
            v1::GrowthSignal {
                kind: kind.into(),
                line: None,
                function: function(class),
                confidence,
                points: worst()
                    .map(|size| v1::GrowthPoint { size: size.size, value: of(size) })
                    .collect(),
            }
        };
    let n_log_n = |n: f64| n * n.log2();
    v1::GrowthReport {
        time: Some(v1::GrowthClassification {
            function: function("n log n"),
            confidence: Some(0.97),
            runner_up: function("n"),
            runner_up_confidence: Some(0.02),
            exponent: Some(1.06),
            exponent_interval: Some(v1::Interval { low: 1.04, high: 1.09, level: 0.95 }),
            signals: vec![
                signal(SignalKind::Runtime, "n log n", 0.71, &|size| {
                    size.runtime_ms.unwrap() - 0.51
                }),
                signal(SignalKind::Instructions, "n", 0.64, &|size| size.size as f64 * 612.0),
                signal(SignalKind::OwnInstructions, "n log n", 0.95, &|size| {
                    41.0 * n_log_n(size.size as f64)
                }),
                v1::GrowthSignal {
                    line: Some(27),
                    ..signal(SignalKind::Line, "n log n", 0.99, &|size| {
                        9.0 * n_log_n(size.size as f64)
                    })
                },
                v1::GrowthSignal {
                    line: Some(14),
                    ..signal(SignalKind::Line, "n", 0.99, &|size| 322.0 * size.size as f64)
                },
            ],
            curve: Some(v1::GrowthCurve {
                function: function("n log n"),
                constant: 0.51,
                coefficient: 1.15e-5 * 1.35,
            }),
            prediction: Some(v1::GrowthPrediction {
                size: N_MAX,
                value: 318.0,
                interval: Some(v1::Interval { low: 291.0, high: 352.0, level: 0.95 }),
                limit: 250.0,
                fits: Some(false),
            }),
            ..Default::default()
        }),
        memory: Some(v1::GrowthClassification {
            function: function("n"),
            confidence: Some(0.93),
            runner_up: function("n log n"),
            runner_up_confidence: Some(0.06),
            exponent: Some(1.0),
            signals: vec![
                signal(SignalKind::PeakMemory, "n", 0.88, &|size| {
                    size.peak_memory_mb.unwrap() - 3.3
                }),
                signal(SignalKind::DataStack, "n", 0.97, &|size| size.size as f64 * 7.1e-5),
            ],
            curve: Some(v1::GrowthCurve {
                function: function("n"),
                constant: 3.3,
                coefficient: 6.1e-5 * 1.35,
            }),
            prediction: Some(v1::GrowthPrediction {
                size: N_MAX,
                value: 85.6,
                interval: Some(v1::Interval { low: 80.0, high: 92.0, level: 0.95 }),
                limit: 512.0,
                fits: Some(true),
            }),
            ..Default::default()
        }),
        effort: v1::Growth::Full.into(),
        spent_ms: 4120.0,
    }
}
