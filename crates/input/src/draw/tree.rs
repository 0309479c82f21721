//! Rooted trees without labels. Each node but the first has a smaller parent, computed from its
//! number.

use crate::draw::random::Key;
use crate::spec::TreeShape;

/// A rooted tree over nodes 0 … nodes - 1.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Skeleton {
    pub(crate) nodes: u64,
    key: Key,
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

impl Skeleton {
    pub(crate) fn new(key: Key, nodes: u64, shape: TreeShape) -> Self {
        Self { nodes, key, structure: Structure::Shape(shape) }
    }

    pub(crate) fn bipartite(key: Key, nodes: u64) -> Self {
        Self { nodes, key, structure: Structure::Bipartite }
    }

    pub(crate) fn layers(key: Key, nodes: u64, width: u64) -> Self {
        Self { nodes, key, structure: Structure::Layers(width) }
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

    /// Whether the tree has this edge; the smaller node first.
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
                layer * width + self.key.up_to(child, width - 1)
            }
            Structure::Bipartite if child.is_multiple_of(2) => {
                2 * self.key.up_to(child, child / 2 - 1) + 1
            }
            Structure::Bipartite => 2 * self.key.up_to(child, child / 2),
            Structure::Shape(shape) => match shape {
                TreeShape::Random => self.key.up_to(child, child - 1),
                TreeShape::Star => 0,
                TreeShape::Binary => (child - 1) / 2,
                TreeShape::Caterpillar if child >= spine => self.key.up_to(child, spine - 1),
                TreeShape::Broom if child >= spine => spine - 1,
                TreeShape::Path | TreeShape::Caterpillar | TreeShape::Broom => child - 1,
            },
        }
    }
}
