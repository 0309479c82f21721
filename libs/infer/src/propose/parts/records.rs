//! The variables of records with positions: queries, pairs and the edges of graphs with two sides.

use super::relations::{are_corners, first_words, rows_differ, split};
use super::{EDGES, Maker, Rows};
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

    /// Declares queries, or records of another `name`.
    pub(super) fn queries(
        &mut self,
        index: usize,
        count: Count,
        variants: &[Operation],
        name: &str,
    ) {
        let pairs = self.scalars.pairs.contains(&count);
        if let Some(graph) = self.sides(index, count, variants).filter(|_| pairs) {
            return self.by_rows(&EDGES, Kind::Graph(graph));
        }
        if variants.iter().any(|variant| variant.removes > 0) {
            self.assumptions.push(
                "no query removes what earlier ones did not add; leave out `adds` and `removes` \
                 if the task allows any"
                    .into(),
            );
        }
        let len = self.scalars.expression(count);
        let split: Vec<Operation> = match variants {
            [only] if self.promised => vec![split(only, &self.rows_by_scope(index))],
            all => all.to_vec(),
        };
        self.pools = self.pools_of(index, &split, &len);
        let all = split.iter().map(|variant| {
            let own =
                |row: &&Vec<Word>| variant.code.as_ref().is_none_or(|code| row[0].text == *code);
            let rows = self.rows_by_scope(index).into_iter();
            let rows = rows.map(|rows| rows.into_iter().filter(own).collect());
            self.variant(&split, variant, &rows.collect(), &len)
        });
        let all: Vec<QueryVariant> = all.collect();
        let is_unique = |kind: Option<&query_field::Kind>| matches!(kind, Some(query_field::Kind::Number(range)) if range.unique);
        let distinct = match (&*split, &*all) {
            ([only], [variant]) => {
                let codes = usize::from(only.code.is_some());
                self.promised
                    && rows_differ(&only.fields, &self.rows_by_scope(index), codes)
                    && !variant.fields.iter().any(|field| is_unique(field.kind.as_ref()))
            }
            _ => false,
        };
        if distinct {
            self.assumptions.push(
                "no two lines have the same numbers, as in the samples; leave out `distinct` if \
                 the task allows that"
                    .into(),
            );
        }
        let mut queries = Queries { len, variants: all, ends_empty: false, distinct };
        self.with_history(index, &split, &mut queries);
        if self.promised {
            self.rise_together(&split, &self.rows_by_scope(index), &mut queries);
        }
        let name = if pairs { "pairs" } else { name };
        self.by_rows(&[name], Kind::Queries(queries));
    }

    fn variant(
        &mut self,
        all: &[Operation],
        operation: &Operation,
        rows: &Rows<'_>,
        len: &str,
    ) -> QueryVariant {
        let code = operation.code.clone().map(query_field::Kind::Literal);
        let codes = usize::from(code.is_some());
        let corners = are_corners(&operation.fields, &rows.concat(), codes);
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
                if *argument == Argument::Word {
                    return self.word(at, rows, first_words(&operation.fields, codes)[at]);
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
        let is_only = all.len() == 1;
        self.relate(&operation.fields, &mut arguments, rows, (codes, len, is_only));
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
            // A word is declared with the words of all kinds.
            Argument::Word => query_field::Kind::Element(QueryElement::default()),
            Argument::Element(part, distinct) => {
                let of = self.words.get(&part).cloned().unwrap_or_default();
                self.assumptions.push(format!("words of a query are from {of}"));
                query_field::Kind::Element(QueryElement { of, distinct, ..QueryElement::default() })
            }
        }
    }

    /// Declares the words in each field of the queries, and returns their names. No layout prints
    /// them, but queries take some.
    fn pools_of(&mut self, index: usize, kinds: &[Operation], len: &str) -> Vec<String> {
        let rows = self.rows_by_scope(index).concat();
        let most = kinds.iter().map(|kind| kind.fields.len()).max().unwrap_or_default();
        let words = |at: usize| -> Vec<&Word> {
            let of_kind = kinds.iter().filter(|kind| kind.fields.get(at) == Some(&Argument::Word));
            let words = of_kind.flat_map(|kind| {
                let column = first_words(&kind.fields, usize::from(kind.code.is_some()))[at];
                let own = move |row: &&&Vec<Word>| {
                    kind.code.as_ref().is_none_or(|code| row[0].text == *code)
                };
                rows.iter().filter(own).filter_map(move |row| row.get(column))
            });
            words.collect()
        };
        let mut pool = |words: Vec<&Word>| {
            if words.is_empty() { String::new() } else { self.names_of(&words, len.into(), true) }
        };
        (0..most).map(|at| pool(words(at))).collect()
    }

    /// A word of a kind of query. If none comes twice, each is taken once.
    fn word(&mut self, at: usize, rows: &Rows<'_>, column: usize) -> query_field::Kind {
        let of = self.pools.get(at).cloned().unwrap_or_default();
        let differ = |rows: &Vec<&Vec<Word>>| {
            rows.iter().map(|row| &*row[column].text).collect::<BTreeSet<_>>().len() == rows.len()
        };
        let once = self.promised && rows.concat().len() > 1 && rows.iter().all(differ);
        if once {
            self.assumptions.push(format!(
                "a kind of query takes a word of {of} only once, as in the samples; leave out `once` \
                 if the task allows that"
            ));
        }
        query_field::Kind::Element(QueryElement { of, once, ..QueryElement::default() })
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
