//! A job that can be run: every field of it has been checked.

use super::draft::{Interactor, OnMemoryLimit, TestCase};
use super::input_candidates::Candidates;
use super::run_limits::RunLimits;
use super::sizes::Sizes;
use crate::figures::ClockRule;
use profiler_growth::Effort;
use std::collections::BTreeMap;
use std::time::Duration;

/// Where the input of a size comes from.
#[derive(Debug, Clone, PartialEq)]
pub enum Inputs {
    /// It is the size: `{n}\n`.
    Size,
    /// The caller gave one for each size.
    Explicit(BTreeMap<u32, Vec<u8>>),
    /// Specs describe them.
    Described(Candidates),
}

/// A job that can be run.
#[derive(Debug, Clone, PartialEq)]
#[expect(clippy::struct_excessive_bools, reason = "each is an option of its own")]
pub struct Job {
    /// The task.
    pub task_id: String,
    /// The attempt.
    pub iteration: u32,
    /// The source.
    pub source: Vec<u8>,
    /// Checked flags.
    pub flags: Vec<String>,
    /// The sizes.
    pub sizes: Sizes,
    /// What the program finds on stdin.
    pub inputs: Inputs,
    /// Limits of one run.
    pub limits: RunLimits,
    /// What a run may take at the bound, where the task says so; the limit above is a little more.
    pub runtime_limit: Option<Duration>,
    /// What a size over the memory limit does to the run.
    pub on_memory_limit: OnMemoryLimit,
    /// Whether to say where the work is done.
    pub debug: bool,
    /// Whether to count instructions.
    pub instructions: bool,
    /// Whether to record allocations.
    pub allocations: bool,
    /// What growth is classified from.
    pub growth: Effort,
    /// Whether the raw samples go out with the report.
    pub raw_samples: bool,
    /// How much of stdout's beginning to keep.
    pub stdout_bytes: u32,
    /// The other side of an interactive task.
    pub interactor: Option<Interactor>,
    /// What is run before the sizes.
    pub test_cases: Vec<TestCase>,
}

impl Job {
    /// How long the longest input is at most, in bytes.
    pub fn input_bytes(&self) -> u64 {
        let longest = match &self.inputs {
            Inputs::Size => 0,
            Inputs::Explicit(inputs) => inputs.values().map(Vec::len).max().unwrap_or(0) as u64,
            Inputs::Described(candidates) => candidates.most_bytes(),
        };
        let tests = self.test_cases.iter().map(|case| case.input.len() as u64);
        tests.fold(longest, u64::max)
    }

    /// How many inputs each size is measured with.
    pub fn candidates(&self) -> u32 {
        match &self.inputs {
            Inputs::Size | Inputs::Explicit(_) => 1,
            Inputs::Described(candidates) => candidates.count(),
        }
    }

    /// How much of memory its source and its inputs take, in bytes.
    pub fn bytes(&self) -> usize {
        let interactor = self.interactor.as_ref().map_or(0, |interactor| interactor.source.len());
        let tests = self.test_cases.iter().map(|case| case.input.len() + case.output.len());
        let tests: usize = tests.sum();
        let inputs = match &self.inputs {
            Inputs::Size => 0,
            Inputs::Explicit(inputs) => inputs.values().map(Vec::len).sum(),
            Inputs::Described(candidates) => candidates.own_bytes(),
        };
        self.source.len() + interactor + tests + inputs
    }

    /// What the job says about the clock of its headline.
    pub(crate) fn clock_rule(&self) -> ClockRule {
        ClockRule { requested: self.limits.clock, interactive: self.interactor.is_some() }
    }
}
