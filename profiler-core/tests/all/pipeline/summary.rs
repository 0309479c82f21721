//! A run as text that a person can read: one line for each event, size, warning and hotspot.
//!
//! Structs are taken apart without `..`, so a new field does not compile until somebody decides
//! whether snapshots show it.

use crate::pipeline::harness::{Told, name};
use profiler_proto::Word;
use profiler_proto::v1::event::Kind;
use profiler_proto::v1::{
    CompileStep, Event, Evidence, Figures, Host, HotspotsMethod, InputUse, MemoryFigures,
    ProfileReport, SizeResult, Statistics, Warning,
};
use std::fmt::{Debug, Display};

/// Everything that a person asks about a run: its events, how it ended, and its report.
pub(crate) fn summary(told: &Told) -> String {
    let mut lines = vec!["events".to_owned()];
    lines.extend(told.events.iter().map(|event| format!("  {}", event_line(event))));
    lines.push(format!("error: {}", told.error()));
    lines.extend(report_lines(told.report()));
    lines.join("\n")
}

/// Every field of one size, one line for each figure.
pub(crate) fn size_details(result: &SizeResult) -> String {
    let SizeResult {
        size,
        candidate,
        candidates,
        outcome: _,
        evidence,
        runtime_ms,
        peak_memory_mb,
        peak_is_counted,
        figures,
        faster_figures,
        samples,
        warm_up,
        gnu_time,
        stdout,
        stderr_tail,
        memory,
        net_runtime_ms,
        below_noise_floor,
        instructions,
        instructions_slow_down,
        input_bytes,
        input_read_bytes,
        interactor,
        own_instructions,
        net_instructions,
        output_check: _,
    } = result;
    let evidence = evidence.as_ref().map_or("no evidence".into(), evidence_words);
    let mut lines = vec![
        format!("size: {size}, candidate {candidate} of {candidates}"),
        format!("outcome: {}, {evidence}", result.outcome().name()),
        format!("strict: {} ms, {} MiB", or_none(*runtime_ms), or_none(*peak_memory_mb)),
        format!("peak_is_counted: {peak_is_counted:?}"),
    ];
    lines.extend(figures.as_ref().map_or_else(Vec::new, figure_lines));
    lines.push(format!("faster_figures: {faster_figures:?}"));
    lines.extend(memory.as_ref().map_or_else(Vec::new, memory_lines));
    let net = or_none(*net_runtime_ms);
    lines.extend([
        format!("net_runtime_ms: {net}, below_noise_floor {below_noise_floor:?}"),
        format!("instructions: {instructions:?}, slow-down {instructions_slow_down:?}"),
        format!("own_instructions: {own_instructions:?}, net_instructions: {net_instructions:?}"),
        format!("input_bytes: {input_bytes:?}, input_read_bytes: {input_read_bytes:?}"),
        format!("runs: {} samples, warm-up {}", samples.len(), warm_up.is_some()),
        format!("gnu_time: {gnu_time:?}"),
        stdout.as_ref().map_or("stdout: none".into(), |it| {
            format!("stdout: {} bytes, head {:?}, sha256 {}", it.bytes, it.head, it.sha256)
        }),
        format!("stderr_tail: {stderr_tail:?}"),
        format!("interactor: {interactor:?}"),
    ]);
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

/// The outcome, the evidence, and the figures that the fake determines.
fn size_line(result: &SizeResult) -> String {
    let mut words = vec![format!("n={}: {}", result.size, result.outcome().name())];
    words.extend(result.evidence.as_ref().map(evidence_words));
    words.push(result.figures.as_ref().map_or("no figures".into(), figures_words));
    let net = result.net_runtime_ms.map(|net_ms| format!("net {} ms", rounded(net_ms)));
    let below = result.below_noise_floor.filter(|&below| below);
    let probed = result.memory.is_some().then(|| "probed".to_owned());
    let input = result.input_bytes.map(|bytes| format!("input of {bytes} bytes"));
    words.extend(net);
    words.extend(below.map(|_| "below the noise floor".to_owned()));
    words.extend(probed);
    words.extend(input);
    words.join(", ")
}

fn figures_words(figures: &Figures) -> String {
    format!(
        "{} ms of {} runs, {} MiB",
        or_none(figures.headline.map(|headline| rounded(headline.ms))),
        or_none(figures.runtime_ms.map(|runtimes| runtimes.count)),
        or_none(figures.peak_memory_mb.map(|peaks| rounded(peaks.max)))
    )
}

fn evidence_words(evidence: &Evidence) -> String {
    let Evidence {
        limit: _,
        limit_value,
        met_value,
        grace,
        unit: _,
        killed_by: _,
        method: _,
        signal,
        exit_code,
        hint: _,
    } = evidence;
    let met = limit_value.zip(*met_value).map(|(limit, met)| {
        let (kind, unit) = (evidence.limit().word(), evidence.unit().word());
        format!("met {kind} {limit} with {met} {unit} by {}", evidence.method().word())
    });
    let grace = grace.map(|grace| format!("grace {grace}"));
    let ended = format!("ended by {}", evidence.killed_by().word());
    let signal = signal.as_ref().map(|signal| format!("signal {signal}"));
    let exit_code = exit_code.map(|code| format!("exit code {code}"));
    let hint = Some(evidence.hint().word()).filter(|hint| !hint.is_empty());
    let hint = hint.map(|hint| format!("hint {hint}"));
    let words = [met, grace, Some(ended), signal, exit_code, hint];
    words.into_iter().flatten().collect::<Vec<_>>().join(", ")
}

fn figure_lines(figures: &Figures) -> Vec<String> {
    let Figures {
        headline,
        runtime_ms,
        wall_ms,
        cpu_ms,
        user_ms,
        sys_ms,
        run_delay_ms,
        blocked_ms,
        peak_memory_mb,
    } = figures;
    let statistics = [
        ("runtime_ms", runtime_ms),
        ("wall_ms", wall_ms),
        ("cpu_ms", cpu_ms),
        ("user_ms", user_ms),
        ("sys_ms", sys_ms),
        ("run_delay_ms", run_delay_ms),
        ("blocked_ms", blocked_ms),
        ("peak_memory_mb", peak_memory_mb),
    ];
    let statistics =
        statistics.map(|(name, values)| format!("{name}: {}", words_of(values.as_ref())));
    [format!("headline: {headline:?}")].into_iter().chain(statistics).collect()
}

fn words_of(statistics: Option<&Statistics>) -> String {
    statistics.map_or("none".into(), statistics_words)
}

fn statistics_words(statistics: &Statistics) -> String {
    let Statistics { min, max, median, mean, stddev, count, mad, outliers, interval } = statistics;
    let interval = interval.map_or("none".into(), |interval| {
        format!("{}..{} at {}", rounded(interval.low), rounded(interval.high), interval.level)
    });
    format!(
        "{}..{} median {} mean {} stddev {} mad {} of {count}, {outliers} outliers, interval {interval}",
        rounded(*min),
        rounded(*max),
        rounded(*median),
        rounded(*mean),
        stddev.map_or("none".into(), rounded),
        rounded(*mad),
    )
}

fn memory_lines(memory: &MemoryFigures) -> Vec<String> {
    let MemoryFigures {
        data_stack_mb,
        size_mb,
        text_mb,
        swap_mb,
        resident_mb,
        statm,
        heap_mb,
        stack_mb,
        cgroup_peak_mb,
    } = memory;
    let figures = [
        ("data_stack_mb", data_stack_mb),
        ("size_mb", size_mb),
        ("text_mb", text_mb),
        ("swap_mb", swap_mb),
        ("resident_mb", resident_mb),
        ("heap_mb", heap_mb),
        ("stack_mb", stack_mb),
        ("cgroup_peak_mb", cgroup_peak_mb),
    ];
    let figures = figures.map(|(name, value)| format!("memory {name}: {}", or_none(*value)));
    let statm = format!("memory statm: {statm:?}");
    figures.into_iter().chain([statm]).collect()
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

/// Four decimals, without the zeros at the end.
fn rounded(value: f64) -> String {
    ((value * 1e4).round() / 1e4).to_string()
}

fn or_none(value: Option<impl Display>) -> String {
    value.map_or("none".into(), |value| value.to_string())
}
