//! What inputs look like: plain data, as a caller declares it. `E` is an expression: text in a
//! spec, code in a plan. An empty required expression is one that was left out.

use serde::{Deserialize, Serialize};

/// What the inputs of a task look like, for every size.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Spec {
    /// What the report calls it.
    pub name: String,
    /// Another seed gives other inputs of the same kind.
    pub seed: u32,
    /// What is printed; each name stands before it is used.
    pub vars: Vec<Variable>,
    /// How it is printed.
    pub layout: Vec<Layout>,
}

/// Something with a name, that the layout prints.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Variable {
    /// How expressions and layouts call it.
    pub name: String,
    /// What it is.
    pub kind: Kind,
}

/// What a variable is.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub enum Kind<E = String> {
    /// One number.
    Scalar(Scalar<E>),
    /// Numbers.
    Array(Array<E>),
    /// Each of some successive numbers, once.
    Permutation(Permutation<E>),
    /// Values of numbers.
    Matrix(Matrix<E>),
    /// Values of characters.
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

/// One number: either `value`, or one between `min` and `max`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Scalar<E = String> {
    /// The number itself.
    pub value: Option<E>,
    /// The smallest that is allowed.
    pub min: Option<E>,
    /// The largest that is allowed.
    pub max: Option<E>,
}

/// The order in which numbers come.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
pub enum Order {
    /// Independent of each other.
    #[default]
    Random,
    /// Rising.
    Sorted,
    /// Falling.
    Reversed,
    /// One value, again and again.
    AllEqual,
    /// A few values, again and again.
    FewDistinct,
    /// Rising, but for a hundredth of the elements, which are swapped in pairs.
    NearlySorted,
    /// Rising, then falling.
    OrganPipe,
    /// Makes a median-of-three quicksort quadratic.
    AntiQuicksort,
    /// Keys that libstdc++'s unordered containers put into one bucket.
    AntiHash,
}

/// Numbers.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Array<E = String> {
    /// How many.
    pub len: E,
    /// The smallest that is allowed.
    pub min: E,
    /// The largest that is allowed.
    pub max: E,
    /// Whether no number comes twice.
    pub distinct: bool,
    /// Their order.
    pub order: Order,
    /// How many values there are, for [`Order::FewDistinct`] alone.
    pub distinct_values: Option<E>,
    /// Digits that each number has at least.
    pub width: u32,
}

/// Each number of `base … base + len - 1`, once.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Permutation<E = String> {
    /// How many.
    pub len: E,
    /// The smallest; 1 if left out.
    pub base: Option<E>,
    /// Their order.
    pub order: Order,
    /// Digits that each number has at least.
    pub width: u32,
}

/// Values of numbers.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Matrix<E = String> {
    /// How many rows.
    pub rows: E,
    /// How many numbers in each.
    pub cols: E,
    /// The smallest number that is allowed.
    pub min: E,
    /// The largest number that is allowed.
    pub max: E,
    /// Digits that each number has at least.
    pub width: u32,
}

/// Values of characters.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Grid<E = String> {
    /// How many rows.
    pub rows: E,
    /// How many characters in each.
    pub cols: E,
    /// The characters, each as often as it stands here.
    pub alphabet: String,
}

/// How a string comes about.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
pub enum Pattern {
    /// Each character independent of the others.
    #[default]
    Random,
    /// The first character of the alphabet alone.
    AllSame,
    /// A random beginning, again and again.
    Periodic,
    /// The Fibonacci word.
    Fibonacci,
    /// The Thue–Morse word.
    ThueMorse,
}

/// A string.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Text<E = String> {
    /// How long.
    pub len: E,
    /// The characters; a…z if empty.
    pub alphabet: String,
    /// How it comes about.
    pub pattern: Pattern,
    /// How long the beginning is, for [`Pattern::Periodic`] alone; 2 if left out.
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
    /// Each node hangs on a random one of those before it.
    #[default]
    Random,
    /// One node after the other.
    Path,
    /// All nodes on one.
    Star,
    /// A path of half of the nodes, the others each on one of them.
    Caterpillar,
    /// A path of half of the nodes, the others all on its end.
    Broom,
    /// Each node has two children, as in a heap.
    Binary,
}

/// The edges of a tree.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Tree<E = String> {
    /// How many nodes.
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
}

/// What a graph promises.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
#[allow(clippy::struct_excessive_bools, reason = "each is a promise of its own")]
pub struct Promises {
    /// An edge has a direction.
    pub directed: bool,
    /// There is no cycle.
    pub acyclic: bool,
    /// There is a way between any two nodes, directions apart.
    pub connected: bool,
    /// There is no loop, and no edge comes twice.
    pub simple: bool,
    /// Every edge joins nodes of two kinds.
    pub bipartite: bool,
}

/// The edges of a graph.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Graph<E = String> {
    /// How many nodes.
    pub nodes: E,
    /// How many edges; left out where the shape says it.
    pub edges: Option<E>,
    /// What it promises.
    pub promises: Promises,
    /// Its shape.
    pub shape: GraphShape,
    /// Weights of its edges.
    pub weights: Option<Range<E>>,
    /// Whether the first node is 0, and not 1.
    pub zero_based: bool,
}

/// Points in the plane.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Points<E = String> {
    /// How many.
    pub len: E,
    /// The smallest coordinate that is allowed.
    pub min: E,
    /// The largest coordinate that is allowed.
    pub max: E,
    /// Whether no point comes twice.
    pub distinct: bool,
}

/// Intervals: a begin and an end that is not below it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Intervals<E = String> {
    /// How many.
    pub len: E,
    /// The smallest begin.
    pub min: E,
    /// The largest end.
    pub max: E,
    /// The most that an end is above its begin.
    pub max_length: Option<E>,
}

/// Queries, of random kinds.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Queries<E = String> {
    /// How many.
    pub len: E,
    /// Their kinds.
    pub variants: Vec<Variant<E>>,
}

/// One kind of query.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Variant<E = String> {
    /// How often it comes, beside the others; 0 is taken for 1.
    pub weight: u32,
    /// What stands on its line.
    pub fields: Vec<Field<E>>,
}

/// What stands on the line of a query.
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
    /// The rows of one matrix or grid, a line each.
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
    /// From left to right.
    pub items: Vec<String>,
    /// Whether a line without any value is left out.
    pub omit_empty: bool,
}

/// How n is divided among cases.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
pub enum Split {
    /// As equal as they can be.
    #[default]
    Equal,
    /// At random.
    Random,
    /// One as large as it can be, the others as small.
    OneLarge,
}

/// Cases whose sizes sum to n.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Repetition {
    /// How many cases.
    pub count: String,
    /// How n is divided among them.
    pub split: Split,
    /// The smallest size of a case; 0 if left out.
    pub min_size: Option<String>,
    /// What a case prints.
    pub vars: Vec<Variable>,
    /// How.
    pub layout: Vec<Layout>,
}
