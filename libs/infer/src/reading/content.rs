//! Content of a part: the kinds of variables that can write its lines.

use crate::layout::shape::Count;
use profiler_input::spec::Graph;

/// A part of a reading.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Part {
    pub(crate) content: Content,
    /// Description length of the part, in halves of a word. A shorter description explains more.
    pub(crate) cost: u32,
    /// Indexes of the scalars that count something in the part.
    pub(crate) used: Vec<usize>,
}

/// The content of a part.
#[derive(Debug, Clone, PartialEq)]
pub(crate) enum Content {
    /// One line.
    Line(Vec<LineField>),
    /// One record on each line. Each column is an array.
    Columns { count: Count, columns: Vec<Numbers> },
    /// Pairs, the smaller number first.
    Intervals { count: Count },
    /// The edges of a tree.
    Tree(Nodes),
    /// The edges of a graph, which the scalar `edges` counts. `promises` has the flags of the
    /// properties that the graph has in all samples.
    Graph { nodes: Nodes, edges: usize, promises: Graph },
    /// Rows of numbers.
    Matrix { rows: Count, cols: Count },
    /// Rows of characters.
    Grid { rows: Count, cols: Count },
    /// Queries about an earlier part.
    Queries { count: Count, positions: Option<Positions>, variants: Vec<Operation> },
    /// Content that no kind of variable writes, with the reason.
    NoKind(String),
    /// Cases, each with the parts of `body`.
    Cases { count: Count, body: Vec<Part> },
}

/// A field of a line.
#[derive(Debug, Clone, PartialEq)]
pub(crate) enum LineField {
    Scalar,
    Text(Count),
    Numbers(Count, Numbers),
}

impl LineField {
    pub(crate) fn count(&self) -> Option<Count> {
        match self {
            Self::Scalar => None,
            Self::Text(count) | Self::Numbers(count, _) => Some(*count),
        }
    }
}

/// Kind of the list that numbers form.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Numbers {
    Any,
    Sorted,
    /// Consecutive numbers from this one on, each once, in any order.
    Permutation(i64),
}

/// The nodes that edges join, and whether the edges have weights.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Nodes {
    /// Index of the scalar that counts the nodes.
    pub(crate) count: usize,
    pub(crate) zero_based: bool,
    pub(crate) weighted: bool,
}

/// Positions in a sequence whose length is a scalar.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Positions {
    pub(crate) count: usize,
    pub(crate) zero_based: bool,
}

/// A kind of query.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Operation {
    /// The word at the start of the query's line, if there is one.
    pub(crate) code: Option<String>,
    pub(crate) fields: Vec<Argument>,
}

/// An argument of a query.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Argument {
    /// A number, with its smallest and its largest value in the samples.
    Number(i64, i64),
    Position,
    /// Two positions, the smaller one first.
    Range,
}
