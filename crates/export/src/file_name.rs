//! File name of a document.

use profiler_proto::v1::ProfileReport;

/// Maximum length of the task id in a file name, in characters.
const MAX_STEM: usize = 80;
/// Beginning of the file name if there is no task id.
const NO_TASK: &str = "report";

/// Returns the task id as the beginning of a file name: with characters that every file system
/// allows, and neither a path nor the name of a hidden file.
pub(crate) fn stem(report: Option<&ProfileReport>) -> String {
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
        stem(Some(&report))
    }

    #[test]
    fn file_name_comes_from_the_task_and_is_not_a_path() {
        assert_eq!(name("two sum"), "two_sum");
        assert_eq!(name("../../etc/passwd"), "_.._etc_passwd");
        assert_eq!(name("-rf"), "rf");
        assert_eq!(name("..."), "report");
        assert_eq!(stem(None), "report");
    }
}
