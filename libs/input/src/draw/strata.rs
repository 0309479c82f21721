//! Random numbers in rising order, each computed without the numbers before it. The interval is
//! split into one stratum for each number. The numbers are distinct if the interval is large
//! enough.

use crate::draw::random::RandomStream;
use crate::draw::span::Span;

/// Random numbers in rising order.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Strata {
    stream: RandomStream,
    span: Span,
    /// Whole part of a stratum's width.
    whole: u64,
    /// Fraction of a stratum's width, in units of 2^-64.
    part: u64,
}

impl Strata {
    /// `len` numbers of `span`.
    #[allow(clippy::cast_possible_truncation, reason = "quotients of what is smaller")]
    pub(crate) fn new(stream: RandomStream, span: Span, len: u64) -> Self {
        let (room, len) = (u128::from(span.width) + 1, u128::from(len.max(1)));
        let (whole, rest) = (room / len, room % len);
        // A single stratum of all 64-bit numbers is 2^64 wide, which does not fit 64 bits.
        let whole = u64::try_from(whole).unwrap_or(u64::MAX);
        Self { stream, span, whole, part: ((rest << 64) / len) as u64 }
    }

    /// The i-th smallest number.
    #[inline]
    pub(crate) fn number(&self, i: u64) -> i64 {
        let (begin, end) = (self.begin(i), self.begin(i + 1));
        // The end of the full 64-bit range wraps to 0.
        let last = end.wrapping_sub(1);
        let within = if end == begin { 0 } else { self.stream.up_to(i, last - begin) };
        self.span.number(begin + within)
    }

    #[inline]
    #[allow(clippy::cast_possible_truncation, reason = "the upper half of a product")]
    fn begin(&self, i: u64) -> u64 {
        let part = ((u128::from(self.part) * u128::from(i)) >> 64) as u64;
        self.whole.wrapping_mul(i).wrapping_add(part)
    }
}
