//! Random numbers in rising order, each found without the ones before it: an interval is cut into
//! as many strata as there are numbers, and each stratum gives one. They are distinct where there
//! is room.

use crate::draw::random::Key;
use crate::draw::span::Span;

/// Rising numbers.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Strata {
    key: Key,
    span: Span,
    /// Whole width of a stratum.
    whole: u64,
    /// What a stratum is wider, in 2^-64.
    part: u64,
}

impl Strata {
    /// So many numbers of `span`.
    #[allow(clippy::cast_possible_truncation, reason = "quotients of what is smaller")]
    pub(crate) fn new(key: Key, span: Span, len: u64) -> Self {
        let (room, len) = (u128::from(span.width) + 1, u128::from(len.max(1)));
        let (whole, rest) = (room / len, room % len);
        // One stratum of all 64 bits is too wide by one.
        let whole = u64::try_from(whole).unwrap_or(u64::MAX);
        Self { key, span, whole, part: ((rest << 64) / len) as u64 }
    }

    /// Number i from below.
    #[inline]
    pub(crate) fn number(&self, i: u64) -> i64 {
        let (begin, end) = (self.begin(i), self.begin(i + 1));
        // The end of all 64 bits is 0 again.
        let last = end.wrapping_sub(1);
        let within = if end == begin { 0 } else { self.key.up_to(i, last - begin) };
        self.span.number(begin + within)
    }

    #[inline]
    #[allow(clippy::cast_possible_truncation, reason = "the upper half of a product")]
    fn begin(&self, i: u64) -> u64 {
        let part = ((u128::from(self.part) * u128::from(i)) >> 64) as u64;
        self.whole.wrapping_mul(i).wrapping_add(part)
    }
}
