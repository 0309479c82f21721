//! Whether the runs of one size all did the same work.
//!
//! If a wide gap separates the processor times of the runs, the program behaves in two ways. The
//! same holds if the times lie far apart without a gap. Noise slows some runs down by any amount,
//! but it seldom makes two groups of runs with nothing between them. A busy neighbour can make such
//! groups: next to a compiler, `bench growth` found them in 1 of 179 programs, and in 4 with more
//! sizes. A second measurement in a new sandbox decides (`measure/size/second_look.rs`).

use super::disturbed_runs::odd_runs;
use super::units::ms;
use runner_protocol::Sample;

/// Minimum factor between the slowest run of the faster way and the fastest run of the slower way.
/// `bench growth` has 1,074 sizes of programs that behave in one way. Where a warm-up was slower
/// than all repetitions by [`LEAST_DIFFERENCE_MS`], it took at most 1.31 times as long as the
/// slowest.
const LEAST_FACTOR: f64 = 1.5;
/// The same factor for a program that talks to an interactor. The two programs wake each other, and
/// the processor time of waking differs from run to run: in a conversation of 2,000 turns by a
/// factor of 1.5 with a gap, and by more without one.
const LEAST_FACTOR_OF_TALKS: f64 = 3.0;
/// Minimum difference between the same two runs, in milliseconds. A warm-up finds colder caches,
/// and took up to 0.9 ms longer in `bench growth`.
const LEAST_DIFFERENCE_MS: f64 = 2.0;
/// Maximum spread of the runs of one way, as a multiple of the minimum factor and difference of a
/// gap. The limit catches work that shrinks from run to run and leaves no gap. It does not apply to
/// programs that talk to an interactor.
const SPREAD: f64 = 2.0;

/// The runs of one size, in the order in which they were made.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Runs<'a> {
    pub(crate) warm_up: Option<&'a Sample>,
    pub(crate) repetitions: &'a [Sample],
    /// Whether the program talks to an interactor.
    pub(crate) interactive: bool,
    /// Whether no slow run is noise, for example because some run wrote a different output from the
    /// first.
    pub(crate) every_run_counts: bool,
}

/// The runs of one size in two groups, each sorted by processor time.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct TwoWays {
    pub(crate) faster: Vec<Sample>,
    pub(crate) slower: Vec<Sample>,
}

impl TwoWays {
    /// Finds the widest gap that separates the runs into two ways. If the runs above the gap, or
    /// all runs if there is no gap, spread by more than [`SPREAD`] allows, only those near the
    /// slowest run are the slower way. `None` if the program behaves in one way, or if the kernel
    /// does not report processor time.
    ///
    /// The slowest runs are ignored as noise, as many as [the host may have disturbed](odd_runs). A
    /// run is not ignored if the program may have done its work only there. This can be the first
    /// run, or any run if [every run counts](Runs::every_run_counts).
    pub(crate) fn find(runs: Runs<'_>) -> Option<Self> {
        let Runs { interactive, every_run_counts, .. } = runs;
        let least_factor = if interactive { LEAST_FACTOR_OF_TALKS } else { LEAST_FACTOR };
        let samples = runs.warm_up.into_iter().chain(runs.repetitions).enumerate();
        let runs: Option<Vec<_>> =
            samples.map(|(at, sample)| Some((ms(sample.cpu_ns?), at, *sample))).collect();
        let mut runs = runs?;
        runs.sort_by(|a, b| a.0.total_cmp(&b.0));
        let last = runs.iter().rev().take(odd_runs(runs.len()));
        let noise = last.take_while(|(_, at, _)| *at > 0 && !every_run_counts).count();
        let slowest = runs.len().checked_sub(1 + noise)?;
        let factor = |fast: usize, slow: usize| runs[slow].0 / runs[fast].0;
        let differ = |fast: usize, slow: usize, gaps: f64| {
            factor(fast, slow) >= gaps * least_factor
                && runs[slow].0 - runs[fast].0 >= gaps * LEAST_DIFFERENCE_MS
        };
        let gap = (1..=slowest)
            .filter(|&at| differ(at - 1, at, 1.0))
            .max_by(|&a, &b| factor(a - 1, a).total_cmp(&factor(b - 1, b)));
        let near_slowest = || runs.partition_point(|run| run.0 * least_factor < runs[slowest].0);
        let is_spread = !interactive && differ(gap.unwrap_or(0), slowest, SPREAD);
        let cut = is_spread.then(near_slowest).or(gap)?;
        let mut faster: Vec<_> = runs.into_iter().map(|(_, _, sample)| sample).collect();
        let slower = faster.split_off(cut);
        Some(Self { faster, slower })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::figures::units::{MS_PER_SECOND, nanoseconds};
    use std::time::Duration;

    /// The sizes of the two groups, for processor times in milliseconds.
    fn groups(
        warm_up: Option<f64>,
        repetitions: &[f64],
        interactive: bool,
        every_run_counts: bool,
    ) -> Option<(usize, usize)> {
        let sample = |ms: f64| Sample {
            cpu_ns: Some(nanoseconds(Duration::from_secs_f64(ms / MS_PER_SECOND))),
            ..Sample::default()
        };
        let repetitions: Vec<_> = repetitions.iter().copied().map(sample).collect();
        let warm_up = warm_up.map(sample);
        let (warm_up, repetitions) = (warm_up.as_ref(), &repetitions[..]);
        let ways = TwoWays::find(Runs { warm_up, repetitions, interactive, every_run_counts })?;
        Some((ways.faster.len(), ways.slower.len()))
    }

    #[test]
    fn gap_between_the_runs_is_found() {
        for (name, warm_up, repetitions, expected) in [
            ("work in the warm-up alone", Some(73.6), &[0.9, 0.9, 1.0][..], Some((3, 1))),
            ("a lucky repetition", Some(80.0), &[78.0, 1.0, 79.0], Some((1, 3))),
            ("two groups", Some(16.0), &[80.0, 16.0, 17.0, 81.0], Some((3, 2))),
            ("half of the work", Some(80.0), &[40.0, 41.0, 40.0], Some((3, 1))),
            ("one slow repetition", Some(14.0), &[13.0, 11.0, 35.0], None),
            ("a slow spell", Some(10.0), &[12.0, 15.0, 19.0, 21.0, 10.0], None),
            ("cold caches", Some(1.6), &[0.9, 1.0, 1.0], None),
            ("a slower warm-up", Some(33.0), &[22.0, 25.0, 23.0], None),
            ("the warm-up is the only run", Some(900.0), &[], None),
            ("without a warm-up", None, &[5.0, 5.0, 50.0, 51.0], Some((2, 2))),
            ("work in the first run alone", None, &[50.0, 5.0, 5.0, 5.0], Some((3, 1))),
            ("less in each run", Some(20.0), &[14.0, 10.0, 7.0, 5.0, 5.0], Some((4, 2))),
            ("less in each run, then none", Some(20.0), &[14.0, 10.0, 7.0, 5.0, 1.0], Some((4, 2))),
            ("little less in each run", Some(10.0), &[7.0, 5.0, 4.0, 4.0], None),
            ("few milliseconds", Some(4.5), &[3.5, 2.5, 1.5, 1.0], None),
        ] {
            assert_eq!(groups(warm_up, repetitions, false, false), expected, "{name}");
        }
    }

    #[test]
    fn one_slow_run_in_ten_is_noise_unless_it_is_the_first() {
        let runs = |slow: usize| [vec![50.0; slow], vec![5.0; 20 - slow]].concat();
        assert_eq!(groups(Some(5.0), &runs(2), false, false), None);
        assert_eq!(groups(Some(5.0), &runs(3), false, false), Some((18, 3)));
        assert_eq!(groups(Some(50.0), &runs(1), false, false), Some((19, 2)));
    }

    #[test]
    fn slow_run_alone_may_have_worked_if_every_run_counts() {
        let repetitions = [80.0, 1.0, 1.0, 1.0];
        assert_eq!(groups(Some(1.0), &repetitions, false, false), None);
        assert_eq!(groups(Some(1.0), &repetitions, false, true), Some((4, 1)));
    }

    #[test]
    fn talks_wake_each_other_in_different_ways() {
        let wakes = [24.0, 24.5, 37.0, 38.0, 37.5];
        assert_eq!(groups(None, &wakes, false, false), Some((2, 3)));
        assert_eq!(groups(None, &wakes, true, false), None);
        assert_eq!(groups(None, &[10.0, 10.5, 37.0, 38.0], true, false), Some((2, 2)));
        let without_a_gap = [5.0, 9.0, 14.0, 20.0, 28.0, 37.0, 38.0];
        assert_eq!(groups(None, &without_a_gap, false, false), Some((4, 3)));
        assert_eq!(groups(None, &without_a_gap, true, false), None);
    }

    #[test]
    fn ways_are_unknown_without_processor_times() {
        let unknown = Sample { cpu_ns: None, ..Sample::default() };
        let repetitions = &[unknown, Sample::default()];
        let runs = Runs { warm_up: None, repetitions, interactive: false, every_run_counts: false };
        assert_eq!(TwoWays::find(runs), None);
    }
}
