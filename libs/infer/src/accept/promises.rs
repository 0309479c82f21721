//! Promises that a spec makes about all rows of a variable, in addition to its ranges.

use super::{Reader, Rows};
use crate::reading::evidence::Edges;
use profiler_input::SIZE;
use profiler_input::spec::variable::Kind;
use profiler_input::spec::{
    Graph, GraphShape, Order, Pattern, PointsShape, Queries, Repetition, TreeShape, query_field,
};
use std::collections::BTreeSet;

/// The answer if a promise cannot be checked.
const UNKNOWN: &str = "has a promise that cannot be checked";

/// Checks whether the rows keep the promises of their variable.
pub(super) fn keeps(
    kind: &Kind,
    rows: &Rows,
    value: &dyn Fn(&str) -> Result<i64, String>,
) -> Result<(), String> {
    let is_kept = match kind {
        Kind::Array(array) => is_in_order(array.order(), &rows.concat()),
        Kind::Permutation(permutation) => is_in_order(permutation.order(), &rows.concat()),
        Kind::Text(text) => {
            // Whether brackets are balanced is checked in samples too.
            let is_known = matches!(
                text.pattern(),
                Pattern::Unspecified | Pattern::Random | Pattern::Balanced
            );
            return is_known.then_some(()).ok_or(UNKNOWN.into());
        }
        Kind::Tree(tree) => {
            let is_random = matches!(tree.shape(), TreeShape::Unspecified | TreeShape::Random);
            return is_random.then_some(()).ok_or(UNKNOWN.into());
        }
        Kind::Points(points) => match points.shape() {
            PointsShape::Unspecified | PointsShape::Random => true,
            PointsShape::Line => rows.iter().all(|row| row.first() == row.last()),
            PointsShape::Convex => return Err(UNKNOWN.into()),
        },
        Kind::Intervals(intervals) if !intervals.max_length.is_empty() => {
            let longest = value(&intervals.max_length)?;
            rows.iter().all(|row| row[1].saturating_sub(row[0]) <= longest)
        }
        Kind::Queries(queries) => {
            let fields = queries.variants.iter().flat_map(|variant| &variant.fields);
            let is_unknown = |kind: &query_field::Kind| match kind {
                query_field::Kind::Interval(it) => it.rising,
                query_field::Kind::Element(it) => it.once,
                _ => false,
            };
            if queries.distinct || fields.filter_map(|it| it.kind.as_ref()).any(is_unknown) {
                return Err(UNKNOWN.into());
            }
            let rising: Vec<Vec<i64>> = rows.iter().map(|row| rising_of(queries, row)).collect();
            rising
                .windows(2)
                .all(|pair| pair[0].iter().zip(&pair[1]).all(|(one, next)| one <= next))
        }
        Kind::Graph(graph) => return is_graph(graph, rows, value(&graph.nodes)?),
        _ => true,
    };
    is_kept.then_some(()).ok_or("breaks a promise".into())
}

/// The numbers of a query that do not fall. A row has the index of its kind, then the first number
/// of each field.
fn rising_of(queries: &Queries, row: &[i64]) -> Vec<i64> {
    let kind = row.first().and_then(|kind| usize::try_from(*kind).ok());
    let variant = kind.and_then(|kind| queries.variants.get(kind));
    let fields = variant.iter().flat_map(|variant| &variant.fields).zip(row.iter().skip(1));
    let rising = fields.filter(
        |(field, _)| matches!(&field.kind, Some(query_field::Kind::Number(range)) if range.rising),
    );
    rising.map(|(_, number)| *number).collect()
}

fn is_in_order(order: Order, values: &[i64]) -> bool {
    match order {
        Order::Sorted => values.is_sorted(),
        Order::Reversed => values.is_sorted_by(|one, next| one >= next),
        Order::AllEqual => values.windows(2).all(|pair| pair[0] == pair[1]),
        _ => true,
    }
}

fn is_graph(graph: &Graph, rows: &Rows, nodes: i64) -> Result<(), String> {
    if !matches!(graph.shape(), GraphShape::Unspecified | GraphShape::Random) {
        return Err(UNKNOWN.into());
    }
    if !graph.other_side.is_empty() {
        // The sides are numbered on their own, so each order of two numbers is another edge.
        let different: BTreeSet<_> = rows.iter().map(|row| (row[0], row[1])).collect();
        let kept = !graph.simple || different.len() == rows.len();
        return kept.then_some(()).ok_or("has an edge twice".into());
    }
    let in_order = |row: &Vec<i64>| {
        let (from, to) = (row[0], row[1]);
        if graph.directed { (from, to) } else { (from.min(to), from.max(to)) }
    };
    let pairs: Vec<_> = rows.iter().map(in_order).collect();
    let edges = Edges::new(nodes, 0, &pairs).ok_or("has an unknown node")?;
    let acyclic = || {
        if graph.directed { edges.has_no_directed_cycle() } else { edges.is_forest() }
    };
    let rises = rows.iter().all(|row| row[0] <= row[1]);
    let has_loop = rows.iter().any(|row| row[0] == row[1]);
    let kept = (!graph.simple || edges.is_simple())
        && (!graph.smaller_first || rises)
        && (!graph.loopless || !has_loop)
        && (!graph.connected || edges.components() <= 1)
        && (!graph.acyclic || acyclic())
        && (!graph.bipartite || edges.is_bipartite());
    kept.then_some(()).ok_or("the graph breaks a promise".into())
}

impl Reader<'_> {
    /// Checks whether n is split into these sizes of cases. Sizes that are not known are not given.
    pub(super) fn are_sizes(&self, cases: &Repetition, sizes: &[i64]) -> Result<(), String> {
        let least = if cases.min_size.is_empty() { 0 } else { self.value(&cases.min_size)? };
        let count = usize::try_from(self.value(&cases.count)?).unwrap_or(usize::MAX);
        let is_sum = sizes.len() < count || self.known.get(SIZE) == Some(&sizes.iter().sum());
        let is_split = is_sum && sizes.iter().all(|size| *size >= least);
        is_split.then_some(()).ok_or("the sizes of the cases do not sum to n".into())
    }
}
