//! Variations of the inputs that reached new code. Those that are known to reach new code
//! themselves are tried next, and others now and then.

use crate::measure::stress::test_input::TestInput;
use profiler_search::varied;
use std::collections::VecDeque;

/// Number of inputs from one variation to the next.
const PER_VARIATION: u32 = 8;
/// Maximum number of inputs that are varied: those that were added last.
const MAX_VARIED: usize = 64;
/// Number of inputs from which every other variation is made: those that were added last.
const NEWEST: usize = 6;
/// Maximum number of inputs that are to be tried next.
const MAX_NEXT: usize = 64;

/// The inputs that are varied.
#[derive(Debug, Clone, Default)]
pub(super) struct Variations {
    /// The newest first.
    originals: VecDeque<TestInput>,
    /// Inputs to try next.
    next: VecDeque<TestInput>,
    /// Number of variations so far, the seed of the next one.
    count: u32,
    /// Number of turns so far.
    turns: u32,
}

impl Variations {
    /// Adds an input to vary, if it has variations.
    pub(super) fn add(&mut self, input: TestInput) {
        if varied(&input.bytes, 0).is_some() {
            self.originals.push_front(input);
            self.originals.truncate(MAX_VARIED);
        }
    }

    /// Adds an input to try next.
    pub(super) fn try_next(&mut self, input: TestInput) {
        if self.next.len() < MAX_NEXT {
            self.next.push_back(input);
        }
    }

    /// Leaves out inputs of size `n` and of all larger sizes.
    pub(super) fn keep_below(&mut self, n: u64) {
        self.originals.retain(|input| input.n < n);
        self.next.retain(|input| input.n < n);
    }

    /// Returns an input to try, if it is the turn of one. The spec may not allow it.
    pub(super) fn next(&mut self) -> Option<TestInput> {
        if let Some(input) = self.next.pop_front() {
            return Some(input);
        }
        self.turns = self.turns.wrapping_add(1);
        self.turns.is_multiple_of(PER_VARIATION).then(|| self.another())?
    }

    /// Makes a variation. The spec may not allow it. `None` if there is nothing to vary.
    pub(super) fn another(&mut self) -> Option<TestInput> {
        let seed = self.count;
        self.count = seed.wrapping_add(1);
        let most = if seed.is_multiple_of(2) { NEWEST } else { MAX_VARIED };
        let among = self.originals.len().min(most).max(1);
        let original = self.originals.get((seed / 2) as usize % among)?;
        let bytes = varied(&original.bytes, seed)?.into_bytes();
        Some(TestInput { bytes, is_edited: true, ..original.clone() })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use profiler_search::Genome;

    fn input(n: u64) -> TestInput {
        let (genome, bytes) = (Genome::declared(0, 1), b"1 2 3 4".to_vec());
        TestInput { n, candidate: 0, genome, is_edited: false, bytes }
    }

    #[test]
    fn input_that_was_found_is_tried_next_and_variations_now_and_then() {
        let mut variations = Variations::default();
        assert!((0..16).all(|_| variations.next().is_none()), "there is nothing to vary");
        variations.add(input(4));
        variations.try_next(input(3));
        assert_eq!(variations.next(), Some(input(3)));
        let varied: Vec<_> = (0..16).filter_map(|_| variations.next()).collect();
        assert_eq!(varied.len(), 2);
        assert!(varied.iter().all(|it| it.n == 4 && it.is_edited));
    }

    #[test]
    fn new_inputs_are_varied_more_and_smaller_ones_are_kept() {
        let mut variations = Variations::default();
        (0..20).for_each(|n| variations.add(input(n)));
        let made: Vec<_> = (0..200).filter_map(|_| variations.another()).collect();
        let newest = made.iter().filter(|it| it.n >= 20 - NEWEST as u64).count();
        assert!((100..150).contains(&newest) && made.iter().any(|it| it.n == 0), "{newest}");
        variations.try_next(input(9));
        variations.keep_below(5);
        assert!((0..50).filter_map(|_| variations.next()).all(|it| it.n < 5));
    }
}
