//! Whether counts show the work that takes the time.

use crate::class::Class;
use crate::constants::{
    CERTAIN_SIZES, CERTAINLY, CLEARLY_FASTER, COUNTS_MISS, LEVEL_GROWTH, NS, OUTGROWN, OWN_SHARE,
    PACE_OF_MISSES_NS, PACE_WITHOUT_WAITING_NS,
};
use crate::fitting::posterior::Posterior;
use crate::series::Series;

/// The series of counts, and the times of the same sizes.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Counted<'a> {
    pub(crate) runtime: &'a Series,
    /// Instructions of the whole run.
    pub(crate) whole: &'a Series,
    /// Instructions of the program's own code, and their posterior.
    pub(crate) own: &'a Series,
    pub(crate) of_own: Option<&'a Posterior>,
}

impl Counted<'_> {
    /// Whether the program's own code has a class for certain, does a notable share of the work,
    /// and takes no more time than caches explain. Then time has no say in the class, because
    /// caches bend it, unless [`is_outgrown`](Self::is_outgrown).
    pub(crate) fn is_certain(&self) -> bool {
        let certainty =
            |posterior: &Posterior| posterior.classes.iter().copied().fold(0.0, f64::max);
        self.own.data.len() >= CERTAIN_SIZES
            && self.of_own.is_some_and(|own| certainty(own) >= CERTAINLY)
            && self.own_share().is_some_and(|share| share >= OWN_SHARE)
            && self.pace_ns().is_some_and(|pace| pace <= PACE_OF_MISSES_NS)
    }

    /// Whether time alone has a class that clearly grows faster than the counts do, and the counted
    /// instructions do not take all the time. Caches seldom bend time that far.
    pub(crate) fn is_outgrown(&self, counted: &[f64], time: &[f64]) -> bool {
        self.pace_ns().is_some_and(|pace| pace > PACE_WITHOUT_WAITING_NS)
            && apart(counted, time) >= OUTGROWN
    }

    /// Whether libraries do nearly all the work that grows. Their counts hide the program's work
    /// unless lines are counted: for example, reading the input hides a sort.
    pub(crate) fn is_of_libraries(&self) -> bool {
        let [first, .., last] = self.whole.data.as_slice() else { return false };
        last.value >= LEVEL_GROWTH * first.value
            && self.own_share().is_some_and(|share| share < OWN_SHARE)
    }

    /// Share of the program's own code in the growth of the instructions; `None` if they do not
    /// grow, or if they were not counted.
    fn own_share(&self) -> Option<f64> {
        Some(grown(self.own)? / grown(self.whole)?)
    }

    /// Probability that counts miss the work that takes the time. It is high if time clearly grows
    /// faster than counts do, and no class explains both. It is 0 if the counted instructions would
    /// take all the time anyway.
    pub(crate) fn missed(&self, prior: &[f64], counted: &[f64], time: &[f64]) -> f64 {
        if self.pace_ns().is_some_and(|pace| pace <= PACE_WITHOUT_WAITING_NS) {
            return 0.0;
        }
        let apart = apart(counted, time);
        let both: f64 =
            (0..prior.len()).map(|index| time[index] * counted[index] / prior[index]).sum();
        COUNTS_MISS * apart
            / (COUNTS_MISS * apart + (1.0 - COUNTS_MISS) * both).max(f64::MIN_POSITIVE)
    }

    /// Nanoseconds for each instruction at the largest size that was counted, without the start-up;
    /// `None` if its time was not measured, or if the instructions do not grow.
    fn pace_ns(&self) -> Option<f64> {
        let largest = self.whole.data.last()?;
        let ms = self.runtime.data.iter().find(|timed| timed.size == largest.size)?.value;
        Some((ms - self.runtime.range().floor).max(0.0) / NS / grown(self.whole)?)
    }
}

/// Probability that time has a class that clearly grows faster than that of the counts.
fn apart(counted: &[f64], time: &[f64]) -> f64 {
    let ranks: Vec<f64> = Class::all().map(Class::rank).collect();
    let slower = |rank: f64| -> f64 {
        let slow = ranks.iter().zip(counted).filter(|(r, _)| **r <= rank - CLEARLY_FASTER);
        slow.map(|(_, p)| p).sum()
    };
    ranks.iter().zip(time).map(|(&rank, p)| p * slower(rank)).sum()
}

/// The increase of a series from its smallest to its largest size; `None` unless it increases.
fn grown(series: &Series) -> Option<f64> {
    let [first, .., last] = series.data.as_slice() else { return None };
    Some(last.value - first.value).filter(|&grown| grown > 0.0)
}
