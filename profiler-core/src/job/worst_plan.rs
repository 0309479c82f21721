//! Goal and limits of a search for the worst input.

use crate::error::{Violation, Violations};
use crate::limits::{
    MAX_WORST_EXECUTIONS, MAX_WORST_TIME, WORST_EXECUTIONS, WORST_SIZE, WORST_TIME,
};
use std::time::Duration;

/// Search that a caller requests, unchecked.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct WorstDraft {
    /// `worst.size`.
    pub n: Option<u64>,
    /// `worst.seed`.
    pub seed: u32,
    /// `worst.executions`.
    pub executions: Option<u32>,
    /// `worst.seconds`.
    pub seconds: Option<f64>,
    /// `worst.goal` and `worst.line`.
    pub goal: WorstGoal,
}

/// Quantity that a search maximizes.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum WorstGoal {
    /// Instructions in user mode.
    #[default]
    Instructions,
    /// The largest resident set without the pages of files, in bytes.
    Memory,
    /// Calls that allocate memory: malloc, new and the like.
    Allocations,
    /// Instructions of this line of the source, from 1, without those of libraries that it calls.
    Line(u32),
}

impl WorstGoal {
    /// Whether costs are instructions.
    pub fn is_instructions(self) -> bool {
        matches!(self, Self::Instructions | Self::Line(_))
    }
}

/// Goal and limits of a search.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct WorstPlan {
    /// The largest size.
    pub n: u64,
    /// The seed of the search and of the first random input.
    pub seed: u32,
    /// Maximum number of inputs that are tried.
    pub executions: u32,
    /// The time after which no further input is tried.
    pub time: Duration,
    /// Quantity to maximize.
    pub goal: WorstGoal,
}

impl WorstPlan {
    /// Checks a draft. Without a size it is [`WORST_SIZE`], or `bound` if that is less. Of the
    /// program's source only the number of lines matters.
    ///
    /// # Errors
    /// All that is wrong, by the names of the fields of a job.
    pub fn try_new(
        draft: &WorstDraft,
        bound: Option<u64>,
        source: &[u8],
    ) -> Result<Self, Violations> {
        let mut bad = Violations::default();
        let mut refuse = |field: &str, problem: String| {
            bad.push(Violation { field: format!("worst.{field}"), problem });
        };
        let executions = draft.executions.unwrap_or(WORST_EXECUTIONS);
        if !(1..=MAX_WORST_EXECUTIONS).contains(&executions) {
            refuse("executions", format!("must lie in 1..={MAX_WORST_EXECUTIONS}"));
        }
        let time = draft.seconds.map_or(Some(WORST_TIME), |seconds| {
            Duration::try_from_secs_f64(seconds).ok().filter(|time| *time <= MAX_WORST_TIME)
        });
        let time = time.unwrap_or_else(|| {
            refuse("seconds", format!("must lie in 0..={}", MAX_WORST_TIME.as_secs()));
            WORST_TIME
        });
        let n = draft.n.unwrap_or(bound.map_or(WORST_SIZE, |bound| bound.min(WORST_SIZE)));
        if let Some(bound) = bound.filter(|&bound| n > bound) {
            refuse("size", format!("{n} is over the bound of {bound}"));
        }
        let lines = source.split(|&byte| byte == b'\n').count();
        if let WorstGoal::Line(line) = draft.goal
            && !(1..=lines).contains(&(line as usize))
        {
            refuse("line", format!("must lie in 1..={lines}, the lines of the source"));
        }
        let plan = Self { n, seed: draft.seed, executions, time, goal: draft.goal };
        if bad.is_empty() { Ok(plan) } else { Err(bad) }
    }
}
