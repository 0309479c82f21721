//! Random numbers by position: number i of a key needs no number before it, so what one variable,
//! one case or one n draws changes nothing for another. Whole numbers alone, so that they are the
//! same on every machine.
//!
//! The numbers are those of `SplitMix64` (Steele, Lea, Flood: Fast Splittable Pseudorandom Number
//! Generators, OOPSLA 2014), whose state is a counter: the i-th is a mixed sum of the key and i
//! times the golden ratio.

/// 2^64 divided by the golden ratio, rounded down: the step of the counter.
pub(crate) const GOLDEN: u64 = 0x9e37_79b9_7f4a_7c15;

/// Where a sequence of numbers comes from.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct Key(u64);

impl Key {
    pub(crate) fn new(seed: u32) -> Self {
        Self(u64::from(seed))
    }

    /// The key of something with a name.
    pub(crate) fn with_name(self, name: &str) -> Self {
        name.bytes().fold(self, |key, byte| key.with(u64::from(byte)))
    }

    /// Another key for every number.
    pub(crate) fn with(self, number: u64) -> Self {
        Self(mix(self.0.wrapping_add(GOLDEN) ^ mix(number)))
    }

    /// Number i.
    #[inline]
    pub(crate) fn word(self, i: u64) -> u64 {
        mix(self.0.wrapping_add(i.wrapping_add(1).wrapping_mul(GOLDEN)))
    }

    /// Number i, in 0 … last.
    #[inline]
    pub(crate) fn up_to(self, i: u64, last: u64) -> u64 {
        scale(self.word(i), last)
    }
}

/// A random word onto 0 … last, by multiplication (Lemire: Fast Random Integer Generation in an
/// Interval, 2019), without his rejection: what it would mend is a bias of at most 2^-64 times the
/// width of the interval.
#[inline]
#[allow(clippy::cast_possible_truncation, reason = "the upper half of a product")]
pub(crate) fn scale(word: u64, last: u64) -> u64 {
    ((u128::from(word) * (u128::from(last) + 1)) >> 64) as u64
}

/// The finaliser of `SplitMix64`: a bijection, each bit of whose result hangs on each bit of its
/// argument.
#[inline]
fn mix(mut z: u64) -> u64 {
    z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    z ^ (z >> 31)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_numbers_are_those_of_splitmix64() {
        let words: Vec<u64> = (0..3).map(|i| Key(1_234_567).word(i)).collect();
        assert_eq!(
            words,
            [6_457_827_717_110_365_317, 3_203_168_211_198_807_973, 9_817_491_932_198_370_423]
        );
    }

    #[test]
    fn bounded_numbers_reach_both_ends() {
        let seen: Vec<bool> =
            (0..3).map(|wanted| (0..100).any(|i| Key(7).up_to(i, 2) == wanted)).collect();
        assert_eq!(seen, [true; 3]);
        assert_eq!(scale(u64::MAX, u64::MAX), u64::MAX);
        assert_eq!(scale(u64::MAX, 0), 0);
    }
}
