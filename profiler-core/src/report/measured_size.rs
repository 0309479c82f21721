//! Everything that was measured at one size.

use super::verdict::Verdict;
use crate::figures::units::{hex, mib, ms};
use crate::figures::{
    GnuTime, Runs, RuntimeClock, TwoWays, message, noise_ms, published_sample, size_figures,
    valid_samples,
};
use crate::job::Point;
use profiler_proto::Word;
use profiler_proto::v1::{self, Outcome};
use runner_protocol::{HELD_SLACK_BYTES, Memory, Sample};
use sha2::{Digest, Sha256};
use std::time::Duration;

/// The length of an input in bytes, and its SHA-256.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Fed {
    pub(crate) bytes: u64,
    pub(crate) sha256: [u8; 32],
}

impl Fed {
    pub(crate) fn of(input: &[u8]) -> Self {
        Self { bytes: input.len() as u64, sha256: Sha256::digest(input).into() }
    }
}

/// An exact count of instructions in user mode.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Instructions {
    /// The number of instructions.
    pub(crate) count: u64,
    /// Number of instructions outside of libraries; absent if the program is static.
    pub(crate) own: Option<u64>,
    /// The count minus that of the empty program; absent if it is negative, or if the empty program
    /// was not counted.
    pub(crate) net: Option<u64>,
    /// The counted run's wall clock divided by the size's headline.
    pub(crate) slow_down: f64,
    /// The counted run's processor time, in milliseconds.
    pub(crate) cpu_ms: f64,
}

/// An exact count of the instructions of a test case.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct CaseCount {
    /// The number of instructions.
    pub(crate) all: u64,
    /// Number of instructions outside of libraries; absent if the program is static.
    pub(crate) own: Option<u64>,
    /// The count minus that of the empty program; absent if it is negative, or if the empty program
    /// was not counted.
    pub(crate) net: Option<u64>,
}

/// Costs of an empty program, which every program has too.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct StartUpCosts {
    /// Number of instructions; absent if they were not counted.
    pub(crate) instructions: Option<u64>,
    /// Median user time, in milliseconds.
    pub(crate) user_ms: f64,
}

/// A memory probe that follows the timed runs of all sizes.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct PlannedProbe {
    /// Expected duration: the median of the timed runs.
    pub(crate) takes: Duration,
    /// Time limit.
    pub(crate) within: Duration,
}

/// The findings of a memory probe.
#[derive(Debug)]
pub(crate) struct ProbeFindings {
    /// The memory; absent if the sandbox cannot read it.
    pub(crate) memory: Option<Memory>,
    /// The verdict if the probe exceeded the memory limit. No other run reads the memory of all
    /// processes as often, so it is the verdict of the size.
    pub(crate) over_limit: Option<Verdict>,
}

/// Everything measured at one size.
#[derive(Debug, Clone, Default, PartialEq)]
pub(crate) struct MeasuredSize {
    /// The input size.
    pub(crate) size: u64,
    /// The index of the candidate input; 0 if there is only one.
    pub(crate) candidate: u32,
    /// The number of candidates at every size.
    pub(crate) candidates: u32,
    /// Outcome of the size, and the evidence for it.
    pub(crate) verdict: Verdict,
    /// Statistics of the repetitions that ended OK; absent if none did. If the program behaves in
    /// two ways, they are those of the slower runs, and the warm-up is one of the runs.
    pub(crate) figures: Option<v1::Figures>,
    /// Statistics of the faster runs if the program behaves in two ways; absent otherwise.
    pub(crate) faster_figures: Option<Box<v1::Figures>>,
    /// Memory that a probe saw; absent without a probe.
    pub(crate) memory: Option<Memory>,
    /// The headline minus the start-up's headline, in milliseconds. Noise can make it negative.
    /// Absent unless the size ended OK and the start-up is known.
    pub(crate) net_runtime_ms: Option<f64>,
    /// Whether the net runtime is too short to be distinguished from noise. It is if it is at most
    /// the size's [noise](noise_ms), or the start-up's, whichever is more. Absent without a
    /// net runtime.
    pub(crate) below_noise_floor: Option<bool>,
    /// The instruction count, if the request asks for it. Events do not have it yet.
    pub(crate) instructions: Option<Instructions>,
    /// The input; absent if the program was never started.
    pub(crate) fed: Option<Fed>,
    /// The samples of the repetitions that ended OK, in order.
    pub(crate) samples: Vec<Sample>,
    /// The sample of the warm-up.
    pub(crate) warm_up: Option<Sample>,
    /// The sample of a further run in a sandbox in which nothing else had run.
    pub(crate) cold_run: Option<Sample>,
    /// Whether the cold run did not end OK, unlike the other runs.
    pub(crate) fails_cold: bool,
    /// Whether some repetition wrote a different output from the first run.
    pub(crate) outputs_differ: bool,
    /// The memory probe that the size is due; absent if it is due none, or none any more.
    pub(crate) probe: Option<PlannedProbe>,
    /// Figures that `/usr/bin/time -v` printed.
    pub(crate) gnu_time: Option<GnuTime>,
    /// The program's stdout; absent if the program was never started or talked to an interactor.
    pub(crate) stdout: Option<v1::Output>,
    /// The end of stderr.
    pub(crate) stderr_tail: String,
    /// The interactor's result; absent without an interactor.
    pub(crate) interactor: Option<v1::InteractorResult>,
    /// The number of lines that the program wrote to the interactor; absent if it is unknown.
    pub(crate) questions: Option<u64>,
    /// The checker's judgement of the output; absent if the job asks for none. Events do not have
    /// it yet.
    pub(crate) output_check: Option<Box<v1::TestCaseResult>>,
}

/// A run that ended OK in a sandbox in which nothing else had run.
#[derive(Debug, Clone, Copy)]
pub(crate) struct ColdRun {
    pub(crate) sample: Sample,
    /// Whether the run wrote other words than the measured runs, although the output does not vary
    /// from run to run.
    pub(crate) writes_otherwise: bool,
}

impl MeasuredSize {
    /// The size and candidate of this result.
    pub(crate) fn point(&self) -> Point {
        Point { size: self.size, candidate: self.candidate }
    }

    /// Whether every run ended OK.
    pub(crate) fn is_ok(&self) -> bool {
        self.verdict.outcome == Outcome::Ok
    }

    /// The figures if the size ended OK.
    pub(crate) fn ok_figures(&self) -> Option<&v1::Figures> {
        self.figures.as_ref().filter(|_| self.is_ok())
    }

    /// The headline runtime, in milliseconds; infinite unless the size ended OK.
    pub(crate) fn runtime_ms(&self) -> f64 {
        self.ok_figures().and_then(|it| it.headline).map_or(f64::INFINITY, |it| it.ms)
    }

    /// The median user time, in milliseconds; 0 unless the size ended OK.
    pub(crate) fn user_ms(&self) -> f64 {
        self.ok_figures().and_then(|it| it.user_ms).map_or(0.0, |it| it.median)
    }

    /// Returns the longest time that a timed run spent in the kernel, in milliseconds.
    pub(crate) fn most_sys_ms(&self) -> f64 {
        self.samples.iter().map(|run| ms(run.sys_ns)).fold(0.0, f64::max)
    }

    /// Returns the peak memory, in MiB: the peak resident set of the repetitions, or what the
    /// program held in any run if that is clearly more. Infinite unless the size ended OK.
    pub(crate) fn peak_memory_mb(&self) -> f64 {
        let peak = self.ok_figures().and_then(|it| it.peak_memory_mb);
        peak.map_or(f64::INFINITY, |peak| self.held_mb().unwrap_or(peak.max))
    }

    /// Whether a memory cgroup counted what all processes held together, in a repetition or in the
    /// probe. If not, the peak is that of the largest process alone.
    pub(crate) fn peak_is_counted(&self) -> bool {
        self.memory.is_some_and(|memory| memory.cgroup_peak_bytes.is_some())
            || self.samples.iter().any(|sample| sample.held_bytes > 0)
    }

    /// Returns the most memory that the program held in any run, in MiB, if it exceeds the peak
    /// resident set of the repetitions by more than [`HELD_SLACK_BYTES`]. Only a memory cgroup
    /// counts all that several processes hold, and memory that is in no resident set.
    pub(crate) fn held_mb(&self) -> Option<f64> {
        let resident = self.figures.as_ref()?.peak_memory_mb?.max;
        let others = self.warm_up.iter().chain(&self.cold_run);
        let others = others.map(|sample| mib(sample.peak_rss_bytes)).fold(0.0, f64::max);
        let probe = self.memory.and_then(|memory| memory.cgroup_peak_bytes).map_or(0.0, mib);
        let samples = self.samples.iter().chain(&self.warm_up).chain(&self.cold_run);
        let timed = samples.map(|sample| mib(sample.held_bytes)).fold(0.0, f64::max);
        let held = probe.max(others).max(timed);
        (held > resident + mib(HELD_SLACK_BYTES)).then_some(held)
    }

    /// Returns the wall clock of the first run; 0 if none ended OK.
    pub(crate) fn first_run(&self) -> Duration {
        self.first_sample().map_or(Duration::ZERO, |sample| Duration::from_nanos(sample.wall_ns))
    }

    /// Returns the wall clock of all runs after the first.
    pub(crate) fn repetitions_time(&self) -> Duration {
        // A warm-up without repetitions is also the only sample.
        let repetitions = self.samples.iter().filter(|&sample| Some(sample) != self.first_sample());
        repetitions.map(|sample| Duration::from_nanos(sample.wall_ns)).sum()
    }

    fn first_sample(&self) -> Option<&Sample> {
        self.warm_up.as_ref().or(self.samples.first())
    }

    /// Returns how many bytes of its input the program had read at the end of each repetition, by
    /// the position of stdin. `None` if the position was 0 after one of them, so it is unknown.
    pub(crate) fn input_read_bytes(&self) -> Option<u64> {
        let least = self.samples.iter().map(|sample| sample.stdin_position).min()?;
        // A program can also move stdin beyond its end.
        (least > 0).then_some(least.min(self.fed?.bytes))
    }

    /// A size at which the program was not even started.
    pub(crate) fn never_started(point: Point, verdict: Verdict) -> Self {
        Self {
            size: point.size,
            candidate: point.candidate,
            candidates: 1,
            verdict,
            ..Self::default()
        }
    }

    /// A size that was left out.
    pub(crate) fn not_run(point: Point) -> Self {
        Self::never_started(point, Verdict::not_run())
    }

    /// Turns a size that ended OK into one that failed in a further run.
    pub(crate) fn fail(&mut self, verdict: Verdict) {
        self.verdict = verdict;
        self.net_runtime_ms = None;
        self.below_noise_floor = None;
    }

    /// Computes the figures on `clock`, and the net runtime from these runs of the empty program.
    pub(crate) fn settle(&mut self, clock: RuntimeClock, start_up: &[Sample]) {
        if let Some(TwoWays { faster, slower }) = self.two_ways() {
            self.figures = size_figures(&slower, clock);
            self.faster_figures = size_figures(&faster, clock).map(Box::new);
        } else {
            self.figures = size_figures(&valid_samples(&self.samples, clock), clock);
        }
        let both = self.ok_figures().zip(size_figures(start_up, clock));
        let net = both.and_then(|(size, start)| {
            let net_ms = size.headline?.ms - start.headline?.ms;
            Some((net_ms, net_ms <= noise_ms(size)?.max(noise_ms(&start)?)))
        });
        (self.net_runtime_ms, self.below_noise_floor) = net.unzip();
    }

    /// The two ways in which the program behaves at this size; `None` if, by their processor times,
    /// all runs did the same work.
    pub(crate) fn two_ways(&self) -> Option<TwoWays> {
        self.ways(self.cold_run.as_ref(), self.outputs_differ)
    }

    /// Whether the program behaves in one way only because a slow run counts as noise.
    pub(crate) fn forgives_a_slow_run(&self) -> bool {
        self.two_ways().is_none() && self.ways(self.cold_run.as_ref(), true).is_some()
    }

    /// The two ways of this size if a cold run did not do the same work as the measured runs.
    pub(crate) fn contradicted_by(&self, cold_run: &Sample) -> Option<TwoWays> {
        self.ways(Some(cold_run), self.outputs_differ)
    }

    fn ways(&self, cold_run: Option<&Sample>, every_run_counts: bool) -> Option<TwoWays> {
        let mut all = cold_run.into_iter().chain(&self.warm_up).chain(&self.samples).copied();
        let first = cold_run.or(self.warm_up.as_ref()).and_then(|_| all.next());
        let runs = Runs {
            warm_up: first.as_ref(),
            repetitions: &all.collect::<Vec<_>>(),
            interactive: self.interactor.is_some(),
            every_run_counts,
        };
        self.is_ok().then(|| TwoWays::find(runs))?
    }

    /// Logs the result in one line.
    pub(crate) fn log(&self) {
        let Verdict { outcome, evidence } = &self.verdict;
        let (size, name) = (self.size, outcome.name());
        let (runtime_ms, peak_memory_mb) = (self.runtime_ms(), self.peak_memory_mb());
        if matches!(outcome, Outcome::Ok | Outcome::NotRun) {
            tracing::info!(
                target: "Profiler", size, outcome = name, runtime_ms, peak_memory_mb, "measured"
            );
            return;
        }
        let v1::Evidence { limit_value, met_value, signal, exit_code, .. } = evidence;
        let limit = limit_value.map(|_| evidence.limit().word());
        let ended_by = evidence.killed_by().word();
        tracing::info!(
            target: "Profiler", size, outcome = name, limit, limit_value, value = met_value, ended_by,
            signal, exit_code, "measured"
        );
    }

    /// Returns the message, with the raw samples if they are asked for.
    pub(crate) fn published(&self, raw_samples: bool) -> v1::SizeResult {
        let samples = self.samples.iter().filter(|_| raw_samples);
        v1::SizeResult {
            size: self.size,
            candidate: self.candidate,
            candidates: self.candidates,
            outcome: self.verdict.outcome.into(),
            evidence: self.verdict.published_evidence(),
            runtime_ms: Some(self.runtime_ms()),
            peak_memory_mb: Some(self.peak_memory_mb()),
            peak_is_counted: Some(self.peak_is_counted()),
            figures: self.figures,
            faster_figures: self.faster_figures.as_deref().copied(),
            samples: samples.map(published_sample).collect(),
            warm_up: self.warm_up.as_ref().map(published_sample),
            gnu_time: self.gnu_time.map(|time| v1::GnuTime {
                elapsed_ms: time.elapsed_ms,
                max_resident_mb: time.max_resident_mb,
            }),
            stdout: self.stdout.clone(),
            stderr_tail: self.stderr_tail.clone(),
            memory: self.memory.as_ref().map(message::memory),
            net_runtime_ms: self.net_runtime_ms,
            below_noise_floor: self.below_noise_floor,
            instructions: self.instructions.map(|counted| counted.count),
            instructions_slow_down: self.instructions.map(|counted| counted.slow_down),
            own_instructions: self.instructions.and_then(|counted| counted.own),
            net_instructions: self.instructions.and_then(|counted| counted.net),
            input_bytes: self.fed.map(|fed| fed.bytes),
            input_sha256: self.fed.map(|fed| hex(&fed.sha256)).unwrap_or_default(),
            input_read_bytes: self.input_read_bytes(),
            interactor: self.interactor.clone(),
            questions: self.questions,
            output_check: self.output_check.clone(),
        }
    }
}

/// Returns the result of the largest size that ended OK, and among its candidates the slowest.
pub(crate) fn largest_ok(sizes: &[MeasuredSize]) -> Option<&MeasuredSize> {
    let slower = |a: &MeasuredSize, b: &MeasuredSize| a.runtime_ms().total_cmp(&b.runtime_ms());
    let ok = sizes.iter().filter(|result| result.is_ok());
    ok.max_by(|a, b| a.size.cmp(&b.size).then(slower(a, b)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn samples_are_published_if_they_are_asked_for() {
        let verdict = Verdict { outcome: Outcome::Ok, ..Verdict::not_run() };
        let mut size = MeasuredSize::never_started(Point { size: 5, candidate: 0 }, verdict);
        size.samples = vec![Sample { held_bytes: 1, ..Sample::default() }];
        size.warm_up = Some(Sample::default());
        for (raw_samples, count) in [(false, 0), (true, 1)] {
            let published = size.published(raw_samples);
            assert_eq!(published.samples.len(), count);
            assert!(published.warm_up.is_some() && published.peak_is_counted());
        }
    }
}
