//! The variables of records with positions: queries, pairs and the edges of graphs with two sides.

use super::{EDGES, Maker};
use crate::layout::sample::Word;
use crate::layout::shape::Count;
use crate::propose::roles::edges_or_nodes;
use crate::reading::content::{Argument, Base, Operation, Positions};
use profiler_input::spec::variable::Kind;
use profiler_input::spec::{
    Graph, Queries, QueryElement, QueryField, QueryRange, QueryVariant, Weights, query_field,
};
use std::collections::BTreeSet;

impl Maker<'_> {
    /// The positions as a range of numbers.
    pub(super) fn range(&self, positions: Positions) -> QueryRange {
        let len = self.scalars.expression(Count::Scalar(positions.count));
        let (min, max) = match positions.base {
            Base::Zero => ("0".into(), format!("{len} - 1")),
            Base::One => ("1".into(), len),
            Base::Bounds => ("0".into(), len),
            Base::After(other) => {
                let other = self.scalars.expression(Count::Scalar(other));
                (format!("{other} + 1"), format!("{other} + {len}"))
            }
        };
        QueryRange { min, max, ..QueryRange::default() }
    }

    pub(super) fn queries(&mut self, index: usize, count: Count, variants: &[Operation]) {
        let pairs = self.scalars.pairs.contains(&count);
        if let Some(graph) = self.sides(index, count, variants).filter(|_| pairs) {
            return self.by_rows(&EDGES, Kind::Graph(graph));
        }
        if pairs {
            self.assumptions.push("pairs can repeat; no kind of variable avoids that".into());
        }
        if variants.iter().any(|variant| variant.removes > 0) {
            self.assumptions.push(
                "no query removes what earlier ones did not add; leave out `adds` and `removes` \
                 if the task allows any"
                    .into(),
            );
        }
        let len = self.scalars.expression(count);
        let all = variants.iter().map(|variant| {
            let rows = self.rows(index);
            let own = rows.filter(|row| variant.code.as_ref().is_none_or(|it| row[0].text == *it));
            self.variant(variants, variant, &own.collect::<Vec<_>>())
        });
        let mut queries = Queries { len, variants: all.collect(), ends_empty: false };
        self.with_history(index, variants, &mut queries);
        let name = if pairs { "pairs" } else { "queries" };
        self.by_rows(&[name], Kind::Queries(queries));
    }

    fn variant(
        &mut self,
        all: &[Operation],
        operation: &Operation,
        rows: &[&Vec<Word>],
    ) -> QueryVariant {
        let code = operation.code.clone().map(query_field::Kind::Literal);
        let codes = usize::from(code.is_some());
        let corners = are_corners(&operation.fields, rows, codes);
        let strict = corners.is_some_and(|strict| strict);
        if corners.is_some() {
            self.assumptions.push(format!(
                "the third number of a line is {0} its first, and the fourth {0} its second, as in \
                 the samples",
                if strict { "above" } else { "not below" }
            ));
        }
        let either = edges_or_nodes(self.scopes, self.parts, all, operation);
        let arguments = operation.fields.iter().enumerate();
        let arguments: Vec<_> = arguments
            .map(|(at, argument)| {
                let next = operation.fields.get(at + 1);
                if let (
                    Argument::Number(min @ 2.., max),
                    Some(Argument::List(Some(of), .., true)),
                ) = (argument, next)
                {
                    // At a small n, there are fewer different numbers.
                    let of = self.scalars.expression(Count::Scalar(of.count));
                    let (min, max) = (format!("min({min}, {of})"), max.to_string());
                    let range = QueryRange { min, max, ..QueryRange::default() };
                    return query_field::Kind::Number(range);
                }
                if let (Argument::Position(of), Some(edges)) = (argument, either) {
                    return query_field::Kind::Number(self.node_or_edge(*of, edges));
                }
                // Fields are counted from 1.
                let is_last = corners.is_some() && (2..4).contains(&at);
                let earlier = if is_last { codes + at - 1 } else { 0 };
                let mut kind = self.field(argument, u32::try_from(earlier).unwrap_or_default());
                if let (query_field::Kind::Number(range), true) = (&mut kind, is_last) {
                    range.distinct = strict;
                }
                kind
            })
            .collect();
        let mut arguments = arguments;
        relate(&operation.fields, &mut arguments, rows, codes);
        let fields = code.into_iter().chain(arguments).map(|kind| QueryField { kind: Some(kind) });
        let &Operation { adds, removes, .. } = operation;
        QueryVariant { weight: 0, fields: fields.collect(), adds, removes }
    }

    /// The numbers that are both nodes and edges of a graph, so that either can be meant.
    fn node_or_edge(&mut self, positions: Positions, edges: usize) -> QueryRange {
        let edges = self.scalars.expression(Count::Scalar(edges));
        let QueryRange { min, max, .. } = self.range(positions);
        let nodes = self.scalars.expression(Count::Scalar(positions.count));
        let max = max.replacen(&nodes, &format!("min({nodes}, {edges})"), 1);
        self.assumptions.push(format!(
            "a number after a word is at most {nodes} and at most {edges}; leave out the one that \
             the task does not mean"
        ));
        QueryRange { min, max, ..QueryRange::default() }
    }

    fn field(&mut self, argument: &Argument, not_below: u32) -> query_field::Kind {
        match *argument {
            Argument::Position(positions) => {
                query_field::Kind::Number(QueryRange { not_below, ..self.range(positions) })
            }
            Argument::Range(positions, distinct) => {
                query_field::Kind::Interval(QueryRange { distinct, ..self.range(positions) })
            }
            Argument::Number(min, max) => {
                query_field::Kind::Number(QueryRange { not_below, ..self.assumed(min, max) })
            }
            Argument::Ordered(min, max, distinct) => {
                self.assumptions.push(
                    "two numbers of a line are in order, as in the samples; write two `number` \
                     fields if the task allows any"
                        .into(),
                );
                query_field::Kind::Interval(QueryRange { distinct, ..self.assumed(min, max) })
            }
            Argument::List(positions, min, max, distinct) => {
                let range = match positions {
                    Some(positions) => self.range(positions),
                    None => self.assumed(min, max),
                };
                let what =
                    if distinct { "different numbers, as in the samples" } else { "numbers" };
                self.assumptions.push(format!(
                    "each line has a list of {what}, {} to {}, after its length",
                    range.min, range.max
                ));
                query_field::Kind::List(QueryRange { distinct, ..range })
            }
            Argument::Element(part, distinct) => {
                let of = self.words.get(&part).cloned().unwrap_or_default();
                self.assumptions.push(format!("words of a query are from {of}"));
                query_field::Kind::Element(QueryElement { of, distinct, ..QueryElement::default() })
            }
        }
    }

    fn assumed(&mut self, min: i64, max: i64) -> QueryRange {
        let [min, max] = [min, max].map(|end| end.to_string());
        self.assume_span("a number in the queries", &min, &max);
        QueryRange { min, max, ..QueryRange::default() }
    }

    /// The graph whose edges are pairs of positions in two sequences, perhaps with weights.
    fn sides(&mut self, index: usize, count: Count, variants: &[Operation]) -> Option<Graph> {
        let [Operation { code: None, fields, .. }] = variants else { return None };
        let (first, second, weights) = match fields.as_slice() {
            [Argument::Position(first), Argument::Position(second)] => (first, second, None),
            [Argument::Position(first), Argument::Position(second), Argument::Number(min, max)] => {
                (first, second, Some([min, max].map(i64::to_string)))
            }
            _ => return None,
        };
        if first.count == second.count || first.base != second.base {
            return None;
        }
        let simple = self.scopes.iter().all(|scope| {
            let rows = &self.samples[scope.sample].lines[scope.parts[index].clone()];
            let pair = |row: &Vec<Word>| [0, 1].map(|column| row[column].number);
            rows.iter().map(pair).collect::<BTreeSet<_>>().len() == rows.len()
        });
        let name = |positions: &Positions| self.scalars.expression(Count::Scalar(positions.count));
        let (nodes, other_side) = (name(first), name(second));
        let promise = if simple { ", no edge twice, as in the samples" } else { "" };
        self.assumptions
            .push(format!("the edges join {nodes} nodes to {other_side} of another side{promise}"));
        let weights = weights.map(|[min, max]| {
            self.assume_span("the weights of edges", &min, &max);
            Weights { min, max }
        });
        let (edges, zero_based) = (self.scalars.expression(count), first.is_zero_based());
        Some(Graph { nodes, edges, other_side, simple, weights, zero_based, ..Graph::default() })
    }
}

/// Whether four positions or numbers on each line are two corners of a rectangle, the smaller ones
/// first. The answer is `true` if they are numbers that differ.
fn are_corners(fields: &[Argument], rows: &[&Vec<Word>], codes: usize) -> Option<bool> {
    let number = |row: &[Word], column: usize| row.get(codes + column).and_then(|it| it.number);
    let all = |holds: &dyn Fn(Option<i64>, Option<i64>) -> bool| {
        let pair = |row: &Vec<Word>, at: usize| holds(number(row, at), number(row, at + 2));
        rows.iter().all(|row| pair(row, 0) && pair(row, 1))
    };
    let numbers = match fields {
        [
            Argument::Number(..),
            Argument::Number(..),
            Argument::Number(..),
            Argument::Number(..),
        ] => true,
        [first @ Argument::Position(_), second @ Argument::Position(_), third, fourth, ..]
            if first == third && second == fourth =>
        {
            false
        }
        _ => return None,
    };
    let strict = numbers && all(&|one, other| one < other);
    all(&|one, other| one <= other).then_some(strict)
}

/// Minimum number of rows whose positions are in order, for a promise that they always are.
const MIN_ORDERED: usize = 3;

/// Adds that positions in one sequence differ, or that the smaller one comes first, as in all rows.
fn relate(fields: &[Argument], kinds: &mut [query_field::Kind], rows: &[&Vec<Word>], codes: usize) {
    let words = columns(fields, codes);
    for at in 1..kinds.len() {
        let earlier = (0..at).rev().find(|earlier| {
            matches!(fields[at], Argument::Position(_)) && fields[*earlier] == fields[at]
        });
        let Some(earlier) = earlier else { continue };
        let query_field::Kind::Number(range) = &mut kinds[at] else { continue };
        let number = |row: &Vec<Word>, at: usize| row.get(words[at]).and_then(|it| it.number);
        let all = |holds: fn(&Option<i64>, &Option<i64>) -> bool| {
            rows.iter().all(|row| holds(&number(row, earlier), &number(row, at)))
        };
        let field = u32::try_from(codes + earlier + 1).unwrap_or_default();
        if range.not_below > 0 {
            continue;
        }
        if all(|one, other| one < other) && rows.len() >= MIN_ORDERED {
            (range.not_below, range.other_than) = (field, field);
        } else if all(|one, other| one != other) {
            range.other_than = field;
        }
    }
}

/// The first word of each field.
pub(super) fn columns(fields: &[Argument], codes: usize) -> Vec<usize> {
    let width = |field: &Argument| match field {
        Argument::Range(..) | Argument::Ordered(..) => 2,
        _ => 1,
    };
    let first = |at: usize| codes + fields[..at].iter().map(width).sum::<usize>();
    (0..fields.len()).map(first).collect()
}
