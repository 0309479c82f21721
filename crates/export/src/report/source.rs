//! The submitted source.

use profiler_decode::SOURCE_FILE;
use profiler_proto::v1::{Hotspot, HotspotsMethod, ProfileReport};

/// Returns the words for what a hotspot's share is a part of, as the end of a clause.
pub fn of_what(report: &ProfileReport) -> &'static str {
    match report.hotspots_method() {
        HotspotsMethod::Instructions => " of the instructions",
        HotspotsMethod::Gprof => " of the samples",
        HotspotsMethod::Unspecified => "",
    }
}

/// Returns the source line of a hotspot, without its indentation. If the hotspot is outside of the
/// submitted source, returns the name of its function.
pub fn hot_line<'r>(report: &'r ProfileReport, hotspot: &'r Hotspot) -> &'r str {
    let is_own = hotspot.file.ends_with(SOURCE_FILE) && hotspot.line > 0;
    let line = report.code_cpp.lines().nth(hotspot.line.saturating_sub(1) as usize);
    line.filter(|_| is_own).map_or(hotspot.function.as_str(), str::trim)
}
