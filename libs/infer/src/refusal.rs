//! Reasons why no spec is proposed.

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
        "sample {number} has no known layout{}; write the spec by hand, starting from \
         `swiftprof input --example KIND`",
        failing(*line, word)
    )]
    Unknown {
        /// Number of the sample.
        number: usize,
        /// Number of the line at which every reading fails. 0: unknown.
        line: usize,
        /// The word at which every reading fails. Empty: the end of the line.
        word: String,
    },
    /// Each sample has a known layout, but the sample with this number does not have the layout of
    /// the first sample.
    #[error("sample {0} does not have the layout of sample 1")]
    Differ(usize),
    /// The samples have too many readings to try, and none of those that were tried fits.
    #[error(
        "no reading was found before the search gave up; add a shorter sample, such as one with \
         n = 2"
    )]
    TooMany,
}

fn of_line(line: usize) -> String {
    if line == 0 { String::new() } else { format!(", line {line}") }
}

fn failing(line: usize, word: &str) -> String {
    match (line, word) {
        (0, _) => String::new(),
        (line, "") => format!(": every reading fails at the end of line {line}"),
        (line, word) => format!(": every reading fails at `{word}` on line {line}"),
    }
}
