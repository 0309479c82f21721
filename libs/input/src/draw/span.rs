//! A closed interval of whole numbers, or every k-th number of an interval.

use crate::draw::random::RandomStream;
use std::num::NonZeroU64;

/// The numbers `min, min + step … min + width * step`; never empty.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Span {
    pub(crate) min: i64,
    /// Difference between the largest and the smallest number, in steps.
    pub(crate) width: u64,
    /// Difference between neighbouring numbers.
    pub(crate) step: u64,
}

impl Span {
    /// The interval that holds one number.
    pub(crate) const fn one(min: i64) -> Self {
        Self { min, width: 0, step: 1 }
    }

    pub(crate) fn new(min: i64, max: i64) -> Option<Self> {
        (min <= max).then(|| Self { min, width: max.abs_diff(min), step: 1 })
    }

    /// The smallest number of the interval, and every number that is a multiple of `step` above it.
    pub(crate) fn stepped(self, step: NonZeroU64) -> Self {
        Self { min: self.min, width: self.width / step, step: step.get() }
    }

    /// The number `offset` steps above the smallest; `offset` must be at most the width.
    #[inline]
    pub(crate) fn number(self, offset: u64) -> i64 {
        self.min.wrapping_add_unsigned(offset * self.step)
    }

    /// A random number of the span, drawn with number i of the stream.
    #[inline]
    pub(crate) fn draw(self, stream: RandomStream, i: u64) -> i64 {
        self.number(stream.up_to(i, self.width))
    }

    /// Maximum number of bytes that a number of the span takes in the input, with the blank or
    /// newline after it. Numbers are padded to `digits` digits.
    pub(crate) fn bytes(self, digits: u8) -> u64 {
        let printed = |number: i64| {
            let written = number.unsigned_abs().checked_ilog10().unwrap_or(0) + 1;
            u64::from(written.max(u32::from(digits))) + u64::from(number < 0)
        };
        printed(self.min).max(printed(self.number(self.width))) + 1
    }
}
