//! Reports to export.

use crate::ending::Ending;
use profiler_growth::Class;
use profiler_proto::v1::{
    AllocationEvent, AllocationFrame, AllocationReport, AllocationSite, AllocationSnapshot,
    CallStack, CompileStep, DetectionMethod, ErrorCode, Evidence, FailureHint, Figures,
    GrowthClassification, GrowthCurve, GrowthPrediction, GrowthReport, Headline, Host, Hotspot,
    HotspotFunction, HotspotsMethod, InteractorResult, Interval, KilledBy, LeftBlocks, LeftKind,
    LimitKind, Outcome, Output, ProfileReport, RemedyKind, RuntimeClock, Sample, SandboxError,
    SizeResult, StartUp, Statistics, Unit,
};

pub(crate) fn statistics(median: f64) -> Statistics {
    Statistics {
        min: median * 0.99,
        median,
        mean: median,
        stddev: Some(median * 0.01),
        max: median * 1.01,
        count: 5,
        interval: Some(Interval { low: median * 0.99, high: median * 1.01, level: 0.9375 }),
        mad: median * 0.01,
        outliers: 0,
    }
}

/// Duration of the start-up in these reports.
const START_UP_MS: f64 = 0.41;

pub(crate) fn ok(size: u64, ms: f64, mb: f64) -> SizeResult {
    SizeResult {
        size,
        outcome: Outcome::Ok.into(),
        runtime_ms: Some(ms),
        peak_memory_mb: Some(mb),
        net_runtime_ms: Some(ms - START_UP_MS),
        below_noise_floor: Some(ms - START_UP_MS < 0.01),
        figures: Some(Figures {
            headline: Some(Headline {
                ms,
                interval: Some(Interval { low: ms * 0.98, high: ms * 1.02, level: 0.95 }),
                known: true,
            }),
            wall_ms: Some(statistics(ms)),
            cpu_ms: Some(statistics(ms * 0.9)),
            run_delay_ms: Some(statistics(0.02)),
            ..Figures::default()
        }),
        ..SizeResult::default()
    }
}

pub(crate) fn failed(size: u64, outcome: Outcome, evidence: Evidence, stderr: &str) -> SizeResult {
    SizeResult {
        size,
        outcome: outcome.into(),
        evidence: Some(evidence),
        runtime_ms: Some(f64::INFINITY),
        peak_memory_mb: Some(f64::INFINITY),
        stderr_tail: stderr.into(),
        ..SizeResult::default()
    }
}

pub(crate) fn segfault() -> SizeResult {
    let evidence = Evidence {
        killed_by: KilledBy::Itself.into(),
        signal: Some("SIGSEGV".into()),
        hint: FailureHint::Stack.into(),
        ..Evidence::default()
    };
    let stderr = "n = 50000\nabout to \x1b[31mcrash\n";
    failed(50_000, Outcome::RuntimeError, evidence, stderr)
}

pub(crate) fn too_slow() -> SizeResult {
    let evidence = Evidence {
        limit: LimitKind::Time.into(),
        limit_value: Some(2000.0),
        met_value: Some(2003.25),
        unit: Unit::Ms.into(),
        killed_by: KilledBy::Profiler.into(),
        method: DetectionMethod::Timer.into(),
        ..Evidence::default()
    };
    failed(100_000, Outcome::TimeLimit, evidence, "")
}

/// A report of `sizes`, its strict part filled from them.
pub(crate) fn report(sizes: Vec<SizeResult>) -> ProfileReport {
    ProfileReport {
        r#type: "profile_report".into(),
        task_id: "sort".into(),
        schema_version: "1.0.0".into(),
        input_sizes: sizes.iter().map(|s| s.size).collect(),
        runtime_ms: sizes.iter().filter_map(|s| s.runtime_ms).collect(),
        peak_memory_mb: sizes.iter().filter_map(|s| s.peak_memory_mb).collect(),
        run_id: "run-1".into(),
        sizes,
        compile: Some(CompileStep {
            command: "g++ -O2 -std=c++17 main.cpp -o main.out".into(),
            compiler: "12.2.0".into(),
            wall_ms: 812.4,
            peak_memory_mb: 95.3,
            ..CompileStep::default()
        }),
        host: Some(Host {
            backend: "native".into(),
            cpu_model: "Testium 3000".into(),
            kernel: "6.1.0".into(),
            cpus: 2,
            measured_core: Some(1),
            calibration_ms: Some(1.25),
            neighbours: Some(0),
            not_enforced: vec!["memory is sampled, not limited by the kernel".into()],
            ..Host::default()
        }),
        start_up: Some(StartUp { runtime_ms: START_UP_MS, ..StartUp::default() }),
        runtime_clock: RuntimeClock::Unloaded.into(),
        runtime_clock_reason: "one thread".into(),
        ..ProfileReport::default()
    }
}

pub(crate) fn growing() -> Vec<SizeResult> {
    vec![ok(0, 0.412, 3.4), ok(1, 0.409, 3.4), ok(1000, 0.55, 3.5), ok(10_000, 1.9, 3.9)]
}

/// A run that ended early with what `partial` has.
pub(crate) fn error(code: ErrorCode, message: &str, partial: ProfileReport) -> Ending {
    Ending::Error(Box::new(SandboxError {
        code: code.into(),
        message: message.into(),
        partial: Some(partial),
    }))
}

/// A run that came to its end.
pub(crate) fn ending(report: ProfileReport) -> Ending {
    Ending::Report(Box::new(report))
}

/// A report with everything that a job can ask for.
pub(crate) fn whole() -> ProfileReport {
    let mut report = report(growing());
    for size in &mut report.sizes {
        let wall_ns = 1_000_000 + size.size * 100;
        let sample = |order: u64| Sample {
            wall_ns: wall_ns + order,
            user_ns: Some(900_000),
            run_delay_ns: Some(1000),
            ..Sample::default()
        };
        size.samples = (0..2).map(sample).collect();
        let sha256 = "2cf24dba".into();
        size.stdout = Some(Output { bytes: 5, sha256, ..Output::default() });
        size.interactor = Some(InteractorResult {
            outcome: Outcome::Ok.into(),
            total_wall_ms: Some(statistics(2.5)),
            ..InteractorResult::default()
        });
    }
    report.code_cpp = "#include <vector>\nint main() {\n    for (;;) work();\n}\n".into();
    report.set_hotspots_method(HotspotsMethod::Instructions);
    report.hotspot_lines = vec![Hotspot {
        file: "main.cpp".into(),
        line: 3,
        function: "main()".into(),
        self_share: 0.812,
        cumulative_share: 0.812,
        count: Some(1000),
        instructions: Some(81_200),
        inclusive_share: Some(1.0),
        ..Hotspot::default()
    }];
    report.hotspot_functions = vec![HotspotFunction {
        file: "main.cpp".into(),
        line: 2,
        name: "main()".into(),
        self_share: 0.812,
        inclusive_share: 1.0,
        calls: Some(1),
        instructions: Some(81_200),
    }];
    let stack = |frames: &[&str], instructions| CallStack {
        frames: frames.iter().map(|&frame| frame.into()).collect(),
        instructions,
    };
    report.call_stacks = vec![stack(&["main()", "work()"], 18_800), stack(&["main()"], 81_200)];
    report.growth = Some(growth());
    report.allocations = Some(allocations());
    report
}

fn growth() -> GrowthReport {
    let interval = Some(Interval { low: 1700.0, high: 2200.0, level: 0.95 });
    let limit = 1000.0;
    GrowthReport {
        time: Some(GrowthClassification {
            function: Some(Class::Linearithmic.into()),
            confidence: Some(0.97),
            curve: Some(GrowthCurve {
                function: Some(Class::Linearithmic.into()),
                constant: 0.41,
                coefficient: 1.121e-5,
            }),
            prediction: Some(GrowthPrediction {
                size: 1_000_000,
                value: 1900.0,
                interval,
                limit,
                fits: Some(false),
            }),
            ..GrowthClassification::default()
        }),
        memory: Some(GrowthClassification {
            undecided_reason: "it grows by less than the noise".into(),
            remedies: vec![RemedyKind::LargerSizes.into()],
            ..GrowthClassification::default()
        }),
        ..GrowthReport::default()
    }
}

fn allocations() -> AllocationReport {
    let frame = |function: &str, file: &str, line| AllocationFrame {
        function: function.into(),
        file: file.into(),
        line,
    };
    let event = |time_ns, function: &str, bytes| AllocationEvent {
        time_ns,
        function: function.into(),
        address: 0x7f00_0010,
        bytes,
        site: 0,
    };
    let snapshot = |time_ms, live_bytes| AllocationSnapshot { time_ms, live_bytes, live_blocks: 1 };
    let left = |kind: LeftKind, blocks, bytes| LeftBlocks { kind: kind.into(), blocks, bytes };
    let lost = left(LeftKind::Lost, 1, 240);
    AllocationReport {
        size: 10_000,
        allocations: 2,
        frees: 1,
        allocated_bytes: 4096 + 240,
        peak_bytes: 4096,
        peak_ms: 0.25,
        left: vec![lost, left(LeftKind::StreamBuffer, 6, 120 << 10)],
        sites: vec![AllocationSite {
            trace: vec![
                frame(
                    "std::vector<int>::vector(unsigned long)",
                    "/usr/include/c++/12/bits/stl_vector.h",
                    554,
                ),
                frame("work()", "main.cpp", 3),
                frame("main()", "main.cpp", 3),
            ],
            allocations: 2,
            allocated_bytes: 4096 + 240,
            peak_bytes: 4096,
            left: vec![lost],
        }],
        snapshots: vec![snapshot(0.5, 4096), snapshot(1.0, 240)],
        events: vec![
            event(0, "new", 4096),
            event(600_000, "delete", 0),
            event(2_000_000, "malloc", 240),
        ],
        method: "malloc and its kin, interposed".into(),
        ..AllocationReport::default()
    }
}
