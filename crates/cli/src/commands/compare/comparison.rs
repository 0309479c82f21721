//! The result of a comparison. The fields are the keys of its JSON form.

use super::clock::{Clock, Obstacle};
use profiler_export::outcome_name;
use profiler_proto::v1::Outcome;
use serde::Serialize;

/// What B is, relative to A.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub(in crate::commands) enum Verdict {
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
pub(in crate::commands) enum Basis {
    Time,
    Instructions,
}

/// B over A.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
#[expect(clippy::struct_field_names, reason = "these are the keys of the JSON")]
pub(in crate::commands) struct Ratio {
    pub(in crate::commands) ratio: f64,
    /// The ends of its 95 % interval.
    pub(in crate::commands) low: f64,
    pub(in crate::commands) high: f64,
    /// The probability of such a difference by chance, corrected for the number of sizes.
    pub(in crate::commands) p: f64,
}

/// One program at one size: the means of its runs' times and peaks, and the first run's count.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub(in crate::commands) struct Figures {
    pub(in crate::commands) outcome: &'static str,
    pub(in crate::commands) runtime_ms: Option<f64>,
    pub(in crate::commands) peak_memory_mb: Option<f64>,
    pub(in crate::commands) instructions: Option<u64>,
}

/// Both programs at one size.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[expect(clippy::struct_field_names, reason = "these are the keys of the JSON")]
pub(in crate::commands) struct Size {
    pub(in crate::commands) size: u64,
    pub(in crate::commands) candidate: u32,
    pub(in crate::commands) a: Figures,
    pub(in crate::commands) b: Figures,
    /// The ratio of the times; absent if one is missing.
    pub(in crate::commands) time: Option<Ratio>,
    /// Whether both programs are too short to compare.
    pub(in crate::commands) too_short: bool,
    /// Why there is no ratio of the times, although both ended OK.
    pub(in crate::commands) obstacle: Option<Obstacle>,
    /// The ratio of the instructions, which are exact counts.
    pub(in crate::commands) instructions_ratio: Option<f64>,
    pub(in crate::commands) verdict: Verdict,
    pub(in crate::commands) memory_verdict: Memory,
}

impl Figures {
    fn has_failed(&self) -> bool {
        self.outcome != outcome_name(Outcome::Ok)
    }
}

impl Size {
    /// Whether neither program ended OK.
    pub(in crate::commands) fn fails_for_both(&self) -> bool {
        self.a.has_failed() && self.b.has_failed()
    }

    /// Takes the verdicts back, because the figures say nothing of the task.
    pub(super) fn withdraw(&mut self) {
        self.verdict = Verdict::Unknown;
        self.memory_verdict = Memory::Unknown;
    }

    /// Whether A ended OK and B did not.
    pub(in crate::commands) fn fails_for_b_alone(&self) -> bool {
        !self.a.has_failed() && self.b.has_failed()
    }
}

/// The largest size, if neither program ended OK there with any candidate.
pub(in crate::commands) fn failing_for_both(sizes: &[Size]) -> Option<u64> {
    let largest = sizes.iter().map(|size| size.size).max()?;
    let mut there = sizes.iter().filter(|size| size.size == largest);
    there.all(Size::fails_for_both).then_some(largest)
}

/// How B's peak compares with A's.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub(in crate::commands) enum Memory {
    More,
    Less,
    Same,
    Unknown,
}

/// The whole comparison.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub(in crate::commands) struct Comparison {
    pub(in crate::commands) a: String,
    pub(in crate::commands) b: String,
    /// The number of runs of each program.
    pub(in crate::commands) runs: usize,
    pub(in crate::commands) warnings: Vec<String>,
    pub(in crate::commands) sizes: Vec<Size>,
    /// The geometric mean over the sizes that are not too short.
    pub(in crate::commands) geometric_mean: Option<Ratio>,
    /// What B is, at the largest size.
    pub(in crate::commands) verdict: Verdict,
    pub(in crate::commands) basis: Basis,
    /// The clock of the times.
    pub(in crate::commands) clock: Clock,
    /// Why there is no verdict, and what helps; absent if there is a verdict.
    pub(in crate::commands) unknown_because: Option<String>,
}
