//! The edges that a graph can have. Each edge has a number, so that single edges, or all edges
//! without repetition, can be drawn.

use crate::spec::{Graph, GraphShape};

/// The allowed edges between nodes 0 … nodes - 1.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum EdgeSpace {
    /// Any two nodes, in any order, loops included.
    Any { nodes: u64 },
    /// Any two different nodes, in any order.
    Ordered { nodes: u64 },
    /// Any two different nodes, the smaller one first.
    Rising { nodes: u64 },
    /// An even and an odd node: in any order if `both`, otherwise the smaller one first.
    Across { evens: u64, odds: u64, both: bool },
    /// A node of one side, and a node of another side that is numbered on its own.
    Sides { nodes: u64, others: u64 },
    /// A node and its right or lower neighbour, in rows of `width`.
    Grid { nodes: u64, width: u64 },
    /// A node of a layer of `width`, and a node of the next layer.
    Layers { nodes: u64, width: u64 },
    /// Any two different nodes, the smaller one first. Edges between closer nodes have smaller
    /// numbers. If `odd`, only nodes at an odd distance. Numbers beyond the last edge start again
    /// at the first edge.
    Band { nodes: u64, odd: bool },
}

impl EdgeSpace {
    pub(crate) fn new(graph: &Graph, nodes: u64) -> Self {
        let &Graph { directed, acyclic, simple, bipartite, loopless, .. } = graph;
        let width = nodes.isqrt();
        let shape = graph.shape();
        match shape {
            GraphShape::Grid => EdgeSpace::Grid { nodes, width },
            GraphShape::Layered => EdgeSpace::Layers { nodes, width },
            GraphShape::Band => EdgeSpace::Band { nodes, odd: bipartite },
            _ if bipartite => {
                let both = directed && !acyclic;
                EdgeSpace::Across { evens: nodes.div_ceil(2), odds: nodes / 2, both }
            }
            _ if acyclic => EdgeSpace::Rising { nodes },
            _ if !simple && !loopless && shape != GraphShape::Dense => EdgeSpace::Any { nodes },
            _ if directed => EdgeSpace::Ordered { nodes },
            _ => EdgeSpace::Rising { nodes },
        }
    }

    /// Number of edges.
    pub(crate) fn count(self) -> u64 {
        match self {
            EdgeSpace::Any { nodes } => nodes * nodes,
            EdgeSpace::Ordered { nodes } => nodes * nodes.saturating_sub(1),
            EdgeSpace::Rising { nodes } => nodes * nodes.saturating_sub(1) / 2,
            EdgeSpace::Across { evens, odds, both } => evens * odds * if both { 2 } else { 1 },
            EdgeSpace::Sides { nodes, others } => nodes * others,
            EdgeSpace::Band { nodes, odd: false } => EdgeSpace::Rising { nodes }.count(),
            EdgeSpace::Band { nodes, odd: true } => nodes / 2 * nodes.div_ceil(2),
            EdgeSpace::Grid { nodes, width } => across(nodes, width) + nodes.saturating_sub(width),
            EdgeSpace::Layers { nodes, width } => {
                let full = nodes.checked_div(width).unwrap_or(0);
                full.saturating_sub(1) * width * width
                    + nodes.checked_rem(width).unwrap_or(0) * width
            }
        }
    }

    /// The edge with this number, which must be less than [`Self::count`].
    #[inline]
    pub(crate) fn edge(self, edge: u64) -> (u64, u64) {
        match self {
            EdgeSpace::Any { nodes } => (edge / nodes, edge % nodes),
            EdgeSpace::Ordered { nodes } => {
                let (from, to) = (edge / (nodes - 1), edge % (nodes - 1));
                (from, to + u64::from(to >= from))
            }
            EdgeSpace::Sides { others, .. } => (edge / others, edge % others),
            EdgeSpace::Rising { .. } => {
                // The larger node of the edge: the largest node whose edges to smaller nodes begin
                // at or before this number.
                let above = (8 * edge + 1).isqrt().div_ceil(2);
                (edge - above * (above - 1) / 2, above)
            }
            EdgeSpace::Across { odds, both, .. } => {
                let (pair, turned) = if both { (edge / 2, edge % 2 == 1) } else { (edge, false) };
                let (even, odd) = (2 * (pair / odds), 2 * (pair % odds) + 1);
                let in_order = if both { !turned } else { even < odd };
                if in_order { (even, odd) } else { (odd, even) }
            }
            EdgeSpace::Band { nodes, odd } => {
                // `rest` is counted back from the last edge, which joins the first node to the
                // farthest one.
                let count = self.count();
                let rest = count - 1 - edge % count;
                if odd {
                    let more = nodes % 2;
                    let farther = ((4 * rest + more).isqrt() - more) / 2;
                    let from = rest - farther * (farther + more);
                    (from, from + nodes - 2 * farther - 1 - more)
                } else {
                    let (from, as_many) = EdgeSpace::Rising { nodes }.edge(rest);
                    (from, from + nodes - as_many)
                }
            }
            EdgeSpace::Grid { nodes, width } => {
                let Some(lower) = edge.checked_sub(across(nodes, width)) else {
                    let node = edge / (width - 1) * width + edge % (width - 1);
                    return (node, node + 1);
                };
                (lower, lower + width)
            }
            EdgeSpace::Layers { nodes, width } => {
                let full = (nodes / width - 1) * width * width;
                if edge < full {
                    let (layer, within) = (edge / (width * width), edge % (width * width));
                    let begin = layer * width;
                    (begin + within / width, begin + width + within % width)
                } else {
                    let begin = (nodes / width - 1) * width;
                    (begin + (edge - full) % width, begin + width + (edge - full) / width)
                }
            }
        }
    }
}

/// Number of edges in a grid that join a node to its right neighbour.
fn across(nodes: u64, width: u64) -> u64 {
    let Some(rest) = nodes.checked_rem(width) else {
        return 0;
    };
    nodes / width * (width - 1) + rest.saturating_sub(1)
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::BTreeSet;

    #[test]
    fn every_allowed_edge_has_one_number() {
        for nodes in 0..40_u64 {
            let pairs = |allowed: &dyn Fn(u64, u64) -> bool| -> BTreeSet<(u64, u64)> {
                let all = (0..nodes).flat_map(|u| (0..nodes).map(move |v| (u, v)));
                all.filter(|&(u, v)| allowed(u, v)).collect()
            };
            let (width, evens, odds) = (nodes.isqrt(), nodes.div_ceil(2), nodes / 2);
            let across = |u: u64, v: u64| u % 2 != v % 2;
            for (space, allowed) in [
                (EdgeSpace::Any { nodes }, pairs(&|_, _| true)),
                (EdgeSpace::Ordered { nodes }, pairs(&|u, v| u != v)),
                (EdgeSpace::Rising { nodes }, pairs(&|u, v| u < v)),
                (EdgeSpace::Across { evens, odds, both: true }, pairs(&across)),
                (
                    EdgeSpace::Across { evens, odds, both: false },
                    pairs(&|u, v| u < v && across(u, v)),
                ),
                (EdgeSpace::Sides { nodes, others: nodes }, pairs(&|_, _| true)),
                (
                    EdgeSpace::Grid { nodes, width },
                    pairs(&|u, v| v == u + width || (v == u + 1 && v % width != 0)),
                ),
                (EdgeSpace::Layers { nodes, width }, pairs(&|u, v| v / width == u / width + 1)),
                (EdgeSpace::Band { nodes, odd: false }, pairs(&|u, v| u < v)),
                (EdgeSpace::Band { nodes, odd: true }, pairs(&|u, v| u < v && across(u, v))),
            ] {
                let edges: Vec<_> = (0..space.count()).map(|edge| space.edge(edge)).collect();
                assert_eq!(edges.len(), allowed.len(), "{space:?}");
                assert_eq!(BTreeSet::from_iter(edges), allowed, "{space:?}");
            }
        }
    }

    #[test]
    fn band_begins_with_near_nodes() {
        for nodes in 2..40_u64 {
            for (odd, next) in [(false, 2), (true, 3)] {
                let space = EdgeSpace::Band { nodes, odd };
                let distance = |edge| {
                    let (from, to) = space.edge(edge);
                    to - from
                };
                let distances: Vec<u64> = (0..space.count()).map(distance).collect();
                assert!(distances.is_sorted(), "{nodes}: {distances:?}");
                assert!((0..nodes - 1).all(|edge| distance(edge) == 1), "{nodes}");
                assert!(space.count() < nodes || distance(nodes - 1) == next, "{nodes}");
                assert_eq!(space.edge(space.count()), space.edge(0));
            }
        }
    }

    #[test]
    fn largest_spaces_fit() {
        let nodes = crate::limits::MAX_COUNT;
        let space = EdgeSpace::Rising { nodes };
        assert_eq!(space.edge(space.count() - 1), (nodes - 2, nodes - 1));
        for odd in [false, true] {
            let band = EdgeSpace::Band { nodes, odd };
            let (from, to) = band.edge(0);
            assert_eq!(to - from, 1);
            assert_eq!(band.edge(band.count() - 1), (0, nodes - 1));
        }
    }
}
