//! The instructions that runs executed.

/// The instructions of one run.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub struct Instructions {
    /// All of them.
    pub all: u64,
    /// Those outside of libraries, if that is known.
    pub own: Option<u64>,
}

/// The counts of one size.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct SizeCounts {
    /// The size.
    pub n: u64,
    /// Those of random inputs, rising.
    pub random: Vec<Instructions>,
    /// That of the worst input; absent if the program did not end well on it.
    pub worst: Option<Instructions>,
    /// The length of the worst input, in bytes.
    pub input_bytes: u64,
}

impl SizeCounts {
    /// The median of the random inputs.
    pub fn median(&self) -> Option<Instructions> {
        self.random.get(self.random.len().saturating_sub(1) / 2).copied()
    }

    /// The most of the random inputs.
    pub fn most(&self) -> Option<Instructions> {
        self.random.last().copied()
    }
}
