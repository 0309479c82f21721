//! Whether the runs of one size all did the same work.
//!
//! Noise slows some runs down, by any amount, but not two groups of runs with nothing between them.
//! So if a wide gap separates the processor times of the runs, the program behaves in two ways.

use super::units::ms;
use runner_protocol::Sample;

/// The least factor between the slowest run of the faster way and the fastest of the slower way. In
/// 1,074 sizes of `bench growth`, where the programs behave in one way, a warm-up took at most 1.31
/// times as long as the slowest repetition, among those with the difference below.
const LEAST_FACTOR: f64 = 1.5;
/// The same factor for a program that talks to an interactor. How the two wake each other takes
/// processor time, and may differ from run to run: it did by a factor of 1.5 in a conversation of
/// 2,000 turns.
const LEAST_FACTOR_OF_TALKS: f64 = 3.0;
/// The least difference between the same two, in milliseconds. A warm-up finds colder caches, and
/// took up to 0.9 ms longer there.
const LEAST_DIFFERENCE_MS: f64 = 2.0;

/// The runs of one size, each group in the order of its processor times.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct TwoWays {
    pub(crate) faster: Vec<Sample>,
    pub(crate) slower: Vec<Sample>,
}

impl TwoWays {
    /// Finds the widest gap that separates the runs. `None` if there is none, or if the kernel does
    /// not report processor time. One slow repetition alone is noise; a slow warm-up is not,
    /// because a program may do its work there alone.
    pub(crate) fn find(
        warm_up: Option<&Sample>,
        repetitions: &[Sample],
        interactive: bool,
    ) -> Option<Self> {
        let least_factor = if interactive { LEAST_FACTOR_OF_TALKS } else { LEAST_FACTOR };
        let warm_up = warm_up.map(|sample| (sample, true));
        let runs = warm_up.into_iter().chain(repetitions.iter().map(|sample| (sample, false)));
        let runs: Option<Vec<_>> = runs
            .map(|(sample, is_warm_up)| Some((ms(sample.cpu_ns?), is_warm_up, *sample)))
            .collect();
        let mut runs = runs?;
        runs.sort_by(|a, b| a.0.total_cmp(&b.0));
        let factor = |at: &usize| runs[*at].0 / runs[at - 1].0;
        let is_gap = |at: &usize| {
            let lone_repetition = at + 1 == runs.len() && !runs[*at].1;
            factor(at) >= least_factor
                && runs[*at].0 - runs[at - 1].0 >= LEAST_DIFFERENCE_MS
                && !lone_repetition
        };
        let gap = (1..runs.len()).filter(is_gap).max_by(|a, b| factor(a).total_cmp(&factor(b)))?;
        let mut faster: Vec<_> = runs.into_iter().map(|(_, _, sample)| sample).collect();
        let slower = faster.split_off(gap);
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
    ) -> Option<(usize, usize)> {
        let sample = |ms: f64| Sample {
            cpu_ns: Some(nanoseconds(Duration::from_secs_f64(ms / MS_PER_SECOND))),
            ..Sample::default()
        };
        let repetitions: Vec<_> = repetitions.iter().copied().map(sample).collect();
        let ways = TwoWays::find(warm_up.map(sample).as_ref(), &repetitions, interactive)?;
        Some((ways.faster.len(), ways.slower.len()))
    }

    #[test]
    fn a_gap_between_the_runs_is_found() {
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
        ] {
            assert_eq!(groups(warm_up, repetitions, false), expected, "{name}");
        }
    }

    #[test]
    fn talks_wake_each_other_in_different_ways() {
        let wakes = [24.0, 24.5, 37.0, 38.0, 37.5];
        assert_eq!(groups(None, &wakes, false), Some((2, 3)));
        assert_eq!(groups(None, &wakes, true), None);
        assert_eq!(groups(None, &[10.0, 10.5, 37.0, 38.0], true), Some((2, 2)));
    }

    #[test]
    fn without_processor_times_nothing_is_known() {
        let unknown = Sample { cpu_ns: None, ..Sample::default() };
        assert_eq!(TwoWays::find(None, &[unknown, Sample::default()], false), None);
    }
}
