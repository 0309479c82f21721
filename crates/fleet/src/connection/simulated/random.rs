//! Numbers that are the same for the same seed: `SplitMix64` (Steele, Lea and Flood, 2014).

use std::time::Duration;

/// A generator.
#[derive(Debug, Clone)]
pub struct Random(u64);

impl Random {
    /// Makes a generator.
    pub fn new(seed: u64) -> Self {
        Self(seed)
    }

    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut mixed = self.0;
        mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        mixed ^ (mixed >> 31)
    }

    /// Returns a number below `limit`.
    pub fn below(&mut self, limit: usize) -> usize {
        usize::try_from(self.next() % limit.max(1) as u64).unwrap_or(0)
    }

    /// Returns whether something happens that does in this number of hundred cases.
    pub fn percent(&mut self, percent: usize) -> bool {
        self.below(100) < percent
    }

    /// Returns a time between two numbers of milliseconds.
    pub fn millis(&mut self, least: u64, most: u64) -> Duration {
        Duration::from_millis(least + self.next() % most.saturating_sub(least).max(1))
    }

    /// Returns another generator, with numbers of its own.
    #[must_use]
    pub fn fork(&mut self) -> Self {
        Self(self.next())
    }
}
