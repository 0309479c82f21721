//! Explains one matter of a report, such as its growth.

use crate::summary::{LINES, MAX_ROWS, MAX_SOURCE_BYTES, class, lines, rounded};
use crate::tool_result::clipped;
use profiler_decode::SOURCE_FILE;
use profiler_export::{changes, hottest, of_what, readable, requesting_frame, share_of, worst};
use profiler_growth::Class;
use profiler_proto::Word;
use profiler_proto::v1::{
    Advice, AllocationReport, AllocationSite, GrowthClassification, GrowthSignal, LeftKind,
    Outcome, ProfileReport,
};
use serde_json::{Map, Value, json};

/// Maximum number of places that allocate, and of functions, in an explanation.
const PLACES: usize = 5;
/// Maximum length of a function name, in bytes.
const MAX_NAME_BYTES: usize = 160;
/// Maximum number of figures and rivals of a class.
const MAX_SIGNALS: usize = 6;
const BYTES_PER_MIB: f64 = 1_048_576.0;

/// A matter that can be explained.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Matter {
    Hotspots,
    Allocations,
    Growth,
    Memory,
    Advice,
}

/// Names of the matters, as agents write them.
pub(crate) const MATTERS: [(&str, Matter); 5] = [
    ("hotspots", Matter::Hotspots),
    ("allocations", Matter::Allocations),
    ("growth", Matter::Growth),
    ("memory", Matter::Memory),
    ("advice", Matter::Advice),
];

/// Returns a sentence, and figures with at most `count` lines of source. If the report lacks the
/// figures, the sentence says how to get them.
pub(crate) fn explain(
    report: &ProfileReport,
    matter: Matter,
    count: usize,
) -> (String, Map<String, Value>) {
    let found = match matter {
        Matter::Hotspots => hotspots(report, count),
        Matter::Allocations => report.allocations.as_ref().map(|it| allocations(report, it)),
        Matter::Growth => growth(report),
        Matter::Memory => Some(memory(report)),
        Matter::Advice => report.advice.as_ref().map(|it| advice(it, of_what(report))),
    };
    let (said, figures) = found.unwrap_or_else(|| {
        let needed = match matter {
            Matter::Hotspots => "no hotspots; call profile with hotspots: true",
            Matter::Allocations => "no allocations; call profile with allocations: true",
            Matter::Advice => "no advice; call profile with advice: true",
            Matter::Growth | Matter::Memory => "no growth; too few sizes ended OK",
        };
        let said = format!("this run has {needed}");
        (said.clone(), json!({ "missing": said }))
    });
    (said, crate::tool_result::object(figures))
}

fn hotspots(report: &ProfileReport, count: usize) -> Option<(String, Value)> {
    report.hotspot_lines.first()?;
    let mut functions: Vec<_> = report.hotspot_functions.iter().collect();
    functions.sort_by(|a, b| b.self_share.total_cmp(&a.self_share));
    let functions = functions.into_iter().take(PLACES).map(|function| {
        json!({
            "name": clipped(&readable(&function.name), MAX_NAME_BYTES),
            "share": rounded(Some(function.self_share), 3),
            "inclusive_share": rounded(Some(function.inclusive_share), 3),
            "calls": function.calls,
        })
    });
    let hint = profiler_export::slow_reading(report);
    let said =
        hottest(report).map(|hot| format!("line {} takes {}", hot.line, share_of(report, hot)));
    let said = said.chain(hint.clone()).collect::<Vec<_>>().join("; ");
    let figures = json!({
        "method": report.hotspots_method().word(),
        "lines": lines(report, count),
        "functions": functions.collect::<Vec<_>>(),
        "hint": hint,
    });
    Some((said, figures))
}

fn allocations(report: &ProfileReport, found: &AllocationReport) -> (String, Value) {
    let mib = |bytes: u64| rounded(Some(bytes as f64 / BYTES_PER_MIB), 3);
    let site = |site: &AllocationSite| {
        let frame = requesting_frame(&site.trace);
        let own = frame.filter(|frame| frame.line > 0 && frame.file == SOURCE_FILE);
        let text = own.map(|frame| worst::source_line(&report.code_cpp, frame.line));
        json!({
            "line": own.map(|frame| frame.line),
            "function": frame.map(|it| clipped(&readable(&it.function), MAX_NAME_BYTES)),
            "source": clipped(&readable(&text.unwrap_or_default()), MAX_SOURCE_BYTES),
            "allocations": site.allocations,
            "peak_mib": mib(site.peak_bytes),
        })
    };
    let lost = found.left.iter().filter(|it| it.kind() == LeftKind::Lost);
    let (blocks, bytes) = lost.fold((0, 0), |(b, s), it| (b + it.blocks, s + it.bytes));
    let said = format!(
        "{} allocations at n = {}, peak {:.2} MiB, {blocks} blocks lost",
        found.allocations,
        found.size,
        found.peak_bytes as f64 / BYTES_PER_MIB
    );
    let figures = json!({
        "n": found.size,
        "allocations": found.allocations,
        "frees": found.frees,
        "allocated_mib": mib(found.allocated_bytes),
        "peak_mib": mib(found.peak_bytes),
        "lost_blocks": blocks,
        "lost_bytes": bytes,
        "sites": found.sites.iter().take(PLACES).map(site).collect::<Vec<_>>(),
    });
    (said, figures)
}

/// Returns the changes that made the program faster, and those that did not.
fn advice(found: &Advice, of_what: &str) -> (String, Value) {
    let given = found.given.iter().map(|it| {
        let interval = it.speedup.as_ref().and_then(|speedup| speedup.interval.as_ref());
        json!({
            "advice": readable(&changes::advised(it, found, of_what)),
            "line": it.line,
            "before": clipped(&readable(&it.before), MAX_SOURCE_BYTES),
            "after": clipped(&readable(&it.after), MAX_SOURCE_BYTES),
            "times_faster": it.speedup.as_ref().map(|speedup| rounded(Some(speedup.times), 3)),
            "interval": interval.map(|it| [rounded(Some(it.low), 3), rounded(Some(it.high), 3)]),
            "share": rounded(it.share, 3),
        })
    });
    let refused = found.refused.iter().map(|it| readable(&changes::refused(it)));
    let figures = json!({
        "n": found.size,
        "given": given.collect::<Vec<_>>(),
        "together": changes::together(found),
        "refused": refused.collect::<Vec<_>>(),
        "untried": changes::left_out(found),
    });
    (readable(&changes::sentence(found, of_what)), figures)
}

fn growth(report: &ProfileReport) -> Option<(String, Value)> {
    let growth = report.growth.as_ref()?;
    let explained = |class: &Option<GrowthClassification>| class.as_ref().map(reasons);
    let figures = json!({ "time": explained(&growth.time), "memory": explained(&growth.memory) });
    Some((crate::summary::verdict(report), figures))
}

/// Returns the reasons for the class: the class that each figure supports, and the runners-up.
fn reasons(growth: &GrowthClassification) -> Value {
    let name = |class: Option<Class>| class.map(Class::name);
    let mut entries = crate::tool_result::object(class(growth));
    let rivals = growth.rivals.iter().take(MAX_SIGNALS).map(|rival| {
        json!({ "class": name(rival.class()), "confidence": rounded(Some(rival.confidence), 2) })
    });
    let signal = |signal: &GrowthSignal| {
        json!({
            "figure": signal.kind().word(),
            "line": signal.line,
            "class": name(signal.class()),
            "confidence": rounded(Some(signal.confidence), 2),
        })
    };
    let points = growth.signals.first().map(|first| {
        let points = first.points.iter().rev().take(MAX_ROWS).rev();
        points.map(|it| json!([it.size, rounded(Some(it.value), 3)])).collect::<Vec<_>>()
    });
    let interval = growth.exponent_interval.as_ref();
    let more = json!({
        "figures": growth.signals.iter().take(MAX_SIGNALS).map(signal).collect::<Vec<_>>(),
        "rivals": rivals.collect::<Vec<_>>(),
        "exponent": rounded(growth.exponent, 3),
        "exponent_interval": interval.map(|it| {
            [rounded(Some(it.low), 3), rounded(Some(it.high), 3)]
        }),
        "points_of_first_figure": points,
    });
    entries.extend(crate::tool_result::object(more));
    entries.into()
}

fn memory(report: &ProfileReport) -> (String, Value) {
    let ok: Vec<_> = report.sizes.iter().filter(|size| size.outcome() == Outcome::Ok).collect();
    let largest = ok.iter().max_by_key(|size| size.size);
    let said = match largest {
        Some(size) => {
            let bound =
                if profiler_export::has_largest_process_only(size) { "at least " } else { "" };
            let peak = profiler_export::figure(size.peak_memory_mb, 2);
            format!("peak {bound}{peak} MiB at n = {}", size.size)
        }
        None => "no size ended OK".into(),
    };
    let from = ok.len().saturating_sub(MAX_ROWS);
    let rows = ok[from..].iter().map(|size| {
        let memory = size.memory.as_ref();
        json!({
            "n": size.size,
            "peak_mib": rounded(size.peak_memory_mb, 2),
            "peak_is_lower_bound": profiler_export::has_largest_process_only(size),
            "heap_mib": rounded(memory.and_then(|it| it.heap_mb), 3),
            "stack_mib": rounded(memory.and_then(|it| it.stack_mb), 3),
            "data_stack_mib": rounded(memory.and_then(|it| it.data_stack_mb), 2),
        })
    });
    let grows = report.growth.as_ref().and_then(|growth| growth.memory.as_ref());
    let figures = json!({ "grows": grows.map(class), "sizes": rows.collect::<Vec<_>>() });
    (said, figures)
}

/// Number of lines of an explanation: the default, and the maximum.
pub(crate) const DEFAULT_LINES: u64 = LINES as u64;
pub(crate) const MAX_LINES: u64 = 20;
