//! Conversion of a trial's rounds to a speedup with its confidence interval.

use profiler_proto::v1::{Interval, Speedup};
use profiler_statistics::{student_t_quantile, student_t_two_sided};

/// Significance level. A difference counts as real if the probability that chance alone makes one
/// as large is below this.
pub(super) const SIGNIFICANCE: f64 = 0.05;

/// Headlines of the original and of the changed program, measured right after each other, in
/// milliseconds.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Round {
    pub(super) original_ms: f64,
    pub(super) changed_ms: f64,
}

impl Round {
    /// Returns the speedup of the changed program, as a ratio.
    pub(super) fn times(self) -> f64 {
        self.original_ms / self.changed_ms
    }
}

/// Returns the speedup over all rounds, and the probability that chance alone makes it, by
/// Student's t-test of the logarithms of the ratios. Ratios within a round are used because
/// anything that slows the host for a while slows both programs of the round. `None` for fewer than
/// two rounds.
pub(super) fn of_rounds(rounds: &[Round], same_outputs: u32) -> Option<(Speedup, f64)> {
    let freedom = rounds.len().checked_sub(1).filter(|&it| it > 0)? as f64;
    let mean = |get: fn(&Round) -> f64| {
        rounds.iter().map(|round| get(round).ln()).sum::<f64>() / rounds.len() as f64
    };
    let ratio = mean(|round| round.times());
    let squares: f64 = rounds.iter().map(|round| (round.times().ln() - ratio).powi(2)).sum();
    let error = (squares / freedom / rounds.len() as f64).sqrt();
    let reach = student_t_quantile(SIGNIFICANCE, freedom) * error;
    let [low, high] = [ratio - reach, ratio + reach].map(f64::exp);
    let speedup = Speedup {
        times: ratio.exp(),
        interval: Some(Interval { low, high, level: 1.0 - SIGNIFICANCE }),
        original_ms: mean(|round| round.original_ms).exp(),
        changed_ms: mean(|round| round.changed_ms).exp(),
        same_outputs,
    };
    let chance = if error > 0.0 { student_t_two_sided(ratio / error, freedom) } else { 0.0 };
    Some((speedup, chance))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn rounds(times: &[f64]) -> Vec<Round> {
        times.iter().map(|it| Round { original_ms: 10.0 * it, changed_ms: 10.0 }).collect()
    }

    #[test]
    fn ratio_is_between_the_ends_of_its_interval() {
        let (speedup, chance) = of_rounds(&rounds(&[4.0, 4.1, 3.9, 4.0, 4.2]), 3).unwrap();
        assert!((speedup.times - 4.04).abs() < 0.01, "{speedup:?}");
        assert!((speedup.changed_ms - 10.0).abs() < 1e-9 && speedup.same_outputs == 3);
        let Interval { low, high, .. } = speedup.interval.unwrap();
        assert!(3.8 < low && low < speedup.times && speedup.times < high && high < 4.3);
        assert!(chance < 1e-4, "{chance}");
    }

    #[test]
    fn rounds_that_scatter_prove_nothing() {
        let (speedup, chance) = of_rounds(&rounds(&[1.5, 0.8, 1.3, 0.9, 1.2]), 1).unwrap();
        assert!(
            speedup.interval.unwrap().low < 1.0 && chance > SIGNIFICANCE,
            "{speedup:?} {chance}"
        );
        assert_eq!(of_rounds(&rounds(&[2.0]), 1), None);
    }
}
