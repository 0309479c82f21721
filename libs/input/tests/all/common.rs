//! Shorthands for specs.

use profiler_input::spec::variable::Kind;
use profiler_input::spec::{
    Array, Graph, GraphShape, Grid, InputSpec, Intervals, Items, Layout, Matrix, Order, Pattern,
    Permutation, Points, PointsShape, QueryField, QueryRange, QueryVariant, Scalar, Text, Tree,
    TreeShape, Variable, Weights, layout, query_field,
};
use profiler_input::{Problem, Recipe, Scope};
use std::collections::BTreeMap;

/// Every value of an enum of a spec but UNSPECIFIED.
pub(crate) fn values<E: TryFrom<i32>>() -> Vec<E> {
    (1..).map_while(|value| E::try_from(value).ok()).collect()
}

/// A recipe of one variable `x`, with one row on each line.
pub(crate) fn rows(kind: Kind, n: u64) -> Recipe {
    recipe(vec![("x", kind)], vec![lines(&["x"])], n)
}

pub(crate) fn recipe(vars: Vec<(&str, Kind)>, layout: Vec<Layout>, n: u64) -> Recipe {
    let vars = vars.into_iter().map(|(name, kind)| variable(name, kind));
    let spec = InputSpec {
        name: "test".into(),
        seed: 7,
        vars: vars.collect(),
        layout,
        ..InputSpec::default()
    };
    let bounds = BTreeMap::from([("n".into(), 1_000_000), ("q".into(), 500)]);
    Recipe { spec, scope: Scope { bounds, size_variable: "n".into() }, n }
}

pub(crate) fn variable(name: &str, kind: Kind) -> Variable {
    Variable { name: name.into(), kind: Some(kind) }
}

pub(crate) fn part(kind: layout::Kind) -> Layout {
    Layout { kind: Some(kind) }
}

pub(crate) fn line(items: &[&str]) -> Layout {
    part(layout::Kind::Line(list(items)))
}

pub(crate) fn lines(items: &[&str]) -> Layout {
    part(layout::Kind::Lines(list(items)))
}

pub(crate) fn raw(name: &str) -> Layout {
    part(layout::Kind::Raw(name.into()))
}

fn list(items: &[&str]) -> Items {
    Items { items: items.iter().map(ToString::to_string).collect(), omit_empty: false }
}

pub(crate) fn value(text: &str) -> Kind {
    Kind::Scalar(Scalar { value: text.into(), ..Scalar::default() })
}

pub(crate) fn between(min: &str, max: &str) -> Kind {
    Kind::Scalar(Scalar { min: min.into(), max: max.into(), ..Scalar::default() })
}

pub(crate) fn array(len: &str, min: &str, max: &str, order: Order) -> Array {
    Array {
        len: len.into(),
        min: min.into(),
        max: max.into(),
        order: order.into(),
        rule: rule(order),
        ..Array::default()
    }
}

/// A rule, if the order has one.
fn rule(order: Order) -> String {
    if order == Order::Rule { "grow 12~24 7+0".into() } else { String::new() }
}

pub(crate) fn numbers(len: &str, min: &str, max: &str, order: Order) -> Kind {
    Kind::Array(array(len, min, max, order))
}

pub(crate) fn stepped(len: &str, max: &str, step: &str, order: Order) -> Kind {
    Kind::Array(Array { step: step.into(), ..array(len, "-5", max, order) })
}

pub(crate) fn distinct(len: &str, min: &str, max: &str, order: Order) -> Kind {
    Kind::Array(Array { distinct: true, ..array(len, min, max, order) })
}

pub(crate) fn permutation(order: Order) -> Kind {
    Kind::Permutation(Permutation {
        len: "n".into(),
        order: order.into(),
        rule: rule(order),
        ..Permutation::default()
    })
}

pub(crate) fn matrix(rows: &str, cols: &str) -> Kind {
    let (rows, cols) = (rows.into(), cols.into());
    Kind::Matrix(Matrix { rows, cols, min: "-9".into(), max: "99".into(), ..Matrix::default() })
}

pub(crate) fn grid(rows: &str, cols: &str) -> Kind {
    let (rows, cols, alphabet) = (rows.into(), cols.into(), "..#".into());
    Kind::Grid(Grid { rows, cols, alphabet, ..Grid::default() })
}

pub(crate) fn text(pattern: Pattern) -> Kind {
    let alphabet = if pattern == Pattern::Balanced { "()[]" } else { "abc" }.into();
    let rule = if pattern == Pattern::Rule { "ba* c a*" } else { "" }.into();
    let pattern = pattern.into();
    Kind::Text(Text { len: "n".into(), alphabet, pattern, rule, ..Text::default() })
}

pub(crate) fn tree(shape: TreeShape) -> Kind {
    let weights = Some(Weights { min: "1".into(), max: "9".into() });
    Kind::Tree(Tree { nodes: "n".into(), shape: shape.into(), weights, ..Tree::default() })
}

/// A tree as the parents of its nodes.
pub(crate) fn parents(shape: TreeShape) -> Kind {
    let (nodes, shape) = ("n".into(), shape.into());
    Kind::Tree(Tree { nodes, shape, parents: true, ..Tree::default() })
}

/// A symmetric matrix with zeros on its diagonal.
pub(crate) fn distances(cols: &str) -> Kind {
    let (rows, cols, min, max) = ("n".into(), cols.into(), "1".into(), "99".into());
    let (symmetric, zero_diagonal) = (true, true);
    Kind::Matrix(Matrix { rows, cols, min, max, symmetric, zero_diagonal, ..Matrix::default() })
}

/// A grid with marks.
pub(crate) fn marked(marks: &str) -> Kind {
    let (rows, cols, alphabet) = ("2".into(), "n".into(), "..#".into());
    Kind::Grid(Grid { rows, cols, alphabet, marks: marks.into(), ..Grid::default() })
}

/// Edges to a second side, whose nodes are numbered from 1.
pub(crate) fn sides(edges: &str, promises: &Graph) -> Kind {
    let (nodes, edges, other_side) = ("n".into(), edges.into(), "n / 2".into());
    Kind::Graph(Graph { nodes, edges, other_side, ..promises.clone() })
}

/// A graph with the flags of `promises`.
pub(crate) fn graph(edges: Option<&str>, promises: &Graph, shape: GraphShape) -> Kind {
    let (nodes, edges, shape) = ("n".into(), edges.unwrap_or_default().into(), shape.into());
    Kind::Graph(Graph { nodes, edges, shape, zero_based: true, ..promises.clone() })
}

pub(crate) fn points(max: &str, distinct: bool) -> Kind {
    shaped_points(max, distinct, PointsShape::Random)
}

pub(crate) fn shaped_points(max: &str, distinct: bool, shape: PointsShape) -> Kind {
    let shape = shape.into();
    Kind::Points(Points { len: "n".into(), min: "0".into(), max: max.into(), distinct, shape })
}

pub(crate) fn intervals(max_length: Option<&str>) -> Kind {
    let max_length = max_length.unwrap_or_default().into();
    let (len, min, max) = ("n".into(), "1".into(), "n".into());
    Kind::Intervals(Intervals { len, min, max, max_length, ..Intervals::default() })
}

pub(crate) fn variant(weight: u32, fields: Vec<query_field::Kind>) -> QueryVariant {
    let fields = fields.into_iter().map(|kind| QueryField { kind: Some(kind) }).collect();
    QueryVariant { weight, fields, ..QueryVariant::default() }
}

pub(crate) fn literal(text: &str) -> query_field::Kind {
    query_field::Kind::Literal(text.into())
}

pub(crate) fn range(min: &str, max: &str) -> QueryRange {
    QueryRange { min: min.into(), max: max.into(), ..QueryRange::default() }
}

pub(crate) fn number(min: &str, max: &str) -> query_field::Kind {
    query_field::Kind::Number(range(min, max))
}

pub(crate) fn interval(min: &str, max: &str) -> query_field::Kind {
    query_field::Kind::Interval(range(min, max))
}

/// Every combination of promises.
pub(crate) fn promises() -> impl Iterator<Item = Graph> {
    (0..32_u32).map(|bits| Graph {
        directed: bits & 1 != 0,
        acyclic: bits & 2 != 0,
        connected: bits & 4 != 0,
        simple: bits & 8 != 0,
        bipartite: bits & 16 != 0,
        ..Graph::default()
    })
}

/// The text of a recipe's input.
pub(crate) fn written(recipe: &Recipe) -> String {
    let estimate = recipe.check().unwrap_or_else(|problems| panic!("{problems:?}"));
    let mut bytes = Vec::new();
    assert_eq!(recipe.write(&mut bytes).unwrap(), bytes.len() as u64);
    assert!(bytes.len() as u64 <= estimate.bytes, "{} of {estimate:?}", bytes.len());
    String::from_utf8(bytes).unwrap()
}

/// The numbers of a recipe's input, line by line.
pub(crate) fn table(recipe: &Recipe) -> Vec<Vec<i64>> {
    let line = |line: &str| line.split_whitespace().map(|word| word.parse().unwrap()).collect();
    written(recipe).lines().map(line).collect()
}

/// The problems of a recipe.
pub(crate) fn problems(recipe: &Recipe) -> Vec<String> {
    let all = recipe.check().err().unwrap_or_default();
    all.iter().map(Problem::to_string).collect()
}
