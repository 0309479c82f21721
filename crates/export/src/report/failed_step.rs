//! The compile step that gave no binary.

use profiler_proto::v1::{CompileStep, ProfileReport};

/// The compile step of the program or the interactor that does not compile.
pub(crate) fn failed_step(report: &ProfileReport) -> Option<&CompileStep> {
    let steps = [&report.compile, &report.interactor_compile];
    steps.into_iter().flatten().find(|step| step.binary_bytes.is_none())
}
