//! Goal and limits of a search for the worst input.

use crate::error::Violations;
use crate::limits::{
    MAX_WORST_EXECUTIONS, MAX_WORST_TIME, WORST_EXECUTIONS, WORST_SIZE, WORST_TIME,
};
use profiler_proto::v1::{self, SourceFile, WorstSearch};
use std::time::Duration;

/// Quantity that a search maximizes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum WorstGoal {
    /// Instructions in user mode.
    Instructions,
    /// Largest resident set without the pages of mapped files, in bytes.
    Memory,
    /// Number of calls that allocate memory: malloc, new and the like.
    Allocations,
    /// Instructions of a line of the source, without those of libraries that it calls.
    Line {
        /// Index of the line's file among the job's files; `None` for the source.
        file: Option<usize>,
        /// The number of the line, from 1.
        line: u32,
    },
}

/// Goal and limits of a search.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct WorstPlan {
    /// Largest size at which the worst input is measured.
    pub n: u64,
    /// The seed of the search and of the first random input.
    pub seed: u32,
    /// Maximum number of inputs that are tried.
    pub executions: u32,
    /// Duration after which no further input is tried.
    pub time: Duration,
    /// Quantity to maximize.
    pub goal: WorstGoal,
}

impl WorstPlan {
    /// Checks a requested search. Its default size is [`WORST_SIZE`], or `bound` if that is less.
    /// Of the program's `source` and `files` only the number of lines matters. A compiled program
    /// has none.
    ///
    /// # Errors
    /// Everything that is wrong, under the names of a job's fields.
    pub fn try_new(
        search: &WorstSearch,
        bound: Option<u64>,
        (source, files): (&[u8], &[SourceFile]),
    ) -> Result<Self, Violations> {
        let mut bad = Violations::default();
        let executions = search.executions.unwrap_or(WORST_EXECUTIONS);
        bad.check((1..=MAX_WORST_EXECUTIONS).contains(&executions), "worst.executions", || {
            format!("must be from 1 to {MAX_WORST_EXECUTIONS}, not {executions}")
        });
        let time = search.seconds.map_or(Some(WORST_TIME), |seconds| {
            Duration::try_from_secs_f64(seconds).ok().filter(|time| *time <= MAX_WORST_TIME)
        });
        bad.check(time.is_some(), "worst.seconds", || {
            format!("must be from 0 to {} seconds", MAX_WORST_TIME.as_secs())
        });
        let n = search.size.unwrap_or(bound.map_or(WORST_SIZE, |bound| bound.min(WORST_SIZE)));
        if let Some(bound) = bound.filter(|&bound| n > bound) {
            bad.add("worst.size", format!("must be at most the bound {bound}, not {n}"));
        }
        let file = files.iter().position(|file| file.path == search.file);
        let goal = match bad.known("worst.goal", search.goal, v1::WorstGoal::Instructions) {
            v1::WorstGoal::Unspecified | v1::WorstGoal::Instructions => WorstGoal::Instructions,
            v1::WorstGoal::Memory => WorstGoal::Memory,
            v1::WorstGoal::Allocations => WorstGoal::Allocations,
            v1::WorstGoal::Line => WorstGoal::Line { file, line: search.line },
        };
        let needs_source = matches!(goal, WorstGoal::Line { .. } | WorstGoal::Allocations);
        bad.check(!needs_source || !source.is_empty(), "worst.goal", || {
            "requires the source: a compiled program can be searched by INSTRUCTIONS or MEMORY"
                .into()
        });
        if let WorstGoal::Line { file, line } = goal {
            let is_known = file.is_some() || search.file.is_empty();
            bad.check(is_known, "worst.file", || {
                format!("must be the path of one of the program's files, not {}", search.file)
            });
            let text = file.map_or(source, |at| files[at].text.as_bytes());
            let lines = text.split(|&byte| byte == b'\n').count();
            bad.check(!is_known || (1..=lines).contains(&(line as usize)), "worst.line", || {
                let of = file.map_or("the source", |_| search.file.as_str());
                format!("must be from 1 to {lines}, the last line of {of}, not {line}")
            });
        } else {
            let why = || "requires the goal LINE".to_owned();
            bad.check(search.line == 0, "worst.line", why);
            bad.check(search.file.is_empty(), "worst.file", why);
        }
        let time = time.unwrap_or_default();
        bad.or(Self { n, seed: search.seed, executions, time, goal })
    }
}
