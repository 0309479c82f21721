use super::*;
use profiler_proto::v1::{
    CompileStep, Evidence, Figures, Headline, Host, Hotspot, Interval, Outcome, ProfileReport,
    RuntimeClock, SandboxError, SizeResult, StartUp, Statistics, Warning,
};

fn statistics(median: f64) -> Statistics {
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

/// What starting costs in these reports.
const START_UP_MS: f64 = 0.41;

fn ok(size: u32, ms: f64, mb: f64) -> SizeResult {
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

fn failed(size: u32, outcome: Outcome, evidence: Evidence, stderr: &str) -> SizeResult {
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

fn segfault() -> SizeResult {
    let evidence = Evidence {
        killed_by: "itself".into(),
        signal: Some("SIGSEGV".into()),
        hint: "stack".into(),
        ..Evidence::default()
    };
    let stderr = "n = 50000\nabout to \x1b[31mcrash\n";
    failed(50_000, Outcome::RuntimeError, evidence, stderr)
}

fn too_slow() -> SizeResult {
    let evidence = Evidence {
        limit: "time".into(),
        limit_value: Some(2000.0),
        met_value: Some(2003.25),
        unit: "ms".into(),
        killed_by: "profiler".into(),
        method: "timer".into(),
        ..Evidence::default()
    };
    failed(100_000, Outcome::TimeLimit, evidence, "")
}

/// A report of `sizes`, its strict part filled from them.
fn report(sizes: Vec<SizeResult>) -> ProfileReport {
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

fn growing() -> Vec<SizeResult> {
    vec![ok(0, 0.412, 3.4), ok(1, 0.409, 3.4), ok(1000, 0.55, 3.5), ok(10_000, 1.9, 3.9)]
}

fn shown(ending: &Ending, format: Format) -> String {
    text(ending, format, &Palette::default()).unwrap()
}

#[test]
fn full_report_as_table() {
    let mut sizes = growing();
    sizes.extend([segfault(), too_slow()]);
    let mut report = report(sizes);
    report.hotspot_lines = vec![Hotspot {
        file: "main.cpp".into(),
        line: 23,
        function: "solve(int)".into(),
        self_share: 0.412,
        cumulative_share: 0.412,
    }];
    report.warnings = vec![Warning {
        code: "unstable".into(),
        size: Some(1000),
        message: "the third repetition crashed".into(),
    }];
    insta::assert_snapshot!(shown(&Ending::Report(Box::new(report)), Format::Table));
}

#[test]
fn instructions_have_a_column_where_they_were_counted() {
    let mut counted = ok(1, 0.5, 3.5);
    counted.instructions = Some(1_234_567_890);
    let sizes = vec![counted, ok(2, 0.5, 3.5)];
    let text = shown(&Ending::Report(Box::new(report(sizes))), Format::Table);
    assert!(text.contains("1234567890"), "{text}");
    let widest = text.lines().map(|line| line.chars().count()).max().unwrap();
    assert!(widest <= 100, "{widest} columns:\n{text}");
    let without = report(vec![ok(1, 0.5, 3.5)]);
    let without = shown(&Ending::Report(Box::new(without)), Format::Table);
    assert!(!without.contains("instructions"), "{without}");
}

#[test]
fn neighbours_are_named_where_there_were_some() {
    let mut report = report(growing());
    report.host.as_mut().unwrap().neighbours = Some(2);
    let text = shown(&Ending::Report(Box::new(report)), Format::Table);
    assert!(text.contains("2 other programs were measured meanwhile"), "{text}");
}

#[test]
fn report_as_strict_json_has_the_strict_keys_alone() {
    let mut report = report(vec![ok(0, 0.5, 3.5), segfault()]);
    report.hotspots.insert("_crash".into(), "SIGSEGV".into());
    insta::assert_snapshot!(shown(&Ending::Report(Box::new(report)), Format::Swiftsolve));
}

#[test]
fn report_as_json_is_the_full_message() {
    let json = shown(&Ending::Report(Box::new(report(growing()))), Format::Json);
    let report: ProfileReport = json::parse(&json).unwrap();
    assert_eq!(report.runtime_ms, [0.412, 0.409, 0.55, 1.9]);
    assert_eq!(report.sizes.len(), 4);
    assert_eq!(report.compile.unwrap().compiler, "12.2.0");
}

fn error(code: &str, message: &str, partial: ProfileReport) -> Ending {
    Ending::Error(Box::new(SandboxError {
        code: code.into(),
        message: message.into(),
        partial: Some(partial),
    }))
}

#[test]
fn compile_error_shows_what_the_compiler_said() {
    let mut partial = report(Vec::new());
    partial.compile = Some(CompileStep {
        output: "main.cpp:1:14: error: expected ';'\n    1 | int main() { return 0 }\n".into(),
        truncated: true,
        ..CompileStep::default()
    });
    insta::assert_snapshot!(shown(
        &error("compile", "the program does not compile", partial),
        Format::Table
    ));
}

#[test]
fn error_comes_after_what_was_measured() {
    let ending = error("cancelled", "stopped by Ctrl-C", report(growing()));
    let text = shown(&ending, Format::Table);
    assert!(text.contains("10000"), "{text}");
    assert!(text.ends_with("cancelled: stopped by Ctrl-C"), "{text}");
    assert_eq!(ending.exit(), Exit::SandboxError);
}

#[test]
fn error_has_no_strict_form() {
    let ending = error("memory", "size 1000 exceeded 64 MiB", report(growing()));
    let json = shown(&ending, Format::Swiftsolve);
    assert_eq!(json, shown(&ending, Format::Json));
    assert_eq!(json::parse::<SandboxError>(&json).unwrap().code, "memory");
}

#[test]
fn failing_sizes_are_coloured_and_nothing_else_of_the_table() {
    let coloured = text(
        &Ending::Report(Box::new(report(vec![ok(1, 0.5, 3.5), segfault()]))),
        Format::Table,
        &Palette::coloured(),
    )
    .unwrap();
    let red: Vec<_> = coloured.lines().filter(|line| line.contains("\x1b[31m")).collect();
    assert_eq!(red.len(), 1, "{coloured}");
    assert!(red[0].contains("50000"), "{coloured}");
}
