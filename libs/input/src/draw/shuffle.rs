//! A random permutation of 0 … last that is computed instead of stored. It is a Feistel network
//! (Luby and Rackoff, 1988) over the smallest power of two that holds all values. Values outside
//! the range are mapped again until they are inside (cycle walking: Black and Rogaway, Ciphers with
//! Arbitrary Finite Domains, 2002). This takes fewer than two iterations on average.

use crate::draw::random::RandomStream;

/// Number of rounds. Luby and Rackoff need four against an attacker who can query both directions.
const ROUNDS: usize = 4;

/// A permutation of 0 … last.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Shuffle {
    last: u64,
    low_bits: u32,
    low_mask: u64,
    high_mask: u64,
    keys: [u64; ROUNDS],
}

impl Shuffle {
    pub(crate) fn new(stream: RandomStream, last: u64) -> Self {
        let bits = u64::BITS - last.leading_zeros();
        let low_bits = bits.div_ceil(2);
        let mask = |bits: u32| (1_u64 << bits) - 1;
        let mut keys = [0; ROUNDS];
        for (i, round) in (0..).zip(&mut keys) {
            *round = stream.word(i);
        }
        Self { last, low_bits, low_mask: mask(low_bits), high_mask: mask(bits - low_bits), keys }
    }

    /// The largest number.
    pub(crate) fn last(&self) -> u64 {
        self.last
    }

    /// The value at position i.
    #[inline]
    pub(crate) fn value_at(&self, i: u64) -> u64 {
        let mut value = i;
        loop {
            value = self.forward(value);
            if value <= self.last {
                return value;
            }
        }
    }

    /// The position of a value: the inverse of [`Self::value_at`].
    pub(crate) fn position_of(&self, value: u64) -> u64 {
        let mut i = value;
        loop {
            i = self.backward(i);
            if i <= self.last {
                return i;
            }
        }
    }

    #[inline]
    fn forward(&self, value: u64) -> u64 {
        let (mut high, mut low) = (value >> self.low_bits, value & self.low_mask);
        for pair in self.keys.chunks_exact(2) {
            high ^= round(low, pair[0]) & self.high_mask;
            low ^= round(high, pair[1]) & self.low_mask;
        }
        high << self.low_bits | low
    }

    fn backward(&self, value: u64) -> u64 {
        let (mut high, mut low) = (value >> self.low_bits, value & self.low_mask);
        for pair in self.keys.chunks_exact(2).rev() {
            low ^= round(high, pair[1]) & self.low_mask;
            high ^= round(low, pair[0]) & self.high_mask;
        }
        high << self.low_bits | low
    }
}

/// Bits 32 to 63 of a product. Each of these bits depends on all bits of the half.
#[inline]
fn round(half: u64, key: u64) -> u64 {
    (half ^ key).wrapping_mul(key | 1) >> 32
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::BTreeSet;

    #[test]
    fn every_number_comes_once_and_is_found_again() {
        for last in [0, 1, 2, 3, 4, 62, 63, 64, 1000] {
            let shuffle = Shuffle::new(RandomStream::new(1), last);
            let values: BTreeSet<u64> = (0..=last).map(|i| shuffle.value_at(i)).collect();
            assert!(values.iter().copied().eq(0..=last), "{last}");
            assert!((0..=last).all(|i| shuffle.position_of(shuffle.value_at(i)) == i), "{last}");
        }
    }

    #[test]
    fn all_of_64_bits_can_be_shuffled() {
        let shuffle = Shuffle::new(RandomStream::new(1), u64::MAX);
        for i in [0, 1, u64::MAX] {
            assert_eq!(shuffle.position_of(shuffle.value_at(i)), i);
        }
    }

    #[test]
    fn all_orders_of_a_few_come_about_as_often() {
        let mut counts = std::collections::BTreeMap::new();
        for seed in 0..2400 {
            let shuffle = Shuffle::new(RandomStream::new(seed), 3);
            *counts.entry([0, 1, 2].map(|i| shuffle.value_at(i))).or_insert(0) += 1;
        }
        assert_eq!(counts.len(), 24);
        // The mean is 100, its deviation 10.
        assert!(counts.values().all(|count| (50..=150).contains(count)), "{counts:?}");
    }
}
