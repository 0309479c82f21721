//! Cases that are counted in two processes, at places that a program cannot know.

use std::hash::{BuildHasher, RandomState};

/// Number of cases among which one is in the sample.
const CASES_PER_SAMPLE: usize = 32;

/// The sample among the counted cases: the first one, and one at a random place among each
/// [`CASES_PER_SAMPLE`] that follow.
pub(super) struct Samples {
    /// Maximum number of cases.
    cases: usize,
    /// Number of cases so far.
    counted: usize,
    /// Number of cases before the next one of the sample.
    next: usize,
}

impl Samples {
    /// The sample among at most `cases`.
    pub(super) fn of(cases: usize) -> Self {
        Self { cases, counted: 0, next: 0 }
    }

    /// Whether the next case is in the sample.
    pub(super) fn takes_next(&mut self) -> bool {
        let number = self.counted;
        self.counted += 1;
        if number % CASES_PER_SAMPLE == 1 && self.next < number {
            let group = CASES_PER_SAMPLE.min(self.cases.saturating_sub(number));
            self.next = number + below(group);
        }
        number == self.next
    }

    /// Puts the case after the last one into the sample, in place of the last one.
    pub(super) fn postpone(&mut self) {
        self.next = self.counted;
    }
}

/// Draws a number from 0 to below `end`.
fn below(end: usize) -> usize {
    // The standard library has no other random numbers: it keys each hash map with new ones.
    let drawn = RandomState::new().hash_one(end);
    let end = u64::try_from(end).unwrap_or(u64::MAX).max(1);
    usize::try_from(drawn % end).unwrap_or(0)
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::BTreeSet;

    /// Places of the sample among this number of cases.
    fn places(cases: usize) -> Vec<usize> {
        let mut samples = Samples::of(cases);
        (0..cases).filter(|_| samples.takes_next()).collect()
    }

    #[test]
    fn sample_has_the_first_case_and_one_of_each_group() {
        for _ in 0..50 {
            let places = places(100);
            let groups: Vec<_> = places.iter().map(|at| at.div_ceil(CASES_PER_SAMPLE)).collect();
            assert_eq!(groups, [0, 1, 2, 3, 4], "{places:?}");
        }
        assert!((0..50).all(|_| places(4).len() == 2));
    }

    /// 20 draws are the same only once in 32 to the power of 19 times.
    #[test]
    fn places_cannot_be_known() {
        let drawn: BTreeSet<_> = (0..20).map(|_| places(33)).collect();
        assert!(drawn.len() > 1, "{drawn:?}");
    }

    #[test]
    fn postponed_sample_is_the_next_case() {
        let mut samples = Samples::of(10);
        assert!(samples.takes_next());
        samples.postpone();
        assert!(samples.takes_next());
        assert!((0..8).all(|_| !samples.takes_next()), "the group has had its sample");
    }
}
