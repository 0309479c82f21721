//! Records that begin with a pair of numbers: edges and intervals.

use crate::layout::shape::Count;
use crate::reading::content::{Content, Nodes, Part};
use crate::reading::cost::{self, Cost};
use crate::reading::evidence::{self, Edges};
use crate::reading::used::Used;
use crate::reading::view::{PartView, Role};

/// Meanings of pairs as edges of a tree or of a graph. The columns after the second one have
/// weights and other numbers of the edges.
pub(crate) fn of_edges(view: &PartView<'_>, count: Count, columns: usize) -> Vec<Part> {
    let weighted = columns > 2;
    let weights: Cost = (2..columns).map(|column| cost::numbers(&view.column(column))).sum();
    let more = cost::times(columns.saturating_sub(3), cost::SECOND_WEIGHT);
    let weights = weights + more;
    let (scalars, is_tree) = match count {
        Count::OneLess(nodes) => (nodes..nodes + 1, true),
        Count::Scalar(edges) => (0..edges, false),
        _ => return Vec::new(),
    };
    let mut parts = Vec::new();
    for (scalar, zero_based) in scalars.flat_map(|scalar| [(scalar, false), (scalar, true)]) {
        let Some(graphs) = edges(view, scalar, zero_based) else { continue };
        let nodes = Nodes { count: scalar, zero_based, weighted };
        let base = if zero_based { cost::ZERO_BASED } else { 0 };
        let name = view.name(scalar, Role::Nodes, &[]);
        let price = cost::PART + cost::BIT + name + base + weights;
        if is_tree && graphs.iter().all(Edges::is_tree) {
            let used = Used::from_iter([scalar]);
            // As many edges as a tree has are seldom anything else, except after other parts
            // with pairs of nodes.
            let after = [
                (view.has_edges(), cost::SECOND_GRAPH),
                (view.is_side(scalar), cost::GRAPH_AFTER_CELLS),
            ];
            let after: Cost = after.iter().filter(|(is, _)| *is).map(|(_, cost)| cost).sum();
            let cost = price + of_distinct(&graphs) + after;
            parts.push(Part { content: Content::Tree(nodes), cost, used, doubt: None });
        }
        if let Count::Scalar(edges) = count {
            let promises = evidence::promises(&graphs);
            let price = price + view.name(edges, Role::Records, &[scalar]) + context(view, scalar);
            let cost = price + if promises.simple { of_distinct(&graphs) } else { of_any(&graphs) };
            let joined = promises.connected && graphs.iter().any(|graph| graph.nodes > 2);
            let saved = if joined && !promises.simple { cost::CONNECTED } else { 0 };
            let content = Content::Graph { nodes, edges, promises };
            parts.push(Part {
                content,
                cost: cost - saved,
                used: [scalar, edges].into_iter().collect(),
                doubt: None,
            });
        }
    }
    parts
}

/// The graph of each scope, if the pairs can be edges of a graph that has as many nodes as the
/// scalar says.
fn edges(view: &PartView<'_>, nodes: usize, zero_based: bool) -> Option<Vec<Edges>> {
    let base = i64::from(!zero_based);
    let pairs = view.pairs();
    let graphs = view.scopes.iter().zip(&pairs);
    graphs.map(|(scope, pairs)| Edges::new(*scope.scalars.get(nodes)?, base, pairs)).collect()
}

/// The cost of edges at this place of the input.
fn context(view: &PartView<'_>, nodes: usize) -> Cost {
    if view.has_edges() {
        cost::SECOND_GRAPH
    } else if view.is_side(nodes) {
        cost::GRAPH_AFTER_CELLS
    } else if view.is_length_of_text(nodes) {
        cost::GRAPH_AFTER_TEXT
    } else if view.is_length(nodes) {
        cost::GRAPH_AFTER_ARRAY
    } else {
        cost::GRAPH
    }
}

/// The cost of edges without loops and parallel edges. Statements often write the smaller node of
/// every edge first.
fn of_distinct(graphs: &[Edges]) -> Cost {
    let each = |halves: f64| {
        let of = |graph: &Edges| {
            let nodes = graph.nodes as f64;
            cost::distinct(nodes * (nodes - 1.0) / halves, graph.pairs.len())
        };
        cost::BIT + graphs.iter().map(of).sum::<Cost>()
    };
    if are_ordered(graphs) { each(2.0).min(each(1.0)) } else { each(1.0) }
}

fn of_any(graphs: &[Edges]) -> Cost {
    let mut pairs = graphs.iter().flat_map(|graph| &graph.pairs);
    let chance = if pairs.any(|(from, to)| from == to) { cost::LOOPS } else { cost::PARALLEL };
    let of = |graph: &Edges| {
        cost::times(graph.pairs.len(), cost::choice(graph.nodes as f64 * graph.nodes as f64))
    };
    chance + graphs.iter().map(of).sum::<Cost>()
}

fn are_ordered(graphs: &[Edges]) -> bool {
    graphs.iter().flat_map(|graph| &graph.pairs).all(|(from, to)| from < to)
}

/// The meaning of pairs as intervals, if all are in order. `records` are plain records.
pub(crate) fn of_intervals(view: &PartView<'_>, count: Count, records: &Part) -> Option<Part> {
    let pairs = view.pairs().concat();
    if pairs.iter().any(|(first, last)| first > last) {
        return None;
    }
    Some(Part {
        content: Content::Intervals { count },
        cost: records.cost + intervals(view) - saved_by_order(&pairs),
        used: records.used,
        doubt: None,
    })
}

/// The cost of intervals. Without other numbers, as the capacity of a knapsack is one, little else
/// has an order.
pub(crate) fn intervals(view: &PartView<'_>) -> Cost {
    let alone = view.scopes.iter().all(|scope| scope.scalars.len() == 1);
    if alone { cost::INTERVALS_ALONE } else { cost::INTERVALS }
}

/// Bits that pairs save if all of them are in order, and the first number of one is above the last
/// number of another, so that the order is no accident.
pub(crate) fn saved_by_order(pairs: &[(i64, i64)]) -> Cost {
    let ordered = pairs.iter().filter(|(first, last)| first < last).count();
    let (most, least) =
        (pairs.iter().map(|pair| pair.0).max(), pairs.iter().map(|pair| pair.1).min());
    if most > least { cost::times(ordered, cost::BIT) } else { 0 }
}
