//! Random numbers that are the same for the same seed.

use profiler_input::RandomStream;
use std::ops::RangeInclusive;

/// The numbers of a stream, one after the other.
pub(super) struct Random {
    stream: RandomStream,
    next: u64,
}

impl Random {
    pub(super) fn new(seed: u32) -> Self {
        Self { stream: RandomStream::new(seed), next: 0 }
    }

    /// A number below `count`, which is not 0.
    pub(super) fn below(&mut self, count: usize) -> usize {
        self.next += 1;
        let number = self.stream.up_to(self.next, (count as u64).saturating_sub(1));
        usize::try_from(number).unwrap_or_default()
    }

    /// A number in a range.
    pub(super) fn among(&mut self, range: RangeInclusive<usize>) -> usize {
        range.start() + self.below(range.end() - range.start() + 1)
    }

    /// This many numbers in a range.
    pub(super) fn list(&mut self, count: usize, range: RangeInclusive<usize>) -> Vec<usize> {
        (0..count).map(|_| self.among(range.clone())).collect()
    }

    /// Whether an event happens that does in half of the cases.
    pub(super) fn is_head(&mut self) -> bool {
        self.below(2) == 0
    }

    /// One of the items, of which there is at least one.
    pub(super) fn pick<T>(&mut self, mut from: Vec<T>) -> T {
        from.swap_remove(self.below(from.len()))
    }

    /// Puts the items in a random order.
    pub(super) fn shuffle<T>(&mut self, items: &mut [T]) {
        for at in 1..items.len() {
            items.swap(at, self.below(at + 1));
        }
    }

    /// The numbers from 1 to `n` in a random order.
    pub(super) fn order(&mut self, n: usize) -> Vec<usize> {
        let mut order: Vec<usize> = (1..=n).collect();
        self.shuffle(&mut order);
        order
    }
}
