//! Options of a job that mean here what they mean on the wire.

use profiler_growth::Effort;

/// Options of a job that mean here what they mean on the wire. Their ranges, and which of them
/// exclude each other, are declared in `job.proto`; whoever reads a request checks that.
#[derive(Debug, Clone, Default, PartialEq)]
#[expect(clippy::struct_excessive_bools, reason = "each is an option of its own")]
pub struct Options {
    /// Reaction to a size above the memory limit.
    pub on_memory_limit: OnMemoryLimit,
    /// Time of the experiment whether the input is enough.
    pub input_experiment: InputExperiment,
    /// Number that is added to the seed of each spec.
    pub input_seed: u32,
    /// Order of the test cases and the sizes.
    pub test_order: TestOrder,
    /// Comparison of the answer to a test case with the expected output.
    pub checker: Checker,
    /// Whether sizes are left out after smaller ones exceeded a limit.
    pub skip_after_limits: bool,
    /// Number of timed runs of every size; `None` if they are repeated until the headline is known.
    pub repetitions: Option<u32>,
    /// Relative precision at which a size has enough timed runs.
    pub precision: Option<f64>,
    /// Whether to find hotspots.
    pub debug: bool,
    /// Whether to count instructions.
    pub instructions: bool,
    /// Whether to record allocations.
    pub allocations: bool,
    /// Whether to try changes of the program that may make it faster.
    pub advice: bool,
    /// Effort of measuring for the growth class.
    pub growth: Effort,
    /// Whether the report includes the raw samples.
    pub raw_samples: bool,
    /// Length of the start of stdout to keep, in bytes.
    pub stdout_bytes: u32,
}

/// Reaction to a size above the memory limit.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum OnMemoryLimit {
    /// The run ends with `SandboxError(code="memory")`.
    #[default]
    Abort,
    /// The size's figures are infinite, and the run goes on.
    Record,
}

/// Time of the experiment whether the input holds all that the program reads.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum InputExperiment {
    /// After all sizes, in the same sandbox.
    #[default]
    After,
    /// While the sizes are measured, in a sandbox of its own.
    First,
    /// Never.
    Off,
}

/// Comparison of the answer to a test case with the expected output.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub enum Checker {
    /// Word by word.
    #[default]
    Words,
    /// Byte by byte.
    Exact,
    /// Word by word, without regard to the case of ASCII letters.
    Caseless,
    /// Word by word. Numbers may differ by this, absolutely below 1 and relatively above.
    Numbers(f64),
}

/// Order of the test cases and the sizes.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum TestOrder {
    /// The test cases run after all sizes, in the same sandbox.
    #[default]
    After,
    /// The test cases run before, until one fails. A program that is wrong is not measured.
    First,
    /// All test cases run before. A program that is wrong is not measured.
    All,
}
