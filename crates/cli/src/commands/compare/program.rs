//! One of the two programs that are compared.

use profiler_proto::v1::ProfileReport;

/// A program and its reports: one of each of its runs, or the one that was saved.
#[derive(Debug, Clone)]
pub(in crate::commands) struct Program {
    pub(in crate::commands) name: String,
    pub(in crate::commands) reports: Vec<ProfileReport>,
}
