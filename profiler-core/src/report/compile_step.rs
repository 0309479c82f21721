//! The cost of compiling and the compiler's messages.

pub use profiler_decode::diagnostics::{Diagnostic, Severity};

/// The cost of compiling and the compiler's messages.
#[derive(Debug, Clone, PartialEq, serde::Serialize)]
pub struct CompileStep {
    /// The command line.
    pub command: String,
    /// The compiler's version.
    pub compiler: String,
    /// Wall clock, in milliseconds.
    pub wall_ms: f64,
    /// Processor time, in milliseconds.
    pub cpu_ms: Option<f64>,
    /// Largest peak resident set of one of the compiler's processes, in MiB.
    pub peak_memory_mb: f64,
    /// Size of the binary, in bytes.
    pub binary_bytes: Option<u64>,
    /// The compiler's messages as data.
    pub diagnostics: Vec<Diagnostic>,
    /// The errors for people and models; empty if the compiler named none.
    pub error_text: String,
    /// The beginning of the compiler's output.
    pub output: String,
    /// Whether `output` was cut.
    pub truncated: bool,
    /// Whether the binary came from the cache: the same source, flags and toolchain. The cost is
    /// then that of the first compilation.
    pub cached: bool,
}
