//! What made the program faster when it was tried.

use profiler_statistics::Interval;

/// Changes of the program that were tried at one size.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Advice {
    /// The size at which they were tried; `None` if nothing was tried.
    pub n: Option<u64>,
    /// The index of the candidate input.
    pub candidate: u32,
    /// Those that made the program faster, the largest gain first.
    pub given: Vec<TriedChange>,
    /// The others.
    pub refused: Vec<TriedChange>,
    /// How many further changes were not tried, because there is a limit.
    pub left_out: u32,
    /// Why nothing was tried.
    pub problem: Option<String>,
}

/// A change of the program, and what became of it.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct TriedChange {
    /// What there is now.
    pub found: String,
    /// What takes its place.
    pub remedy: String,
    /// The first changed line, from 1; `None` if only the flags change.
    pub line: Option<u32>,
    /// That line, or the flag that gives way; empty if there is none.
    pub before: String,
    /// What it becomes.
    pub after: String,
    /// How many lines of the source change.
    pub changed_lines: u32,
    /// The share that the lines which the change is about take, 0 to 1. `None` without hotspots.
    pub share: Option<f64>,
    /// What was measured; `None` if the change was given up before.
    pub speedup: Option<Speedup>,
    /// Why it is no advice; `None` if it is.
    pub why_not: Option<String>,
}

/// How much faster a changed program is.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Speedup {
    /// The original's time over the changed program's time.
    pub times: f64,
    /// The interval of this ratio.
    pub interval: Interval,
    /// The original's headline, in milliseconds.
    pub original_ms: f64,
    /// The changed program's headline, in milliseconds.
    pub changed_ms: f64,
    /// On how many of the job's inputs both wrote the same output.
    pub same_outputs: u32,
}
