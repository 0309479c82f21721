//! Reads queries: the fields of each kind, and what they must keep.

use super::{Drawn, DrawnQueries, Elements, NumberOf, Part, Planned, Variant};
use crate::context::eval_context::{EvalContext, Evaluate};
use crate::context::fields::Fields;
use crate::draw::random::RandomStream;
use crate::draw::shuffle::Shuffle;
use crate::draw::span::Span;
use crate::draw::strata::Strata;
use crate::expression::Expression;
use crate::limits::{MAX_FIELDS, MAX_VARIANTS};
use crate::problem::join;
use crate::spec::query_field::Kind;
use crate::spec::{Queries, QueryElement, QueryRange, QueryVariant, Variable, variable};
use std::sync::Arc;

pub(crate) fn queries(declared: &Queries, fields: &mut Fields<'_>) -> Evaluate<DrawnQueries> {
    let count = declared.variants.len();
    if count == 0 {
        fields.refuse("variants", "must not be empty");
    } else if count > MAX_VARIANTS {
        fields.refuse("variants", format!("must have at most {MAX_VARIANTS} items, not {count}"));
    }
    let len = fields.expression("len", &declared.len);
    let &Queries { ends_empty, distinct, .. } = declared;
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
    all_rise(&declared.variants, fields);
    if distinct && (count > 1 || !declared.variants.iter().all(can_differ)) {
        fields.refuse("distinct", "requires one kind of query, of literals, numbers and intervals");
    }
    let adds = variants.iter().map(|variant| variant.adds).max().unwrap_or_default();
    Box::new(move |context| {
        let len = context.count(&len);
        let (rows, stream) = (len.unwrap_or_default(), context.stream.substream(2));
        let drawn = (0..).zip(&variants).map(|(number, variant)| {
            // Evaluates all parts even if one has a problem, so that every problem is recorded.
            let (path, parts) = &variant.parts;
            let size = Size { rows, adds, stream: stream.substream(number) };
            let parts =
                (0..).zip(parts).map(|(at, part)| part.evaluate(context, size.of_field(at)));
            let parts: Vec<_> = parts.collect();
            let parts: Option<Vec<_>> = parts.into_iter().collect();
            let &Variant { weight, adds, removes, .. } = variant;
            let parts = bounded(parts?, path, context, rows > 0)?;
            Some(Variant { weight, adds, removes, parts })
        });
        let drawn: Vec<Option<_>> = drawn.collect();
        let variants = drawn.into_iter().collect::<Option<_>>()?;
        let stream = context.stream.substream(1);
        Some(DrawnQueries { len: len?, variants, stream, ends_empty, distinct })
    })
}

/// Whether the numbers of such queries follow from a stream alone.
fn can_differ(variant: &QueryVariant) -> bool {
    let is_number = |kind: &Option<Kind>| {
        matches!(kind, None | Some(Kind::Literal(_) | Kind::Number(_) | Kind::Interval(_)))
    };
    variant.fields.iter().all(|field| is_number(&field.kind))
}

/// Records a problem if numbers rise in one of several kinds of queries, unless each kind has one
/// in the same range: then the numbers of all queries rise.
fn all_rise(variants: &[QueryVariant], fields: &mut Fields<'_>) {
    let rising = |variant: &QueryVariant, intervals: bool| {
        let kinds = variant.fields.iter().filter_map(|field| field.kind.clone());
        let ranges = kinds.filter_map(|kind| match kind {
            Kind::Number(range) if !intervals => Some(range),
            Kind::Interval(range) if intervals => Some(range),
            _ => None,
        });
        ranges.filter(|it| it.rising).map(|it| (it.min, it.max)).collect::<Vec<_>>()
    };
    let numbers = || variants.iter().map(|variant| rising(variant, false));
    let has_interval = variants.iter().any(|variant| !rising(variant, true).is_empty());
    let first = numbers().flatten().next();
    let is_shared = numbers().all(|ranges| ranges.first() == first.as_ref())
        && numbers().flatten().all(|range| first.as_ref() == Some(&range));
    if variants.len() > 1 && (has_interval || !is_shared) {
        fields.refuse(
            "variants",
            "must be one if an interval is rising, or all must have a number that is rising in \
             the same range",
        );
    }
}

/// The queries at one n: their number, and the most elements that one adds. `stream` is that of a
/// field.
#[derive(Debug, Clone, Copy)]
struct Size {
    rows: u64,
    adds: u64,
    stream: RandomStream,
}

impl Size {
    fn of_field(self, at: u64) -> Self {
        Self { stream: self.stream.substream(at), ..self }
    }
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
            Part::Number(NumberOf {
                range,
                not_below: Some(earlier),
                distinct,
                other_than,
                ..
            }) => {
                let differs = *distinct || (*other_than == Some(*earlier) && range.width > 0);
                (*earlier, i64::MIN, range.number(range.width).saturating_sub(differs.into()))
            }
            Part::List { range, distinct: true, .. } => {
                let all = i64::try_from(range.width).unwrap_or(i64::MAX).saturating_add(1);
                (at.saturating_sub(1), 0, all)
            }
            Part::List { .. } => (at.saturating_sub(1), 0, i64::MAX),
            Part::Interval { range: Span { width: 0, .. }, distinct: true, .. } if needed => {
                let path = format!("{path}[{at}].interval");
                return context.refuse(&path, "must have two different numbers");
            }
            Part::Element(Elements { of, distinct, once: false, .. })
                if needed && of.rows() <= u64::from(*distinct) =>
            {
                let (path, least) = (format!("{path}[{at}].element.of"), 1 + u64::from(*distinct));
                return context.refuse(&path, format_args!("must have {least} strings or more"));
            }
            _ => continue,
        };
        let Some(Part::Number(NumberOf { range, .. })) = parts.get_mut(earlier) else { continue };
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
    Some(match kind {
        Kind::Literal(text) => {
            let path = format!("{path}.literal");
            if text.is_empty() {
                fields.refuse(&path, "is missing");
            }
            Part::Literal(fields.literal(&path, text))
        }
        Kind::Number(range) => compile_number(range, &format!("{path}.number"), before, fields)?,
        Kind::Interval(QueryRange { min, max, distinct, rising, .. }) => Part::Interval {
            range: fields.range(&format!("{path}.interval"), min, max),
            distinct: *distinct,
            rising: *rising,
        },
        Kind::List(QueryRange { min, max, distinct, rising, .. }) => {
            let path = format!("{path}.list");
            if !before.len().checked_sub(1).is_some_and(|at| is_number(before, at)) {
                fields.refuse(&path, "must be after a number, which is its length");
                return None;
            }
            let range = fields.range(&path, min, max);
            Part::List { range, distinct: *distinct, rising: *rising }
        }
        Kind::Element(element) => {
            compile_element(element, &format!("{path}.element"), before, fields)?
        }
        Kind::Added(_) => Part::Added,
    })
}

fn is_number(before: &[Planned], at: usize) -> bool {
    matches!(before.get(at), Some(Part::Number(_)))
}

fn compile_number(
    declared: &QueryRange,
    path: &str,
    before: &[Planned],
    fields: &mut Fields<'_>,
) -> Option<Planned> {
    let &QueryRange { not_below, distinct, other_than, unique, rising, grows, .. } = declared;
    let mut earlier = |field: &str, number: u32| {
        let at = usize::try_from(number).ok()?.checked_sub(1);
        if at.is_some_and(|at| !is_number(before, at)) {
            fields.refuse(&join(path, field), "must be that of an earlier number");
            return None;
        }
        Some(at)
    };
    let not_below = earlier("not_below", not_below)?;
    let other_than = earlier("other_than", other_than)?;
    let ways = [not_below.is_some() || other_than.is_some(), unique, rising, grows];
    if ways.iter().filter(|is_set| **is_set).count() > 1 && !(grows && not_below.is_none()) {
        let text =
            "can have one of unique, rising and grows, and none with not_below or other_than";
        fields.refuse(path, text);
    }
    let range = fields.range(path, &declared.min, &declared.max);
    Some(Part::Number(NumberOf {
        range,
        not_below,
        distinct,
        other_than,
        unique: None,
        is_unique: unique,
        rising,
        grows: None,
        is_growing: grows,
    }))
}

fn compile_element(
    declared: &QueryElement,
    path: &str,
    before: &[Planned],
    fields: &mut Fields<'_>,
) -> Option<Planned> {
    use variable::Kind::{Graph, Text, Tree};
    let QueryElement { of, distinct, once, all } = declared;
    let has_edges = |it: &Variable| match &it.kind {
        Some(Tree(tree)) => !tree.parents,
        other => matches!(other, Some(Graph(_))),
    };
    let fits = |it: &Variable| matches!(it.kind, Some(Text(_)) | None) || has_edges(it);
    let found = fields.names.variable(of);
    let Some((index, variable)) = found.filter(|it| it.0 < fields.names.before && fits(it.1))
    else {
        let problem = format!("must name an earlier text, tree or graph, not {of:?}");
        fields.refuse(&join(path, "of"), problem);
        return None;
    };
    if has_edges(variable) && !once {
        fields.refuse(&join(path, "once"), "must be true for the edges of a tree or a graph");
    }
    if *all && !once {
        fields.refuse(&join(path, "all"), "requires once");
    }
    let same = matches!(before.last(), Some(Part::Element(other)) if other.of == index);
    if *distinct && (!same || *once) {
        fields.refuse(&join(path, "distinct"), "requires an element in the field before");
        return None;
    }
    Some(Part::Element(Elements { of: index, distinct: *distinct, once: *once, all: *all }))
}

impl Planned {
    fn evaluate(&self, context: &mut EvalContext<'_>, size: Size) -> Option<Drawn> {
        let Size { rows, stream, .. } = size;
        let needed = rows > 0;
        Some(match self {
            Part::Literal(text) => Part::Literal(Arc::clone(text)),
            Part::Number(number) => Part::Number(number.evaluate(context, size)?),
            Part::Interval { range, distinct, rising } => {
                let range = context.span(range, needed)?;
                // Every other number, so that there is one between two intervals.
                let half = Span { min: range.min, width: range.width / 2, step: 2 };
                let rising = rising.then(|| Strata::new(stream, half, rows.saturating_mul(2)));
                Part::Interval { range, distinct: *distinct, rising }
            }
            Part::List { range, distinct, rising } => {
                let range = context.span(range, needed)?;
                Part::List { range, distinct: *distinct, rising: *rising }
            }
            Part::Element(Elements { of, distinct, once, all }) => {
                let of = context.earlier.get(*of)?.clone()?;
                Part::Element(Elements { of, distinct: *distinct, once: *once, all: *all })
            }
            Part::Added => Part::Added,
        })
    }
}

impl NumberOf<[Expression; 2], bool> {
    fn evaluate(
        &self,
        context: &mut EvalContext<'_>,
        size: Size,
    ) -> Option<NumberOf<Span, Option<Strata>>> {
        let (mut range, mut grows) = (None, None);
        if self.is_growing {
            let [min, max] = &self.range;
            let (from, to) = (context.value(min), context.value(max));
            let (from, to) = (from?, to?);
            let most = to.saturating_add_unsigned(size.rows.saturating_mul(size.adds));
            range = Some(Span::new(from, most).unwrap_or(Span::one(from)));
            grows = Some(to);
        }
        let range = match range {
            Some(range) => range,
            None => context.span(&self.range, size.rows > 0)?,
        };
        let &Self { not_below, distinct, other_than, is_unique, is_growing, .. } = self;
        Some(NumberOf {
            range,
            not_below,
            distinct,
            other_than,
            unique: is_unique.then(|| Shuffle::new(size.stream, range.width)),
            is_unique,
            rising: self.rising.then(|| Strata::new(size.stream, range, size.rows)),
            grows,
            is_growing,
        })
    }
}
