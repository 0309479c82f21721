//! Trees and graphs at one n. Checks whether the wanted number of edges fits, and selects the
//! edges.

use crate::context::eval_context::EvalContext;
use crate::context::fields::Fields;
use crate::draw::edge_space::EdgeSpace;
use crate::draw::edges::{Direction, Edges, OtherEdges, TreeEdges, Weights};
use crate::draw::random::RandomStream;
use crate::draw::shuffle::Shuffle;
use crate::draw::tree::RootedTree;
use crate::expression::Code;
use crate::spec::{Graph, GraphShape, Range, Tree, TreeShape};

/// Permutations of a graph: of its nodes, its tree edges and its other edges. Each costs one step.
const SHUFFLES: u64 = 3;

impl Tree {
    pub(crate) fn read(&self, fields: &mut Fields<'_>) -> Tree<Code> {
        Tree {
            nodes: fields.code("nodes", &self.nodes),
            shape: self.shape,
            weights: self.weights.as_ref().map(|range| fields.range("weights", range)),
            zero_based: self.zero_based,
        }
    }
}

impl Tree<Code> {
    pub(crate) fn evaluate(&self, context: &mut EvalContext<'_>) -> Option<Edges> {
        let nodes = context.count("nodes", &self.nodes)?;
        let tree = RootedTree::new(context.stream.substream(1), nodes, self.shape);
        let count = tree.count();
        let weights = weights(context, self.weights.as_ref(), count)?;
        let order = Shuffle::new(context.stream.substream(2), count.saturating_sub(1));
        Some(Edges {
            count,
            base: i64::from(!self.zero_based),
            weights,
            stream: context.stream.substream(3),
            labels: labels(context.stream, nodes),
            tree: Some(TreeEdges { tree, order }),
            others: None,
            direction: Direction::Either,
        })
    }
}

impl Graph {
    pub(crate) fn read(&self, fields: &mut Fields<'_>) -> Graph<Code> {
        let all = matches!(self.shape, GraphShape::Dense | GraphShape::Grid);
        if all && self.edges.is_some() {
            fields.refuse("edges", "follows from the shape: leave it out");
        } else if !all && self.edges.is_none() {
            fields.refuse("edges", "is missing");
        }
        if self.shape == GraphShape::Grid && self.promises.acyclic && !self.promises.directed {
            fields.refuse("acyclic", "a grid without directions has cycles");
        }
        fields.steps += SHUFFLES;
        Graph {
            nodes: fields.code("nodes", &self.nodes),
            edges: fields.maybe("edges", self.edges.as_ref()),
            promises: self.promises,
            shape: self.shape,
            weights: self.weights.as_ref().map(|range| fields.range("weights", range)),
            zero_based: self.zero_based,
        }
    }
}

impl Graph<Code> {
    pub(crate) fn evaluate(&self, context: &mut EvalContext<'_>) -> Option<Edges> {
        let nodes = context.count("nodes", &self.nodes);
        let wanted = match &self.edges {
            Some(code) => Some(context.count("edges", code)?),
            None => None,
        };
        let nodes = nodes?;
        let space = EdgeSpace::new(self, nodes);
        let count = self.count(context, wanted, nodes, space)?;
        let weights = weights(context, self.weights.as_ref(), count)?;
        // A band begins with a path, which connects all nodes and has no cycle.
        let band = self.shape == GraphShape::Band;
        let forest = self.is_forest() && !band;
        let needs_tree = forest || (wanted.is_some() && self.promises.connected && !band);
        let tree = needs_tree.then(|| self.spanning_tree(context.stream.substream(1), nodes));
        let ordered = if forest { nodes.saturating_sub(1) } else { count };
        let order = Shuffle::new(context.stream.substream(2), ordered.saturating_sub(1));
        let once = self.promises.simple || wanted.is_none() || band;
        let last = if band { count } else { space.count() }.saturating_sub(1);
        let others = OtherEdges {
            space,
            order: once.then(|| Shuffle::new(context.stream.substream(4), last)),
        };
        Some(Edges {
            count,
            base: i64::from(!self.zero_based),
            weights,
            stream: context.stream.substream(3),
            labels: labels(context.stream, nodes),
            tree: tree.map(|tree| TreeEdges { tree, order }),
            others: (!forest).then_some(others),
            direction: self.direction(),
        })
    }

    /// Whether the graph is undirected and acyclic.
    fn is_forest(&self) -> bool {
        self.promises.acyclic && !self.promises.directed
    }

    fn spanning_tree(&self, stream: RandomStream, nodes: u64) -> RootedTree {
        match self.shape {
            GraphShape::Layered => RootedTree::layers(stream, nodes, nodes.isqrt()),
            _ if self.promises.bipartite => RootedTree::bipartite(stream, nodes),
            _ => RootedTree::new(stream, nodes, TreeShape::Random),
        }
    }

    fn direction(&self) -> Direction {
        let rising =
            matches!(self.shape, GraphShape::Grid | GraphShape::Layered | GraphShape::Band);
        match (self.promises.directed, self.promises.acyclic || rising) {
            (false, _) => Direction::Either,
            (true, true) => Direction::Rising,
            (true, false) => Direction::Drawn,
        }
    }

    /// Number of edges, if the promises can be kept with them.
    fn count(
        &self,
        context: &mut EvalContext<'_>,
        wanted: Option<u64>,
        nodes: u64,
        space: EdgeSpace,
    ) -> Option<u64> {
        let tree = nodes.saturating_sub(1);
        let room = match (self.is_forest(), self.promises.simple || space.count() == 0) {
            (true, _) => tree,
            (false, true) => space.count(),
            (false, false) => u64::MAX,
        };
        let Some(wanted) = wanted else {
            return Some(if self.is_forest() { tree } else { space.count() });
        };
        if wanted > room {
            let problem = format_args!("{wanted} edges do not fit {nodes} nodes, but {room} do,");
            return context.refuse("edges", problem);
        }
        if self.promises.connected && wanted < tree {
            let problem = format_args!("{wanted} edges do not connect {nodes} nodes");
            return context.refuse("edges", problem);
        }
        Some(wanted)
    }
}

/// A random permutation of the nodes, as their labels.
fn labels(stream: RandomStream, nodes: u64) -> Shuffle {
    Shuffle::new(stream.substream(5), nodes.saturating_sub(1))
}

/// The weights of the edges; `None` if their range is wrong.
fn weights(
    context: &mut EvalContext<'_>,
    range: Option<&Range<Code>>,
    edges: u64,
) -> Option<Weights> {
    match range {
        None => Some(Weights::Absent),
        Some(range) => context.range("weights", range, edges > 0).map(Weights::Random),
    }
}
