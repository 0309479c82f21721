//! The variables of records with positions: queries, pairs and the edges of graphs with two sides.

use super::{EDGES, Maker};
use crate::layout::sample::Word;
use crate::layout::shape::Count;
use crate::reading::content::{Argument, Operation, Positions};
use profiler_input::spec::variable::Kind;
use profiler_input::spec::{
    Graph, Queries, QueryField, QueryRange, QueryVariant, Weights, query_field,
};
use std::collections::BTreeSet;

impl Maker<'_> {
    /// The positions as a range of numbers.
    pub(super) fn range(&self, positions: Positions) -> QueryRange {
        let len = self.scalars.expression(Count::Scalar(positions.count));
        if positions.zero_based {
            QueryRange { min: "0".into(), max: format!("{len} - 1") }
        } else {
            QueryRange { min: "1".into(), max: len }
        }
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
        let variants = variants.iter().map(|variant| self.variant(variant)).collect();
        let name = if pairs { "pairs" } else { "queries" };
        self.by_rows(&[name], Kind::Queries(Queries { len, variants }));
    }

    fn variant(&mut self, operation: &Operation) -> QueryVariant {
        let code = operation.code.clone().map(query_field::Kind::Literal);
        let arguments = operation.fields.iter().map(|argument| match argument {
            Argument::Position(positions) => query_field::Kind::Number(self.range(*positions)),
            Argument::Range(positions) => query_field::Kind::Interval(self.range(*positions)),
            Argument::Number(min, max) => {
                let [min, max] = [min, max].map(i64::to_string);
                self.assume_span("a number in the queries", &min, &max);
                query_field::Kind::Number(QueryRange { min, max })
            }
        });
        let fields = code.into_iter().chain(arguments).map(|kind| QueryField { kind: Some(kind) });
        let &Operation { adds, removes, .. } = operation;
        QueryVariant { weight: 0, fields: fields.collect(), adds, removes }
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
        if first.count == second.count || first.zero_based != second.zero_based {
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
        let (edges, zero_based) = (self.scalars.expression(count), first.zero_based);
        Some(Graph { nodes, edges, other_side, simple, weights, zero_based, ..Graph::default() })
    }
}
