//! A report for people: table, plots, and everything one must know beside them.

use super::number::{figure, readable};
use super::table::BELOW_FLOOR;
use super::words::joined;
use super::{compile, failure, plot, table};
use crate::palette::Palette;
use profiler_proto::v1::{Hotspot, ProfileReport, RuntimeClock, SizeResult, Warning};

/// The most hotspots that are shown.
const HOTSPOTS: usize = 10;
const TIME_DIGITS: usize = 3;

/// The whole report, one blank line between its sections.
pub(super) fn text(report: &ProfileReport, palette: &Palette) -> String {
    let points = |figure: fn(&SizeResult) -> Option<f64>| -> Vec<_> {
        let sizes = report.sizes.iter();
        sizes.filter_map(|s| Some((s.size, figure(s)?))).collect()
    };
    let measured = !report.sizes.is_empty();
    let when_measured = |text: &dyn Fn() -> String| if measured { text() } else { String::new() };
    let compiled = report.compile.as_ref();
    joined([
        head(report, palette),
        when_measured(&|| format!("{}\n{}", table::text(&report.sizes, palette), legend(report))),
        when_measured(&|| plot::log_log("time in ms", &points(|s| s.runtime_ms), palette)),
        when_measured(&|| plot::log_log("memory in MiB", &points(|s| s.peak_memory_mb), palette)),
        section("Compiler output", compiled.map(compile::output).unwrap_or_default(), palette),
        section("Hotspots", hotspots(&report.hotspot_lines), palette),
        section("Failures", failure::sizes(&report.sizes), palette),
        section("Warnings", warnings(&report.warnings, palette), palette),
        section("Not enforced here", not_enforced(report), palette),
    ])
}

fn section(title: &str, content: String, palette: &Palette) -> String {
    if content.is_empty() {
        return content;
    }
    let heading = palette.heading;
    format!("{heading}{title}{heading:#}\n{content}")
}

/// What was measured, where, and how it was compiled.
fn head(report: &ProfileReport, palette: &Palette) -> String {
    let heading = palette.heading;
    let task = format!("{heading}{}{heading:#}", readable(&report.task_id));
    let first = match &report.host {
        Some(host) => {
            let [backend, cpu, kernel] =
                [&host.backend, &host.cpu_model, &host.kernel].map(|text| readable(text));
            format!("{task} · {backend} · {cpu} · Linux {kernel}")
        }
        None => task,
    };
    let lines = [Some(first), report.compile.as_ref().map(compile::line), surroundings(report)];
    lines.into_iter().flatten().collect::<Vec<_>>().join("\n")
}

/// The core, and what does not depend on the program; as far as it is known.
fn surroundings(report: &ProfileReport) -> Option<String> {
    let host = report.host.as_ref();
    let ms = |ms| figure(Some(ms), TIME_DIGITS);
    let known = [
        host.and_then(|host| host.measured_core).map(|core| format!("core {core}")),
        report.start_up.as_ref().map(|start_up| format!("start-up {} ms", ms(start_up.runtime_ms))),
        host.and_then(|host| host.calibration_ms).map(|it| format!("calibration {} ms", ms(it))),
        host.and_then(|host| host.neighbours)
            .filter(|&count| count > 0)
            .map(|count| format!("{count} other programs were measured meanwhile")),
    ];
    let known: Vec<_> = known.into_iter().flatten().collect();
    (!known.is_empty()).then(|| known.join(" · "))
}

/// What the table's columns mean.
fn legend(report: &ProfileReport) -> String {
    let clock = match report.runtime_clock() {
        RuntimeClock::Wall => "wall clock",
        RuntimeClock::Cpu => "processor time",
        RuntimeClock::Unloaded | RuntimeClock::Unspecified => "wall clock less run delay",
    };
    let reason = readable(&report.runtime_clock_reason);
    let reason = if reason.is_empty() { reason } else { format!(" ({reason})") };
    let marked = report.sizes.iter().any(SizeResult::below_noise_floor);
    let marked = if marked { format!(", {BELOW_FLOOR}: too short to tell") } else { String::new() };
    format!(
        "runtime: {clock}{reason}; ±: half of its confidence interval\n\
         net: runtime less start-up{marked}; peak: largest resident set\n\
         cpu: processor time, delay: waiting for a processor; medians of the runs"
    )
}

fn hotspots(lines: &[Hotspot]) -> String {
    let shown = lines.iter().take(HOTSPOTS).map(|line| {
        let [own, sum] =
            [line.self_share, line.cumulative_share].map(|share| figure(Some(share * 100.0), 1));
        let function = readable(&line.function);
        format!("  line {:<5} {own:>5} %  up to here {sum:>5} %  {function}", line.line)
    });
    shown.collect::<Vec<_>>().join("\n")
}

fn warnings(warnings: &[Warning], palette: &Palette) -> String {
    let caution = palette.caution;
    let shown = warnings.iter().map(|warning| {
        let size = warning.size.map(|n| format!("n = {n}: ")).unwrap_or_default();
        let [code, message] = [&warning.code, &warning.message].map(|text| readable(text));
        format!("  {caution}{code}{caution:#}: {size}{message}")
    });
    shown.collect::<Vec<_>>().join("\n")
}

/// What the sandbox could not keep the program from.
fn not_enforced(report: &ProfileReport) -> String {
    let sentences = report.host.iter().flat_map(|host| &host.not_enforced);
    sentences.map(|text| format!("  {}", readable(text))).collect::<Vec<_>>().join("\n")
}
