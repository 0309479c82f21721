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
        let of_parents = |(count, kind): (&Count, &Numbers)| match kind {
            Numbers::Parents(parents) => {
                let zero_based = parents.zero_based;
                Some(Nodes { count: count.scalar()?, zero_based, weighted: false })
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

    /// The place of the words that later parts can refer to.
    pub(crate) fn words(&self) -> Option<WordPlace> {
        let are_words = |kind: &Numbers| matches!(kind, Numbers::Words(_));
        match &self.content {
            Content::Line(fields) => match fields.as_slice() {
                [LineField::Numbers(_, kind)] if are_words(kind) => Some(WordPlace::Line),
                _ => None,
            },
            Content::Columns { columns, .. } => {
                columns.iter().position(are_words).map(WordPlace::Column)
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
    Grid { rows: Count, cols: Count, marks: String, form: Form },
    /// Queries, or records with positions.
    Queries { count: Count, variants: Vec<Operation> },
    /// Cases, each with the parts of `body`.
    Cases { count: Count, body: Vec<Part> },
}

impl Content {
    /// Records, which are queries of one kind without a code.
    pub(crate) fn records(count: Count, fields: Vec<Argument>) -> Self {
        Self::Queries {
            count,
            variants: vec![Operation { code: None, fields, adds: 0, removes: 0 }],
        }
    }
}

/// Properties of a square. A grid with one character on its diagonal has a `zero_diagonal`.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(crate) struct Form {
    pub(crate) symmetric: bool,
    pub(crate) zero_diagonal: bool,
}

/// A field of a line.
#[derive(Debug, Clone, PartialEq)]
pub(crate) enum LineField {
    Scalar,
    Decimal,
    Text(Count),
    /// A text of balanced brackets.
    Brackets(Count),
    Numbers(Count, Numbers),
}

impl LineField {
    pub(crate) fn count(&self) -> Option<Count> {
        match self {
            Self::Scalar | Self::Decimal => None,
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

/// Kind of a list of numbers or words.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Numbers {
    Any,
    /// Consecutive numbers from this one on, each once, in any order.
    Permutation(i64),
    /// The parents of all nodes of a tree but the first, or also that of the root.
    Parents(Parents),
    /// Positions in an earlier part; they differ if the flag is set.
    Positions(Positions, bool),
    /// Words; they differ if the flag is set.
    Words(bool),
}

/// The numbers in a list of parents.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(crate) struct Parents {
    pub(crate) zero_based: bool,
    /// The number that stands for the parent of the root. Without it, the first node is the root.
    pub(crate) root: Option<i64>,
    /// Whether a parent can have a larger number than its node.
    pub(crate) any_order: bool,
}

impl Numbers {
    pub(crate) fn positions(self) -> Option<Positions> {
        match self {
            Self::Positions(positions, _) => Some(positions),
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

/// Place of words within a part.
#[derive(Debug, Clone, Copy)]
pub(crate) enum WordPlace {
    /// The whole line.
    Line,
    /// The column with this index.
    Column(usize),
}

/// Positions in a sequence whose length is a scalar.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Positions {
    pub(crate) count: usize,
    pub(crate) base: Base,
}

/// The number of the first position.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Base {
    Zero,
    One,
    /// Zero, and the last number is the length: the places between positions.
    Bounds,
    /// One more than this scalar, because the positions go on after others.
    After(usize),
}

impl Positions {
    /// The number of positions in this scope.
    pub(crate) fn length(self, scope: &Scope) -> i64 {
        let more = i64::from(self.base == Base::Bounds);
        value(scope, self.count).saturating_add(more)
    }

    pub(crate) fn is_zero_based(self) -> bool {
        self.base == Base::Zero
    }

    /// Whether the number is a position in this scope.
    pub(crate) fn has(self, scope: &Scope, number: i64) -> bool {
        let base = match self.base {
            Base::Zero | Base::Bounds => 0,
            Base::One => 1,
            Base::After(other) => value(scope, other).saturating_add(1),
        };
        number >= base && number.saturating_sub(base) < self.length(scope)
    }

    /// The other scalar whose positions come before.
    pub(crate) fn after(self) -> Option<usize> {
        match self.base {
            Base::After(other) => Some(other),
            _ => None,
        }
    }
}

fn value(scope: &Scope, scalar: usize) -> i64 {
    scope.scalars.get(scalar).copied().unwrap_or_default()
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
    /// Two positions, the smaller one first; they differ if the flag is set.
    Range(Positions, bool),
    /// Two numbers in order, with the smallest and the largest of them; they differ if the flag is
    /// set.
    Ordered(i64, i64, bool),
    /// A list of numbers, whose length is the argument before. They differ if the flag is set.
    List(Option<Positions>, i64, i64, bool),
    /// A word of an earlier part with this index. It is another one than that before if the flag is
    /// set.
    Element(usize, bool),
    /// A word of no earlier part.
    Word,
}

impl Argument {
    pub(crate) fn positions(self) -> Option<Positions> {
        match self {
            Self::Number(..) | Self::Ordered(..) | Self::Element(..) | Self::Word => None,
            Self::Position(positions) | Self::Range(positions, _) => Some(positions),
            Self::List(positions, ..) => positions,
        }
    }
}

/// The scalars that the parts use.
pub(crate) fn used_by(parts: &[Part]) -> Used {
    parts.iter().fold(Used::default(), |used, part| used.and(part.used))
}
