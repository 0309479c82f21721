//! Options of a job that mean here what they mean on the wire.

use profiler_growth::Effort;
use profiler_proto::v1::{Checker, InputExperiment, OnMemoryLimit, TestOrder};

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
    /// Error that [`Checker::Numbers`] allows, absolute below 1 and relative above.
    pub tolerance: f64,
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

impl Options {
    /// Replaces each value that is unspecified by the one that it stands for.
    pub(super) fn resolved(mut self) -> Self {
        fn resolve<E: Default + PartialEq>(given: &mut E, default: E) {
            if *given == E::default() {
                *given = default;
            }
        }
        resolve(&mut self.on_memory_limit, OnMemoryLimit::Abort);
        resolve(&mut self.input_experiment, InputExperiment::After);
        resolve(&mut self.test_order, TestOrder::After);
        resolve(&mut self.checker, Checker::Words);
        self
    }
}
