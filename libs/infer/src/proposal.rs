//! Result of a successful inference.

use profiler_input::InputSpec;

/// A spec that fits all samples.
#[derive(Debug, Clone, PartialEq)]
pub struct Proposal {
    /// The spec.
    pub spec: InputSpec,
    /// The spec as the text of a YAML file.
    pub yaml: String,
    /// Assumptions that the spec makes, one sentence each.
    pub assumptions: Vec<String>,
}
