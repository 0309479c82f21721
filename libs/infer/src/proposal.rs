//! Answer of an inference.

use profiler_input::InputSpec;

/// A spec that fits all samples.
#[derive(Debug, Clone, PartialEq)]
pub struct Proposal {
    /// The spec.
    pub spec: InputSpec,
    /// The spec as a file.
    pub yaml: String,
    /// Assumptions, a sentence each.
    pub assumptions: Vec<String>,
}
