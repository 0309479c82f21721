//! How sections and lines are put together.

use crate::report::readable;
use profiler_proto::v1::ProfileReport;

/// Joins the sections that are not empty.
pub(super) fn joined(sections: impl IntoIterator<Item = String>) -> String {
    let mut sections: Vec<_> = sections.into_iter().collect();
    sections.retain(|section| !section.is_empty());
    sections.join("\n\n")
}

/// Names a size, and its candidate if there are several.
pub(crate) fn place(report: &ProfileReport, size: u64, candidate: u32) -> String {
    let name = report.candidates.get(candidate as usize).filter(|_| report.candidates.len() > 1);
    let name = name.map(|name| format!(", {}", readable(name))).unwrap_or_default();
    format!("n = {size}{name}")
}

/// Puts a prefix in front of every line of a text.
pub(super) fn prefixed(prefix: &str, text: &str) -> String {
    let lines: Vec<_> = text.lines().map(|line| format!("{prefix}{line}")).collect();
    lines.join("\n")
}
