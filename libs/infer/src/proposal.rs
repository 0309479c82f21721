//! Result of a successful inference.

use profiler_input::InputSpec;

/// The proposals for samples, the likeliest first.
#[derive(Debug, Clone, PartialEq)]
pub struct Inferred {
    /// The likeliest proposal.
    pub proposal: Proposal,
    /// Proposals that are about as likely, and write other inputs.
    pub others: Vec<Proposal>,
}

/// A spec that fits all samples.
#[derive(Debug, Clone, PartialEq)]
pub struct Proposal {
    /// The spec.
    pub spec: InputSpec,
    /// The spec as the text of a YAML file.
    pub yaml: String,
    /// The layout in one line, as words.
    pub summary: String,
    /// Assumptions that the spec makes, and doubts about it, one sentence each.
    pub assumptions: Vec<String>,
}
