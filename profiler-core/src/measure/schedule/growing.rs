//! Sizes that grow until the program's time can be told from noise.
//!
//! Both a linear and a cubic program should have several sizes between the noise floor and the time
//! limit. So each step aims to multiply the time by [`STEP`], judged by the growth over the last
//! two sizes whose time is visible. Until there are two such sizes, the sizes grow by fixed
//! factors. All sizes are preferred numbers, so two jobs of one program share most sizes.

use super::grown_size::GrownSize;
use crate::figures::units::MS_PER_SECOND;
use crate::job::{DENSE, Sizes};
use profiler_proto::v1::Outcome;
use std::time::Duration;

/// The first size after the corner cases, if the bound allows it.
pub(super) const FIRST: u64 = 10;
/// The factor by which the time should grow from one size to the next.
const STEP: f64 = 3.0;
/// Maximum factor by which a size grows.
const MOST: f64 = 4.0;
/// The factor by which a size grows while the time is not visible. An n⁴ program then takes 256
/// times as long, which is still far from the limit.
const UNSEEN: f64 = 4.0;
/// The factor by which a size below [`DENSE`] grows while the time is not visible: 10, 15, 22, 33.
/// The first visible time of a program that takes 3ⁿ, 2ⁿ or φⁿ nanoseconds is then 14 ms (n = 15),
/// 4 ms (22) or 8 ms (33). So each of them has several sizes up to a limit of 2 s.
const DENSE_UNSEEN: f64 = 1.5;
/// Maximum increase of a size below [`DENSE`] once the time is visible. A 2ⁿ program then takes at
/// most 64 times as long, even if constant costs still hide most of it.
const DENSE_STEP: f64 = 6.0;
/// Number of steps to a bound below [`DENSE`] while the time is not visible. The class of a program
/// whose cost rises so steeply that its bound is 14 needs more sizes than 10 and 14.
const STEPS_TO_BOUND: u64 = 4;
/// The factor by which a size grows while the time of only one size is visible.
const SEEN_ONCE: f64 = 2.0;
/// Smallest exponent of growth that is assumed.
const LEAST_EXPONENT: f64 = 0.5;
/// Smallest number of runs of a size: a warm-up and a repetition.
const RUNS: f64 = 2.0;

/// Returns the size after the `grown` ones. The error is the reason why there is no further size.
pub(super) fn next(
    sizes: &Sizes,
    grown: &[GrownSize],
    limit_ms: f64,
    unspent: Duration,
) -> Result<u64, String> {
    let rungs = sizes.possible();
    let Some(last) = grown.last() else {
        let least = small_bound(sizes).map_or(FIRST, first_below);
        let first = rungs.iter().copied().find(|&rung| rung >= least);
        return first.or(rungs.first().copied()).ok_or_else(|| "there is no size".into());
    };
    let n = last.size;
    let above: Vec<u64> = rungs.iter().copied().filter(|&rung| rung > n).collect();
    let Some(&following) = above.first() else {
        return Err(format!("n = {n} {}", sizes.last_is()));
    };
    match last.outcome {
        Outcome::TimeLimit | Outcome::MemoryLimit => {
            return Err(format!("n = {n} ended with {}", last.outcome.name()));
        }
        _ if grown.iter().rev().take(2).filter(|m| m.outcome != Outcome::Ok).count() == 2 => {
            return Err(format!("the last two sizes failed, n = {n} with {}", last.outcome.name()));
        }
        _ => {}
    }
    let unspent_ms = unspent.as_secs_f64() * MS_PER_SECOND;
    let mut seen = grown.iter().rev().map_while(|m| Some((m.size as f64, m.ms?, m.net_ms?)));
    let (latest, before) = (seen.next(), seen.next());
    let trend = latest.zip(before).map(|((n, ms, net_ms), (n_before, _, net_ms_before))| {
        let exponent = (net_ms / net_ms_before).ln() / (n / n_before).ln();
        Trend { n, hidden_ms: ms - net_ms, net_ms, exponent: exponent.max(LEAST_EXPONENT) }
    });
    let predict_ms = |rung: u64| trend.as_ref().map(|trend| trend.predict_ms(rung));
    let fits = |rung: u64| predict_ms(rung).is_none_or(|ms| ms <= limit_ms);
    if !fits(following) {
        return Err(format!("n = {following} would exceed the time limit"));
    }
    if predict_ms(following).or(last.ms).unwrap_or(0.0) * RUNS > unspent_ms {
        return Err("the time budget is spent".into());
    }
    let (from, is_dense) = (n as f64, n < DENSE);
    let target = match (&trend, latest) {
        (Some(Trend { exponent, .. }), _) => {
            let target = from * STEP.powf(1.0 / exponent).min(MOST);
            if is_dense { target.min(from + DENSE_STEP) } else { target }
        }
        (None, Some(_)) if is_dense => from + 1.0,
        (None, Some(_)) => from * SEEN_ONCE,
        (None, None) if is_dense => {
            let target = from * DENSE_UNSEEN;
            let step = |bound: u64| ((bound - first_below(bound)) / STEPS_TO_BOUND).max(1);
            small_bound(sizes).map_or(target, |bound| target.min((n + step(bound)) as f64))
        }
        (None, None) => from * UNSEEN,
    };
    let reached = above.iter().copied().take_while(|&rung| rung as f64 <= target && fits(rung));
    Ok(reached.last().unwrap_or(following))
}

/// The bound of n, if it is from [`FIRST`] to below [`DENSE`] and the sizes have steps to it.
fn small_bound(sizes: &Sizes) -> Option<u64> {
    let bound = sizes.possible().last().copied().filter(|_| sizes.has_small_steps());
    bound.filter(|bound| (FIRST..DENSE).contains(bound))
}

/// The first size after the corner cases, if the bound of n is small.
fn first_below(bound: u64) -> u64 {
    FIRST.min(bound / 2)
}

/// Names the n up to which no time is visible, as the end of a sentence. Empty if all times are
/// visible.
pub(super) fn hidden(grown: &[GrownSize]) -> String {
    let unseen = grown.iter().take_while(|m| m.net_ms.is_none());
    let last = unseen.filter(|m| m.outcome == Outcome::Ok).last();
    let said = |m: &GrownSize| {
        format!("; up to n = {}, the time cannot be told from that of an empty program", m.size)
    };
    last.map(said).unwrap_or_default()
}

/// Growth of the visible time over the last two sizes at which it is visible.
struct Trend {
    /// The last size. `hidden_ms` is its time that is not visible, and `net_ms` its visible time.
    n: f64,
    hidden_ms: f64,
    net_ms: f64,
    exponent: f64,
}

impl Trend {
    /// Predicts the whole time of a run at `rung`, in milliseconds. The limit and the budget apply
    /// to the whole time.
    fn predict_ms(&self, rung: u64) -> f64 {
        self.hidden_ms + self.net_ms * (rung as f64 / self.n).powf(self.exponent)
    }
}

#[cfg(test)]
mod tests;
