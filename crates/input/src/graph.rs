//! Trees and graphs at one n: whether as many edges fit as are wanted, and which.

use crate::at::At;
use crate::edges::{Bones, Edges, Flesh, Turns};
use crate::expression::Code;
use crate::fields::Fields;
use crate::random::Key;
use crate::shuffle::Shuffle;
use crate::space::Space;
use crate::span::Span;
use crate::spec::{Graph, GraphShape, Range, Tree, TreeShape};
use crate::tree::Skeleton;

/// Of a graph's nodes, of its tree and of its other edges: each takes as long as a step.
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
    pub(crate) fn at(&self, at: &mut At<'_>) -> Option<Edges> {
        let nodes = at.count("nodes", &self.nodes)?;
        let skeleton = Skeleton::new(at.key.with(1), nodes, self.shape);
        let count = skeleton.count();
        let weights = weights(at, self.weights.as_ref(), count)?;
        let order = Shuffle::new(at.key.with(2), count.saturating_sub(1));
        Some(Edges {
            count,
            base: i64::from(!self.zero_based),
            weights,
            key: at.key.with(3),
            labels: labels(at.key, nodes),
            bones: Some(Bones { skeleton, order }),
            flesh: None,
            turns: Turns::Either,
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
    pub(crate) fn at(&self, at: &mut At<'_>) -> Option<Edges> {
        let nodes = at.count("nodes", &self.nodes);
        let wanted = match &self.edges {
            Some(code) => Some(at.count("edges", code)?),
            None => None,
        };
        let nodes = nodes?;
        let space = Space::new(self, nodes);
        let skeleton = self.skeleton(at.key.with(1), nodes);
        let count = self.count(at, wanted, nodes, space)?;
        let weights = weights(at, self.weights.as_ref(), count)?;
        let skeleton = if self.is_forest() || (wanted.is_some() && self.promises.connected) {
            Some(skeleton)
        } else {
            None
        };
        let ordered = if self.is_forest() { nodes.saturating_sub(1) } else { count };
        let order = Shuffle::new(at.key.with(2), ordered.saturating_sub(1));
        let once = self.promises.simple || wanted.is_none();
        let last = space.count().saturating_sub(1);
        let flesh = Flesh { space, order: once.then(|| Shuffle::new(at.key.with(4), last)) };
        Some(Edges {
            count,
            base: i64::from(!self.zero_based),
            weights,
            key: at.key.with(3),
            labels: labels(at.key, nodes),
            bones: skeleton.map(|skeleton| Bones { skeleton, order }),
            flesh: (!self.is_forest()).then_some(flesh),
            turns: self.turns(),
        })
    }

    /// Without directions and cycles.
    fn is_forest(&self) -> bool {
        self.promises.acyclic && !self.promises.directed
    }

    fn skeleton(&self, key: Key, nodes: u64) -> Skeleton {
        match self.shape {
            GraphShape::Layered => Skeleton::layers(key, nodes, nodes.isqrt()),
            _ if self.promises.bipartite => Skeleton::bipartite(key, nodes),
            _ => Skeleton::new(key, nodes, TreeShape::Random),
        }
    }

    fn turns(&self) -> Turns {
        let rising = matches!(self.shape, GraphShape::Grid | GraphShape::Layered);
        match (self.promises.directed, self.promises.acyclic || rising) {
            (false, _) => Turns::Either,
            (true, true) => Turns::Rising,
            (true, false) => Turns::Drawn,
        }
    }

    /// How many edges there are, if the promises can be kept with them.
    fn count(&self, at: &mut At<'_>, wanted: Option<u64>, nodes: u64, space: Space) -> Option<u64> {
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
            return at.refuse("edges", problem);
        }
        if self.promises.connected && wanted < tree {
            let problem = format_args!("{wanted} edges do not connect {nodes} nodes");
            return at.refuse("edges", problem);
        }
        Some(wanted)
    }
}

/// The numbers of the nodes.
fn labels(key: Key, nodes: u64) -> Shuffle {
    Shuffle::new(key.with(5), nodes.saturating_sub(1))
}

/// Between what the weights lie, if there are any; nothing if that is wrong.
#[allow(clippy::option_option, reason = "the outer one is for what is wrong")]
fn weights(at: &mut At<'_>, range: Option<&Range<Code>>, edges: u64) -> Option<Option<Span>> {
    match range {
        None => Some(None),
        Some(range) => at.range("weights", range, edges > 0).map(Some),
    }
}
