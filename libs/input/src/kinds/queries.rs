//! Queries of several kinds.

use crate::context::eval_context::{EvalContext, Evaluate};
use crate::context::fields::Fields;
use crate::draw::random::RandomStream;
use crate::draw::shuffle::Shuffle;
use crate::draw::span::Span;
use crate::draw::strings::Strings;
use crate::expression::Expression;
use crate::limits::{MAX_FIELDS, MAX_VARIANTS};
use crate::problem::join;
use crate::spec::query_field::Kind;
use crate::spec::{Queries, QueryElement, QueryRange, QueryVariant, Variable, variable};
use crate::writer::InputWriter;
use std::io::{self, Write};
use std::sync::Arc;

/// Queries, one in each row.
#[derive(Debug, Clone)]
pub(crate) struct DrawnQueries {
    pub(crate) len: u64,
    variants: Vec<Variant<Vec<Drawn>>>,
    stream: RandomStream,
}

/// A kind of query. `P` are its parts: with their path in the spec, or at one n.
#[derive(Debug, Clone)]
struct Variant<P> {
    weight: u64,
    /// The numbers of elements that it adds to a collection and takes out of it.
    adds: u64,
    removes: u64,
    parts: P,
}

/// A field of a query. `R` is a range, and `S` a variable of strings: as the plan has them, or at
/// one n.
#[derive(Debug, Clone)]
enum Part<R, S> {
    Literal(Arc<str>),
    /// A number. It is not below the number of this field if there is one; above it if `distinct`.
    Number {
        range: R,
        not_below: Option<usize>,
        distinct: bool,
    },
    Interval {
        range: R,
        distinct: bool,
    },
    List {
        range: R,
        distinct: bool,
    },
    Element {
        of: S,
        distinct: bool,
    },
}

type Planned = Part<[Expression; 2], usize>;
type Drawn = Part<Span, Strings>;

/// Numbers of the fields of a row, as far as it is written. Each element is that of its string.
type Row = [i64; MAX_FIELDS];

impl DrawnQueries {
    /// Maximum number of bytes of a row.
    pub(crate) fn bytes(&self) -> u64 {
        let rows = self.variants.iter().map(|variant| row_bytes(&variant.parts));
        rows.max().unwrap_or(1)
    }

    /// Writes the values of query i. `there` is the number of elements in the collection: 0 before
    /// the first query. Only queries are chosen that do not take out more.
    pub(crate) fn write<W: Write>(
        &self,
        i: u64,
        there: &mut u64,
        out: &mut InputWriter<'_, W>,
    ) -> io::Result<()> {
        let stream = self.stream.substream(i);
        let before = *there;
        let possible = || self.variants.iter().filter(|variant| variant.removes <= before);
        let total: u64 = possible().map(|variant| variant.weight).sum();
        let mut chosen = stream.up_to(0, total.saturating_sub(1));
        let variant = possible().find(|variant| match chosen.checked_sub(variant.weight) {
            Some(rest) => {
                chosen = rest;
                false
            }
            None => true,
        });
        let Some(variant) = variant else { return Ok(()) };
        *there = before - variant.removes + variant.adds;
        let mut row = [0; MAX_FIELDS];
        for (at, part) in variant.parts.iter().enumerate() {
            part.write(at, &mut row, stream, out)?;
        }
        Ok(())
    }
}

/// The largest number of bytes of a row with these parts.
fn row_bytes(parts: &[Drawn]) -> u64 {
    let before = [None].into_iter().chain(parts.iter().map(Some));
    let part = |(part, before): (&Drawn, Option<&Drawn>)| match part {
        Part::Literal(text) => text.len() as u64 + 1,
        Part::Number { range, .. } => range.bytes(0),
        Part::Interval { range, .. } => 2 * range.bytes(0),
        Part::List { range, .. } => longest(before).saturating_mul(range.bytes(0)),
        Part::Element { of, .. } => of.cols + 1,
    };
    parts.iter().zip(before).map(part).fold(0, u64::saturating_add)
}

/// The largest length of a list, which is the number before it.
fn longest(before: Option<&Drawn>) -> u64 {
    match before {
        Some(Part::Number { range, .. }) => {
            u64::try_from(range.number(range.width)).unwrap_or_default()
        }
        _ => 0,
    }
}

impl Drawn {
    /// Writes the values of field `at`, and adds its number to the row.
    fn write<W: Write>(
        &self,
        at: usize,
        row: &mut Row,
        stream: RandomStream,
        out: &mut InputWriter<'_, W>,
    ) -> io::Result<()> {
        let field = 2 * at as u64 + 1;
        let before = at.checked_sub(1).map_or(0, |before| row[before]);
        match self {
            Part::Literal(text) => out.text(text),
            Part::Number { range, not_below, distinct } => {
                // The earlier number is at most the largest one of this field.
                let least = not_below.map_or(range.min, |it| row[it] + i64::from(*distinct));
                let range = Span::new(least.max(range.min), range.number(range.width));
                row[at] = range.map_or(least, |range| range.draw(stream, field));
                out.number(row[at], 0)
            }
            Part::Interval { range, distinct } => {
                let one = stream.up_to(field, range.width);
                let mut other = stream.up_to(field + 1, range.width - u64::from(*distinct));
                other += u64::from(*distinct && other >= one);
                out.number(range.number(one.min(other)), 0)?;
                out.number(range.number(one.max(other)), 0)
            }
            Part::List { range, distinct } => {
                let stream = stream.substream(field);
                let order = distinct.then(|| Shuffle::new(stream, range.width));
                (0..u64::try_from(before).unwrap_or_default()).try_for_each(|i| {
                    let number = order.map(|order| range.number(order.value_at(i)));
                    out.number(number.unwrap_or_else(|| range.draw(stream, i)), 0)
                })
            }
            Part::Element { of, distinct } => {
                let mut element = stream.up_to(field, of.rows - 1 - u64::from(*distinct));
                element += u64::from(*distinct && element >= before.unsigned_abs());
                row[at] = element.cast_signed();
                of.row(element, out)
            }
        }
    }
}

pub(crate) fn queries(declared: &Queries, fields: &mut Fields<'_>) -> Evaluate<DrawnQueries> {
    let count = declared.variants.len();
    if count == 0 {
        fields.refuse("variants", "must not be empty");
    } else if count > MAX_VARIANTS {
        fields.refuse("variants", format!("must have at most {MAX_VARIANTS} items, not {count}"));
    }
    let len = fields.expression("len", &declared.len);
    if count > 0 && declared.variants.iter().all(|variant| variant.removes > 0) {
        fields.refuse("variants", "must have one that removes nothing, for the first query");
    }
    let mut variants = Vec::new();
    for (i, variant) in declared.variants.iter().enumerate().take(MAX_VARIANTS) {
        let [weight, adds, removes] =
            [variant.weight.max(1), variant.adds, variant.removes].map(u64::from);
        let path = format!("variants[{i}].fields");
        let parts = compile_parts(variant, &path, fields);
        let parts = (join(&fields.path, &path), parts);
        variants.push(Variant { weight, adds, removes, parts });
    }
    Box::new(move |context| {
        let len = context.count(&len);
        let needed = len.is_some_and(|len| len > 0);
        let drawn = variants.iter().map(|variant| {
            // Evaluates all parts even if one has a problem, so that every problem is recorded.
            let (path, parts) = &variant.parts;
            let parts = parts.iter().map(|part| part.evaluate(context, needed));
            let parts: Vec<_> = parts.collect();
            let parts: Option<Vec<_>> = parts.into_iter().collect();
            let &Variant { weight, adds, removes, .. } = variant;
            let parts = bounded(parts?, path, context, needed)?;
            Some(Variant { weight, adds, removes, parts })
        });
        let drawn: Vec<Option<_>> = drawn.collect();
        let variants = drawn.into_iter().collect::<Option<_>>()?;
        let stream = context.stream.substream(1);
        Some(DrawnQueries { len: len?, variants, stream })
    })
}

/// The parts with ranges from which every choice has a valid rest: numbers that are not above those
/// that must not be below them, and lengths of lists that have enough numbers.
fn bounded(
    mut parts: Vec<Drawn>,
    path: &str,
    context: &mut EvalContext<'_>,
    needed: bool,
) -> Option<Vec<Drawn>> {
    for at in (0..parts.len()).rev() {
        let (earlier, least, most) = match &parts[at] {
            Part::Number { range, not_below: Some(earlier), distinct } => {
                (*earlier, i64::MIN, range.number(range.width).saturating_sub((*distinct).into()))
            }
            Part::List { range, distinct: true } => {
                let all = i64::try_from(range.width).unwrap_or(i64::MAX).saturating_add(1);
                (at.saturating_sub(1), 0, all)
            }
            Part::List { .. } => (at.saturating_sub(1), 0, i64::MAX),
            Part::Interval { range: Span { width: 0, .. }, distinct: true } if needed => {
                let path = format!("{path}[{at}].interval");
                return context.refuse(&path, "must have two different numbers");
            }
            Part::Element { of, distinct } if needed && of.rows <= u64::from(*distinct) => {
                let (path, least) = (format!("{path}[{at}].element.of"), 1 + u64::from(*distinct));
                return context.refuse(&path, format_args!("must have {least} strings or more"));
            }
            _ => continue,
        };
        let Some(Part::Number { range, .. }) = parts.get_mut(earlier) else { continue };
        match Span::new(range.min, range.number(range.width).min(most)) {
            Some(span) if span.min >= least => *range = span,
            _ if needed => {
                let path = format!("{path}[{earlier}].number");
                return context.refuse(&path, "has no number that allows the later fields");
            }
            _ => {}
        }
    }
    Some(parts)
}

/// Reads the fields of a kind of query.
fn compile_parts(variant: &QueryVariant, path: &str, fields: &mut Fields<'_>) -> Vec<Planned> {
    let count = variant.fields.len();
    if count == 0 {
        fields.refuse(path, "must not be empty");
    } else if count > MAX_FIELDS {
        fields.refuse(path, format!("must have at most {MAX_FIELDS} items, not {count}"));
    }
    let mut parts: Vec<Planned> = Vec::new();
    for (j, field) in variant.fields.iter().enumerate().take(MAX_FIELDS) {
        // A literal costs a step as well, because it is copied for each n and in each case.
        fields.steps += 1;
        let path = format!("{path}[{j}]");
        let Some(kind) = &field.kind else {
            fields.refuse(&path, "has no kind, such as number");
            continue;
        };
        // A field after one with a problem refers to fields by other numbers.
        let known = parts.len() == j;
        parts.extend(compile_part(kind, &path, &parts, fields).filter(|_| known));
    }
    parts
}

fn compile_part(
    kind: &Kind,
    path: &str,
    before: &[Planned],
    fields: &mut Fields<'_>,
) -> Option<Planned> {
    let is_number = |at: usize| matches!(before.get(at), Some(Part::Number { .. }));
    Some(match kind {
        Kind::Literal(text) => {
            let path = format!("{path}.literal");
            if text.is_empty() {
                fields.refuse(&path, "is missing");
            }
            Part::Literal(fields.literal(&path, text))
        }
        Kind::Number(QueryRange { min, max, not_below, distinct }) => {
            let path = format!("{path}.number");
            let earlier = usize::try_from(*not_below).ok()?.checked_sub(1);
            if earlier.is_some_and(|earlier| !is_number(earlier)) {
                fields.refuse(&join(&path, "not_below"), "must be that of an earlier number");
                return None;
            }
            let range = fields.range(&path, min, max);
            Part::Number { range, not_below: earlier, distinct: *distinct }
        }
        Kind::Interval(QueryRange { min, max, distinct, .. }) => Part::Interval {
            range: fields.range(&format!("{path}.interval"), min, max),
            distinct: *distinct,
        },
        Kind::List(QueryRange { min, max, distinct, .. }) => {
            let path = format!("{path}.list");
            if !before.len().checked_sub(1).is_some_and(is_number) {
                fields.refuse(&path, "must be after a number, which is its length");
                return None;
            }
            Part::List { range: fields.range(&path, min, max), distinct: *distinct }
        }
        Kind::Element(QueryElement { of, distinct }) => {
            let path = format!("{path}.element");
            let is_text = |it: &Variable| matches!(it.kind, Some(variable::Kind::Text(_)) | None);
            let found = fields.names.variable(of);
            let Some((index, _)) = found.filter(|it| it.0 < fields.names.before && is_text(it.1))
            else {
                fields.refuse(&join(&path, "of"), format!("must name an earlier text, not {of:?}"));
                return None;
            };
            let same = matches!(before.last(), Some(Part::Element { of, .. }) if *of == index);
            if *distinct && !same {
                fields.refuse(&join(&path, "distinct"), "requires an element in the field before");
                return None;
            }
            Part::Element { of: index, distinct: *distinct }
        }
    })
}

impl Planned {
    fn evaluate(&self, context: &mut EvalContext<'_>, needed: bool) -> Option<Drawn> {
        Some(match self {
            Part::Literal(text) => Part::Literal(Arc::clone(text)),
            Part::Number { range, not_below, distinct } => {
                let range = context.span(range, needed)?;
                Part::Number { range, not_below: *not_below, distinct: *distinct }
            }
            Part::Interval { range, distinct } => {
                Part::Interval { range: context.span(range, needed)?, distinct: *distinct }
            }
            Part::List { range, distinct } => {
                Part::List { range: context.span(range, needed)?, distinct: *distinct }
            }
            Part::Element { of, distinct } => {
                let of = context.earlier.get(*of)?.clone()?;
                Part::Element { of, distinct: *distinct }
            }
        })
    }
}
