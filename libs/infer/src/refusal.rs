//! Reasons that nothing is proposed.

use crate::proposal::Proposal;
use std::fmt;

/// Reason that no spec is proposed.
#[derive(Debug, Clone, PartialEq)]
pub enum Refusal {
    /// A sample is none, or has what no spec writes. Numbers count from 1; line 0 is the whole.
    Sample {
        /// The sample.
        number: usize,
        /// Its line.
        line: usize,
        /// Description of the problem.
        problem: String,
    },
    /// No known layout fits the sample of this number.
    Unknown(usize),
    /// Each sample has a known layout, but the sample of this number has not that of the first.
    Differ(usize),
    /// Nothing in the samples is counted, so nothing can grow.
    NothingGrows,
    /// The samples have something that no kind of variable writes.
    NoKind(String),
    /// The samples can be read in several ways.
    Ambiguous {
        /// The likeliest readings, the likeliest first.
        readings: Vec<Proposal>,
        /// The number of all readings.
        count: usize,
    },
    /// The samples have too many readings to try.
    TooMany,
}

impl fmt::Display for Refusal {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Sample { number, line: 0, problem } => write!(f, "sample {number}: {problem}"),
            Self::Sample { number, line, problem } => {
                write!(f, "sample {number}, line {line}: {problem}")
            }
            Self::Unknown(number) => write!(
                f,
                "the layout of sample {number} is none that is known; write the spec by hand, \
                 starting from `swiftprof input --example KIND`"
            ),
            Self::Differ(number) => {
                write!(f, "sample {number} does not have the layout of sample 1")
            }
            Self::NothingGrows => write!(
                f,
                "nothing in the samples says how many values follow, so nothing would grow with n"
            ),
            Self::NoKind(what) => write!(f, "{what}, which no kind of variable writes"),
            Self::TooMany => write!(f, "the samples have too many readings; give shorter samples"),
            Self::Ambiguous { readings, count } => {
                let shown = readings.len();
                let which = if shown < *count {
                    format!("these {shown} likeliest specs")
                } else {
                    "these specs".into()
                };
                write!(
                    f,
                    "the samples can be read in {count} ways; give another sample that only one \
                     of them fits, or take one of {which}"
                )
            }
        }
    }
}

impl std::error::Error for Refusal {}
