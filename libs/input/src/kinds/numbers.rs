//! Numbers in all orders: scalars, arrays, permutations and matrices.

use crate::context::eval_context::EvalContext;
use crate::context::fields::Fields;
use crate::draw::adversarial::{BUCKETS, Collisions, killer, middle_killer};
use crate::draw::random::RandomStream;
use crate::draw::shuffle::Shuffle;
use crate::draw::span::Span;
use crate::draw::strata::Strata;
use crate::expression::Code;
use crate::spec::{Array, Matrix, Order, Permutation, Scalar};
use std::num::NonZeroU64;

/// Number of values of [`Order::FewDistinct`] if the spec gives none.
const FEW: u64 = 10;
/// [`Order::NearlySorted`] swaps one of this many numbers.
const SORTED_PER_SWAPPED: u64 = 100;

/// A sequence of numbers.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Numbers {
    pub(crate) len: u64,
    pub(crate) span: Span,
    pub(crate) digits: u8,
    sequence: Sequence,
}

#[derive(Debug, Clone, Copy)]
enum Sequence {
    Random(RandomStream),
    Distinct(Shuffle),
    Equal(i64),
    Few {
        stream: RandomStream,
        last: u64,
        values: Strata,
    },
    Sorted(Strata),
    Reversed(Strata),
    /// The first `swapped` positions of the shuffle are swapped in pairs.
    NearlySorted {
        sorted: Strata,
        swapped: u64,
        shuffle: Shuffle,
    },
    OrganPipe(Strata),
    AntiQuicksort(Strata),
    AntiMiddlePivot(Strata),
    AntiHash(Collisions),
}

impl Numbers {
    /// Number i.
    #[inline]
    pub(crate) fn number(&self, i: u64) -> i64 {
        let last = self.len - 1;
        match &self.sequence {
            Sequence::Random(stream) => self.span.draw(*stream, i),
            Sequence::Distinct(shuffle) => self.span.number(shuffle.value_at(i)),
            Sequence::Equal(value) => *value,
            Sequence::Few { stream, last, values } => values.number(stream.up_to(i, *last)),
            Sequence::Sorted(sorted) => sorted.number(i),
            Sequence::Reversed(sorted) => sorted.number(last - i),
            Sequence::NearlySorted { sorted, swapped, shuffle } => {
                let position = shuffle.position_of(i);
                sorted.number(if position < *swapped { shuffle.value_at(position ^ 1) } else { i })
            }
            Sequence::OrganPipe(sorted) => {
                let rising = i < self.len.div_ceil(2);
                sorted.number(if rising { 2 * i } else { 2 * (last - i) + 1 })
            }
            Sequence::AntiQuicksort(sorted) => sorted.number(killer(self.len, i)),
            Sequence::AntiMiddlePivot(sorted) => sorted.number(middle_killer(self.len, i)),
            Sequence::AntiHash(keys) => keys.key(i),
        }
    }

    /// Visits all numbers. Random numbers take a shorter path, because large inputs mostly consist
    /// of them.
    pub(crate) fn each<E>(&self, mut to: impl FnMut(i64) -> Result<(), E>) -> Result<(), E> {
        match &self.sequence {
            Sequence::Random(stream) => {
                (0..self.len).try_for_each(|i| to(self.span.draw(*stream, i)))
            }
            _ => (0..self.len).try_for_each(|i| to(self.number(i))),
        }
    }

    /// Independent numbers.
    fn random(stream: RandomStream, len: u64, span: Span, digits: u8) -> Self {
        Self { len, span, digits, sequence: Sequence::Random(stream) }
    }
}

/// The width is limited when a spec is read.
fn digits(width: u32) -> u8 {
    u8::try_from(width).unwrap_or(u8::MAX)
}

impl Scalar {
    pub(crate) fn read(&self, fields: &mut Fields<'_>) -> Scalar<Code> {
        match (&self.value, &self.min, &self.max) {
            (Some(_), None, None) | (None, Some(_), Some(_)) => {}
            (None, None, None) => fields.refuse("", "is neither a value nor between min and max"),
            (Some(_), ..) => fields.refuse("", "is both a value and between min and max"),
            (None, None, _) => fields.refuse("min", "is missing"),
            (None, _, None) => fields.refuse("max", "is missing"),
        }
        Scalar {
            value: fields.maybe("value", self.value.as_ref()),
            min: fields.maybe("min", self.min.as_ref()),
            max: fields.maybe("max", self.max.as_ref()),
        }
    }

    /// Whether the value is random.
    pub(crate) fn is_random(&self) -> bool {
        self.value.is_none()
    }
}

impl Scalar<Code> {
    /// The number, and the largest number that it could have been.
    pub(crate) fn evaluate(&self, context: &mut EvalContext<'_>) -> Option<(i64, i64)> {
        match self {
            Scalar { value: Some(value), .. } => {
                context.value("value", value).map(|value| (value, value))
            }
            Scalar { min: Some(min), max: Some(max), .. } => {
                let span = context.span("", min, max, true)?;
                Some((span.draw(context.stream, 0), span.number(span.width)))
            }
            _ => None,
        }
    }
}

impl Array {
    pub(crate) fn read(&self, fields: &mut Fields<'_>) -> Array<Code> {
        let few = self.order == Order::FewDistinct;
        if self.distinct_values.is_some() && !few {
            fields.refuse("distinct_values", "is for the order few-distinct alone");
        }
        if self.distinct && (few || self.order == Order::AllEqual) {
            fields.refuse("order", "repeats values, which distinct forbids");
        }
        if self.order == Order::AntiHash {
            // Every bucket count is tried.
            fields.steps += BUCKETS.len() as u64;
        }
        Array {
            len: fields.code("len", &self.len),
            min: fields.code("min", &self.min),
            max: fields.code("max", &self.max),
            distinct: self.distinct,
            order: self.order,
            distinct_values: fields.maybe("distinct_values", self.distinct_values.as_ref()),
            step: fields.maybe("step", self.step.as_ref()),
            width: fields.width(self.width),
        }
    }
}

impl Array<Code> {
    pub(crate) fn evaluate(&self, context: &mut EvalContext<'_>) -> Option<Numbers> {
        let len = context.count("len", &self.len);
        let span = context.span("", &self.min, &self.max, len.is_some_and(|len| len > 0));
        let few = match &self.distinct_values {
            Some(code) => context.count("distinct_values", code),
            None => Some(FEW),
        };
        let step = match &self.step {
            Some(code) => context.value("step", code),
            None => Some(1),
        };
        let (len, span, few, step) = (len?, span?, few?, step?);
        let span = match u64::try_from(step).ok().and_then(NonZeroU64::new) {
            Some(step) => span.stepped(step),
            None if len > 0 => return context.refuse("step", format_args!("{step} is below 1")),
            None => span,
        };
        if span.step > 1 && self.order == Order::AntiHash {
            return context.refuse("step", "must be 1: anti-hash chooses its own multiples");
        }
        if self.distinct && len > 0 && len - 1 > span.width {
            let room = span.width + 1;
            let problem = format_args!("{len} distinct numbers do not fit among {room}");
            return context.refuse("len", problem);
        }
        if few == 0 && len > 0 {
            return context.refuse("distinct_values", "is 0");
        }
        let (stream, order) = (context.stream.substream(1), self.order);
        let sequence = match order {
            Order::Random if !self.distinct => Sequence::Random(stream),
            Order::FewDistinct => {
                let last = few.saturating_sub(1).min(span.width);
                Sequence::Few {
                    stream,
                    last,
                    values: Strata::new(stream.substream(1), span, last + 1),
                }
            }
            Order::AntiHash => Sequence::AntiHash(Collisions::new(span, len, self.distinct)),
            order => ordered(order, stream, len, span),
        };
        Some(Numbers { len, span, digits: digits(self.width), sequence })
    }
}

/// The orders that arrays and permutations share. Values are distinct if the range is large enough.
fn ordered(order: Order, stream: RandomStream, len: u64, span: Span) -> Sequence {
    let sorted = Strata::new(stream, span, len);
    match order {
        Order::AllEqual => Sequence::Equal(span.draw(stream, 0)),
        Order::Sorted => Sequence::Sorted(sorted),
        Order::Reversed => Sequence::Reversed(sorted),
        Order::NearlySorted => Sequence::NearlySorted {
            sorted,
            swapped: ((len / SORTED_PER_SWAPPED).max(2) & !1).min(len & !1),
            shuffle: Shuffle::new(stream.substream(1), len.saturating_sub(1)),
        },
        Order::OrganPipe => Sequence::OrganPipe(sorted),
        Order::AntiQuicksort => Sequence::AntiQuicksort(sorted),
        Order::AntiMiddlePivot => Sequence::AntiMiddlePivot(sorted),
        Order::Random | Order::FewDistinct | Order::AntiHash => {
            Sequence::Distinct(Shuffle::new(stream, span.width))
        }
    }
}

impl Permutation {
    pub(crate) fn read(&self, fields: &mut Fields<'_>) -> Permutation<Code> {
        if matches!(self.order, Order::AllEqual | Order::FewDistinct | Order::AntiHash) {
            fields.refuse("order", "is not one of a permutation");
        }
        Permutation {
            len: fields.code("len", &self.len),
            base: fields.maybe("base", self.base.as_ref()),
            order: self.order,
            width: fields.width(self.width),
        }
    }
}

impl Permutation<Code> {
    pub(crate) fn evaluate(&self, context: &mut EvalContext<'_>) -> Option<Numbers> {
        let len = context.count("len", &self.len);
        let base = match &self.base {
            Some(code) => context.value("base", code),
            None => Some(1),
        };
        let (len, base) = (len?, base?);
        let width = len.saturating_sub(1);
        if base.checked_add_unsigned(width).is_none() {
            return context.refuse("base", "does not leave room for all numbers within 64 bits");
        }
        let span = Span { min: base, width, step: 1 };
        let sequence = ordered(self.order, context.stream.substream(1), len, span);
        Some(Numbers { len, span, digits: digits(self.width), sequence })
    }
}

impl Matrix {
    pub(crate) fn read(&self, fields: &mut Fields<'_>) -> Matrix<Code> {
        Matrix {
            rows: fields.code("rows", &self.rows),
            cols: fields.code("cols", &self.cols),
            min: fields.code("min", &self.min),
            max: fields.code("max", &self.max),
            width: fields.width(self.width),
        }
    }
}

impl Matrix<Code> {
    /// All numbers, the number of rows and the number of columns.
    pub(crate) fn evaluate(&self, context: &mut EvalContext<'_>) -> Option<(Numbers, u64, u64)> {
        let (rows, cols) = (context.count("rows", &self.rows), context.count("cols", &self.cols));
        let needed = rows.is_some_and(|rows| rows > 0) && cols.is_some_and(|cols| cols > 0);
        let span = context.span("", &self.min, &self.max, needed);
        let (rows, cols, span) = (rows?, cols?, span?);
        let numbers =
            Numbers::random(context.stream.substream(1), rows * cols, span, digits(self.width));
        Some((numbers, rows, cols))
    }
}
