//! Content of a part: the kinds of variables that can write its lines.

use crate::layout::shape::{Count, Scope};
use crate::reading::cost::Cost;
use crate::reading::used::Used;
use profiler_input::spec::Graph;

/// A part of a reading.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Part {
    pub(crate) content: Content,
    pub(crate) cost: Cost,
    /// Indexes of the scalars that count something in the part.
    pub(crate) used: Used,
    /// Property of the lines that no kind of variable has, and which the content lacks.
    pub(crate) doubt: Option<String>,
}

impl Part {
    /// The sequences to whose positions the part refers.
    pub(crate) fn positions(&self) -> impl Iterator<Item = Positions> {
        let mut all = Vec::new();
        match &self.content {
            Content::Line(fields) => all.extend(fields.iter().filter_map(|field| match field {
                LineField::Numbers(_, kind) => kind.positions(),
                _ => None,
            })),
            Content::Columns { columns, .. } => {
                all.extend(columns.iter().filter_map(|kind| kind.positions()));
            }
            Content::Queries { variants, .. } => {
                let fields = variants.iter().flat_map(|variant| &variant.fields);
                all.extend(fields.filter_map(|field| field.positions()));
            }
            _ => {}
        }
        all.into_iter()
    }

    /// The nodes that the part joins.
    pub(crate) fn nodes(&self) -> Option<Nodes> {
        let of_parents = |(count, kind): (&Count, &Numbers)| match (count, kind) {
            (Count::OneLess(nodes), Numbers::Parents { zero_based }) => {
                Some(Nodes { count: *nodes, zero_based: *zero_based, weighted: false })
            }
            _ => None,
        };
        match &self.content {
            Content::Tree(nodes) | Content::Graph { nodes, .. } => Some(*nodes),
            Content::Line(fields) => fields.iter().find_map(|field| match field {
                LineField::Numbers(count, kind) => of_parents((count, kind)),
                _ => None,
            }),
            Content::Columns { count, columns } => {
                columns.iter().find_map(|kind| of_parents((count, kind)))
            }
            _ => None,
        }
    }

    /// The scalars that count more than positions.
    pub(crate) fn counts(&self) -> Vec<usize> {
        match &self.content {
            Content::Line(fields) => {
                fields.iter().filter_map(|field| field.count()?.scalar()).collect()
            }
            Content::Columns { count, .. } | Content::Queries { count, .. } => {
                count.scalar().into_iter().collect()
            }
            _ => self.used.iter().collect(),
        }
    }
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
    Matrix { rows: Count, cols: Count, form: Form },
    /// Rows of characters. Each of `marks` is in one cell.
    Grid { rows: Count, cols: Count, marks: String },
    /// Queries, or records with positions.
    Queries { count: Count, variants: Vec<Operation> },
    /// Cases, each with the parts of `body`.
    Cases { count: Count, body: Vec<Part> },
}

/// Properties of a square matrix.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(crate) struct Form {
    pub(crate) symmetric: bool,
    pub(crate) zero_diagonal: bool,
}

/// A field of a line.
#[derive(Debug, Clone, PartialEq)]
pub(crate) enum LineField {
    Scalar,
    Text(Count),
    /// A text of balanced brackets.
    Brackets(Count),
    Numbers(Count, Numbers),
}

impl LineField {
    pub(crate) fn count(&self) -> Option<Count> {
        match self {
            Self::Scalar => None,
            Self::Text(count) | Self::Brackets(count) | Self::Numbers(count, _) => Some(*count),
        }
    }

    /// Indexes of the scalars that the field refers to.
    pub(crate) fn scalars(&self) -> impl Iterator<Item = usize> {
        let positions = match self {
            Self::Numbers(_, kind) => kind.positions(),
            _ => None,
        };
        let count = self.count().and_then(Count::scalar);
        count.into_iter().chain(positions.map(|positions| positions.count))
    }
}

/// Kind of the list that numbers form.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Numbers {
    Any,
    Sorted,
    /// Consecutive numbers from this one on, each once, in any order.
    Permutation(i64),
    /// The parents of all nodes of a tree but the first.
    Parents {
        zero_based: bool,
    },
    /// Positions in an earlier part.
    Positions(Positions),
}

impl Numbers {
    pub(crate) fn positions(self) -> Option<Positions> {
        match self {
            Self::Positions(positions) => Some(positions),
            _ => None,
        }
    }
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

impl Positions {
    /// The number of positions in this scope.
    pub(crate) fn length(self, scope: &Scope) -> i64 {
        scope.scalars.get(self.count).copied().unwrap_or_default()
    }

    /// Whether the number is a position in this scope.
    pub(crate) fn has(self, scope: &Scope, number: i64) -> bool {
        let base = i64::from(!self.zero_based);
        number >= base && number - base < self.length(scope)
    }
}

/// A kind of query.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Operation {
    /// The numbers of elements that it adds to a collection and takes out of it.
    pub(crate) adds: u32,
    pub(crate) removes: u32,
    /// The word at the start of the query's line, if there is one.
    pub(crate) code: Option<String>,
    pub(crate) fields: Vec<Argument>,
}

/// An argument of a query.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Argument {
    /// A number, with its smallest and its largest value in the samples.
    Number(i64, i64),
    Position(Positions),
    /// Two positions, the smaller one first.
    Range(Positions),
}

impl Argument {
    pub(crate) fn positions(self) -> Option<Positions> {
        match self {
            Self::Number(..) => None,
            Self::Position(positions) | Self::Range(positions) => Some(positions),
        }
    }
}

/// The scalars that the parts use.
pub(crate) fn used_by(parts: &[Part]) -> Used {
    parts.iter().fold(Used::default(), |used, part| used.and(part.used))
}
