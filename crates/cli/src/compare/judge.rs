//! From reports to a verdict.
//!
//! Of each size and candidate, the logarithms of the headlines of both sides' runs are compared by Student's
//! test. Their variance is the larger of two: how the headlines of one program differ from run to run, pooled
//! over the sizes, and how well each is known. Where a side has one run, as a saved report has, it is assumed to
//! scatter as runs commonly do. The probabilities are corrected for the number of sizes, and a difference
//! below 1 % is none: two series of one program differ by as much.

use super::Side;
use super::clock::{Clock, Obstacle, Run, Taken};
use super::terms::{Terms, unknown_because};
use profiler_export::outcome_name;
use profiler_proto::v1::{Outcome, SizeResult};
use profiler_statistics::{holm_correction, student_t_quantile, student_t_two_sided};
use serde::Serialize;

/// A difference is real if chance alone would make one so large more rarely than this.
pub(super) const SIGNIFICANCE: f64 = 0.05;
/// Smaller differences are none.
pub(super) const LEAST_SHARE: f64 = 0.01;
/// How the headlines of one program scatter from run to run where that was not seen, relative.
const ASSUMED_SCATTER: f64 = 0.01;
/// So many degrees of freedom are the normal distribution's.
const NORMAL: f64 = 1e3;
/// Peaks that differ by less say nothing: the kernel counts pages in batches.
const MEMORY_NOISE_MB: f64 = 1.0;

/// What B is, next to A.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub(super) enum Verdict {
    Slower,
    Faster,
    /// No difference is real.
    Same,
    /// What was measured does not compare.
    Unknown,
}

/// What the verdict rests on.
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
    /// Its interval, which covers 95 %.
    pub(super) low: f64,
    pub(super) high: f64,
    /// How often chance makes such a difference, corrected for the number of sizes.
    pub(super) p: f64,
}

/// One of both at one size: the means of its runs' times and peaks, and the first run's count.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub(super) struct Figures {
    pub(super) outcome: &'static str,
    pub(super) runtime_ms: Option<f64>,
    pub(super) peak_memory_mb: Option<f64>,
    pub(super) instructions: Option<u64>,
}

/// Both at one size.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[expect(clippy::struct_field_names, reason = "these are the keys of the JSON")]
pub(super) struct Size {
    pub(super) size: u32,
    pub(super) candidate: u32,
    pub(super) a: Figures,
    pub(super) b: Figures,
    /// Of the times; absent where one has none.
    pub(super) time: Option<Ratio>,
    /// Whether both are too short to tell anything.
    pub(super) too_short: bool,
    /// Why there is no ratio of the times, though both ended OK.
    pub(super) obstacle: Option<Obstacle>,
    /// Of the instructions, which are exact.
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
    /// Runs of each.
    pub(super) runs: usize,
    pub(super) warnings: Vec<String>,
    pub(super) sizes: Vec<Size>,
    /// Geometric mean over the sizes that are not too short.
    pub(super) geometric_mean: Option<Ratio>,
    /// What B is, at the largest size.
    pub(super) verdict: Verdict,
    pub(super) basis: Basis,
    /// What the times are of.
    pub(super) clock: Clock,
    /// Why nothing could be told, and what helps; absent where something was.
    pub(super) unknown_because: Option<String>,
}

/// The difference of two means of logarithms.
#[derive(Debug, Clone, Copy)]
struct Difference {
    mean: f64,
    variance: f64,
    freedom: f64,
}

impl Difference {
    fn p(self) -> f64 {
        student_t_two_sided(self.mean / self.variance.sqrt(), self.freedom)
    }

    fn ratio(self, p: f64) -> Ratio {
        let reach = student_t_quantile(SIGNIFICANCE, self.freedom) * self.variance.sqrt();
        let [low, high] = [self.mean - reach, self.mean + reach].map(f64::exp);
        Ratio { ratio: self.mean.exp(), low, high, p }
    }
}

impl Comparison {
    pub(super) fn of(a: &Side, b: &Side) -> Self {
        let Terms { warnings, basis, clock } = Terms::of(a, b);
        let pairs = pairs(a, b, clock);
        let scatter = Scatter::of(&pairs);
        let differences: Vec<_> = pairs.iter().map(|pair| pair.difference(scatter)).collect();
        let probabilities: Vec<f64> =
            differences.iter().flatten().map(|difference| difference.p()).collect();
        let mut corrected = holm_correction(&probabilities).into_iter();
        let ratios = differences.iter().map(|difference| {
            difference.and_then(|difference| Some(difference.ratio(corrected.next()?)))
        });
        let sizes: Vec<_> =
            pairs.iter().zip(ratios).map(|(pair, time)| pair.judged(time, basis)).collect();
        let told: Vec<_> = differences.into_iter().flatten().collect();
        let verdict = at_largest(&sizes);
        let unknown = (verdict == Verdict::Unknown).then(|| unknown_because(a, b, &sizes, basis));
        Self {
            a: a.name.clone(),
            b: b.name.clone(),
            runs: a.reports.len(),
            warnings,
            geometric_mean: mean(&told).map(|mean| mean.ratio(mean.p())),
            verdict,
            sizes,
            basis,
            clock,
            unknown_because: unknown,
        }
    }
}

/// The results of both sides at one size and candidate, and the clock they are compared on.
struct Pair<'a> {
    a: Vec<Run<'a>>,
    b: Vec<Run<'a>>,
    clock: Clock,
}

/// The sizes and candidates that every report has, in the order of the first.
fn pairs<'a>(a: &'a Side, b: &'a Side, clock: Clock) -> Vec<Pair<'a>> {
    let of = |side: &'a Side, like: &SizeResult| -> Option<Vec<Run<'a>>> {
        let same = |it: &&SizeResult| (it.size, it.candidate) == (like.size, like.candidate);
        let runs = side.reports.iter().map(|report| {
            let size = report.sizes.iter().find(same)?;
            Some(Run { size, clock: report.runtime_clock().into() })
        });
        runs.collect()
    };
    let first = a.reports.first().map(|report| report.sizes.as_slice()).unwrap_or_default();
    first.iter().filter_map(|like| Some(Pair { a: of(a, like)?, b: of(b, like)?, clock })).collect()
}

/// The variance of logarithms from run to run, and its degrees of freedom.
#[derive(Debug, Clone, Copy)]
struct Scatter {
    variance: f64,
    freedom: f64,
}

impl Scatter {
    /// As it was seen, pooled over everything that was run more than once.
    fn of(pairs: &[Pair<'_>]) -> Self {
        let assumed = Self { variance: ASSUMED_SCATTER.powi(2), freedom: NORMAL };
        let (mut sum, mut freedom) = (0.0, 0.0);
        for pair in pairs.iter().filter(|pair| !pair.too_short()) {
            let sides = [&pair.a, &pair.b].map(|runs| taken(runs, pair.clock));
            for logs in sides.iter().flatten().map(|taken| logarithms(taken)) {
                let center = average(&logs);
                sum += logs.iter().map(|log| (log - center).powi(2)).sum::<f64>();
                freedom += logs.len() as f64 - 1.0;
            }
        }
        if freedom > 0.0 { Self { variance: sum / freedom, freedom } } else { assumed }
    }
}

/// What the runs took; none where one of them has no time.
fn taken(runs: &[Run<'_>], on: Clock) -> Option<Vec<Taken>> {
    runs.iter().map(|run| run.taken(on)?.ok()).collect()
}

fn logarithms(taken: &[Taken]) -> Vec<f64> {
    taken.iter().map(|it| it.ms.ln()).collect()
}

fn average(values: &[f64]) -> f64 {
    values.iter().sum::<f64>() / values.len() as f64
}

impl Pair<'_> {
    fn runs(&self) -> impl Iterator<Item = &Run<'_>> {
        self.a.iter().chain(&self.b)
    }

    fn too_short(&self) -> bool {
        self.runs().all(|run| run.size.below_noise_floor())
    }

    fn difference(&self, scatter: Scatter) -> Option<Difference> {
        let (a, b) = (taken(&self.a, self.clock)?, taken(&self.b, self.clock)?);
        if self.too_short() || a.is_empty() || b.is_empty() {
            return None;
        }
        let mean = |runs: &[Taken]| average(&logarithms(runs));
        let variance = |runs: &[Taken]| {
            let known = average(&runs.iter().map(Taken::variance).collect::<Vec<_>>());
            known.max(scatter.variance) / runs.len() as f64
        };
        Some(Difference {
            mean: mean(&b) - mean(&a),
            variance: variance(&a) + variance(&b),
            freedom: scatter.freedom,
        })
    }

    fn judged(&self, time: Option<Ratio>, basis: Basis) -> Size {
        let (a, b) = (figures(&self.a, self.clock), figures(&self.b, self.clock));
        let counts = a.instructions.zip(b.instructions);
        let instructions_ratio = counts.map(|(a, b)| b as f64 / a as f64);
        let ok = |figures: &Figures| figures.outcome == outcome_name(Outcome::Ok);
        let verdict = match (ok(&a), ok(&b), basis) {
            (true, false, _) => Verdict::Slower,
            (false, true, _) => Verdict::Faster,
            (false, false, _) => Verdict::Unknown,
            (true, true, Basis::Time) => time.map_or(Verdict::Unknown, |it| {
                if it.p < SIGNIFICANCE { direction(it.ratio) } else { Verdict::Same }
            }),
            (true, true, Basis::Instructions) => {
                instructions_ratio.map_or(Verdict::Unknown, direction)
            }
        };
        let (size, candidate) =
            self.a.first().map(|it| (it.size.size, it.size.candidate)).unwrap_or_default();
        let memory_verdict = memory(a.peak_memory_mb, b.peak_memory_mb);
        let too_short = self.too_short();
        let obstacle = self.runs().find_map(|run| run.taken(self.clock)?.err());
        Size {
            size,
            candidate,
            a,
            b,
            time,
            too_short,
            obstacle,
            instructions_ratio,
            verdict,
            memory_verdict,
        }
    }
}

/// What a difference that is no chance means.
fn direction(ratio: f64) -> Verdict {
    if ratio >= 1.0 + LEAST_SHARE {
        Verdict::Slower
    } else if ratio <= 1.0 / (1.0 + LEAST_SHARE) {
        Verdict::Faster
    } else {
        Verdict::Same
    }
}

fn memory(a: Option<f64>, b: Option<f64>) -> Memory {
    match a.zip(b) {
        Some((a, b)) if b - a > MEMORY_NOISE_MB => Memory::More,
        Some((a, b)) if a - b > MEMORY_NOISE_MB => Memory::Less,
        Some(_) => Memory::Same,
        None => Memory::Unknown,
    }
}

/// The figures of some runs: one that failed is all of theirs.
fn figures(runs: &[Run<'_>], clock: Clock) -> Figures {
    let sizes = || runs.iter().map(|run| run.size);
    let failed = sizes().map(SizeResult::outcome).find(|&outcome| outcome != Outcome::Ok);
    let peaks: Option<Vec<f64>> =
        sizes().map(|size| size.peak_memory_mb.filter(|peak| peak.is_finite())).collect();
    Figures {
        outcome: outcome_name(failed.unwrap_or(Outcome::Ok)),
        runtime_ms: taken(runs, clock).map(|taken| average(&logarithms(&taken)).exp()),
        peak_memory_mb: peaks.map(|peaks| average(&peaks)),
        instructions: runs.first().and_then(|run| run.size.instructions),
    }
}

/// The mean over the sizes. What moves a whole run moves all of its sizes, so it is known no better than
/// they are on average.
fn mean(differences: &[Difference]) -> Option<Difference> {
    let first = differences.first()?;
    let average = |get: fn(&Difference) -> f64| {
        differences.iter().map(get).sum::<f64>() / differences.len() as f64
    };
    Some(Difference {
        mean: average(|it| it.mean),
        variance: average(|it| it.variance),
        freedom: first.freedom,
    })
}

/// The verdict at the largest size that tells something; of several candidates the worst.
fn at_largest(sizes: &[Size]) -> Verdict {
    let known = |size: &&Size| size.verdict != Verdict::Unknown;
    let largest = sizes.iter().filter(known).map(|size| size.size).max();
    let there = || sizes.iter().filter(known).filter(|size| Some(size.size) == largest);
    let all = |verdict| there().all(|size| size.verdict == verdict);
    if largest.is_none() {
        Verdict::Unknown
    } else if there().any(|size| size.verdict == Verdict::Slower) {
        Verdict::Slower
    } else if all(Verdict::Faster) {
        Verdict::Faster
    } else {
        Verdict::Same
    }
}

#[cfg(test)]
#[path = "tests.rs"]
mod tests;
