//! The random numbers of a search. A seed gives the same search on every machine.

use profiler_input::RandomStream;

/// The numbers of a stream, one after the other.
#[derive(Debug, Clone)]
pub(crate) struct Random {
    stream: RandomStream,
    next: u64,
}

impl Random {
    pub(crate) fn new(seed: u32) -> Self {
        Self { stream: RandomStream::new(seed), next: 0 }
    }

    /// Independent numbers for every number.
    pub(crate) fn substream(&self, number: u64) -> Self {
        Self { stream: self.stream.substream(number), next: 0 }
    }

    /// The next 64 random bits.
    pub(crate) fn word(&mut self) -> u64 {
        self.next += 1;
        self.stream.word(self.next - 1)
    }

    /// A random number below `count`; 0 if `count` is 0.
    pub(crate) fn below(&mut self, count: usize) -> usize {
        self.next += 1;
        let last = (count as u64).saturating_sub(1);
        usize::try_from(self.stream.up_to(self.next - 1, last)).unwrap_or(0)
    }

    /// A random number in 0 … most.
    pub(crate) fn up_to(&mut self, most: u64) -> u64 {
        self.next += 1;
        self.stream.up_to(self.next - 1, most)
    }

    /// A random number in 0 … most.
    pub(crate) fn signed(&mut self, most: u8) -> i64 {
        self.byte(most).into()
    }

    /// A random number in 0 … most.
    pub(crate) fn byte(&mut self, most: u8) -> u8 {
        u8::try_from(self.below(usize::from(most) + 1)).unwrap_or(most)
    }

    /// Whether an event with a probability of `percent` happens.
    pub(crate) fn chance(&mut self, percent: usize) -> bool {
        self.below(100) < percent
    }

    /// A random element; `None` if there are no elements.
    pub(crate) fn pick<'a, T>(&mut self, from: &'a [T]) -> Option<&'a T> {
        from.get(self.below(from.len()))
    }
}
