//! One of the two programs that are compared.

use profiler_proto::v1::ProfileReport;

/// A program and its reports: one of each of its runs, or the one that was saved.
#[derive(Debug, Clone)]
pub struct Program {
    /// What messages call it.
    pub name: String,
    /// Its reports.
    pub reports: Vec<ProfileReport>,
}
