//! Hashes of the bytes of every kind, order, shape and layout. The bytes are the same on every
//! machine and in every version. A changed table invalidates comparisons with older reports. The
//! table is rewritten with `PROFILER_GOLDEN=write cargo test -p profiler-input --test all golden`.

use crate::common::{
    array, between, distances, distinct, graph, grid, interval, intervals, line, lines, literal,
    marked, matrix, number, numbers, parents, part, permutation, points, promises, recipe, rows,
    shaped_points, sides, stepped, text, tree, value, values, variable, variant, written,
};
use profiler_input::Recipe;
use profiler_input::spec::variable::Kind;
use profiler_input::spec::{
    Array, Graph, GraphShape, Order, Pattern, PointsShape, Queries, QueryVariant, Repetition,
    Split, TreeShape, layout,
};
use sha2::{Digest, Sha256};
use std::fmt::Write;
use std::{env, fs};

const TABLE: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/golden.txt");
const SIZES: [u64; 5] = [0, 1, 2, 37, 300];
/// Number of digits that are kept of each hash.
const DIGITS: usize = 32;

/// One variable or more of every kind.
fn kinds() -> Vec<(String, Kind)> {
    let mut all = vec![
        ("scalar".into(), value("2*n + 1")),
        ("scalar drawn".into(), between("0 - 10^18", "10^18")),
        ("points".into(), points("10^9", false)),
        ("points distinct".into(), points("n", true)),
        ("points distinct, wide".into(), points("10^18", true)),
        ("intervals".into(), intervals(None)),
        ("intervals short".into(), intervals(Some("3"))),
        ("matrix".into(), matrix("3", "n")),
        ("matrix symmetric".into(), distances("n")),
        ("grid marked".into(), marked("SE")),
        ("graph of two sides".into(), sides("n", &Graph { simple: true, ..Graph::default() })),
        ("grid".into(), grid("n", "5")),
        ("queries".into(), queries()),
        ("queries of a stack".into(), stack()),
    ];
    for order in values::<Order>() {
        all.push((format!("array {order:?}"), numbers("n", "-5", "10^9", order)));
        all.push((format!("array {order:?} tight"), numbers("n", "1", "3", order)));
        all.push((format!("array {order:?} distinct"), distinct("n", "1", "3*n", order)));
        all.push((format!("permutation {order:?}"), permutation(order)));
    }
    let wide = Array { width: 12, ..array("n", "-5", "10^9", Order::Random) };
    all.push(("array wide".into(), Kind::Array(wide)));
    let decimals = Array { decimals: 3, ..array("n", "-5", "10^9", Order::Random) };
    all.push(("array decimals".into(), Kind::Array(decimals)));
    for order in [Order::Random, Order::Sorted, Order::FewDistinct] {
        all.push((format!("array {order:?} stepped"), stepped("n", "10^9", "1024", order)));
    }
    for shape in values::<PointsShape>().into_iter().skip(1) {
        all.push((format!("points {shape:?}"), shaped_points("n", false, shape)));
        all.push((format!("points {shape:?} distinct"), shaped_points("10^6", true, shape)));
    }
    for pattern in values::<Pattern>() {
        all.push((format!("text {pattern:?}"), text(pattern)));
    }
    for shape in values::<TreeShape>() {
        all.push((format!("tree {shape:?}"), tree(shape)));
        all.push((format!("parents {shape:?}"), parents(shape)));
    }
    all.extend(graphs());
    all
}

fn graphs() -> Vec<(String, Kind)> {
    let mut all = Vec::new();
    for (i, promises) in promises().enumerate() {
        for (shape, edges) in [
            (GraphShape::Random, Some("max(n - 1, 0)")),
            (GraphShape::Dense, None),
            (GraphShape::Grid, None),
            (GraphShape::Layered, Some("max(n - 1, 0)")),
            (GraphShape::Band, Some("max(n - 1, 0)")),
            (GraphShape::Band, Some("max(2*n - 3, 0)")),
        ] {
            let more = if edges.is_some_and(|edges| edges.contains('2')) { " more" } else { "" };
            all.push((format!("graph {shape:?}{more} {i:05b}"), graph(edges, &promises, shape)));
        }
    }
    all
}

fn queries() -> Kind {
    let variants = vec![
        variant(1, vec![literal("+"), number("1", "n")]),
        variant(4, vec![literal("?"), interval("1", "n")]),
    ];
    Kind::Queries(Queries { len: "n".into(), variants, ..Queries::default() })
}

fn stack() -> Kind {
    let variants = vec![
        QueryVariant { adds: 1, ..variant(1, vec![number("1", "n")]) },
        QueryVariant { removes: 1, ..variant(1, vec![literal("pop")]) },
    ];
    Kind::Queries(Queries { len: "n".into(), variants, ..Queries::default() })
}

fn cases(split: Split, n: u64) -> Recipe {
    let vars = vec![
        variable("k", between("1", "n + 1")),
        variable("a", numbers("n", "1", "k", Order::Random)),
    ];
    let layout = vec![line(&["n", "k"]), line(&["a"])];
    let repeat = Repetition {
        count: "n/3 + 1".into(),
        split: split.into(),
        min_size: "n/1000".into(),
        vars,
        layout,
    };
    recipe(vec![("t", value("n/3 + 1"))], vec![line(&["t"]), part(layout::Kind::Repeat(repeat))], n)
}

fn hash(recipe: &Recipe) -> String {
    if recipe.check().is_err() {
        return "none".into();
    }
    let digest = Sha256::digest(written(recipe).as_bytes());
    let hex = digest.iter().fold(String::new(), |hex, byte| hex + &format!("{byte:02x}"));
    hex[..DIGITS].into()
}

fn table() -> String {
    let mut table = String::new();
    for (name, kind) in kinds() {
        let hashes = SIZES.map(|n| hash(&rows(kind.clone(), n)));
        let side_by_side =
            recipe(vec![("x", kind)], vec![line(&["n", "x"]), lines(&["x"])], SIZES[3]);
        writeln!(table, "{name}: {} {}", hashes.join(" "), hash(&side_by_side)).unwrap();
    }
    for split in values::<Split>() {
        let hashes = SIZES.map(|n| hash(&cases(split, n)));
        writeln!(table, "cases {split:?}: {}", hashes.join(" ")).unwrap();
    }
    table
}

#[test]
fn every_input_has_the_bytes_that_were_written_down() {
    let table = table();
    if env::var_os("PROFILER_GOLDEN").is_some_and(|value| value == "write") {
        fs::write(TABLE, &table).unwrap();
    }
    let kept = fs::read_to_string(TABLE).unwrap();
    for (now, kept) in table.lines().zip(kept.lines()) {
        assert_eq!(now, kept);
    }
    assert_eq!(table.lines().count(), kept.lines().count());
}
