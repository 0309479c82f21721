//! Specs with unknown values of enums, or without a kind where one is needed.

use crate::common::{between, line, numbers, part, problems, recipe, tree, value, written};
use profiler_input::spec::layout::Kind as Part;
use profiler_input::spec::variable::Kind;
use profiler_input::spec::{
    Array, Graph, Layout, Order, Points, Queries, QueryField, QueryVariant, Repetition, Text, Tree,
    TreeShape, Variable,
};

#[test]
fn unknown_values_and_unsaid_kinds_are_named_at_once() {
    let Kind::Array(array) = numbers("n", "1", "2", Order::Random) else { unreachable!() };
    let len = || "n".to_owned();
    let Kind::Tree(shaped) = tree(TreeShape::Path) else { unreachable!() };
    let points = Points { len: len(), min: "0".into(), max: "9".into(), ..Points::default() };
    let variants =
        vec![QueryVariant { fields: vec![QueryField::default()], ..QueryVariant::default() }];
    let repeat = Repetition {
        count: "1".into(),
        split: 8,
        vars: vec![Variable { name: "v".into(), kind: None }],
        layout: vec![part(Part::Repeat(Repetition::default())), line(&["v"])],
        ..Repetition::default()
    };
    let vars = vec![
        ("a", Kind::Array(Array { order: 77, ..array })),
        ("b", Kind::Text(Text { len: len(), pattern: 5000, ..Text::default() })),
        ("c", Kind::Tree(Tree { shape: -1, ..shaped })),
        ("d", Kind::Graph(Graph { nodes: len(), edges: len(), shape: 9, ..Graph::default() })),
        ("e", Kind::Queries(Queries { len: len(), variants, ..Queries::default() })),
        ("g", Kind::Points(Points { shape: 4, ..points })),
        ("h", value("f + 1")),
    ];
    let layout = vec![
        Layout::default(),
        part(Part::Repeat(repeat)),
        part(Part::Grid("f".into())),
        part(Part::Raw("f".into())),
    ];
    let mut recipe = recipe(vars, layout, 1);
    recipe.spec.vars.insert(5, Variable { name: "f".into(), kind: None });
    assert_eq!(
        problems(&recipe),
        [
            "vars[0].array.order: unknown value 77",
            "vars[1].text.pattern: unknown value 5000",
            "vars[2].tree.shape: unknown value -1",
            "vars[3].graph.shape: unknown value 9",
            "vars[4].queries.variants[0].fields[0]: has no kind, such as number",
            "vars[5]: \"f\" has no kind, such as scalar",
            "vars[6].points.shape: unknown value 4",
            "layout[0]: has no kind, such as line",
            "layout[1].repeat.split: unknown value 8",
            "layout[1].repeat.vars[0]: \"v\" has no kind, such as scalar",
            "layout[1].repeat.layout[0].repeat: must not be inside another repetition",
        ]
    );
}

#[test]
fn fields_that_were_left_out_are_missing() {
    let vars = vec![("a", Kind::Array(Array::default())), ("b", between("1", ""))];
    assert_eq!(
        problems(&recipe(vars, vec![part(Part::Grid("a".into()))], 1)),
        [
            "vars[0].array.len: is missing",
            "vars[0].array.min: is missing",
            "vars[0].array.max: is missing",
            "vars[1].scalar.max: is missing",
            "layout[0].grid: must name a matrix or grid, not \"a\"",
        ]
    );
}

#[test]
fn unspecified_order_is_the_random_one() {
    let rows = |order| {
        let vars = vec![("a", numbers("n", "1", "10^9", order))];
        written(&recipe(vars, vec![line(&["a"])], 50))
    };
    assert_eq!(rows(Order::Unspecified), rows(Order::Random));
}
