//! Rooted trees without labels. Each node but the first has a parent with a smaller number, which
//! is computed from the node's own number.

use crate::draw::random::RandomStream;
use crate::spec::TreeShape;

/// A rooted tree over nodes 0 … nodes - 1.
#[derive(Debug, Clone, Copy)]
pub(crate) struct RootedTree {
    pub(crate) nodes: u64,
    stream: RandomStream,
    structure: Structure,
}

#[derive(Debug, Clone, Copy)]
enum Structure {
    Shape(TreeShape),
    /// Each edge joins an even and an odd node.
    Bipartite,
    /// Each edge joins nodes of neighbouring layers of this width.
    Layers(u64),
}

impl RootedTree {
    pub(crate) fn new(stream: RandomStream, nodes: u64, shape: TreeShape) -> Self {
        Self { nodes, stream, structure: Structure::Shape(shape) }
    }

    pub(crate) fn bipartite(stream: RandomStream, nodes: u64) -> Self {
        Self { nodes, stream, structure: Structure::Bipartite }
    }

    pub(crate) fn layers(stream: RandomStream, nodes: u64, width: u64) -> Self {
        Self { nodes, stream, structure: Structure::Layers(width) }
    }

    /// Number of edges.
    pub(crate) fn count(&self) -> u64 {
        self.nodes.saturating_sub(1)
    }

    /// The edge with this number, the smaller node first.
    #[inline]
    pub(crate) fn edge(&self, edge: u64) -> (u64, u64) {
        let child = edge + 1;
        match self.structure {
            // The first node of the second layer is joined to the whole first layer.
            Structure::Layers(width) if child <= width => {
                (if child == width { 0 } else { child }, width)
            }
            _ => (self.parent(child), child),
        }
    }

    /// Whether the tree has the edge between these nodes; `low` is the smaller node.
    #[inline]
    pub(crate) fn has(&self, low: u64, high: u64) -> bool {
        match self.structure {
            Structure::Layers(width) if high <= width => high == width,
            _ => high > 0 && self.parent(high) == low,
        }
    }

    #[inline]
    fn parent(&self, child: u64) -> u64 {
        let spine = self.nodes.div_ceil(2);
        match self.structure {
            Structure::Layers(width) => {
                let layer = child / width - 1;
                layer * width + self.stream.up_to(child, width - 1)
            }
            Structure::Bipartite if child.is_multiple_of(2) => {
                2 * self.stream.up_to(child, child / 2 - 1) + 1
            }
            Structure::Bipartite => 2 * self.stream.up_to(child, child / 2),
            Structure::Shape(shape) => match shape {
                TreeShape::Unspecified | TreeShape::Random => self.stream.up_to(child, child - 1),
                TreeShape::Star => 0,
                TreeShape::Binary => (child - 1) / 2,
                TreeShape::Caterpillar if child >= spine => self.stream.up_to(child, spine - 1),
                TreeShape::Broom if child >= spine => spine - 1,
                TreeShape::Path | TreeShape::Caterpillar | TreeShape::Broom => child - 1,
            },
        }
    }
}
