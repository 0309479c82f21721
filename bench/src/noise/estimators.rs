//! Compares estimators that reduce repetitions to one figure: how far two such figures of the same
//! program lie apart, and how far load shifts them. The results are the reason for the headline's
//! estimator.

use crate::failure::Failure;
use crate::noise::samples::{self, BATCH, BATCHES, Batches};
use crate::tools::backend_args::BackendArgs;
use crate::tools::spread::{Spread, difference};
use profiler_core::figures::{RuntimeClock, Sample};
use profiler_statistics::median;

/// Reduces values in rising order to one figure.
type Estimator = fn(&[f64]) -> f64;

const ESTIMATORS: [(&str, Estimator); 6] = [
    ("minimum", |sorted| sorted[0]),
    ("2nd smallest", |sorted| sorted[1]),
    ("lower quartile", |sorted| sorted[(sorted.len() - 1) / 4]),
    ("median", median),
    ("mean of lower half", |sorted| {
        let half = &sorted[..sorted.len().div_ceil(2)];
        half.iter().sum::<f64>() / half.len() as f64
    }),
    ("half-sample mode", half_sample_mode),
];
const CLOCKS: [(&str, RuntimeClock); 3] = [
    ("wall − run delay", RuntimeClock::Unloaded),
    ("cpu", RuntimeClock::Cpu),
    ("wall", RuntimeClock::Wall),
];
/// Number of repetitions for one figure.
const COUNTS: [usize; 3] = [5, 10, 20];

/// Prints the results of every estimator on every clock.
pub(crate) async fn run(args: &BackendArgs) -> Result<(), Failure> {
    for backend in args.backends().await? {
        let all = samples::collect(&*backend).await?;
        println!(
            "{}: figures of n repetitions out of {BATCHES} batches of {BATCH}, idle and loaded in turn; \
             |Δ| of two figures of different batches, and the worst program's shift under load, in %",
            backend.name()
        );
        for (clock_name, clock) in CLOCKS {
            println!(
                "\n{clock_name:<24} {:>26} {:>26} {:>9}",
                "idle: median  p90  max", "loaded: median  p90  max", "shift"
            );
            for n in COUNTS {
                for (name, estimator) in ESTIMATORS {
                    print(n, name, &Outcome::measure(&all, clock, n, estimator));
                }
            }
        }
    }
    Ok(())
}

/// The results of one estimator.
struct Outcome {
    idle: Spread,
    loaded: Spread,
    shift: f64,
}

impl Outcome {
    fn measure(all: &[Batches], clock: RuntimeClock, n: usize, estimator: Estimator) -> Self {
        let figures = |batches: &[Vec<Sample>]| -> Vec<Vec<f64>> {
            batches.iter().map(|batch| figures(batch, clock, n, estimator)).collect()
        };
        let middle =
            |figures: &[Vec<f64>]| figures.concat().into_iter().collect::<Spread>().median();
        let (mut idle, mut loaded, mut shift) = (Vec::new(), Vec::new(), 0.0_f64);
        for program in all {
            let (quiet, busy) = (figures(&program.idle), figures(&program.loaded));
            idle.extend(retests(&quiet));
            loaded.extend(retests(&busy));
            let shifted = middle(&busy) / middle(&quiet) - 1.0;
            shift = if shifted.abs() > shift.abs() { shifted } else { shift };
        }
        Self { idle: idle.into_iter().collect(), loaded: loaded.into_iter().collect(), shift }
    }
}

/// The figures of a batch, each from `n` repetitions.
fn figures(batch: &[Sample], clock: RuntimeClock, n: usize, estimator: Estimator) -> Vec<f64> {
    let values: Vec<f64> =
        batch.iter().filter_map(|sample| Some(sample.on(clock)? as f64)).collect();
    let sorted = values.chunks_exact(n).map(|some| {
        let mut some = some.to_vec();
        some.sort_by(f64::total_cmp);
        some
    });
    sorted.map(|some| estimator(&some)).collect()
}

/// The differences between every two figures of different batches.
fn retests(batches: &[Vec<f64>]) -> Vec<f64> {
    let later = |index: usize| batches.iter().skip(index + 1).flatten();
    let pairs = batches.iter().enumerate().flat_map(|(index, batch)| {
        batch.iter().flat_map(move |one| later(index).map(move |other| difference(*one, *other)))
    });
    pairs.collect()
}

/// The half-sample mode: the densest half of the densest half, until three or fewer values are
/// left. Source: Bickel and Frühwirth, On a fast, robust estimator of the mode, Computational
/// Statistics & Data Analysis 50 (2006).
fn half_sample_mode(sorted: &[f64]) -> f64 {
    match sorted {
        [] => f64::NAN,
        [one] => *one,
        [low, high] => f64::midpoint(*low, *high),
        [low, middle, high] if middle - low < high - middle => f64::midpoint(*low, *middle),
        [low, middle, high] if middle - low > high - middle => f64::midpoint(*middle, *high),
        [_, middle, _] => *middle,
        _ => {
            let width = |half: &&[f64]| half[half.len() - 1] - half[0];
            let halves = sorted.windows(sorted.len().div_ceil(2));
            let densest = halves.min_by(|a, b| width(a).total_cmp(&width(b)));
            densest.map_or(f64::NAN, half_sample_mode)
        }
    }
}

fn print(n: usize, name: &str, outcome: &Outcome) {
    let percent = |spread: &Spread| {
        [500, 900, 1000].map(|rank| format!("{:>8.2}", spread.permille(rank) * 100.0)).concat()
    };
    let Outcome { idle, loaded, shift } = outcome;
    println!(
        "  n = {n:<3} {name:<20} {}   {}  {:>+8.2}",
        percent(idle),
        percent(loaded),
        shift * 100.0
    );
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn half_sample_mode_is_where_values_are_densest() {
        let mode = half_sample_mode(&[1.0, 4.0, 5.0, 5.25, 9.0, 20.0]);
        assert!((mode - 5.125).abs() < 1e-9, "{mode}");
    }

    #[test]
    fn figures_of_one_batch_are_not_compared_with_each_other() {
        assert_eq!(retests(&[vec![1.0, 9.0]]), [] as [f64; 0]);
        assert_eq!(retests(&[vec![1.0, 2.0], vec![2.0]]), [1.0, 0.0]);
    }
}
