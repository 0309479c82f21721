//! A spec of variables and fields that depend on earlier ones.

use crate::conforms::{e, part, range, spec, variable, variant};
use profiler_input::spec::layout::Kind as Part;
use profiler_input::spec::query_field::Kind as Field;
use profiler_input::spec::variable::Kind;
use profiler_input::spec::{
    Grid, InputSpec, Intervals, Items, Queries, QueryElement, QueryRange, Text, Tree,
};

/// Fields that depend on earlier fields, and variables on earlier variables.
pub(crate) fn spec_of_relations() -> InputSpec {
    let distinct = |min, max| QueryRange { distinct: true, ..range(min, max) };
    let element =
        |distinct| Field::Element(QueryElement { of: e("w"), distinct, ..QueryElement::default() });
    let last = QueryRange { not_below: 1, ..distinct("-5", "n") };
    let names = Text { len: e("9"), min_len: e("2"), rows: e("n"), ..Text::default() };
    let root =
        Tree { nodes: e("n"), parents: true, root: e("0"), any_order: true, ..Tree::default() };
    let cells = Grid { rows: e("n"), cols: e("n"), alphabet: e("01"), ..Grid::default() };
    let variants = vec![
        variant(2, vec![Field::Number(range("-n", "9")), Field::Number(last)]),
        variant(1, vec![Field::Interval(distinct("0", "n"))]),
        variant(1, vec![Field::Number(range("0", "7")), Field::List(distinct("1", "n"))]),
        variant(1, vec![element(false), element(true)]),
    ];
    let grid = Grid { symmetric: true, diagonal: e("x"), ..cells };
    let mut spec = spec(
        vec![
            (
                "i",
                Kind::Intervals(Intervals {
                    len: e("n"),
                    min: e("0"),
                    max: e("n"),
                    distinct: true,
                    ..Intervals::default()
                }),
            ),
            ("g", Kind::Grid(grid)),
            ("r", Kind::Tree(root)),
        ],
        vec![],
    );
    let names = Kind::Text(Text { alphabet: e("abc"), distinct: true, ..names });
    let queries =
        Kind::Queries(Queries { len: e("n * max(n - 1, 0) / 2"), variants, ..Queries::default() });
    for (name, kind) in [("w", names), ("q", queries)] {
        spec.vars.push(variable(name, kind));
        let items = vec![e(name)];
        spec.layout.push(part(Part::Lines(Items { items, omit_empty: false })));
    }
    spec
}
