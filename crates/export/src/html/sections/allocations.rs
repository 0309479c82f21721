//! Allocations: live memory over time, and the call sites.

use crate::html::definitions::term;
use crate::html::elements::{heads, share_bar, time_axis, truncation_note};
use crate::html::escape::{escaped, escaped_up_to};
use crate::html::number::{self, percent, share};
use crate::report::allocations::{has_allocation_bounds, left_name, requesting_frame};
use crate::report::candidate_name;
use profiler_decode::SOURCE_FILE;
use profiler_proto::v1::{
    AllocationFrame, AllocationReport, AllocationSite, LeftBlocks, LeftKind, ProfileReport,
};

/// Maximum number of call sites shown.
const MAX_SITES: usize = 40;
/// Maximum number of frames of a stack trace shown.
const MAX_TRACE: usize = 16;
/// Maximum length of a function name, in bytes.
const MAX_NAME_BYTES: usize = 160;
/// Maximum number of snapshots of live memory drawn.
const MAX_MOMENTS: usize = 1000;
const WIDTH: f64 = 1000.0;
const HEIGHT: f64 = 240.0;

/// The note on figures that are not exact.
const BOUNDS: &str = " Every figure is a lower bound: see the warnings.";

/// The totals, the plot over time, and the call sites.
pub(in crate::html) fn allocations(report: &ProfileReport) -> String {
    let Some(allocations) = &report.allocations else { return String::new() };
    let candidate = candidate_name(report, allocations.candidate);
    let candidate = candidate.map(|name| format!(", {}", escaped(name))).unwrap_or_default();
    let bounds = if has_allocation_bounds(report) { BOUNDS } else { "" };
    format!(
        "<p class=\"note\">From a separate, untimed run at n = {}{candidate}.{bounds}</p>{}{}{}",
        number::size(allocations.size),
        sums(allocations),
        live(allocations),
        sites(allocations)
    )
}

fn sums(of: &AllocationReport) -> String {
    let sums = [
        (
            term("live", "peak live"),
            format!("{} after {}", number::bytes(of.peak_bytes), number::time(of.peak_ms)),
        ),
        ("allocated in total".into(), number::bytes(of.allocated_bytes)),
        ("allocations".into(), number::count(of.allocations)),
        ("freed".into(), number::count(of.frees)),
        (term("left", "left at the end"), left(&of.left)),
    ];
    let sums: String =
        sums.map(|(what, is)| format!("<div><dt>{what}</dt><dd>{is}</dd></div>")).concat();
    format!("<dl class=\"sums\">{sums}</dl>")
}

/// The blocks that are left, each kind on a line of its own.
fn left(parts: &[LeftBlocks]) -> String {
    let parts = parts.iter().map(|part| {
        let bytes = number::bytes(part.bytes);
        let bytes = match part.kind() {
            LeftKind::Lost | LeftKind::IndirectlyLost => {
                format!("<span class=\"bad\">{bytes}</span>")
            }
            _ => bytes,
        };
        let (blocks, name) = (number::count(part.blocks), left_name(part.kind()));
        format!("{bytes} in {blocks} <small>{name}</small>")
    });
    let parts = parts.collect::<Vec<_>>().join("<br>");
    if parts.is_empty() { "–".into() } else { parts }
}

/// Live bytes over time, as an area.
fn live(of: &AllocationReport) -> String {
    let step = of.snapshots.len().div_ceil(MAX_MOMENTS).max(1);
    // Each step keeps its highest snapshot, so the peak is always drawn.
    let moments = of
        .snapshots
        .chunks(step)
        .filter_map(|some| some.iter().max_by_key(|moment| moment.live_bytes));
    let moments: Vec<_> = moments.filter(|moment| moment.time_ms.is_finite()).collect();
    let end = of
        .snapshots
        .iter()
        .map(|moment| moment.time_ms)
        .filter(|ms| ms.is_finite())
        .fold(0.0, f64::max);
    let highest =
        moments.iter().map(|moment| moment.live_bytes).max().unwrap_or(0).max(of.peak_bytes);
    if moments.len() < 2 || end <= 0.0 || highest == 0 {
        return String::new();
    }
    let at = |ms: f64| (ms / end).clamp(0.0, 1.0) * WIDTH;
    let mut line = String::new();
    for moment in &moments {
        let y = HEIGHT - share(moment.live_bytes, highest) * (HEIGHT - 8.0);
        line +=
            &format!("{}{:.1} {y:.1}", if line.is_empty() { 'M' } else { 'L' }, at(moment.time_ms));
    }
    let (first, last) = (at(moments[0].time_ms), at(moments[moments.len() - 1].time_ms));
    let peak = at(of.peak_ms);
    format!(
        "<figure class=\"memory\"><figcaption><h3>{} over time</h3></figcaption><div class=\"stretch\"><span class=\"top\">{}</span>\
         <svg viewBox=\"0 0 {WIDTH} {HEIGHT}\" preserveAspectRatio=\"none\" role=\"img\"><title>Live bytes over time</title>\
         <desc>At most {} after {}</desc><path class=\"area\" d=\"{line}L{last:.1} {HEIGHT}L{first:.1} {HEIGHT}Z\"/>\
         <path class=\"line\" d=\"{line}\"/><path class=\"peak\" d=\"M{peak:.1} 0V{HEIGHT}\"/></svg>{}</div></figure>",
        term("live", "Live bytes"),
        number::bytes(highest),
        number::bytes(of.peak_bytes),
        number::time(of.peak_ms),
        time_axis(end)
    )
}

fn sites(of: &AllocationReport) -> String {
    if of.sites.is_empty() {
        return String::new();
    }
    let rows: String =
        of.sites.iter().take(MAX_SITES).map(|site| row(site, of.peak_bytes)).collect();
    let heads = heads([("live", "allocated"), ("executions", "allocations"), ("left", "left")]);
    format!(
        "<h3>Call sites</h3><div class=\"wide\" tabindex=\"0\"><table class=\"figures\"><thead><tr>\
         <th scope=\"col\" class=\"name\">call site</th><th scope=\"col\" colspan=\"2\">{}</th>{heads}</tr></thead><tbody>{rows}</tbody></table></div>{}",
        term("peak-site", "at the peak"),
        truncation_note(of.sites.len(), MAX_SITES, "call sites")
    )
}

fn row(site: &AllocationSite, peak_bytes: u64) -> String {
    let peak = share(site.peak_bytes, peak_bytes);
    format!(
        "<tr><th scope=\"row\" class=\"name\">{}</th>{}<td>{} <small>{}</small></td><td>{}</td><td>{}</td><td>{}</td></tr>",
        trace(&site.trace),
        share_bar(peak, None),
        number::bytes(site.peak_bytes),
        percent(peak),
        number::bytes(site.allocated_bytes),
        number::count(site.allocations),
        left(&site.left)
    )
}

/// Renders the requesting frame, which opens to the whole stack trace.
fn trace(frames: &[AllocationFrame]) -> String {
    let named = requesting_frame(frames).map_or("unknown".into(), frame);
    if frames.len() < 2 {
        return named;
    }
    let chain: String =
        frames.iter().take(MAX_TRACE).map(|call| format!("<li>{}</li>", frame(call))).collect();
    let more = frames.len().saturating_sub(MAX_TRACE);
    let more = if more == 0 { String::new() } else { format!("<li>{more} more</li>") };
    format!("<details><summary>{named}</summary><ol>{chain}{more}</ol></details>")
}

fn frame(frame: &AllocationFrame) -> String {
    let function = escaped_up_to(&frame.function, MAX_NAME_BYTES);
    match (frame.line, frame.file.as_str()) {
        (0, _) => format!("<code>{function}</code>"),
        (line, file) if file.is_empty() || file == SOURCE_FILE => {
            format!("<code>{function}</code> <a href=\"#L{line}\">line {line}</a>")
        }
        (line, file) => format!("<code>{function}</code> <small>{}:{line}</small>", escaped(file)),
    }
}
