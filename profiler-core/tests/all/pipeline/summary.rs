//! A run as text that a person can read: one line for each event, size, warning and hotspot.
//!
//! Structs are taken apart without `..`, so a new field does not compile until somebody decides
//! whether snapshots show it.

mod size;
mod text;

pub(crate) use size::size_details;

use crate::pipeline::harness::{Told, name};
use profiler_proto::Word;
use profiler_proto::v1::event::Kind;
use profiler_proto::v1::{
    CompileStep, Event, Host, HotspotsMethod, InputUse, ProfileReport, Warning,
};
use size::size_line;
use std::fmt::Debug;
use text::{or_none, rounded, statistics_words};

/// Everything that a person asks about a run: its events, how it ended, and its report.
pub(crate) fn summary(told: &Told) -> String {
    let mut lines = vec!["events".to_owned()];
    lines.extend(told.events.iter().map(|event| format!("  {}", event_line(event))));
    lines.push(format!("error: {}", told.error()));
    lines.extend(report_lines(told.report()));
    lines.join("\n")
}

fn event_line(event: &Event) -> String {
    let Event { run_id, sequence, time: _, kind } = event;
    let what = kind.as_ref().map_or("nothing".into(), |kind| match kind {
        Kind::Compiled(step) => format!("compiled, {} diagnostics", step.diagnostics.len()),
        Kind::SizeMeasured(result) => format!("size_measured {}", size_line(result)),
        Kind::Failed(error) => format!("failed {}", error.code().word()),
        other => name(other).into(),
    });
    format!("{run_id} {sequence}: {what}")
}

fn report_lines(report: &ProfileReport) -> Vec<String> {
    let ProfileReport {
        r#type: _,
        task_id,
        iteration,
        timestamp_utc: _,
        schema_version: _,
        input_sizes: _,
        runtime_ms: _,
        peak_memory_mb: _,
        hotspots: _,
        run_id: _,
        sizes,
        compile,
        host,
        runtime_clock: _,
        runtime_clock_reason,
        warnings,
        hotspot_lines: _,
        growth: _,
        start_up,
        instructions_method,
        candidates,
        worst_cases,
        test_cases,
        schedule_end,
        interactor_compile,
        hotspot_functions: _,
        call_stacks: _,
        hotspots_method: _,
        allocations,
        code_cpp,
        files: _,
        input_check,
        worst: _,
        advice: _,
        turns: _,
        precision,
        input_seed: _,
        stress: _,
        sanitizer: _,
        fault: _,
    } = report;
    let mut lines = vec![format!("task: {task_id}, iteration {iteration}, source {code_cpp:?}")];
    lines.extend(host.as_ref().map(host_line));
    lines.extend(compile.iter().flat_map(|step| compile_lines("compile", step)));
    lines.extend(interactor_compile.iter().flat_map(|step| compile_lines("interactor", step)));
    lines.push(format!("clock: {:?}, {runtime_clock_reason}", report.runtime_clock()));
    let start_up = start_up.and_then(|it| it.figures?.runtime_ms);
    lines.extend(start_up.map(|it| format!("start_up: {}", statistics_words(&it))));
    lines.extend(strict_lines(report));
    lines.extend(sizes.iter().map(|result| format!("  {}", size_line(result))));
    lines.extend((!warnings.is_empty()).then(|| "warnings".to_owned()));
    lines.extend(warnings.iter().map(|warning| format!("  {}", warning_line(warning))));
    lines.extend(profile_lines(report));
    let lacks_input = input_check.as_ref().filter(|it| it.input_use() != InputUse::Enough);
    lines.extend(part_lines(&[
        ("input_check", &lacks_input, lacks_input.is_some()),
        ("instructions_method", instructions_method, instructions_method.is_some()),
        ("allocations", allocations, allocations.is_some()),
        ("candidates", candidates, !candidates.is_empty()),
        ("worst_cases", worst_cases, !worst_cases.is_empty()),
        ("test_cases", test_cases, !test_cases.is_empty()),
        ("schedule_end", schedule_end, schedule_end.is_some()),
        ("precision", precision, precision.is_some()),
    ]));
    lines
}

fn strict_lines(report: &ProfileReport) -> [String; 6] {
    let ProfileReport { input_sizes, runtime_ms, peak_memory_mb, hotspots, .. } = report;
    [
        "strict report".to_owned(),
        format!("  input_sizes: {}", listed(input_sizes, u64::to_string)),
        format!("  runtime_ms: {}", listed(runtime_ms, |figure| rounded(*figure))),
        format!("  peak_memory_mb: {}", listed(peak_memory_mb, |figure| rounded(*figure))),
        format!("  hotspots: {hotspots:?}"),
        "sizes".to_owned(),
    ]
}

/// The parts that are present, each with its name.
fn part_lines(parts: &[(&str, &dyn Debug, bool)]) -> Vec<String> {
    let present = parts.iter().filter(|(.., is_present)| *is_present);
    present.map(|(name, value, _)| format!("{name}: {value:?}")).collect()
}

fn listed<T>(values: &[T], text: impl Fn(&T) -> String) -> String {
    values.iter().map(text).collect::<Vec<_>>().join(", ")
}

fn host_line(host: &Host) -> String {
    let Host {
        backend,
        kernel,
        cpu_model,
        cpus,
        cgroup_version,
        not_enforced,
        calibration_ms,
        fingerprint,
        measured_core,
        neighbours,
        name,
        core_wait_ms: _,
        method_version: _,
        counted_cpu: _,
    } = host;
    let name = name.as_ref().map(|name| format!("{name}, ")).unwrap_or_default();
    format!(
        "host: {name}{backend}, kernel {kernel}, {cpus} processors {cpu_model}, cgroup {}, \
         fingerprint {}, calibration_ms {}, core {}, neighbours {}, not enforced: {}",
        or_none(*cgroup_version),
        or_none(fingerprint.as_ref()),
        or_none(*calibration_ms),
        or_none(*measured_core),
        or_none(*neighbours),
        not_enforced.join(", ")
    )
}

fn compile_lines(name: &str, step: &CompileStep) -> Vec<String> {
    let CompileStep {
        command,
        compiler,
        wall_ms,
        cpu_ms,
        peak_memory_mb,
        binary_bytes,
        diagnostics,
        error_text,
        remedies,
        output,
        truncated,
        cached,
    } = step;
    let mut lines = vec![
        format!("{name}: {command} by {compiler}"),
        format!(
            "  {wall_ms} ms wall, {} ms cpu, {peak_memory_mb} MiB, binary {} bytes, cached {cached}",
            or_none(*cpu_ms),
            or_none(*binary_bytes)
        ),
    ];
    lines.extend(diagnostics.iter().map(|found| {
        let (line, column) = (or_none(found.line), or_none(found.column));
        let severity = found.severity().word();
        format!("  {}:{line}:{column}: {severity}: {}", found.file, found.message)
    }));
    if !error_text.is_empty() {
        lines.push(format!("  errors {error_text:?}"));
    }
    if !remedies.is_empty() {
        lines.push(format!("  remedies {remedies:?}"));
    }
    if !output.is_empty() {
        lines.push(format!("  output {output:?}, truncated {truncated}"));
    }
    lines
}

fn warning_line(warning: &Warning) -> String {
    let Warning { code: _, size, candidate, message, reason: _, remedies: _ } = warning;
    let place = [("n", *size), ("candidate", candidate.map(u64::from))];
    let place = place.map(|(name, value)| value.map(|value| format!(" {name}={value}")));
    let place: String = place.into_iter().flatten().collect();
    format!("{}{place}: {message}", warning.code().word())
}

/// The hotspots as data; empty without a method.
fn profile_lines(report: &ProfileReport) -> Vec<String> {
    if report.hotspots_method() == HotspotsMethod::Unspecified {
        return Vec::new();
    }
    let mut lines = vec![format!("hotspots by {}", report.hotspots_method().word())];
    lines.extend(report.hotspot_lines.iter().map(|line| format!("  {line:?}")));
    lines.extend(report.hotspot_functions.iter().map(|function| format!("  {function:?}")));
    lines.extend(report.call_stacks.iter().map(|stack| {
        format!("  stack {}: {} instructions", stack.frames.join(" > "), stack.instructions)
    }));
    lines
}
