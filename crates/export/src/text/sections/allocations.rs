//! Allocations: totals and the largest call sites.

use super::hotspots::clipped;
use crate::report::SOURCE_FILE;
use crate::report::allocations::{has_allocation_bounds, requesting_frame};
use crate::report::figure;
use crate::text::quantity::bytes;
use profiler_proto::v1::{AllocationFrame, AllocationReport, AllocationSite, ProfileReport};

/// The number of sites that are shown.
const SITES: usize = 5;
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
        "  n = {}: {} calls allocated {}; blocks freed: {}\n  peak {} live, after {} ms\n  {}",
        report.size,
        report.allocations,
        bytes(report.allocated_bytes, DIGITS),
        report.frees,
        bytes(report.peak_bytes, DIGITS),
        figure(Some(report.peak_ms), 3),
        leaks(report),
    );
    if report.sites.is_empty() {
        return sums;
    }
    let rows = report.sites.iter().take(SITES).map(row);
    let header = "        peak         calls        leaked  where".to_owned();
    [sums, header].into_iter().chain(rows).collect::<Vec<_>>().join("\n")
}

fn leaks(report: &AllocationReport) -> String {
    let size = bytes(report.leaked_bytes, DIGITS);
    let streams = "without buffers of the standard streams";
    format!("blocks never freed, {streams}: {} ({size})", report.leaked_blocks)
}

fn row(site: &AllocationSite) -> String {
    let [peak, leaked] = [site.peak_bytes, site.leaked_bytes].map(|size| bytes(size, DIGITS));
    let place = requesting_frame(&site.trace).map_or_else(|| "?".into(), place);
    format!("  {peak:>10}  {:>12}  {leaked:>12}  {place}", site.allocations)
}

fn place(frame: &AllocationFrame) -> String {
    let function = clipped(&frame.function);
    match frame.line {
        line @ 1.. if frame.file == SOURCE_FILE => format!("line {line}, {function}"),
        _ => function,
    }
}
