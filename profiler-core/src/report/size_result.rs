//! Everything that was measured at one size.

use super::evidence::{Evidence, Verdict};
use super::outcome::Outcome;
use crate::figures::units::mib;
use crate::figures::{Figures, GnuTime, Memory, Runs, RuntimeClock, TwoWays, valid_samples};
use crate::job::Point;
use profiler_statistics::Statistics;
use runner_protocol::{HELD_SLACK_BYTES, Sample};

/// Everything measured at one size.
#[derive(Debug, Clone, PartialEq, serde::Serialize)]
pub struct SizeResult {
    /// The input size.
    pub size: u64,
    /// The index of the candidate input; 0 if there is only one.
    pub candidate: u32,
    /// The number of candidates at every size.
    pub candidates: u32,
    /// Ending of the program.
    pub outcome: Outcome,
    /// The evidence for the outcome.
    pub evidence: Evidence,
    /// Statistics of the repetitions that ended OK; absent if none did. If the program behaves in
    /// two ways, they are those of the slower runs, and the warm-up is one of the runs.
    pub figures: Option<Figures>,
    /// Statistics of the faster runs if the program behaves in two ways; absent otherwise.
    pub faster_figures: Option<Box<Figures>>,
    /// Memory figures in addition to the peak; absent without a memory probe.
    pub memory: Option<Memory>,
    /// The headline minus the start-up's headline, in milliseconds. Noise can make it negative.
    /// Absent unless the size ended OK and the start-up is known.
    pub net_runtime_ms: Option<f64>,
    /// Whether the net runtime is too short to be distinguished from noise. It is if it is at most
    /// the size's [noise](Figures::noise_ms), or the start-up's, whichever is more. Absent without
    /// a net runtime.
    pub below_noise_floor: Option<bool>,
    /// The instruction count, if the request asks for it. Events do not have it yet.
    pub instructions: Option<Instructions>,
    /// The length of the input in bytes; absent if the program was never started.
    pub input_bytes: Option<u64>,
    /// The samples of the repetitions that ended OK, in order.
    #[serde(skip)]
    pub samples: Vec<Sample>,
    /// The sample of the warm-up, which ran under `/usr/bin/time`.
    #[serde(skip)]
    pub warm_up: Option<Sample>,
    /// The sample of a further run in a sandbox in which nothing else had run.
    #[serde(skip)]
    pub cold_run: Option<Sample>,
    /// Whether that run did not end OK, unlike the others.
    #[serde(skip)]
    pub fails_cold: bool,
    /// Whether some repetition wrote another output than the first run.
    #[serde(skip)]
    pub outputs_differ: bool,
    /// Whether the program worked clearly longer in the memory probe than in every other run.
    #[serde(skip)]
    pub works_in_probe: bool,
    /// The output of `/usr/bin/time -v`.
    pub gnu_time: Option<GnuTime>,
    /// The program's stdout; absent if the program was never started or talked to an interactor.
    pub stdout: Option<Output>,
    /// The end of stderr.
    pub stderr_tail: String,
    /// The interactor's result; absent without an interactor.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub interactor: Option<InteractorResult>,
}

/// Result of an interactor in the runs of one size.
#[derive(Debug, Clone, PartialEq, serde::Serialize)]
pub struct InteractorResult {
    /// Ending of the interactor in the run that determined the size's outcome.
    pub outcome: Outcome,
    /// The evidence for the outcome.
    pub evidence: Evidence,
    /// The interactor's figures over the repetitions that ended OK, on the report's clock; absent
    /// if none did.
    pub figures: Option<Figures>,
    /// Wall clock from the program's start until both processes ended, over those repetitions, in
    /// milliseconds.
    pub total_wall_ms: Option<Statistics>,
    /// The end of the interactor's stderr.
    pub stderr_tail: String,
}

impl SizeResult {
    /// The size and candidate of this result.
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

    /// The peak resident set of the repetitions, or what the program held in another run if that is
    /// clearly more, in MiB; infinite unless the size ended OK.
    pub fn peak_memory_mb(&self) -> f64 {
        self.headline(|f| self.held_mb().unwrap_or(f.peak_memory_mb.max))
    }

    /// Whether a memory cgroup counted what all processes held together, in a repetition or in the
    /// probe. If not, the peak is that of the largest process alone.
    pub fn peak_is_counted(&self) -> bool {
        self.memory.is_some_and(|memory| memory.cgroup_peak_mb.is_some())
            || self.samples.iter().any(|sample| sample.held_bytes > 0)
    }

    /// Returns the most memory that the program held in any run, in MiB, if it exceeds the peak
    /// resident set of the repetitions by more than [`HELD_SLACK_BYTES`]. Only a memory cgroup
    /// counts all that several processes hold, and what is in no resident set.
    pub(crate) fn held_mb(&self) -> Option<f64> {
        let resident = self.figures.as_ref()?.peak_memory_mb.max;
        let warm_up = self.warm_up.map_or(0.0, |sample| mib(sample.peak_rss_bytes));
        let probe = self.memory.and_then(|memory| memory.cgroup_peak_mb).unwrap_or(0.0);
        let samples = self.samples.iter().chain(&self.warm_up);
        let timed = samples.map(|sample| mib(sample.held_bytes)).fold(0.0, f64::max);
        let held = probe.max(warm_up).max(timed);
        (held > resident + mib(HELD_SLACK_BYTES)).then_some(held)
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
    /// The number of instructions.
    pub count: u64,
    /// Those outside of libraries; absent where the program is static.
    pub own: Option<u64>,
    /// The counted run's wall clock divided by the size's headline.
    pub slow_down: f64,
}

/// Output of a program to stdout.
#[derive(Debug, Clone, PartialEq, Eq, serde::Serialize)]
pub struct Output {
    /// The length of stdout, in bytes.
    pub bytes: u64,
    /// SHA-256, lower-case hexadecimal.
    pub sha256: String,
    /// SHA-256 of the words, with a line feed after each word, lower-case hexadecimal. Blanks
    /// between words do not change it.
    pub words_sha256: String,
    /// Whether another run of the size wrote other words.
    pub varies: bool,
    /// The first bytes of stdout, as many as the request asks for.
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
            faster_figures: None,
            memory: None,
            net_runtime_ms: None,
            below_noise_floor: None,
            instructions: None,
            input_bytes: None,
            samples: Vec::new(),
            warm_up: None,
            cold_run: None,
            fails_cold: false,
            outputs_differ: false,
            works_in_probe: false,
            gnu_time: None,
            stdout: None,
            stderr_tail: String::new(),
            interactor: None,
        }
    }

    /// A size that was left out.
    pub(crate) fn not_run(point: Point) -> Self {
        Self::never_started(point, Verdict::not_run())
    }

    /// Makes a size that ended OK one that failed in a further run.
    pub(crate) fn fail(&mut self, verdict: Verdict) {
        self.outcome = verdict.outcome;
        self.evidence = verdict.evidence;
        self.net_runtime_ms = None;
        self.below_noise_floor = None;
    }

    /// Computes the figures on `clock`, and the net runtime from these runs of the empty program.
    pub(crate) fn settle(&mut self, clock: RuntimeClock, start_up: &[Sample]) {
        if let Some(TwoWays { faster, slower }) = self.two_ways() {
            self.figures = Figures::from_samples(&slower, clock);
            self.faster_figures = Figures::from_samples(&faster, clock).map(Box::new);
        } else {
            self.figures = Figures::from_samples(&valid_samples(&self.samples, clock), clock);
        }
        let figures = self.figures.as_ref().filter(|_| self.is_ok());
        let both = figures.zip(Figures::from_samples(start_up, clock));
        let net = both.map(|(size, start)| {
            let net_ms = size.headline.ms - start.headline.ms;
            (net_ms, net_ms <= size.noise_ms().max(start.noise_ms()))
        });
        (self.net_runtime_ms, self.below_noise_floor) = net.unzip();
    }

    /// The two ways in which the program behaves at this size; `None` if all runs did the same work
    /// as far as their processor times tell.
    pub(crate) fn two_ways(&self) -> Option<TwoWays> {
        self.ways(self.cold_run.as_ref())
    }

    /// Whether a cold run did the same work as the measured runs.
    pub(crate) fn agrees_with(&self, cold_run: &Sample) -> bool {
        self.ways(Some(cold_run)).is_none()
    }

    fn ways(&self, cold_run: Option<&Sample>) -> Option<TwoWays> {
        let mut all = cold_run.into_iter().chain(&self.warm_up).chain(&self.samples).copied();
        let first = cold_run.or(self.warm_up.as_ref()).and_then(|_| all.next());
        let runs = Runs {
            warm_up: first.as_ref(),
            repetitions: &all.collect::<Vec<_>>(),
            interactive: self.interactor.is_some(),
            outputs_differ: self.outputs_differ,
        };
        self.is_ok().then(|| TwoWays::find(runs))?
    }

    /// One line for the log.
    pub(crate) fn log(&self) {
        let (size, outcome) = (self.size, self.outcome.as_str());
        let (runtime_ms, peak_memory_mb) = (self.runtime_ms(), self.peak_memory_mb());
        if matches!(self.outcome, Outcome::Ok | Outcome::NotRun) {
            tracing::info!(target: "Profiler", size, outcome, runtime_ms, peak_memory_mb, "measured");
            return;
        }
        let Evidence { met, killed_by, signal, exit_code, .. } = &self.evidence;
        let ended_by = killed_by.as_str();
        let limit = met.map(|met| met.kind.as_str());
        let (limit_value, value) = met.map(|met| (met.limit, met.met)).unzip();
        tracing::info!(
            target: "Profiler", size, outcome, limit, limit_value, value, ended_by, signal,
            exit_code, "measured"
        );
    }
}

/// The result of the largest size that ended OK, and of its slowest candidate.
pub(crate) fn largest_ok(sizes: &[SizeResult]) -> Option<&SizeResult> {
    let slower = |a: &SizeResult, b: &SizeResult| a.runtime_ms().total_cmp(&b.runtime_ms());
    let ok = sizes.iter().filter(|result| result.is_ok());
    ok.max_by(|a, b| a.size.cmp(&b.size).then(slower(a, b)))
}
