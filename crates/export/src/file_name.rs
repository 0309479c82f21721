//! The file name and media type of a document.

use profiler_proto::v1::{ExportFormat, ProfileReport};

/// The length of the task id in a file name, in characters.
const MAX_STEM: usize = 80;
/// The beginning of the file name without a task id.
const NO_TASK: &str = "report";

/// The file name and the media type.
pub(crate) fn named(
    report: Option<&ProfileReport>,
    format: ExportFormat,
) -> (String, &'static str) {
    const CSV: &str = "text/csv; charset=utf-8";
    const JSON: &str = "application/json";
    const TEXT: &str = "text/plain; charset=utf-8";
    let (ending, media_type) = match format {
        ExportFormat::Unspecified | ExportFormat::Text => ("txt", TEXT),
        ExportFormat::Json => ("json", JSON),
        ExportFormat::Swiftsolve => ("swiftsolve.json", JSON),
        ExportFormat::Csv => ("csv", CSV),
        ExportFormat::CsvLong => ("long.csv", CSV),
        ExportFormat::Html => ("html", "text/html; charset=utf-8"),
        ExportFormat::Folded => ("folded", TEXT),
        ExportFormat::FlameGraph => ("svg", "image/svg+xml"),
        ExportFormat::Junit => ("junit.xml", "application/xml"),
        ExportFormat::Sarif => ("sarif", "application/sarif+json"),
        ExportFormat::Github => ("github.txt", TEXT),
        ExportFormat::PerunTime => ("time.perf", JSON),
        ExportFormat::PerunMixed => ("mixed.perf", JSON),
        ExportFormat::PerunMemory => ("memory.perf", JSON),
    };
    (format!("{}.{ending}", stem(report)), media_type)
}

/// The task id with characters that every file system allows. It names neither a folder nor a
/// hidden file.
fn stem(report: Option<&ProfileReport>) -> String {
    let task = report.map(|report| report.task_id.as_str()).unwrap_or_default();
    let plain = |c: char| if c.is_ascii_alphanumeric() || "-_.".contains(c) { c } else { '_' };
    let stem: String = task.chars().map(plain).take(MAX_STEM).collect();
    let stem = stem.trim_start_matches(['.', '-']);
    if stem.is_empty() { NO_TASK.into() } else { stem.into() }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn name(task: &str) -> String {
        let report = ProfileReport { task_id: task.into(), ..ProfileReport::default() };
        named(Some(&report), ExportFormat::Csv).0
    }

    #[test]
    fn file_name_comes_from_the_task_and_is_not_a_path() {
        assert_eq!(name("two sum"), "two_sum.csv");
        assert_eq!(name("../../etc/passwd"), "_.._etc_passwd.csv");
        assert_eq!(name("-rf"), "rf.csv");
        assert_eq!(name("..."), "report.csv");
        assert_eq!(named(None, ExportFormat::FlameGraph).0, "report.svg");
    }
}
