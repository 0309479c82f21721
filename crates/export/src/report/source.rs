//! The submitted source.

use profiler_decode::SOURCE_FILE;
use profiler_proto::v1::{Hotspot, ProfileReport};

/// Returns the line of the source that a hotspot is about, without its indentation; the function if
/// the line is not of the source.
pub fn hot_line<'r>(report: &'r ProfileReport, hotspot: &'r Hotspot) -> &'r str {
    let is_own = hotspot.file.ends_with(SOURCE_FILE) && hotspot.line > 0;
    let line = report.code_cpp.lines().nth(hotspot.line.saturating_sub(1) as usize);
    line.filter(|_| is_own).map_or(hotspot.function.as_str(), str::trim)
}
