//! The rows of trees and graphs: edges in random order, between randomly labelled nodes, or the
//! parents of nodes.

pub(crate) mod space;

use crate::draw::random::RandomStream;
use crate::draw::shuffle::Shuffle;
use crate::draw::span::Span;
use crate::draw::tree::RootedTree;
use space::EdgeSpace;

/// Edges, one in each row.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Edges {
    pub(crate) count: u64,
    pub(crate) base: i64,
    /// Range of the weights; `None` if the edges are unweighted.
    pub(crate) weights: Option<Span>,
    pub(crate) stream: RandomStream,
    pub(crate) labels: Shuffle,
    /// The labels of the second side, if it is numbered on its own.
    pub(crate) other_labels: Option<Shuffle>,
    pub(crate) tree: Option<TreeEdges>,
    pub(crate) others: Option<OtherEdges>,
    pub(crate) direction: Direction,
    /// Whether the smaller label comes first.
    pub(crate) smaller_first: bool,
    /// If the rows are the parents of the nodes of the tree: which nodes have rows.
    pub(crate) parents: Option<Parents>,
}

/// The nodes whose parents are in the rows.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Parents {
    /// The number in the row of the root; `None` if that node has no row.
    pub(crate) root: Option<i64>,
    /// A permutation of the nodes that have rows, if they can be in any order.
    pub(crate) order: Option<Shuffle>,
}

impl Parents {
    /// The parent in row i, as a node; `None` if the row is that of the root.
    fn parent(&self, i: u64, tree: &RootedTree) -> Option<u64> {
        let others = u64::from(self.root.is_none());
        let node = others + self.order.map_or(i, |order| order.position_of(i));
        let parent = tree.edge(node.checked_sub(1)?).0;
        Some(match (parent.checked_sub(others), self.order) {
            (Some(at), Some(order)) => others + order.value_at(at),
            _ => parent,
        })
    }
}

/// Edges of a spanning tree, for a graph that must be connected or free of cycles.
#[derive(Debug, Clone, Copy)]
pub(crate) struct TreeEdges {
    pub(crate) tree: RootedTree,
    /// A permutation of all edges of the graph. A forest can leave out edges of the tree, so there
    /// it is a permutation of all edges of the tree.
    pub(crate) order: Shuffle,
}

/// Edges outside of the tree.
#[derive(Debug, Clone, Copy)]
pub(crate) struct OtherEdges {
    pub(crate) space: EdgeSpace,
    /// A permutation of the edges of `space`, if no edge may be repeated.
    pub(crate) order: Option<Shuffle>,
}

/// The order in which the two ends of an edge are printed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Direction {
    /// Random, because the edge has no direction.
    Either,
    /// Random if the edge is in the tree, otherwise as drawn: the edge has a direction.
    Drawn,
    /// The smaller node first, so there is no cycle.
    Rising,
}

impl Edges {
    /// Maximum number of bytes of a row.
    pub(crate) fn bytes(&self) -> u64 {
        let label = |labels: &Shuffle| {
            let last = self.base.saturating_add_unsigned(labels.last());
            Span::new(self.base, last).map_or(1, |span| span.bytes(0))
        };
        let other = self.other_labels.as_ref().unwrap_or(&self.labels);
        let root = self.parents.and_then(|parents| parents.root);
        let second = match self.parents {
            Some(_) => root.map_or(0, |root| Span::one(root).bytes(0)),
            None => label(other),
        };
        label(&self.labels) + second + self.weights.map_or(0, |span| span.bytes(0))
    }

    /// The ends of edge i, in the order in which they are printed. `cursor` is the position in the
    /// permutation of the edges outside of the tree.
    #[inline]
    pub(crate) fn edge(&self, i: u64, cursor: &mut u64) -> (i64, i64) {
        let (from, to) = match (self.tree_edge(i), &self.others) {
            (Some((low, high)), _) if self.tree_edge_is_reversed(high) => (high, low),
            (Some(edge), _) => edge,
            (None, Some(others)) => {
                let (from, to) = self.other_edge(i, others, cursor);
                if self.direction == Direction::Either && self.is_reversed(from, to) {
                    (to, from)
                } else {
                    (from, to)
                }
            }
            (None, None) => (0, 0),
        };
        let from = self.label(from, &self.labels);
        let to = self.label(to, self.other_labels.as_ref().unwrap_or(&self.labels));
        if self.smaller_first { (from.min(to), from.max(to)) } else { (from, to) }
    }

    /// The parent in row i, if the rows are parents.
    #[inline]
    pub(crate) fn parent(&self, i: u64) -> Option<i64> {
        let (parents, tree) = (self.parents?, self.tree?.tree);
        let parent = parents.parent(i, &tree).map(|node| self.base.wrapping_add_unsigned(node));
        parent.or(parents.root)
    }

    /// The weight of edge i.
    #[inline]
    pub(crate) fn weight(&self, i: u64) -> Option<i64> {
        Some(self.weights?.draw(self.stream.substream(1), i))
    }

    fn label(&self, node: u64, labels: &Shuffle) -> i64 {
        self.base.wrapping_add_unsigned(labels.value_at(node))
    }

    /// The tree edge at position i; `None` if the edge at this position is outside of the tree.
    fn tree_edge(&self, i: u64) -> Option<(u64, u64)> {
        let tree = self.tree?;
        let edge = tree.order.value_at(i);
        (edge < tree.tree.count()).then(|| tree.tree.edge(edge))
    }

    fn tree_edge_is_reversed(&self, high: u64) -> bool {
        self.direction != Direction::Rising && self.stream.substream(2).word(high) >> 63 == 1
    }

    fn is_reversed(&self, from: u64, to: u64) -> bool {
        self.stream.substream(3).word(from.wrapping_mul(to | 1)) >> 63 == 1
    }

    /// An edge of the space. If no edge may be repeated, it is the next edge of the permutation
    /// that is not in the tree.
    fn other_edge(&self, i: u64, others: &OtherEdges, cursor: &mut u64) -> (u64, u64) {
        let Some(order) = others.order else {
            return others.space.edge(self.stream.substream(4).up_to(i, others.space.count() - 1));
        };
        loop {
            let (from, to) = others.space.edge(order.value_at(*cursor));
            *cursor += 1;
            let (low, high) = (from.min(to), from.max(to));
            let same_way = self.direction != Direction::Drawn
                || self.tree_edge_is_reversed(high) == (from > to);
            let is_taken = self.tree.is_some_and(|edges| same_way && edges.tree.has(low, high));
            if !is_taken {
                return (from, to);
            }
        }
    }
}
