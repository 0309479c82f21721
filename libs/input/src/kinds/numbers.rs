//! Numbers in all orders: scalars, arrays, permutations and matrices.

use crate::context::eval_context::{EvalContext, Evaluate};
use crate::context::fields::Fields;
use crate::draw::adversarial::{BUCKETS, Collisions, killer, middle_killer};
use crate::draw::random::RandomStream;
use crate::draw::rule::{Ranks, Rule};
use crate::draw::shuffle::Shuffle;
use crate::draw::span::Span;
use crate::draw::strata::Strata;
use crate::limits::MAX_RULED;
use crate::spec::{Array, Matrix, Order, Permutation, Scalar};
use std::num::NonZeroU64;
use std::sync::Arc;

/// Default number of distinct values in [`Order::FewDistinct`].
const FEW: i64 = 10;
/// [`Order::NearlySorted`] swaps one in this many numbers.
const SORTED_PER_SWAPPED: u64 = 100;

/// A sequence of numbers.
#[derive(Debug, Clone)]
pub(crate) struct Numbers {
    pub(crate) len: u64,
    pub(crate) span: Span,
    pub(crate) digits: u8,
    pub(crate) decimals: u8,
    sequence: Sequence,
}

#[derive(Debug, Clone)]
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
    /// The shuffle's first `swapped` values are the positions whose numbers are swapped, in pairs.
    NearlySorted {
        sorted: Strata,
        swapped: u64,
        shuffle: Shuffle,
    },
    OrganPipe(Strata),
    AntiQuicksort(Strata),
    AntiMiddlePivot(Strata),
    AntiHash(Collisions),
    Ruled(Strata, Arc<Ranks>),
}

impl Numbers {
    /// Maximum number of bytes of a number.
    pub(crate) fn bytes(&self) -> u64 {
        let (point, least) = if self.decimals == 0 { (0, 0) } else { (1, self.decimals + 1) };
        self.span.bytes(self.digits.max(least)) + point
    }

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
            Sequence::Ruled(sorted, ranks) => sorted.number(ranks.at(i)),
        }
    }

    /// Visits all numbers. Random numbers take a faster path, because large inputs mostly consist
    /// of them.
    pub(crate) fn each<E>(&self, mut to: impl FnMut(i64) -> Result<(), E>) -> Result<(), E> {
        match &self.sequence {
            Sequence::Random(stream) => {
                (0..self.len).try_for_each(|i| to(self.span.draw(*stream, i)))
            }
            _ => (0..self.len).try_for_each(|i| to(self.number(i))),
        }
    }
}

pub(crate) fn scalar(
    declared: &Scalar,
    bound: Option<i64>,
    fields: &mut Fields<'_>,
) -> Evaluate<i64> {
    let Scalar { value, min, max } = declared;
    match [value, min, max].map(|text| !text.is_empty()) {
        [true, false, false] | [false, true, true] => {}
        [false, false, false] => fields.refuse("", "must have either value, or min and max"),
        [true, ..] => fields.refuse("", "must have either value, or min and max, not both"),
        [false, false, _] => fields.refuse("min", "is missing"),
        [false, _, false] => fields.refuse("max", "is missing"),
    }
    let value = fields.maybe("value", value);
    let (min, max) = (fields.maybe("min", min), fields.maybe("max", max));
    let range = min.zip(max).map(<[_; 2]>::from);
    let path = fields.path.clone();
    Box::new(move |context| {
        let (value, most) = match (&value, &range) {
            (Some(value), _) => context.value(value).map(|value| (value, value))?,
            (None, Some(range)) => {
                let span = context.span(range, true)?;
                (span.draw(context.stream, 0), span.number(span.width))
            }
            (None, None) => return None,
        };
        match bound {
            Some(bound) if most > bound => context.refuse(
                &path,
                format_args!("must be at most the task's bound {bound}, not {most}"),
            ),
            _ => Some(value),
        }
    })
}

pub(crate) fn array(declared: &Array, fields: &mut Fields<'_>) -> Evaluate<Numbers> {
    let order = fields.known("order", declared.order);
    let is_few = order == Order::FewDistinct;
    let is_anti_hash = order == Order::AntiHash;
    if !declared.distinct_values.is_empty() && !is_few {
        fields.refuse("distinct_values", "requires the order few-distinct");
    }
    if declared.distinct && (is_few || order == Order::AllEqual) {
        fields.refuse("order", "cannot be used with distinct, because it repeats values");
    }
    if is_anti_hash {
        // Every bucket count is tried.
        fields.steps += BUCKETS.len() as u64;
    }
    let rule = rule(order, &declared.rule, fields);
    let len = fields.expression("len", &declared.len);
    let range = fields.range("", &declared.min, &declared.max);
    let distinct_values = fields.expression_or("distinct_values", &declared.distinct_values, FEW);
    let step = fields.expression_or("step", &declared.step, 1);
    let (distinct, digits) = (declared.distinct, fields.width(declared.width));
    let decimals = fields.decimals(declared.decimals);
    Box::new(move |context| {
        let count = context.count(&len);
        let span = context.span(&range, count.is_some_and(|count| count > 0));
        let (few, every) = (context.count(&distinct_values), context.value(&step));
        let (count, span, few, every) = (count?, span?, few?, every?);
        let span = match u64::try_from(every).ok().and_then(NonZeroU64::new) {
            Some(every) => span.stepped(every),
            None if count > 0 => {
                return context.refuse(&step.path, format_args!("must be 1 or more, not {every}"));
            }
            None => span,
        };
        if span.step > 1 && is_anti_hash {
            return context.refuse(
                &step.path,
                "must be 1 for the order anti-hash, which chooses its own multiples",
            );
        }
        if distinct && count > 0 && count - 1 > span.width {
            let room = span.width + 1;
            let problem =
                format_args!("must be at most {room}, the number of distinct values, not {count}");
            return context.refuse(&len.path, problem);
        }
        if few == 0 && count > 0 {
            return context.refuse(&distinct_values.path, "must be 1 or more, not 0");
        }
        let stream = context.stream.substream(1);
        let sequence = match order {
            Order::Unspecified | Order::Random if !distinct => Sequence::Random(stream),
            Order::FewDistinct => {
                let last = few.saturating_sub(1).min(span.width);
                let values = Strata::new(stream.substream(1), span, last + 1);
                Sequence::Few { stream, last, values }
            }
            Order::AntiHash => Sequence::AntiHash(Collisions::new(span, count, distinct)),
            Order::Rule => {
                ruled(rule.as_ref(), (&len.path, count), Strata::new(stream, span, count), context)?
            }
            order => ordered(order, stream, count, span),
        };
        Some(Numbers { len: count, span, digits, decimals, sequence })
    })
}

/// Sequence of an order that has no parameters of its own. Values are distinct if the range is
/// large enough, except in [`Order::AllEqual`].
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
        Order::Unspecified | Order::Random | Order::FewDistinct | Order::AntiHash | Order::Rule => {
            Sequence::Distinct(Shuffle::new(stream, span.width))
        }
    }
}

/// The rule of an order, which only [`Order::Rule`] has.
fn rule(order: Order, text: &str, fields: &mut Fields<'_>) -> Option<Rule> {
    match (order, text) {
        (Order::Rule, text) => match Rule::read(text) {
            Ok(rule) => return Some(rule),
            Err(problem) => fields.refuse("rule", problem),
        },
        (_, "") => {}
        _ => fields.refuse("rule", "requires the order rule"),
    }
    None
}

/// Sequence of [`Order::Rule`]. The path and the number are those of the length.
fn ruled(
    rule: Option<&Rule>,
    (path, len): (&str, u64),
    sorted: Strata,
    context: &mut EvalContext<'_>,
) -> Option<Sequence> {
    match usize::try_from(len) {
        Ok(count) if len <= MAX_RULED => {
            Some(Sequence::Ruled(sorted, Arc::new(Ranks::new(rule?.clone(), count))))
        }
        _ => context.too_large(
            path,
            format_args!("must be at most {MAX_RULED} with an order by a rule, not {len}"),
        ),
    }
}

pub(crate) fn permutation(declared: &Permutation, fields: &mut Fields<'_>) -> Evaluate<Numbers> {
    let order = fields.known("order", declared.order);
    if matches!(order, Order::AllEqual | Order::FewDistinct | Order::AntiHash) {
        fields.refuse("order", "cannot be used for a permutation");
    }
    let rule = rule(order, &declared.rule, fields);
    let len = fields.expression("len", &declared.len);
    let base = fields.expression_or("base", &declared.base, 1);
    let digits = fields.width(declared.width);
    let path = len.path.clone();
    Box::new(move |context| {
        let (len, min) = (context.count(&len), context.value(&base));
        let (len, min) = (len?, min?);
        let width = len.saturating_sub(1);
        if min.checked_add_unsigned(width).is_none() {
            let problem = "is too large: not all numbers fit into 64 bits";
            return context.refuse(&base.path, problem);
        }
        let span = Span { min, width, step: 1 };
        let stream = context.stream.substream(1);
        let sequence = match order {
            Order::Rule => {
                ruled(rule.as_ref(), (&path, len), Strata::new(stream, span, len), context)?
            }
            order => ordered(order, stream, len, span),
        };
        Some(Numbers { len, span, digits, decimals: 0, sequence })
    })
}

/// Rows of numbers.
#[derive(Debug, Clone)]
pub(crate) struct Cells {
    pub(crate) numbers: Numbers,
    pub(crate) rows: u64,
    pub(crate) cols: u64,
    symmetric: bool,
    zero_diagonal: bool,
}

impl Cells {
    /// The number in a cell.
    #[inline]
    pub(crate) fn number(&self, row: u64, col: u64) -> i64 {
        if self.zero_diagonal && row == col {
            return 0;
        }
        let turned = self.symmetric && col < row;
        let (row, col) = if turned { (col, row) } else { (row, col) };
        self.numbers.number(row * self.cols + col)
    }
}

pub(crate) fn matrix(declared: &Matrix, fields: &mut Fields<'_>) -> Evaluate<Cells> {
    let rows = fields.expression("rows", &declared.rows);
    let cols = fields.expression("cols", &declared.cols);
    let range = fields.range("", &declared.min, &declared.max);
    let digits = fields.width(declared.width);
    let &Matrix { symmetric, zero_diagonal, .. } = declared;
    Box::new(move |context| {
        let (height, width) = (context.count(&rows), context.count(&cols));
        let needed = height.is_some_and(|rows| rows > 0) && width.is_some_and(|cols| cols > 0);
        let span = context.span(&range, needed);
        let (height, width, span) = (height?, width?, span?);
        if symmetric && height != width {
            let problem =
                format_args!("must be {height} as the rows of a symmetric matrix, not {width}");
            return context.refuse(&cols.path, problem);
        }
        let sequence = Sequence::Random(context.stream.substream(1));
        let numbers = Numbers { len: height * width, span, digits, decimals: 0, sequence };
        Some(Cells { numbers, rows: height, cols: width, symmetric, zero_diagonal })
    })
}
