//! The result of a search for the input on which a program costs most.

use crate::job::WorstGoal;
use profiler_growth::Classification;
use profiler_input::Spec;
use std::time::Duration;

/// The worst input that was found. All costs have the unit of [`WorstInput::goal`].
#[derive(Debug, Clone, PartialEq)]
pub struct WorstInput {
    /// Quantity to maximize.
    pub goal: WorstGoal,
    /// The largest size at which the input was measured. The next two costs are of this size. If
    /// there is none, they are of the searched size.
    pub measured_n: Option<u64>,
    /// The size at which inputs were tried.
    pub searched_n: u64,
    /// Cost of the worst input; absent if the program ended well on none.
    pub cost: Option<u64>,
    /// Costs of random inputs.
    pub random: Option<RandomCosts>,
    /// Growth of random inputs and of the worst ones. Absent if the input was found at one n only.
    pub growth: Option<Box<[Classification; 2]>>,
    /// Description of the input; empty if only its seed makes it the worst.
    pub looks: Vec<String>,
    /// A spec whose inputs of every size look like this. Its seed is the right one.
    pub spec: Option<Spec>,
    /// The first [`SHOWN_BYTES`] of the input.
    pub input: Vec<u8>,
    /// The length of the input, in bytes.
    pub input_bytes: u64,
    /// The line on which the worst input executes most more instructions than a random one. Only
    /// looked for if instructions are the goal.
    pub line: Option<SlowLine>,
    /// The costs at each measured size, rising.
    pub points: Vec<SizeCosts>,
    /// Number of all measured runs.
    pub executions: u32,
    /// Number of these that the search made.
    pub searched_executions: u32,
    /// Duration of the search, without compiling and without what followed.
    pub took: Duration,
    /// The seed of the search, and of the first random input.
    pub seed: u32,
    /// Reason for the end of the search; `None` while it goes on, or if it was interrupted.
    pub end: Option<SearchEnd>,
    /// Reason why nothing was found, or why it is uncertain.
    pub problem: Option<String>,
    /// The inputs on which the program did not end well.
    pub failures: Option<FailedInputs>,
}

/// Maximum number of an input's bytes in a report.
pub const SHOWN_BYTES: usize = 4 << 10;

/// Costs of random inputs of one size.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct RandomCosts {
    /// Their median.
    pub median: u64,
    /// The most of them.
    pub most: u64,
}

/// Cost of one run.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub struct RunCost {
    /// All of it.
    pub all: u64,
    /// Of instructions, those outside of libraries, if that is known.
    pub own: Option<u64>,
}

/// The costs at one size.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct SizeCosts {
    /// The size.
    pub n: u64,
    /// Those of random inputs, rising.
    pub random: Vec<RunCost>,
    /// Cost of the worst input; absent if the program did not end well on it.
    pub worst: Option<RunCost>,
    /// The length of the worst input, in bytes.
    pub input_bytes: u64,
}

impl SizeCosts {
    /// The median of the random inputs.
    pub fn median(&self) -> Option<RunCost> {
        self.random.get(self.random.len().saturating_sub(1) / 2).copied()
    }

    /// The median and the most of the random inputs.
    pub fn of_random(&self) -> Option<RandomCosts> {
        let most = self.random.last()?.all;
        Some(RandomCosts { median: self.median()?.all, most })
    }
}

/// A line of the source, and what it costs.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SlowLine {
    /// Its number, from 1.
    pub line: u32,
    /// The function that it is in.
    pub function: String,
    /// The size at which it was counted.
    pub n: u64,
    /// Its instructions on the worst input, with those of libraries that it calls.
    pub worst: u64,
    /// Its instructions on a random input.
    pub random: u64,
}

/// Reason for the end of a search.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum SearchEnd {
    /// The allowed number of inputs was tried.
    Executions,
    /// The time is over.
    Time,
    /// Nothing got better for a long time, or there is no other input.
    NothingBetter,
}

/// The inputs on which a program did not end well.
#[derive(Debug, Clone, PartialEq)]
pub struct FailedInputs {
    /// Number of these inputs.
    pub count: u32,
    /// Ending of the program on the first of them.
    pub ended: String,
    /// The size of the first one.
    pub n: u64,
    /// Description of the first one.
    pub looks: Vec<String>,
    /// The spec that makes it.
    pub spec: Option<Spec>,
}
