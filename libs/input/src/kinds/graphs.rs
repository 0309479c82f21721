//! Trees and graphs. Checks whether the wanted number of edges fits, and selects the edges.

use crate::context::eval_context::{EvalContext, Evaluate};
use crate::context::fields::Fields;
use crate::draw::edges::space::EdgeSpace;
use crate::draw::edges::{Direction, Edges, OtherEdges, Parents, TreeEdges};
use crate::draw::random::RandomStream;
use crate::draw::shuffle::Shuffle;
use crate::draw::tree::RootedTree;
use crate::expression::Expression;
use crate::spec::{Graph, GraphShape, Tree, TreeShape};

/// Number of permutations that a graph needs: of its nodes, its tree edges and its other edges.
/// Each costs one step.
const SHUFFLES: u64 = 3;

pub(crate) fn tree(declared: &Tree, fields: &mut Fields<'_>) -> Evaluate<Edges> {
    let shape = fields.known("shape", declared.shape);
    let nodes = fields.expression("nodes", &declared.nodes);
    let weights = declared.weights.as_ref();
    let weights = weights.map(|it| fields.range("weights", &it.min, &it.max));
    let base = i64::from(!declared.zero_based);
    let &Tree { parents, any_order, smaller_first, .. } = declared;
    let root = fields.maybe("root", &declared.root);
    for (field, is_set) in [("root", root.is_some()), ("any_order", any_order)] {
        if is_set && !parents {
            fields.refuse(field, "requires parents");
        }
    }
    Box::new(move |context| {
        let nodes = context.count(&nodes)?;
        let root = match &root {
            Some(root) => Some(context.value(root)?),
            None => None,
        };
        let tree = RootedTree::new(context.stream.substream(1), nodes, shape);
        let count = if root.is_some() { nodes } else { tree.count() };
        let weights = match &weights {
            Some(range) => Some(context.span(range, count > 0)?),
            None => None,
        };
        let order = Shuffle::new(context.stream.substream(2), count.saturating_sub(1));
        Some(Edges {
            count,
            base,
            weights,
            stream: context.stream.substream(3),
            labels: labels(context.stream, nodes),
            other_labels: None,
            tree: Some(TreeEdges { tree, order }),
            others: None,
            direction: Direction::Either,
            smaller_first,
            parents: parents.then(|| {
                let order = if root.is_some() { nodes } else { tree.count() };
                let order = Shuffle::new(context.stream.substream(6), order.saturating_sub(1));
                Parents { root, order: any_order.then_some(order) }
            }),
        })
    })
}

pub(crate) fn graph(declared: &Graph, fields: &mut Fields<'_>) -> Evaluate<Edges> {
    let shape = fields.known("shape", declared.shape);
    let all = matches!(shape, GraphShape::Dense | GraphShape::Grid);
    if all && !declared.edges.is_empty() {
        fields.refuse("edges", "must be absent, because it follows from the shape");
    } else if !all && declared.edges.is_empty() {
        fields.refuse("edges", "is missing");
    }
    if shape == GraphShape::Grid && declared.is_forest() {
        fields.refuse("acyclic", "must be false for an undirected grid, which has cycles");
    }
    if declared.smaller_first && declared.directed && !declared.acyclic {
        fields.refuse("smaller_first", "requires edges without a direction, or an acyclic graph");
    }
    fields.steps += SHUFFLES;
    let nodes = fields.expression("nodes", &declared.nodes);
    let wanted = fields.maybe("edges", &declared.edges);
    let other_side = other_side(declared, shape, fields);
    let weights = declared.weights.as_ref();
    let weights = weights.map(|it| fields.range("weights", &it.min, &it.max));
    let graph = declared.clone();
    Box::new(move |context| {
        let nodes = context.count(&nodes);
        let wanted = match &wanted {
            Some(edges) => Some((context.count(edges)?, edges)),
            None => None,
        };
        let others = match &other_side {
            Some(others) => Some(context.count(others)?),
            None => None,
        };
        let nodes = nodes?;
        let space = match others {
            Some(others) => EdgeSpace::Sides { nodes, others },
            None => EdgeSpace::new(&graph, nodes),
        };
        let count = graph.count(context, wanted, nodes, space)?;
        let weights = match &weights {
            Some(range) => Some(context.span(range, count > 0)?),
            None => None,
        };
        // A band begins with a path, which connects all nodes and has no cycle.
        let band = shape == GraphShape::Band;
        let forest = graph.is_forest() && !band;
        let needs_tree = forest || (wanted.is_some() && graph.connected && !band);
        let tree = needs_tree.then(|| graph.spanning_tree(context.stream.substream(1), nodes));
        let ordered = if forest { nodes.saturating_sub(1) } else { count };
        let order = Shuffle::new(context.stream.substream(2), ordered.saturating_sub(1));
        let once = graph.simple || wanted.is_none() || band;
        let last = if band { count } else { space.count() }.saturating_sub(1);
        let edges = OtherEdges {
            space,
            order: once.then(|| Shuffle::new(context.stream.substream(4), last)),
        };
        Some(Edges {
            count,
            base: i64::from(!graph.zero_based),
            weights,
            stream: context.stream.substream(3),
            labels: labels(context.stream, nodes),
            other_labels: others.map(|others| labels(context.stream.substream(6), others)),
            tree: tree.map(|tree| TreeEdges { tree, order }),
            others: (!forest).then_some(edges),
            direction: if others.is_some() { Direction::Drawn } else { graph.direction() },
            smaller_first: graph.smaller_first,
            parents: None,
        })
    })
}

/// The number of nodes of the second side. What is not possible with such a side is a problem.
fn other_side(declared: &Graph, shape: GraphShape, fields: &mut Fields<'_>) -> Option<Expression> {
    let others = fields.maybe("other_side", &declared.other_side)?;
    for (field, is_set) in [
        ("directed", declared.directed),
        ("acyclic", declared.acyclic),
        ("connected", declared.connected),
        ("smaller_first", declared.smaller_first),
    ] {
        if is_set {
            fields.refuse(field, "cannot be used with other_side");
        }
    }
    if matches!(shape, GraphShape::Grid | GraphShape::Layered | GraphShape::Band) {
        fields.refuse("shape", "must be random or dense with other_side");
    }
    Some(others)
}

impl Graph {
    /// Number of nodes that the second node of an edge is one of.
    pub fn second_side(&self) -> &str {
        if self.other_side.is_empty() { &self.nodes } else { &self.other_side }
    }

    /// Whether the graph is undirected and acyclic.
    fn is_forest(&self) -> bool {
        self.acyclic && !self.directed
    }

    fn spanning_tree(&self, stream: RandomStream, nodes: u64) -> RootedTree {
        match self.shape() {
            GraphShape::Layered => RootedTree::layers(stream, nodes, nodes.isqrt()),
            _ if self.bipartite => RootedTree::bipartite(stream, nodes),
            _ => RootedTree::new(stream, nodes, TreeShape::Random),
        }
    }

    fn direction(&self) -> Direction {
        let rising =
            matches!(self.shape(), GraphShape::Grid | GraphShape::Layered | GraphShape::Band);
        match (self.directed, self.acyclic || rising) {
            (false, _) => Direction::Either,
            (true, true) => Direction::Rising,
            (true, false) => Direction::Drawn,
        }
    }

    /// Number of edges; `None` if a graph with this many edges cannot keep the spec's promises.
    fn count(
        &self,
        context: &mut EvalContext<'_>,
        wanted: Option<(u64, &Expression)>,
        nodes: u64,
        space: EdgeSpace,
    ) -> Option<u64> {
        let tree = nodes.saturating_sub(1);
        let room = match (self.is_forest(), self.simple || space.count() == 0) {
            (true, _) => tree,
            (false, true) => space.count(),
            (false, false) => u64::MAX,
        };
        let Some((wanted, Expression { path, .. })) = wanted else {
            return Some(if self.is_forest() { tree } else { space.count() });
        };
        if wanted > room {
            let problem = format_args!("must be at most {room} for {nodes} nodes, not {wanted}");
            return context.refuse(path, problem);
        }
        if self.connected && wanted < tree {
            let problem =
                format_args!("must be at least {tree} to connect {nodes} nodes, not {wanted}");
            return context.refuse(path, problem);
        }
        Some(wanted)
    }
}

/// A random permutation of the nodes, as their labels.
fn labels(stream: RandomStream, nodes: u64) -> Shuffle {
    Shuffle::new(stream.substream(5), nodes.saturating_sub(1))
}
