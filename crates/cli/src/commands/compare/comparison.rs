//! The result of a comparison. The fields are the keys of its JSON form.

use super::clock::{Clock, Obstacle};
use serde::Serialize;

/// What B is, relative to A.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub(super) enum Verdict {
    Slower,
    Faster,
    /// No real difference.
    Same,
    /// The measurements cannot be compared.
    Unknown,
}

/// The figure that the verdict rests on.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub(super) enum Basis {
    Time,
    Instructions,
}

/// B over A.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
#[expect(clippy::struct_field_names, reason = "these are the keys of the JSON")]
pub(super) struct Ratio {
    pub(super) ratio: f64,
    /// The ends of its 95 % interval.
    pub(super) low: f64,
    pub(super) high: f64,
    /// The probability of such a difference by chance, corrected for the number of sizes.
    pub(super) p: f64,
}

/// One program at one size: the means of its runs' times and peaks, and the first run's count.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub(super) struct Figures {
    pub(super) outcome: &'static str,
    pub(super) runtime_ms: Option<f64>,
    pub(super) peak_memory_mb: Option<f64>,
    pub(super) instructions: Option<u64>,
}

/// Both programs at one size.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[expect(clippy::struct_field_names, reason = "these are the keys of the JSON")]
pub(super) struct Size {
    pub(super) size: u32,
    pub(super) candidate: u32,
    pub(super) a: Figures,
    pub(super) b: Figures,
    /// The ratio of the times; absent if one is missing.
    pub(super) time: Option<Ratio>,
    /// Whether both programs are too short to compare.
    pub(super) too_short: bool,
    /// Why there is no ratio of the times, although both ended OK.
    pub(super) obstacle: Option<Obstacle>,
    /// The ratio of the instructions, which are exact counts.
    pub(super) instructions_ratio: Option<f64>,
    pub(super) verdict: Verdict,
    pub(super) memory_verdict: Memory,
}

/// How B's peak compares with A's.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub(super) enum Memory {
    More,
    Less,
    Same,
    Unknown,
}

/// The whole comparison.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub(super) struct Comparison {
    pub(super) a: String,
    pub(super) b: String,
    /// The number of runs of each program.
    pub(super) runs: usize,
    pub(super) warnings: Vec<String>,
    pub(super) sizes: Vec<Size>,
    /// The geometric mean over the sizes that are not too short.
    pub(super) geometric_mean: Option<Ratio>,
    /// What B is, at the largest size.
    pub(super) verdict: Verdict,
    pub(super) basis: Basis,
    /// The clock of the times.
    pub(super) clock: Clock,
    /// Why there is no verdict, and what helps; absent if there is a verdict.
    pub(super) unknown_because: Option<String>,
}
