//! Queries of several kinds.

use crate::context::eval_context::EvalContext;
use crate::context::fields::Fields;
use crate::draw::random::RandomStream;
use crate::draw::span::Span;
use crate::expression::Code;
use crate::limits::{MAX_FIELDS, MAX_VARIANTS};
use crate::spec::{Field, Queries, Variant};
use crate::writer::InputWriter;
use std::io::{self, Write};

/// Queries, one in each row.
#[derive(Debug, Clone)]
pub(crate) struct DrawnQueries<'p> {
    pub(crate) len: u64,
    /// Each variant's parts, with the cumulative sum of the weights.
    variants: Vec<(u64, Vec<Part<'p>>)>,
    stream: RandomStream,
}

#[derive(Debug, Clone, Copy)]
enum Part<'p> {
    Literal(&'p str),
    Number(Span),
    Interval(Span),
}

impl DrawnQueries<'_> {
    /// Maximum number of bytes of a row.
    pub(crate) fn bytes(&self) -> u64 {
        let part = |part: &Part<'_>| match part {
            Part::Literal(text) => text.len() as u64 + 1,
            Part::Number(span) => span.bytes(0),
            Part::Interval(span) => 2 * span.bytes(0),
        };
        let row = |(_, parts): &(u64, Vec<Part<'_>>)| parts.iter().map(part).sum();
        self.variants.iter().map(row).max().unwrap_or(1)
    }

    /// The values of query i.
    pub(crate) fn write<W: Write>(&self, i: u64, out: &mut InputWriter<'_, W>) -> io::Result<()> {
        let stream = self.stream.substream(i);
        let total = self.variants.last().map_or(1, |(sum, _)| *sum);
        let chosen = stream.up_to(0, total - 1);
        let Some((_, parts)) = self.variants.iter().find(|(sum, _)| chosen < *sum) else {
            return Ok(());
        };
        for (field, part) in (1..).step_by(2).zip(parts) {
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

impl Queries {
    pub(crate) fn read(&self, fields: &mut Fields<'_>) -> Queries<Code> {
        let count = self.variants.len();
        if count == 0 {
            fields.refuse("variants", "is empty");
        } else if count > MAX_VARIANTS {
            fields.refuse("variants", format!("{count} are over the limit of {MAX_VARIANTS}"));
        }
        let variants = self.variants.iter().enumerate().take(MAX_VARIANTS);
        Queries {
            len: fields.code("len", &self.len),
            variants: variants.map(|(i, v)| v.read(fields, &format!("variants[{i}]"))).collect(),
        }
    }
}

impl Variant {
    fn read(&self, fields: &mut Fields<'_>, path: &str) -> Variant<Code> {
        let (path, count) = (format!("{path}.fields"), self.fields.len());
        if count == 0 {
            fields.refuse(&path, "is empty");
        } else if count > MAX_FIELDS {
            fields.refuse(&path, format!("{count} are over the limit of {MAX_FIELDS}"));
        }
        let read = |(i, field): (usize, &Field)| {
            let path = format!("{path}[{i}]");
            // A literal is evaluated for each n and in each case as well.
            fields.steps += 1;
            match field {
                Field::Literal(text) => {
                    let path = format!("{path}.literal");
                    if text.is_empty() {
                        fields.refuse(&path, "is missing");
                    }
                    Field::Literal(fields.literal(&path, text))
                }
                Field::Number(range) => {
                    Field::Number(fields.range(&format!("{path}.number"), range))
                }
                Field::Interval(range) => {
                    Field::Interval(fields.range(&format!("{path}.interval"), range))
                }
            }
        };
        let parts = self.fields.iter().enumerate().take(MAX_FIELDS).map(read).collect();
        Variant { weight: self.weight.max(1), fields: parts }
    }
}

impl Queries<Code> {
    pub(crate) fn evaluate<'p>(
        &'p self,
        context: &mut EvalContext<'_>,
    ) -> Option<DrawnQueries<'p>> {
        let len = context.count("len", &self.len);
        let needed = len.is_some_and(|len| len > 0);
        let (mut sum, mut variants) = (0, Vec::with_capacity(self.variants.len()));
        for (i, variant) in self.variants.iter().enumerate() {
            let mut parts = Vec::with_capacity(variant.fields.len());
            for (j, field) in variant.fields.iter().enumerate() {
                parts.push(field.evaluate(context, (i, j), needed));
            }
            sum += u64::from(variant.weight);
            variants.push((sum, parts.into_iter().collect::<Option<Vec<_>>>()));
        }
        let whole = |(sum, parts): (u64, Option<Vec<Part<'p>>>)| parts.map(|parts| (sum, parts));
        let variants = variants.into_iter().map(whole).collect::<Option<Vec<_>>>()?;
        Some(DrawnQueries { len: len?, variants, stream: context.stream.substream(1) })
    }
}

impl Field<Code> {
    /// Field j of variant i, at one n.
    fn evaluate<'p>(
        &'p self,
        context: &mut EvalContext<'_>,
        (i, j): (usize, usize),
        needed: bool,
    ) -> Option<Part<'p>> {
        match self {
            Field::Literal(text) => Some(Part::Literal(text)),
            Field::Number(range) => {
                let path = format_args!("variants[{i}].fields[{j}].number");
                context.range(path, range, needed).map(Part::Number)
            }
            Field::Interval(range) => {
                let path = format_args!("variants[{i}].fields[{j}].interval");
                context.range(path, range, needed).map(Part::Interval)
            }
        }
    }
}
