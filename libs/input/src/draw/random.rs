//! Random numbers by position: number i of a stream is computed without the numbers before it. So
//! the numbers of one variable, case or n do not depend on any other. Only integer arithmetic is
//! used, so the numbers are the same on every machine.
//!
//! The generator is `SplitMix64`, whose state is a counter. Number i is the stream's seed plus i +
//! 1 times [`GOLDEN`], with its bits mixed. Source: Steele, Lea and Flood, Fast Splittable
//! Pseudorandom Number Generators, OOPSLA 2014.

/// 2^64 divided by the golden ratio, rounded down: the step of the counter.
pub(crate) const GOLDEN: u64 = 0x9e37_79b9_7f4a_7c15;

/// A stream of random numbers, identified by its 64-bit seed.
#[derive(Debug, Clone, Copy, Default)]
pub struct RandomStream(u64);

impl RandomStream {
    /// The stream with this seed.
    pub fn new(seed: u32) -> Self {
        Self(u64::from(seed))
    }

    /// An independent stream for every name.
    pub(crate) fn named_substream(self, name: &str) -> Self {
        name.bytes().fold(self, |stream, byte| stream.substream(u64::from(byte)))
    }

    /// An independent stream for every number.
    #[must_use]
    pub fn substream(self, number: u64) -> Self {
        Self(mix(self.0.wrapping_add(GOLDEN) ^ mix(number)))
    }

    /// Number i of the stream.
    #[inline]
    pub fn word(self, i: u64) -> u64 {
        mix(self.0.wrapping_add(i.wrapping_add(1).wrapping_mul(GOLDEN)))
    }

    /// Number i of the stream, scaled to 0 … last.
    #[inline]
    pub fn up_to(self, i: u64, last: u64) -> u64 {
        scale(self.word(i), last)
    }
}

/// Maps a random word to 0 … last by multiplication. Source: Lemire, Fast Random Integer Generation
/// in an Interval, 2019. Lemire's rejection step is left out: the bias is at most 2^-64 times the
/// interval's width.
#[inline]
#[allow(clippy::cast_possible_truncation, reason = "the upper half of a product")]
pub(crate) fn scale(word: u64, last: u64) -> u64 {
    ((u128::from(word) * (u128::from(last) + 1)) >> 64) as u64
}

/// The finaliser of `SplitMix64`: a bijection. Each bit of the result depends on each bit of the
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
    fn numbers_are_those_of_splitmix64() {
        let words: Vec<u64> = (0..3).map(|i| RandomStream(1_234_567).word(i)).collect();
        assert_eq!(
            words,
            [6_457_827_717_110_365_317, 3_203_168_211_198_807_973, 9_817_491_932_198_370_423]
        );
    }

    #[test]
    fn bounded_numbers_reach_both_ends() {
        let seen: Vec<bool> =
            (0..3).map(|wanted| (0..100).any(|i| RandomStream(7).up_to(i, 2) == wanted)).collect();
        assert_eq!(seen, [true; 3]);
        assert_eq!(scale(u64::MAX, u64::MAX), u64::MAX);
        assert_eq!(scale(u64::MAX, 0), 0);
    }
}
