//! The exact bytes that layouts print.

use crate::common::{
    array, grid, interval, line, lines, literal, matrix, number, numbers, part, raw, recipe, text,
    tree, value, variable, variant, written,
};
use profiler_input::spec::layout::Kind as Part;
use profiler_input::spec::variable::Kind;
use profiler_input::spec::{
    Array, Items, Order, Pattern, Permutation, Queries, Repetition, TreeShape,
};

fn sorted(len: &str) -> Kind {
    let (len, order) = (len.into(), Order::Sorted.into());
    Kind::Permutation(Permutation { len, order, ..Permutation::default() })
}

#[test]
fn line_has_all_values_and_lines_have_a_row_each() {
    let vars = || vec![("k", value("n * 2")), ("a", sorted("n")), ("t", text(Pattern::ThueMorse))];
    let layout = vec![line(&["n", "k", "n_max"]), line(&["a"]), lines(&["a", "a"]), raw("t")];
    assert_eq!(written(&recipe(vars(), layout, 3)), "3 6 1000000\n1 2 3\n1 1\n2 2\n3 3\nabb\n");
}

#[test]
fn empty_array_prints_an_empty_line_unless_told_otherwise() {
    let vars = || vec![("a", sorted("n")), ("m", matrix("2", "n"))];
    let items = |omit_empty| Items { items: vec!["a".into()], omit_empty };
    let matrix = |omit_empty| Items { items: vec!["m".into()], omit_empty };
    for (omit_empty, expected) in [(false, "0\n\n\n\n"), (true, "0\n")] {
        let layout = vec![
            line(&["n"]),
            part(Part::Line(items(omit_empty))),
            part(Part::Lines(items(omit_empty))),
            part(Part::Lines(matrix(omit_empty))),
        ];
        assert_eq!(written(&recipe(vars(), layout, 0)), expected);
    }
}

#[test]
fn empty_string_is_an_empty_line() {
    let vars = vec![("t", text(Pattern::Random))];
    assert_eq!(written(&recipe(vars, vec![raw("t")], 0)), "\n");
}

#[test]
fn grids_have_no_blanks_and_matrices_have() {
    let vars = vec![("g", grid("2", "3")), ("m", matrix("2", "3"))];
    let grids = ["g", "m"].map(|name| part(Part::Grid(name.into())));
    let all = written(&recipe(vars, grids.into(), 1));
    let rows: Vec<&str> = all.lines().collect();
    assert_eq!(rows.len(), 4);
    assert!(rows[..2].iter().all(|row| row.len() == 3 && row.chars().all(|c| ".#".contains(c))));
    assert!(rows[2..].iter().all(|row| row.split(' ').count() == 3));
}

#[test]
fn numbers_are_filled_up_with_zeros() {
    let wide = Array { width: 4, ..array("3", "-1", "1", Order::Sorted) };
    let vars = vec![("a", Kind::Array(wide))];
    assert_eq!(written(&recipe(vars, vec![line(&["a"])], 0)), "-0001 0000 0001\n");
}

#[test]
fn tree_of_two_nodes_has_one_edge() {
    let vars = vec![("t", tree(TreeShape::Path))];
    let edge = written(&recipe(vars, vec![lines(&["t"])], 2));
    assert!(edge.starts_with("1 2 ") || edge.starts_with("2 1 "), "{edge}");
}

#[test]
fn queries_are_of_their_kinds() {
    let variants = vec![
        variant(0, vec![literal("A x"), number("1", "n")]),
        variant(3, vec![literal("Q"), interval("1", "n")]),
    ];
    let queries = Kind::Queries(Queries { len: "1000".into(), variants, ..Queries::default() });
    let all = written(&recipe(vec![("q1", queries)], vec![lines(&["q1"])], 9));
    let (mut added, mut asked) = (0, 0);
    for row in all.lines() {
        match row.split(' ').collect::<Vec<_>>()[..] {
            ["A", "x", one] => {
                assert!((1..=9).contains(&one.parse::<i64>().unwrap()));
                added += 1;
            }
            ["Q", begin, end] => {
                let [begin, end] = [begin, end].map(|word| word.parse::<i64>().unwrap());
                assert!(1 <= begin && begin <= end && end <= 9);
                asked += 1;
            }
            _ => panic!("{row}"),
        }
    }
    assert_eq!(added + asked, 1000);
    assert!((150..350).contains(&added), "{added}");
}

#[test]
fn cases_have_sizes_of_their_own_and_know_what_stands_outside() {
    let vars =
        vec![variable("k", value("n + t")), variable("a", numbers("n", "t", "t", Order::Random))];
    let repeat = Repetition {
        count: "t".into(),
        vars,
        layout: vec![line(&["n", "k"]), line(&["a"]), part(Part::Literal("--".into()))],
        ..Repetition::default()
    };
    let layout = vec![line(&["t", "n"]), part(Part::Repeat(repeat))];
    assert_eq!(
        written(&recipe(vec![("t", value("2"))], layout, 3)),
        "2 3\n2 4\n2 2\n--\n1 3\n2\n--\n"
    );
}
