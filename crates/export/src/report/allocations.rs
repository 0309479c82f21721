//! Facts about allocations that several documents show.

use super::source::{is_main, is_own, line_name};
use profiler_proto::v1::{AllocationFrame, AllocationReport, LeftKind, ProfileReport, WarningCode};

/// The frame that requested an allocation: the innermost frame of the program's files, one with a
/// line if there is one, else the innermost of all. Frames of libraries below it say less.
pub fn requesting_frame(trace: &[AllocationFrame]) -> Option<&AllocationFrame> {
    let own = |frame: &&AllocationFrame| is_own(&frame.file);
    let with_line = trace.iter().find(|frame| own(frame) && frame.line > 0);
    with_line.or_else(|| trace.iter().find(own)).or(trace.first())
}

/// Returns the words after a number of blocks that were left at the end.
pub(crate) fn left_name(kind: LeftKind) -> &'static str {
    match kind {
        LeftKind::Lost => "lost",
        LeftKind::IndirectlyLost => "indirectly lost",
        LeftKind::PossiblyLost => "possibly lost",
        LeftKind::Reachable => "still reachable",
        LeftKind::StreamBuffer => "for streams, never a leak",
        LeftKind::Unknown | LeftKind::Unspecified => "lost or still reachable: not known which",
    }
}

/// The lines of the program that requested lost blocks, without repetition and in the order of the
/// sites.
pub(crate) fn lost_lines(report: &AllocationReport) -> Vec<String> {
    let loses = report
        .sites
        .iter()
        .filter(|site| site.left.iter().any(|part| part.kind() == LeftKind::Lost));
    let frames = loses.filter_map(|site| requesting_frame(&site.trace));
    let mut lines = Vec::new();
    for frame in frames.filter(|frame| is_own(&frame.file) && frame.line > 0) {
        let (file, line) = (&frame.file, frame.line);
        let name = if is_main(file) { line.to_string() } else { line_name(file, line) };
        if !lines.contains(&name) {
            lines.push(name);
        }
    }
    lines
}

/// Whether the figures of allocations are lower bounds, because some blocks could not be followed.
pub(crate) fn has_allocation_bounds(report: &ProfileReport) -> bool {
    report.warnings.iter().any(|warning| warning.code() == WarningCode::AllocationsLowerBounds)
}
