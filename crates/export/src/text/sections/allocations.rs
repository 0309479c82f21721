//! Allocations: totals and the largest call sites.

use super::hotspots::{WIDTH, clipped};
use crate::report::allocations::{has_allocation_bounds, left_name, lost_lines, requesting_frame};
use crate::report::{counted, figure, is_own, line_name, readable};
use crate::text::quantity::bytes;
use profiler_proto::v1::{
    AllocationFrame, AllocationReport, AllocationSite, LeftBlocks, LeftKind, ProfileReport,
};

/// Maximum number of sites shown.
const SITES: usize = 5;
/// Maximum number of lines with lost blocks named.
const LOST_LINES: usize = 3;
/// Significant digits of an amount.
const DIGITS: i32 = 3;
/// The note above figures that are not exact.
const BOUNDS: &str = "  lower bounds (see the warnings):\n";

/// The totals and the largest sites.
pub(in crate::text) fn text(report: &ProfileReport) -> String {
    let bounds = if has_allocation_bounds(report) { BOUNDS } else { "" };
    report.allocations.as_ref().map_or_else(String::new, |it| format!("{bounds}{}", figures(it)))
}

fn figures(report: &AllocationReport) -> String {
    let sums = format!(
        "  n = {}: blocks allocated: {} ({}), freed: {}\n  peak {} live, after {} ms\n  {}",
        report.size,
        report.allocations,
        bytes(report.allocated_bytes, DIGITS),
        report.frees,
        bytes(report.peak_bytes, DIGITS),
        figure(Some(report.peak_ms), 3),
        left(report),
    );
    if report.sites.is_empty() {
        return sums;
    }
    let rows = report.sites.iter().take(SITES).map(row);
    let header = "        peak         calls          lost  where".to_owned();
    [sums, header].into_iter().chain(rows).collect::<Vec<_>>().join("\n")
}

/// The blocks that nothing points to at the end, and the lines that requested them; `None` if no
/// block is lost.
pub(in crate::text) fn lost_blocks(report: &AllocationReport) -> Option<String> {
    let lost = report.left.iter().find(|part| part.kind() == LeftKind::Lost)?;
    (lost.blocks > 0).then(|| part(lost, report))
}

/// The blocks of one kind, and the lines that lost some.
fn part(part: &LeftBlocks, report: &AllocationReport) -> String {
    let lines = if part.kind() == LeftKind::Lost { lines(report) } else { String::new() };
    let (size, name) = (bytes(part.bytes, DIGITS), left_name(part.kind()));
    format!("{} ({size}) {name}{lines}", counted(part.blocks, "block"))
}

/// The blocks that are left, by kind.
fn left(report: &AllocationReport) -> String {
    let parts: Vec<_> = report.left.iter().map(|left| part(left, report)).collect();
    let parts = parts.join("; ");
    if parts.is_empty() {
        "nothing left at the end".into()
    } else {
        format!("left at the end: {parts}")
    }
}

fn lines(report: &AllocationReport) -> String {
    let lines = lost_lines(report);
    let named: Vec<_> = lines.iter().take(LOST_LINES).map(|line| readable(line)).collect();
    let noun = match lines.len() {
        0 => return String::new(),
        1 => "line",
        _ => "lines",
    };
    let more = match lines.len() - named.len() {
        0 => String::new(),
        more => format!(" and {more} more"),
    };
    format!(" in {noun} {}{more}", named.join(", "))
}

fn row(site: &AllocationSite) -> String {
    let (peak, lost) = (bytes(site.peak_bytes, DIGITS), lost(site));
    let place = requesting_frame(&site.trace).map_or_else(|| "?".into(), place);
    format!("  {peak:>10}  {:>12}  {lost:>12}  {place}", site.allocations)
}

/// Returns the lost bytes of a site, or "?" if nobody looked.
fn lost(site: &AllocationSite) -> String {
    let is_unknown = |kind| matches!(kind, LeftKind::Unknown | LeftKind::Unspecified);
    if site.left.iter().any(|part| is_unknown(part.kind())) {
        return "?".into();
    }
    let is_lost = |kind| matches!(kind, LeftKind::Lost | LeftKind::IndirectlyLost);
    let lost = site.left.iter().filter(|part| is_lost(part.kind())).map(|part| part.bytes);
    bytes(lost.fold(0, u64::saturating_add), DIGITS)
}

fn place(frame: &AllocationFrame) -> String {
    let function = clipped(&frame.function, WIDTH);
    match frame.line {
        line @ 1.. if is_own(&frame.file) => {
            format!("{}, {function}", clipped(&line_name(&frame.file, line), WIDTH))
        }
        _ => function,
    }
}
