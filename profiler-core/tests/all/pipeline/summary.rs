//! A run as text that a person can read: one line for each event, size, warning and hotspot.
//!
//! Structs are taken apart without `..`, so a new field does not compile until somebody decides
//! whether snapshots show it.

use crate::pipeline::harness::Told;
use profiler_core::figures::{Figures, Memory};
use profiler_core::report::InputUse;
use profiler_core::report::hotspots::Hotspots;
use profiler_core::report::{
    CompileStep, Event, EventKind, Evidence, Host, ProfileReport, SizeResult, Warning,
};
use profiler_statistics::Statistics;
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
        outcome,
        evidence,
        figures,
        faster_figures,
        memory,
        net_runtime_ms,
        below_noise_floor,
        instructions,
        input_bytes,
        samples,
        warm_up,
        cold_run: _,
        fails_cold: _,
        outputs_differ: _,
        works_in_probe: _,
        gnu_time,
        stdout,
        stderr_tail,
        interactor,
    } = result;
    let mut lines = vec![
        format!("size: {size}, candidate {candidate} of {candidates}"),
        format!("outcome: {}, {}", outcome.as_str(), evidence_words(evidence)),
    ];
    lines.extend(figures.as_ref().map_or_else(Vec::new, figure_lines));
    lines.push(format!("faster_figures: {faster_figures:?}"));
    lines.extend(memory.as_ref().map_or_else(Vec::new, memory_lines));
    lines.extend([
        format!(
            "net_runtime_ms: {}, below_noise_floor {below_noise_floor:?}",
            or_none(*net_runtime_ms)
        ),
        format!("instructions: {instructions:?}"),
        format!("input_bytes: {input_bytes:?}"),
        format!("runs: {} samples, warm-up {}", samples.len(), warm_up.is_some()),
        format!("gnu_time: {gnu_time:?}"),
        match stdout {
            Some(stdout) => {
                format!(
                    "stdout: {} bytes, head {:?}, sha256 {}",
                    stdout.bytes, stdout.head, stdout.sha256
                )
            }
            None => "stdout: none".into(),
        },
        format!("stderr_tail: {stderr_tail:?}"),
        format!("interactor: {interactor:?}"),
    ]);
    lines.join("\n")
}

fn event_line(event: &Event) -> String {
    let Event { run_id, sequence, time: _, kind } = event;
    let what = match kind {
        EventKind::Accepted { queue_position } => format!("accepted, {queue_position} in front"),
        EventKind::Compiled(step) => format!("compiled, {} diagnostics", step.diagnostics.len()),
        EventKind::SizeMeasured(result) => format!("size_measured {}", size_line(result)),
        EventKind::Heartbeat { queue_position } => format!("heartbeat, {queue_position} in front"),
        EventKind::Finished(_) => "finished".into(),
        EventKind::Failed(error) => format!("failed {}", error.code),
    };
    format!("{run_id} {sequence}: {what}")
}

fn report_lines(report: &ProfileReport) -> Vec<String> {
    let ProfileReport {
        task_id,
        iteration,
        source,
        timestamp: _,
        run_id: _,
        sizes,
        compile,
        interactor_compile,
        host,
        start_up,
        instructions_method,
        clock,
        clock_reason,
        warnings,
        hotspots,
        allocations,
        candidates,
        test_cases,
        schedule_end,
        precision,
        input_check,
        worst: _,
        advice: _,
        growth: _,
        turns: _,
        input_seed: _,
    } = report;
    let lacks_input = input_check.as_ref().is_some_and(|it| it.input_use != InputUse::Enough);
    let mut lines =
        vec![format!("task: {task_id}, iteration {iteration}, source {source:?}"), host_line(host)];
    lines.extend(compile.as_ref().map_or_else(Vec::new, |step| compile_lines("compile", step)));
    let interactor = interactor_compile.as_ref();
    lines.extend(interactor.map_or_else(Vec::new, |step| compile_lines("interactor", step)));
    lines.push(format!("clock: {clock:?}, {clock_reason}"));
    lines.extend(start_up.as_ref().map(|start_up| {
        let figures = &start_up.figures;
        format!("start_up: {}", statistics_words(&figures.runtime_ms))
    }));
    let each =
        |pick: fn(&SizeResult) -> String| sizes.iter().map(pick).collect::<Vec<_>>().join(", ");
    lines.extend([
        "strict report".to_owned(),
        format!("  input_sizes: {}", each(|result| result.size.to_string())),
        format!("  runtime_ms: {}", each(|result| rounded(result.runtime_ms()))),
        format!("  peak_memory_mb: {}", each(|result| rounded(result.peak_memory_mb()))),
        format!("  hotspots: {:?}", report.strict_hotspots()),
        "sizes".to_owned(),
    ]);
    lines.extend(sizes.iter().map(|result| format!("  {}", size_line(result))));
    if !warnings.is_empty() {
        lines.push("warnings".to_owned());
    }
    lines.extend(warnings.iter().map(|warning| format!("  {}", warning_line(warning))));
    lines.extend(hotspot_lines(hotspots));
    let parts: [(&str, &dyn Debug, bool); 7] = [
        ("input_check", input_check, lacks_input),
        ("instructions_method", instructions_method, instructions_method.is_some()),
        ("allocations", allocations, allocations.is_some()),
        ("candidates", candidates, !candidates.is_empty()),
        ("test_cases", test_cases, !test_cases.is_empty()),
        ("schedule_end", schedule_end, schedule_end.is_some()),
        ("precision", precision, precision.is_some()),
    ];
    let present = parts.iter().filter(|(.., is_present)| *is_present);
    lines.extend(present.map(|(name, value, _)| format!("{name}: {value:?}")));
    lines
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
        format!("  {}:{line}:{column}: {}: {}", found.file, found.severity.as_str(), found.message)
    }));
    if !error_text.is_empty() {
        lines.push(format!("  errors {error_text:?}"));
    }
    if !output.is_empty() {
        lines.push(format!("  output {output:?}, truncated {truncated}"));
    }
    lines
}

/// The outcome, the evidence, and the figures that the fake determines.
fn size_line(result: &SizeResult) -> String {
    let mut words = vec![
        format!("n={}: {}", result.size, result.outcome.as_str()),
        evidence_words(&result.evidence),
    ];
    match &result.figures {
        Some(figures) => words.push(format!(
            "{} ms of {} runs, {} MiB",
            rounded(figures.headline.ms),
            figures.runtime_ms.count,
            rounded(figures.peak_memory_mb.max)
        )),
        None => words.push("no figures".into()),
    }
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

fn evidence_words(evidence: &Evidence) -> String {
    let Evidence { met, killed_by, signal, exit_code, hint } = evidence;
    let met = met.map(|met| {
        let (kind, unit, method) =
            (met.kind.as_str(), met.kind.unit().as_str(), met.method.as_str());
        format!("met {kind} {} with {} {unit} by {method}", met.limit, met.met)
    });
    let ended = format!("ended by {}", killed_by.as_str());
    let signal = signal.map(|signal| format!("signal {signal}"));
    let exit_code = exit_code.map(|code| format!("exit code {code}"));
    let hint = hint.map(|hint| format!("hint {}", hint.as_str()));
    let words = [met, Some(ended), signal, exit_code, hint];
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
    let headline = format!("headline: {headline:?}");
    let statistics = [
        ("runtime_ms", Some(runtime_ms)),
        ("wall_ms", Some(wall_ms)),
        ("cpu_ms", cpu_ms.as_ref()),
        ("user_ms", Some(user_ms)),
        ("sys_ms", Some(sys_ms)),
        ("run_delay_ms", run_delay_ms.as_ref()),
        ("blocked_ms", blocked_ms.as_ref()),
        ("peak_memory_mb", Some(peak_memory_mb)),
    ];
    let statistics = statistics.map(|(name, values)| {
        format!("{name}: {}", values.map_or("none".into(), statistics_words))
    });
    [headline].into_iter().chain(statistics).collect()
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

fn memory_lines(memory: &Memory) -> Vec<String> {
    let Memory {
        data_stack_mb,
        size_mb,
        text_mb,
        swap_mb,
        resident_mb,
        statm,
        heap_mb,
        stack_mb,
        anonymous_mb,
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
        ("anonymous_mb", anonymous_mb),
        ("cgroup_peak_mb", cgroup_peak_mb),
    ];
    let figures = figures.map(|(name, value)| format!("memory {name}: {}", or_none(*value)));
    let statm = format!("memory statm: {statm:?}");
    figures.into_iter().chain([statm]).collect()
}

fn warning_line(warning: &Warning) -> String {
    let Warning { code, size, candidate, message } = warning;
    let place = [("n", *size), ("candidate", candidate.map(u64::from))];
    let place = place.map(|(name, value)| value.map(|value| format!(" {name}={value}")));
    let place: String = place.into_iter().flatten().collect();
    format!("{code}{place}: {message}")
}

fn hotspot_lines(hotspots: &Hotspots) -> Vec<String> {
    let Hotspots { method, lines, functions, stacks } = hotspots;
    let Some(method) = method else { return Vec::new() };
    let mut text = vec![format!("hotspots by {}", method.as_str())];
    text.extend(lines.iter().map(|hotspot| {
        let instructions = hotspot.exact.map(|exact| exact.instructions);
        let (file, line, total) = (&hotspot.file, hotspot.line, hotspot.cumulative_share);
        format!(
            "  {file}:{line}: {hotspot}, {total} so far, instructions {}",
            or_none(instructions)
        )
    }));
    text.extend(functions.iter().map(|function| format!("  {function:?}")));
    text.extend(stacks.iter().map(|stack| {
        format!("  stack {}: {} instructions", stack.frames.join(" > "), stack.instructions)
    }));
    text
}

/// Four decimals, without the zeros at the end.
fn rounded(value: f64) -> String {
    ((value * 1e4).round() / 1e4).to_string()
}

fn or_none(value: Option<impl Display>) -> String {
    value.map_or("none".into(), |value| value.to_string())
}
