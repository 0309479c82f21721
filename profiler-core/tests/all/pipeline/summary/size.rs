//! The result of one size: in one line, or with every field.

use super::text::{or_none, rounded, statistics_words};
use profiler_proto::Word;
use profiler_proto::v1::{Evidence, Figures, MemoryFigures, SizeResult};

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
        input_sha256: _,
        interactor,
        own_instructions,
        net_instructions,
        output_check: _,
        questions,
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
        format!("interactor: {interactor:?}, questions: {questions:?}"),
    ]);
    lines.join("\n")
}

/// The outcome, the evidence, and the figures that the fake determines.
pub(super) fn size_line(result: &SizeResult) -> String {
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
    let statistics = statistics.map(|(name, values)| {
        format!("{name}: {}", values.as_ref().map_or("none".into(), statistics_words))
    });
    [format!("headline: {headline:?}")].into_iter().chain(statistics).collect()
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
