//! Reasons why no spec is proposed.

use crate::proposal::Proposal;

/// Reason why no spec is proposed.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
pub enum Refusal {
    /// A sample is empty or too long, or contains something that no spec can write. Samples and
    /// lines are counted from 1. Line 0 stands for the whole sample.
    #[error("sample {number}{}: {problem}", of_line(*line))]
    Sample {
        /// Number of the sample.
        number: usize,
        /// Number of the line in the sample.
        line: usize,
        /// Description of the problem.
        problem: String,
    },
    /// No known layout fits the sample with this number.
    #[error(
        "sample {0} has no known layout; write the spec by hand, starting from \
         `swiftprof input --example KIND`"
    )]
    Unknown(usize),
    /// Each sample has a known layout, but the sample with this number does not have the layout of
    /// the first sample.
    #[error("sample {0} does not have the layout of sample 1")]
    Differ(usize),
    /// No number in the samples counts anything, so nothing can grow with n.
    #[error("nothing in the samples says how many values follow, so nothing would grow with n")]
    NothingGrows,
    /// The samples contain something that no kind of variable can write.
    #[error("{0}, which no kind of variable writes")]
    NoKind(String),
    /// The samples can be read in several ways.
    #[error(
        "the samples can be read in {count} ways; give another sample that fits only one of them, \
         or use one of {}",
        these(readings.len(), *count)
    )]
    Ambiguous {
        /// Specs of the likeliest readings, in order of likelihood.
        readings: Vec<Proposal>,
        /// The number of all readings.
        count: usize,
    },
    /// The samples have too many readings to try.
    #[error(
        "the samples have too many readings to try; put a small sample first, such as one with \
         n = 2"
    )]
    TooMany,
}

fn of_line(line: usize) -> String {
    if line == 0 { String::new() } else { format!(", line {line}") }
}

fn these(shown: usize, count: usize) -> String {
    if shown < count { format!("these {shown} likeliest specs") } else { "these specs".into() }
}
