//! Commands that lead to a result after a run without one.

use crate::commands::check::quoted;
use profiler_export::ended_the_run;
use profiler_proto::v1::ProfileReport;
use std::path::Path;

/// Returns the commands for a program that was not fed what it reads; `None` for other programs.
pub(super) fn of(report: &ProfileReport, file: &Path) -> Option<String> {
    let file = quoted(&file.display().to_string());
    ended_the_run(report).then(|| {
        format!(
            "With a sample of its input in sample.txt:\n  \
             swiftprof input --infer sample.txt --program {file} > spec.yaml\n  \
             swiftprof run {file} --input-spec spec.yaml"
        )
    })
}
