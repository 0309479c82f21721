//! Changes of the program that made it faster when they were tried.

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
    /// Number of further changes that were not tried, because there is a limit.
    pub left_out: u32,
    /// Reason why nothing was tried.
    pub problem: Option<String>,
}

/// A change of the program, and what became of it.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct TriedChange {
    /// Description of the present state.
    pub found: String,
    /// Description of its replacement.
    pub remedy: String,
    /// The first changed line, from 1; `None` if only the flags change.
    pub line: Option<u32>,
    /// Present text of that line, or the flag that gives way; empty if there is none.
    pub before: String,
    /// Text of that line, or the flag, after the change.
    pub after: String,
    /// Number of source lines that change.
    pub changed_lines: u32,
    /// The share that the lines which the change is about take, 0 to 1. `None` without hotspots.
    pub share: Option<f64>,
    /// Measured speedup; `None` if the change was given up before it was measured.
    pub speedup: Option<Speedup>,
    /// Reason why it is no advice; `None` if it is.
    pub why_not: Option<String>,
}

/// Speedup of a changed program over the original.
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
