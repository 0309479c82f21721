//! One input of a stress test.

use profiler_search::Genome;

/// One input, and its origin.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TestInput {
    /// The size.
    pub n: u64,
    /// The index of the candidate among all specs.
    pub candidate: usize,
    /// The choices that made it, and their seed.
    pub genome: Genome,
    /// Whether its values were changed afterwards, or its generator did not write it again.
    pub is_edited: bool,
    /// The input.
    pub bytes: Vec<u8>,
}

impl TestInput {
    /// Whether the declared spec makes this input with this seed.
    pub fn is_declared(&self) -> bool {
        self.genome.is_declared() && !self.is_edited
    }
}
