//! An input is accepted only if it has the properties that its spec declares.

use profiler_infer::accept;
use profiler_input::InputSpec;
use profiler_input::spec::variable::Kind;
use profiler_input::spec::{
    Graph, Grid, Items, Layout, Matrix, Pattern, Queries, QueryField, QueryRange, QueryVariant,
    Text, Tree, Variable, layout, query_field,
};

/// A line of n, then the rows of a variable.
fn spec(kind: Kind) -> InputSpec {
    let part = |items: &[&str]| Items {
        items: items.iter().map(ToString::to_string).collect(),
        omit_empty: false,
    };
    let layout = [layout::Kind::Line(part(&["n"])), layout::Kind::Lines(part(&["x"]))];
    InputSpec {
        vars: vec![Variable { name: "x".into(), kind: Some(kind) }],
        layout: layout.map(|kind| Layout { kind: Some(kind) }).into(),
        ..InputSpec::default()
    }
}

/// A number, one above it, and a list of different numbers, as many as that says.
fn list() -> Vec<QueryVariant> {
    let range =
        |min: &str, more: QueryRange| QueryRange { min: min.into(), max: "n".into(), ..more };
    let earlier = QueryRange { not_below: 1, distinct: true, ..QueryRange::default() };
    let distinct = QueryRange { distinct: true, ..QueryRange::default() };
    let fields = [
        query_field::Kind::Number(range("0", QueryRange::default())),
        query_field::Kind::Number(range("0", earlier)),
        query_field::Kind::List(range("1", distinct)),
    ];
    let fields = fields.map(|kind| QueryField { kind: Some(kind) }).into();
    vec![QueryVariant { fields, ..QueryVariant::default() }]
}

#[test]
fn declared_properties_are_checked() {
    let n = || "n".to_owned();
    let tree = Tree { nodes: n(), parents: true, ..Tree::default() };
    let matrix = Matrix {
        rows: n(),
        cols: n(),
        min: "1".into(),
        max: "9".into(),
        symmetric: true,
        zero_diagonal: true,
        ..Matrix::default()
    };
    let plain = Grid { rows: n(), cols: n(), alphabet: ".".into(), ..Grid::default() };
    let grid = Grid { marks: "SE".into(), ..plain.clone() };
    let square = Grid { symmetric: true, diagonal: "x".into(), ..plain };
    let square = Grid { alphabet: "01".into(), ..square };
    let any_order = Tree { root: "0".into(), any_order: true, ..tree.clone() };
    let names = Text { len: "3".into(), min_len: "1".into(), rows: n(), ..Text::default() };
    let names = Text { distinct: true, ..names };
    let list = Queries { len: "1".into(), variants: list(), ..Queries::default() };
    let pattern = Pattern::Balanced.into();
    let text = Text { len: n(), alphabet: "()[]".into(), pattern, ..Text::default() };
    let sides = Graph {
        nodes: n(),
        edges: n(),
        other_side: "n + 1".into(),
        simple: true,
        ..Graph::default()
    };
    let operation = |code: &str, adds, removes| {
        let kind = Some(query_field::Kind::Literal(code.into()));
        QueryVariant { fields: vec![QueryField { kind }], adds, removes, weight: 0 }
    };
    let variants = vec![operation("+", 1, 0), operation("-", 0, 1), operation("?", 1, 1)];
    let queries = Queries { len: n(), variants, ..Queries::default() };
    for (kind, good, bad) in [
        (Kind::Tree(tree), "3\n1\n2\n", "3\n2\n1\n"),
        (Kind::Tree(any_order.clone()), "3\n2\n3\n0\n", "3\n2\n3\n1\n"),
        (Kind::Tree(any_order), "3\n2\n0\n2\n", "3\n0\n0\n2\n"),
        (Kind::Grid(square.clone()), "2\nx1\n1x\n", "2\nx1\n0x\n"),
        (Kind::Grid(square.clone()), "2\nx0\n0x\n", "2\nxx\nxx\n"),
        (Kind::Grid(square), "1\nx\n", "1\n0\n"),
        (Kind::Text(names.clone()), "2\na\nabc\n", "2\na\na\n"),
        (Kind::Text(names), "2\na\nb\n", "2\na\nabcd\n"),
        (Kind::Queries(list.clone()), "4\n1 2 1 4\n", "4\n2 2 4 1\n"),
        (Kind::Queries(list.clone()), "4\n0 1 3\n", "4\n0 1 3 2\n"),
        (Kind::Queries(list), "4\n0 2 4 3\n", "4\n0 2 3 3\n"),
        (Kind::Matrix(matrix.clone()), "2\n0 9\n9 0\n", "2\n0 9\n8 0\n"),
        (Kind::Matrix(matrix.clone()), "2\n0 1\n1 0\n", "2\n0 1\n1 1\n"),
        (Kind::Matrix(matrix), "2\n0 5\n5 0\n", "2\n0 0\n0 0\n"),
        (Kind::Grid(grid.clone()), "2\nS.\n.E\n", "2\nSS\n.E\n"),
        (Kind::Grid(grid), "2\nES\n..\n", "2\nS.\n..\n"),
        (Kind::Text(text.clone()), "4\n([])\n", "4\n([)]\n"),
        (Kind::Text(text), "2\n()\n", "2\n((\n"),
        (Kind::Queries(queries.clone()), "3\n+\n?\n-\n", "3\n+\n-\n?\n"),
        (Kind::Queries(queries), "2\n+\n-\n", "2\n-\n+\n"),
        (Kind::Graph(sides), "2\n1 3\n2 1\n", "2\n3 1\n2 1\n"),
    ] {
        let spec = spec(kind);
        assert_eq!(accept(&spec, good), Ok(()), "{good}");
        assert!(accept(&spec, bad).is_err(), "{bad}");
    }
}
