//! Both programs at one size.

use crate::clock::{Run, RunTime, clock_of};
use crate::comparison::{Basis, Figures, Memory, Outputs, Ratio, Size, Verdict};
use crate::difference::{Difference, Mean, SIGNIFICANCE, Scatter, average};
use crate::program::Program;
use profiler_export::has_largest_process_only;
use profiler_proto::v1::{Outcome, Output, RuntimeClock, SizeResult};

/// Smallest relative difference that counts.
pub(crate) const LEAST_SHARE: f64 = 0.01;
/// Largest difference of peaks that does not count, in MiB: the kernel counts pages in batches.
const MEMORY_NOISE_MB: f64 = 1.0;

/// Share of the processor time in the kernel from which a count alone gives no verdict. A count has
/// only user mode. A program can also be in a system call at each tick of the kernel, so that its
/// user time, with which its count is compared, seems short.
const MOST_KERNEL_SHARE: f64 = 0.25;
/// Processor time from which the kernel's share is known, in milliseconds: two to five ticks.
const SHARED_MS: f64 = 20.0;

/// The runs of both programs at one size and candidate, and the clock of the comparison.
pub(crate) struct Pair<'a> {
    a: Vec<Run<'a>>,
    b: Vec<Run<'a>>,
    clock: RuntimeClock,
}

/// The sizes and candidates that every report has, in the order of A's first report.
pub(crate) fn pairs<'a>(a: &'a Program, b: &'a Program, clock: RuntimeClock) -> Vec<Pair<'a>> {
    let runs_at = |program: &'a Program, like: &SizeResult| -> Option<Vec<Run<'a>>> {
        let same = |it: &&SizeResult| (it.size, it.candidate) == (like.size, like.candidate);
        let runs = program.reports.iter().map(|report| {
            let size = report.sizes.iter().find(same)?;
            Some(Run { size, clock: clock_of(report) })
        });
        runs.collect()
    };
    let first = a.reports.first().map(|report| report.sizes.as_slice()).unwrap_or_default();
    let pair = |like| Some(Pair { a: runs_at(a, like)?, b: runs_at(b, like)?, clock });
    first.iter().filter_map(pair).collect()
}

impl Pair<'_> {
    fn runs(&self) -> impl Iterator<Item = &Run<'_>> {
        self.a.iter().chain(&self.b)
    }

    /// Whether every run is too short to measure.
    pub(crate) fn is_too_short(&self) -> bool {
        self.runs().all(|run| run.size.below_noise_floor())
    }

    /// Returns the logarithms of each program's times. A program that lacks a time is left out.
    pub(crate) fn logarithms(&self) -> impl Iterator<Item = Vec<f64>> {
        let programs = [&self.a, &self.b].map(|runs| times(runs, self.clock));
        programs.into_iter().flatten().map(|times| logarithms(&times))
    }

    /// Returns the difference of the times. `None` if a time is missing, or if both programs are
    /// too short to measure.
    pub(crate) fn difference(&self, scatter: Scatter) -> Option<Difference> {
        let (a, b) = (times(&self.a, self.clock)?, times(&self.b, self.clock)?);
        if self.is_too_short() || a.is_empty() || b.is_empty() {
            return None;
        }
        let mean = |runs: &[RunTime]| {
            let own = average(&runs.iter().map(RunTime::variance).collect::<Vec<_>>());
            let variance = own.max(scatter.variance) / runs.len() as f64;
            Mean { mean: average(&logarithms(runs)), variance }
        };
        Some(Difference::between(mean(&a), mean(&b), scatter))
    }

    /// Whether both programs write the same words; `None` if that is not known. If the output of
    /// one program varies from run to run and the other's does not, they do not write the same.
    fn same_output(&self) -> Option<bool> {
        let bytes = self.a.first()?.size.input_bytes;
        if self.runs().any(|run| run.size.input_bytes != bytes) {
            return None;
        }
        match [&self.a, &self.b].map(|runs| wrote(runs)) {
            [Wrote::Words(a), Wrote::Words(b)] => Some(a == b),
            [Wrote::Varies, Wrote::Words(_)] | [Wrote::Words(_), Wrote::Varies] => Some(false),
            _ => None,
        }
    }

    /// Whether a checker accepts the outputs of both programs. If it has judged one run of a
    /// program, it accepts the others that wrote the same words.
    fn both_accepted(&self) -> bool {
        let is_right = |run: &Run<'_>| {
            run.size.output_check.as_ref().is_some_and(|check| check.correct == Some(true))
        };
        let all_are = |runs: &[Run<'_>]| match wrote(runs) {
            Wrote::Varies => runs.iter().all(is_right),
            Wrote::Words(_) | Wrote::Unknown => runs.iter().any(is_right),
        };
        all_are(&self.a) && all_are(&self.b)
    }

    /// Whether a run spent so much of its time in the kernel that a count alone says nothing.
    pub(crate) fn is_kernels_work(&self) -> bool {
        let is_kernels = |run: &Run<'_>| {
            let figures = run.size.figures.as_ref();
            let user_and_sys = figures.and_then(|it| it.user_ms.as_ref().zip(it.sys_ms.as_ref()));
            user_and_sys.is_some_and(|(user, sys)| {
                let all_ms = user.median + sys.median;
                all_ms >= SHARED_MS && sys.median >= MOST_KERNEL_SHARE * all_ms
            })
        };
        self.runs().any(is_kernels)
    }

    /// The comparison at this size, given the ratio of the times, and whether a count alone may
    /// decide.
    pub(crate) fn compare(
        &self,
        time: Option<Ratio>,
        (basis, counts_decide): (Basis, bool),
        outputs: Outputs,
    ) -> Size {
        let (a, b) = (figures(&self.a, self.clock), figures(&self.b, self.clock));
        let counts = a.instructions.zip(b.instructions);
        let instructions_ratio = counts.map(|(a, b)| b as f64 / a as f64);
        let (same_output, both_accepted) = (self.same_output(), self.both_accepted());
        let differs = same_output == Some(false) && !both_accepted && outputs == Outputs::Agree;
        let time = time.filter(|_| !differs);
        let verdict = match (a.has_failed(), b.has_failed(), basis) {
            _ if differs => Verdict::OtherOutput,
            (false, true, _) => Verdict::Slower,
            (true, false, _) => Verdict::Faster,
            (true, true, _) => Verdict::Unknown,
            (false, false, Basis::Time) => time.map_or(Verdict::Unknown, |it| {
                if it.p < SIGNIFICANCE { direction(it.ratio) } else { Verdict::Same }
            }),
            (false, false, Basis::Instructions) => {
                let ratio = instructions_ratio.filter(|_| counts_decide);
                ratio.map_or(Verdict::Unknown, direction)
            }
        };
        let (size, candidate) =
            self.a.first().map(|it| (it.size.size, it.size.candidate)).unwrap_or_default();
        Size {
            size,
            candidate,
            time,
            too_short: self.is_too_short(),
            obstacle: self.runs().find_map(|run| run.time_on(self.clock)?.err()),
            instructions_ratio,
            same_output,
            both_accepted,
            verdict,
            memory_verdict: memory_verdict(a.peak_memory_mb, b.peak_memory_mb),
            a,
            b,
        }
    }
}

/// Output of all runs of a program at a size.
enum Wrote<'a> {
    /// The digest of its words.
    Words(&'a str),
    /// The runs wrote different outputs.
    Varies,
    /// A run failed, or a report lacks the digest.
    Unknown,
}

fn wrote<'a>(runs: &[Run<'a>]) -> Wrote<'a> {
    let ok = |run: &&Run<'a>| run.size.outcome() == Outcome::Ok;
    let outputs: Vec<&Output> =
        runs.iter().filter(ok).filter_map(|run| run.size.stdout.as_ref()).collect();
    let Some(first) = outputs.first().filter(|_| outputs.len() == runs.len()) else {
        return Wrote::Unknown;
    };
    if outputs.iter().any(|it| it.words_sha256.is_empty()) {
        Wrote::Unknown
    } else if outputs.iter().any(|it| it.varies || it.words_sha256 != first.words_sha256) {
        Wrote::Varies
    } else {
        Wrote::Words(&first.words_sha256)
    }
}

/// The times of the runs; `None` if one of them has no time.
fn times(runs: &[Run<'_>], clock: RuntimeClock) -> Option<Vec<RunTime>> {
    runs.iter().map(|run| run.time_on(clock)?.ok()).collect()
}

fn logarithms(times: &[RunTime]) -> Vec<f64> {
    times.iter().map(|time| time.ms.ln()).collect()
}

/// Returns the verdict for a ratio that is not due to chance.
fn direction(ratio: f64) -> Verdict {
    if ratio >= 1.0 + LEAST_SHARE {
        Verdict::Slower
    } else if ratio <= 1.0 / (1.0 + LEAST_SHARE) {
        Verdict::Faster
    } else {
        Verdict::Same
    }
}

/// Compares B's peak with A's, both in MiB.
pub(crate) fn memory_verdict(a: Option<f64>, b: Option<f64>) -> Memory {
    match a.zip(b) {
        Some((a, b)) if b - a > MEMORY_NOISE_MB => Memory::More,
        Some((a, b)) if a - b > MEMORY_NOISE_MB => Memory::Less,
        Some(_) => Memory::Same,
        None => Memory::Unknown,
    }
}

/// Aggregated figures; if any run failed, the outcome is that failure.
fn figures(runs: &[Run<'_>], clock: RuntimeClock) -> Figures {
    let sizes = || runs.iter().map(|run| run.size);
    let failed = sizes().map(SizeResult::outcome).find(|&outcome| outcome != Outcome::Ok);
    let peaks: Option<Vec<f64>> =
        sizes().map(|size| size.peak_memory_mb.filter(|peak| peak.is_finite())).collect();
    Figures {
        outcome: failed.unwrap_or(Outcome::Ok).name(),
        runtime_ms: times(runs, clock).map(|times| average(&logarithms(&times)).exp()),
        peak_memory_mb: peaks.map(|peaks| average(&peaks)),
        peak_is_lower_bound: sizes().any(has_largest_process_only),
        instructions: runs.first().and_then(|run| run.size.instructions),
        questions: runs.first().and_then(|run| run.size.questions),
    }
}
