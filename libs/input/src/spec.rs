//! The shape of inputs: plain data, as a caller declares it. `E` is an expression: text in a spec,
//! code in a plan. An empty required expression counts as missing.

use serde::{Deserialize, Serialize};

/// The shape of a task's inputs, for every size.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Spec {
    /// The spec's name in reports.
    pub name: String,
    /// Another seed gives other inputs of the same kind.
    pub seed: u32,
    /// The variables, each declared before it is used.
    pub vars: Vec<Variable>,
    /// The parts of the input, from first to last.
    pub layout: Vec<Layout>,
}

/// A named value that the layout prints.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Variable {
    /// The name in expressions and layouts.
    pub name: String,
    /// The kind, with its fields.
    pub kind: Kind,
}

/// The kind of a variable.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub enum Kind<E = String> {
    /// One number.
    Scalar(Scalar<E>),
    /// Numbers.
    Array(Array<E>),
    /// Consecutive numbers, each once.
    Permutation(Permutation<E>),
    /// Rows of numbers.
    Matrix(Matrix<E>),
    /// Rows of characters.
    Grid(Grid<E>),
    /// A string.
    Text(Text<E>),
    /// The edges of a tree.
    Tree(Tree<E>),
    /// The edges of a graph.
    Graph(Graph<E>),
    /// Points in the plane.
    Points(Points<E>),
    /// Intervals.
    Intervals(Intervals<E>),
    /// Queries of several kinds.
    Queries(Queries<E>),
}

/// One number: either `value`, or a random one between `min` and `max`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Scalar<E = String> {
    /// The number itself.
    pub value: Option<E>,
    /// The smallest that is allowed.
    pub min: Option<E>,
    /// The largest that is allowed.
    pub max: Option<E>,
}

/// The order of numbers.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
pub enum Order {
    /// Independent of each other.
    #[default]
    Random,
    /// Rising.
    Sorted,
    /// Falling.
    Reversed,
    /// One value, repeated.
    AllEqual,
    /// A few values, repeated.
    FewDistinct,
    /// Rising, but a hundredth of the elements are swapped in pairs.
    NearlySorted,
    /// Rising, then falling.
    OrganPipe,
    /// Makes a median-of-three quicksort quadratic.
    AntiQuicksort,
    /// Makes a quicksort quadratic that takes the middle element as its pivot.
    AntiMiddlePivot,
    /// Keys that libstdc++'s unordered containers put into one bucket.
    AntiHash,
}

/// Numbers.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Array<E = String> {
    /// Number of elements.
    pub len: E,
    /// The smallest that is allowed.
    pub min: E,
    /// The largest that is allowed.
    pub max: E,
    /// Whether no number is repeated.
    pub distinct: bool,
    /// Their order.
    pub order: Order,
    /// Number of values; only for [`Order::FewDistinct`].
    pub distinct_values: Option<E>,
    /// Each number is `min` plus a multiple of this; 1 if left out.
    pub step: Option<E>,
    /// Minimum number of digits of each number.
    pub width: u32,
}

/// A permutation of `base … base + len - 1`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Permutation<E = String> {
    /// Number of elements.
    pub len: E,
    /// The smallest; 1 if left out.
    pub base: Option<E>,
    /// Their order.
    pub order: Order,
    /// Minimum number of digits of each number.
    pub width: u32,
}

/// Rows of numbers.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Matrix<E = String> {
    /// Number of rows.
    pub rows: E,
    /// Number of numbers in each row.
    pub cols: E,
    /// The smallest number that is allowed.
    pub min: E,
    /// The largest number that is allowed.
    pub max: E,
    /// Minimum number of digits of each number.
    pub width: u32,
}

/// Rows of characters.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Grid<E = String> {
    /// Number of rows.
    pub rows: E,
    /// Number of characters in each row.
    pub cols: E,
    /// The characters. A character that is repeated here is drawn more often.
    pub alphabet: String,
}

/// The pattern of a string.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
pub enum Pattern {
    /// Each character independent of the others.
    #[default]
    Random,
    /// The first character of the alphabet alone.
    AllSame,
    /// A random prefix, repeated.
    Periodic,
    /// The Fibonacci word.
    Fibonacci,
    /// The Thue–Morse word.
    ThueMorse,
    /// The first character, repeated, and the second one at the end.
    LastDiffers,
}

/// A string.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Text<E = String> {
    /// The length.
    pub len: E,
    /// The characters; a…z if empty.
    pub alphabet: String,
    /// The pattern.
    pub pattern: Pattern,
    /// Length of the prefix, only for [`Pattern::Periodic`]; 2 if left out.
    pub period: Option<E>,
}

/// Between `min` and `max`, both included.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Range<E = String> {
    /// The smallest that is allowed.
    pub min: E,
    /// The largest that is allowed.
    pub max: E,
}

/// The shape of a tree.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
pub enum TreeShape {
    /// The parent of each node is a random earlier node.
    #[default]
    Random,
    /// A single path.
    Path,
    /// All nodes are joined to one.
    Star,
    /// A path of half of the nodes. Each other node is joined to a random node of the path.
    Caterpillar,
    /// A path of half of the nodes. All other nodes are joined to its end.
    Broom,
    /// Each node has two children, as in a heap.
    Binary,
}

/// The edges of a tree.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Tree<E = String> {
    /// Number of nodes.
    pub nodes: E,
    /// Its shape.
    pub shape: TreeShape,
    /// Weights of its edges.
    pub weights: Option<Range<E>>,
    /// Whether the first node is 0, and not 1.
    pub zero_based: bool,
}

/// The shape of a graph.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
pub enum GraphShape {
    /// Any edges.
    #[default]
    Random,
    /// All edges that the promises allow.
    Dense,
    /// Neighbours in rows of sqrt(nodes).
    Grid,
    /// Layers of sqrt(nodes), edges from one to the next.
    Layered,
    /// A path in the order of the nodes; further edges join nodes at distance 2, then 3 and so on.
    Band,
}

/// The properties that a graph must have.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
#[allow(clippy::struct_excessive_bools, reason = "each is a promise of its own")]
pub struct Promises {
    /// An edge has a direction.
    pub directed: bool,
    /// The graph has no cycle.
    pub acyclic: bool,
    /// The graph is connected if directions are ignored.
    pub connected: bool,
    /// There is no loop and no repeated edge.
    pub simple: bool,
    /// Every edge joins nodes of two kinds.
    pub bipartite: bool,
}

/// The edges of a graph.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Graph<E = String> {
    /// Number of nodes.
    pub nodes: E,
    /// Number of edges; left out if the shape determines it.
    pub edges: Option<E>,
    /// The properties that it must have.
    pub promises: Promises,
    /// Its shape.
    pub shape: GraphShape,
    /// Weights of its edges.
    pub weights: Option<Range<E>>,
    /// Whether the first node is 0, and not 1.
    pub zero_based: bool,
}

/// Arrangement of points.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
pub enum PointsShape {
    /// Anywhere, independent of each other.
    #[default]
    Random,
    /// In convex position: corners of a convex polygon. If coordinates differ by at most d, it has
    /// about 8 sqrt(d) corners. Further points repeat corners.
    Convex,
    /// On the diagonal: both coordinates are equal.
    Line,
}

/// Points in the plane.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Points<E = String> {
    /// Number of elements.
    pub len: E,
    /// The smallest coordinate that is allowed.
    pub min: E,
    /// The largest coordinate that is allowed.
    pub max: E,
    /// Whether no point is repeated.
    pub distinct: bool,
    /// Their arrangement.
    pub shape: PointsShape,
}

/// Intervals: a begin and an end that is not below it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Intervals<E = String> {
    /// Number of elements.
    pub len: E,
    /// The smallest begin.
    pub min: E,
    /// The largest end.
    pub max: E,
    /// Maximum length of an interval.
    pub max_length: Option<E>,
}

/// Queries, of random kinds.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Queries<E = String> {
    /// Number of elements.
    pub len: E,
    /// Their kinds.
    pub variants: Vec<Variant<E>>,
}

/// One kind of query.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Variant<E = String> {
    /// Relative frequency of this kind; 0 counts as 1.
    pub weight: u32,
    /// The fields of its line.
    pub fields: Vec<Field<E>>,
}

/// A field of a query's line.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub enum Field<E = String> {
    /// This text.
    Literal(String),
    /// A number.
    Number(Range<E>),
    /// Two numbers, the first not above the second.
    Interval(Range<E>),
}

/// A part of the input.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub enum Layout {
    /// One line with all values of some items.
    Line(Items),
    /// A line for each row of some items.
    Lines(Items),
    /// The rows of one matrix or grid, one line each.
    Grid(String),
    /// One string on a line.
    Raw(String),
    /// This text on a line.
    Literal(String),
    /// Several cases.
    Repeat(Repetition),
}

/// Items of a line: names of variables, or expressions.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Items {
    /// Items, from left to right.
    pub items: Vec<String>,
    /// Whether a line without any value is left out.
    pub omit_empty: bool,
}

/// Division of n among cases.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
pub enum Split {
    /// Sizes that are as equal as possible.
    #[default]
    Equal,
    /// Random sizes.
    Random,
    /// One size as large as possible, and the others as small as possible.
    OneLarge,
}

/// Cases whose sizes sum to n.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Repetition {
    /// Number of cases.
    pub count: String,
    /// Division of n among them.
    pub split: Split,
    /// The smallest size of a case; 0 if left out.
    pub min_size: Option<String>,
    /// The variables of a case.
    pub vars: Vec<Variable>,
    /// The layout of a case.
    pub layout: Vec<Layout>,
}
