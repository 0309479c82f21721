//! Everything that was measured at one size.

use super::verdict::{Evidence, Outcome, Verdict};
use crate::figures::{Figures, GnuTime, Headline, Memory, RuntimeClock};
use crate::job::Point;
use profiler_statistics::Statistics;
use runner_protocol::Sample;

/// Everything measured at one size.
#[derive(Debug, Clone, PartialEq, serde::Serialize)]
pub struct SizeResult {
    /// The input size.
    pub size: u32,
    /// Which of several candidate inputs; 0 where there is one.
    pub candidate: u32,
    /// How many there are at every size.
    pub candidates: u32,
    /// How the program ended.
    pub outcome: Outcome,
    /// Why.
    pub evidence: Evidence,
    /// Statistics over the repetitions that ended OK; absent where none did.
    pub figures: Option<Figures>,
    /// What memory it used, beside the peak; absent where nothing is known.
    pub memory: Option<Memory>,
    /// The headline less that of the start-up, in milliseconds: noise can make it negative. Absent
    /// unless the size ended OK and the start-up is known.
    pub net_runtime_ms: Option<f64>,
    /// Whether the net runtime is too short to tell anything: at most the width of the interval of
    /// the size's headline, or of the start-up's, whichever is more. Absent where the net runtime
    /// is.
    pub below_noise_floor: Option<bool>,
    /// How many instructions it executes; on request, and not before the report is complete.
    pub instructions: Option<Instructions>,
    /// How long the input was; absent if the program was never started.
    pub input_bytes: Option<u64>,
    /// The repetitions that ended OK, in order.
    #[serde(skip)]
    pub samples: Vec<Sample>,
    /// The run under `/usr/bin/time`.
    #[serde(skip)]
    pub warm_up: Option<Sample>,
    /// What `/usr/bin/time -v` said.
    pub gnu_time: Option<GnuTime>,
    /// What went to stdout; absent if the program was never started, or talked to an interactor.
    pub stdout: Option<Output>,
    /// The end of stderr.
    pub stderr_tail: String,
    /// The interactor's part; absent without one.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub interactor: Option<InteractorResult>,
}

/// What an interactor did in the runs of one size.
#[derive(Debug, Clone, PartialEq, serde::Serialize)]
pub struct InteractorResult {
    /// How it ended in the run that decided the size's outcome.
    pub outcome: Outcome,
    /// Why.
    pub evidence: Evidence,
    /// Its figures over the repetitions that ended OK, on the report's clock; absent where none
    /// did.
    pub figures: Option<Figures>,
    /// From the program's start until both had ended, over those repetitions, in milliseconds.
    pub total_wall_ms: Option<Statistics>,
    /// The end of its stderr.
    pub stderr_tail: String,
}

impl SizeResult {
    /// Where that was.
    pub fn point(&self) -> Point {
        Point { size: self.size, candidate: self.candidate }
    }

    /// Whether every run ended OK.
    pub fn is_ok(&self) -> bool {
        self.outcome == Outcome::Ok
    }

    /// The headline runtime, in milliseconds; infinite unless the size ended OK.
    pub fn runtime_ms(&self) -> f64 {
        self.headline(|f| f.headline.ms)
    }

    /// The peak resident set, in MiB; infinite unless the size ended OK.
    pub fn peak_memory_mb(&self) -> f64 {
        self.headline(|f| f.peak_memory_mb.max)
    }

    fn headline(&self, pick: impl Fn(&Figures) -> f64) -> f64 {
        match (&self.figures, self.outcome) {
            (Some(figures), Outcome::Ok) => pick(figures),
            _ => f64::INFINITY,
        }
    }
}

/// An exact count of instructions in user mode.
#[derive(Debug, Clone, Copy, PartialEq, serde::Serialize)]
pub struct Instructions {
    /// How many.
    pub count: u64,
    /// Wall clock of the counted run over the size's headline: what counting cost.
    pub slow_down: f64,
}

/// What a program wrote to stdout.
#[derive(Debug, Clone, PartialEq, Eq, serde::Serialize)]
pub struct Output {
    /// Its length.
    pub bytes: u64,
    /// SHA-256, lower-case hexadecimal.
    pub sha256: String,
    /// Its first bytes, as many as were asked for.
    pub head: Vec<u8>,
}

impl SizeResult {
    /// A size at which the program was not even started.
    pub(crate) fn never_started(point: Point, verdict: Verdict) -> Self {
        Self {
            size: point.size,
            candidate: point.candidate,
            candidates: 1,
            outcome: verdict.outcome,
            evidence: verdict.evidence,
            figures: None,
            memory: None,
            net_runtime_ms: None,
            below_noise_floor: None,
            instructions: None,
            input_bytes: None,
            samples: Vec::new(),
            warm_up: None,
            gnu_time: None,
            stdout: None,
            stderr_tail: String::new(),
            interactor: None,
        }
    }

    /// Puts the figures on `clock`, and takes off the headline what these runs of the empty program
    /// say that starting costs.
    pub(crate) fn settle(&mut self, clock: RuntimeClock, start_up: &[Sample]) {
        self.figures = Figures::of(&self.samples, clock);
        let headline = self.figures.as_ref().map(|figures| figures.headline);
        let both = headline.filter(|_| self.is_ok()).zip(Headline::of(start_up, clock));
        self.net_runtime_ms = both.map(|(size, start)| size.ms - start.ms);
        self.below_noise_floor =
            both.map(|(size, start)| size.ms - start.ms <= size.width_ms().max(start.width_ms()));
    }

    /// One line for the log.
    pub(crate) fn log(&self) {
        let (size, outcome) = (self.size, self.outcome.as_str());
        let (runtime_ms, peak_memory_mb) = (self.runtime_ms(), self.peak_memory_mb());
        if self.outcome == Outcome::Ok {
            tracing::info!(target: "Profiler", size, runtime_ms, peak_memory_mb, "measured");
        } else {
            let evidence = &self.evidence;
            tracing::warn!(target: "Profiler", size, outcome, ?evidence, "measured");
        }
    }
}

/// The largest size that ended OK, with the slowest candidate that did.
pub(crate) fn largest_ok(sizes: &[SizeResult]) -> Option<&SizeResult> {
    let slower = |a: &SizeResult, b: &SizeResult| a.runtime_ms().total_cmp(&b.runtime_ms());
    let ok = sizes.iter().filter(|result| result.is_ok());
    ok.max_by(|a, b| a.size.cmp(&b.size).then(slower(a, b)))
}
