//! Unchecked request of a caller.

use super::source_files::files_bytes;
use profiler_proto::v1;

/// Version of the message schema.
pub const SCHEMA_VERSION: &str = "1.0.0";

/// Unchecked request of a caller.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Draft {
    /// The message, without the source.
    pub request: v1::Job,
    /// `code.code_cpp`, as bytes because a file need not be UTF-8.
    pub source: Vec<u8>,
    /// Share of the time of the job's own measurements that counting for growth may take in
    /// addition. It is a setting of the profiler, not a field of the message.
    pub growth_share: Option<f64>,
}

impl Draft {
    /// Makes a draft with defaults for everything else.
    pub fn new(task_id: impl Into<String>, source: impl Into<Vec<u8>>) -> Self {
        let code = v1::CodeMessage { task_id: task_id.into(), ..v1::CodeMessage::default() };
        let request = v1::Job { code: Some(code), ..v1::Job::default() };
        Self { request, source: source.into(), ..Self::default() }
    }
}

/// A program besides the job's own: the one that it is compared with, the interactor of an
/// interactive task, a checker, a validator, a generator or the reference.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct OtherProgram {
    /// The source.
    pub source: Vec<u8>,
    /// Its further headers and sources.
    pub files: Vec<v1::SourceFile>,
    /// Flags for g++, all allowed.
    pub flags: Vec<String>,
}

impl OtherProgram {
    /// Returns the memory that the program takes, in bytes.
    pub(super) fn bytes(&self) -> usize {
        self.source.len() + files_bytes(&self.files)
    }
}
