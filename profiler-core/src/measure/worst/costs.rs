//! Costs of inputs, in the unit of the search's goal.

/// Cost of one run.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub struct RunCost {
    /// The whole cost.
    pub all: u64,
    /// Instructions outside of libraries, if the cost is in instructions and they are known.
    pub own: Option<u64>,
}

/// The costs at one size.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct SizeCosts {
    /// The size.
    pub n: u64,
    /// Costs of random inputs, rising.
    pub random: Vec<RunCost>,
    /// Cost of the worst input; absent if the program did not end well on it.
    pub worst: Option<RunCost>,
    /// The length of the worst input, in bytes.
    pub input_bytes: u64,
}

impl SizeCosts {
    /// Returns the median cost of the random inputs.
    pub fn median(&self) -> Option<RunCost> {
        self.random.get(self.random.len().saturating_sub(1) / 2).copied()
    }
}
