//! Queries of several kinds.

use crate::context::eval_context::{EvalContext, Evaluate};
use crate::context::fields::Fields;
use crate::draw::random::RandomStream;
use crate::draw::span::Span;
use crate::expression::Expression;
use crate::limits::{MAX_FIELDS, MAX_VARIANTS};
use crate::spec::query_field::Kind;
use crate::spec::{Queries, QueryRange, QueryVariant};
use crate::writer::InputWriter;
use std::io::{self, Write};
use std::sync::Arc;

/// Queries, one in each row.
#[derive(Debug, Clone)]
pub(crate) struct DrawnQueries {
    pub(crate) len: u64,
    variants: Vec<Variant<Vec<Part<Span>>>>,
    stream: RandomStream,
}

/// A kind of query. `P` are its parts.
#[derive(Debug, Clone, Copy)]
struct Variant<P> {
    weight: u64,
    /// The numbers of elements that it adds to a collection and takes out of it.
    adds: u64,
    removes: u64,
    parts: P,
}

/// A field of a query. `R` is a range: of expressions in a plan, of numbers at one n.
#[derive(Debug, Clone)]
enum Part<R> {
    Literal(Arc<str>),
    Number(R),
    Interval(R),
}

impl DrawnQueries {
    /// Maximum number of bytes of a row.
    pub(crate) fn bytes(&self) -> u64 {
        let part = |part: &Part<Span>| match part {
            Part::Literal(text) => text.len() as u64 + 1,
            Part::Number(span) => span.bytes(0),
            Part::Interval(span) => 2 * span.bytes(0),
        };
        let rows = self.variants.iter().map(|variant| variant.parts.iter().map(part).sum());
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
        for (field, part) in (1..).step_by(2).zip(&variant.parts) {
            match part {
                Part::Literal(text) => out.text(text)?,
                Part::Number(span) => out.number(span.draw(stream, field), 0)?,
                Part::Interval(span) => {
                    let (one, other) = (span.draw(stream, field), span.draw(stream, field + 1));
                    out.number(one.min(other), 0)?;
                    out.number(one.max(other), 0)?;
                }
            }
        }
        Ok(())
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
        let parts = compile_parts(variant, &format!("variants[{i}].fields"), fields);
        variants.push(Variant { weight, adds, removes, parts });
    }
    Box::new(move |context| {
        let len = context.count(&len);
        let needed = len.is_some_and(|len| len > 0);
        let drawn = variants.iter().map(|variant| {
            // Evaluates all parts even if one has a problem, so that every problem is recorded.
            let parts = variant.parts.iter().map(|part| part.evaluate(context, needed));
            let parts: Vec<_> = parts.collect();
            let parts: Option<Vec<_>> = parts.into_iter().collect();
            let &Variant { weight, adds, removes, .. } = variant;
            Some(Variant { weight, adds, removes, parts: parts? })
        });
        let drawn: Vec<Option<_>> = drawn.collect();
        let variants = drawn.into_iter().collect::<Option<_>>()?;
        let stream = context.stream.substream(1);
        Some(DrawnQueries { len: len?, variants, stream })
    })
}

fn compile_parts(
    variant: &QueryVariant,
    path: &str,
    fields: &mut Fields<'_>,
) -> Vec<Part<[Expression; 2]>> {
    let count = variant.fields.len();
    if count == 0 {
        fields.refuse(path, "must not be empty");
    } else if count > MAX_FIELDS {
        fields.refuse(path, format!("must have at most {MAX_FIELDS} items, not {count}"));
    }
    let mut parts = Vec::new();
    for (j, field) in variant.fields.iter().enumerate().take(MAX_FIELDS) {
        // A literal costs a step as well, because it is copied for each n and in each case.
        fields.steps += 1;
        match &field.kind {
            Some(Kind::Literal(text)) => {
                let path = format!("{path}[{j}].literal");
                if text.is_empty() {
                    fields.refuse(&path, "is missing");
                }
                parts.push(Part::Literal(fields.literal(&path, text)));
            }
            Some(Kind::Number(QueryRange { min, max })) => {
                parts.push(Part::Number(fields.range(&format!("{path}[{j}].number"), min, max)));
            }
            Some(Kind::Interval(QueryRange { min, max })) => {
                parts.push(Part::Interval(fields.range(
                    &format!("{path}[{j}].interval"),
                    min,
                    max,
                )));
            }
            None => fields.refuse(&format!("{path}[{j}]"), "has no kind, such as number"),
        }
    }
    parts
}

impl Part<[Expression; 2]> {
    fn evaluate(&self, context: &mut EvalContext<'_>, needed: bool) -> Option<Part<Span>> {
        Some(match self {
            Part::Literal(text) => Part::Literal(Arc::clone(text)),
            Part::Number(range) => Part::Number(context.span(range, needed)?),
            Part::Interval(range) => Part::Interval(context.span(range, needed)?),
        })
    }
}
