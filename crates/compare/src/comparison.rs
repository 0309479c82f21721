//! The result of a comparison. The fields are the keys of its JSON form.

use crate::clock::Obstacle;
use profiler_growth::Class;
use profiler_proto::Word;
use profiler_proto::v1::{Outcome, RuntimeClock};
use serde::{Serialize, Serializer};

/// Verdict on B, relative to A.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Verdict {
    /// B is slower, or it fails where A does not.
    Slower,
    /// B is faster, or A fails where B does not.
    Faster,
    /// No real difference.
    Same,
    /// B writes something different from A, and no checker accepts both, so its figures say nothing
    /// about the task.
    OtherOutput,
    /// The measurements cannot be compared.
    Unknown,
}

/// Requirement on the outputs of the two programs.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Outputs {
    /// Both write the same words, or a checker accepts both outputs.
    Agree,
    /// Any outputs are accepted: the task has several right answers, or nobody reads the output.
    Any,
}

/// The figure that the verdict rests on.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Basis {
    /// The times of both programs on one clock.
    Time,
    /// The exact counts of instructions.
    Instructions,
}

/// Ratio of B's figure to A's.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub struct Ratio {
    /// B's figure over A's.
    pub ratio: f64,
    /// The lower end of its 95 % interval.
    pub low: f64,
    /// The upper end of its 95 % interval.
    pub high: f64,
    /// Probability that chance alone makes a difference this large, corrected for the number of
    /// sizes.
    pub p: f64,
}

/// One program at one size: the means of its runs' times and peaks, and the first run's count.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Figures {
    /// `OK`, or the outcome of the first run that failed.
    pub outcome: &'static str,
    /// The time on the clock of the comparison, in milliseconds.
    pub runtime_ms: Option<f64>,
    /// The peak of memory, in MiB.
    pub peak_memory_mb: Option<f64>,
    /// Whether a run's peak is only that of its largest process.
    pub peak_is_lower_bound: bool,
    /// The exact count of instructions.
    pub instructions: Option<u64>,
    /// The number of lines that the program wrote to the interactor.
    pub questions: Option<u64>,
}

/// Both programs at one size.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Size {
    /// The size n.
    pub size: u64,
    /// The index of the candidate.
    pub candidate: u32,
    /// The first program.
    pub a: Figures,
    /// The second program.
    pub b: Figures,
    /// The ratio of the times; absent if a time is missing.
    pub time: Option<Ratio>,
    /// Whether both programs are too short to compare.
    pub too_short: bool,
    /// Reason why there is no ratio of the times, although both ended OK.
    pub obstacle: Option<Obstacle>,
    /// The ratio of the instructions, which are exact counts.
    pub instructions_ratio: Option<f64>,
    /// Whether both programs write the same words. Absent if a run failed, if the inputs differ, if
    /// the outputs of both vary from run to run, in an interactive task, or if a report lacks the
    /// digest.
    pub same_output: Option<bool>,
    /// Whether a checker accepts the outputs of both programs.
    pub both_accepted: bool,
    /// Verdict on B at this size.
    pub verdict: Verdict,
    /// Comparison of the peaks.
    pub memory_verdict: Memory,
}

impl Figures {
    pub(crate) fn has_failed(&self) -> bool {
        self.outcome != Outcome::Ok.name()
    }
}

impl Size {
    /// Whether neither program ended OK.
    pub fn fails_for_both(&self) -> bool {
        self.a.has_failed() && self.b.has_failed()
    }

    /// Withdraws the verdicts on the figures, because the figures say nothing about the task.
    pub(crate) fn withdraw(&mut self) {
        if self.verdict != Verdict::OtherOutput {
            self.verdict = Verdict::Unknown;
        }
        self.memory_verdict = Memory::Unknown;
    }

    /// Whether A ended OK and B did not.
    pub fn fails_for_b_alone(&self) -> bool {
        !self.a.has_failed() && self.b.has_failed()
    }
}

/// The largest size, if neither program ended OK there with any candidate.
pub(crate) fn failing_for_both(sizes: &[Size]) -> Option<u64> {
    let largest = sizes.iter().map(|size| size.size).max()?;
    let mut there = sizes.iter().filter(|size| size.size == largest);
    there.all(Size::fails_for_both).then_some(largest)
}

/// Comparison of B's peak with A's.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Memory {
    /// B needs more.
    More,
    /// B needs less.
    Less,
    /// No difference beyond noise.
    Same,
    /// A peak is missing.
    Unknown,
}

/// The whole comparison.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Comparison {
    /// The name of the first program.
    pub a: String,
    /// The name of the second program.
    pub b: String,
    /// The number of runs of each program.
    pub runs: usize,
    /// Relative scatter of headlines from run to run, which is assumed if each program has only one
    /// run.
    pub assumed_scatter: f64,
    /// Caveats about the method that a reader must know.
    pub warnings: Vec<String>,
    /// The sizes that all reports have.
    pub sizes: Vec<Size>,
    /// The geometric mean over the sizes that are not too short.
    pub geometric_mean: Option<Ratio>,
    /// The growth class of A's time; absent if it is undecided or differs between the runs.
    #[serde(serialize_with = "name")]
    pub a_growth: Option<Class>,
    /// The growth class of B's time, like that of A.
    #[serde(serialize_with = "name")]
    pub b_growth: Option<Class>,
    /// Verdict on B at the largest size, if both write the same at all sizes.
    pub verdict: Verdict,
    /// Figure that the verdict rests on.
    pub basis: Basis,
    /// The clock of the times.
    #[serde(serialize_with = "word")]
    pub clock: RuntimeClock,
    /// Whether a program is wrong on a test case, or a checker rejects its output at a size, so
    /// that there is no verdict.
    pub wrong_answer: bool,
    /// The smallest size at which B writes something different from A, if that decides the verdict.
    pub other_output_at: Option<u64>,
    /// The deciding size, if it is unknown whether the outputs agree there.
    pub uncompared_at: Option<u64>,
    /// Reason why there is no verdict, and the remedy; absent if there is a verdict.
    pub unknown_because: Option<String>,
}

#[allow(clippy::ref_option, reason = "serde passes a reference")]
fn name<S: Serializer>(class: &Option<Class>, to: S) -> Result<S::Ok, S::Error> {
    class.map(Class::name).serialize(to)
}

#[allow(clippy::trivially_copy_pass_by_ref, reason = "serde passes a reference")]
fn word<S: Serializer>(clock: &RuntimeClock, to: S) -> Result<S::Ok, S::Error> {
    to.serialize_str(clock.word())
}
