//! Shapes that are common in contests: parents of a tree's nodes, symmetric matrices, marks in
//! grids, balanced brackets, graphs with two sides.

use crate::common::{
    array, distances, line, lines, literal, marked, parents, problems, raw, recipe, rows, sides,
    table, text, tree, values, variant, written,
};
use profiler_input::spec::variable::Kind;
use profiler_input::spec::{
    Array, Graph, GraphShape, Order, Pattern, Queries, QueryVariant, Tree, TreeShape,
};
use std::collections::BTreeSet;

#[test]
fn parents_come_before_their_nodes() {
    for shape in values::<TreeShape>() {
        for n in [0, 1, 2, 3, 50] {
            let all = table(&recipe(vec![("p", parents(shape))], vec![line(&["p"])], n)).concat();
            assert_eq!(all.len() as u64, n.saturating_sub(1));
            assert!((1..).zip(&all).all(|(node, parent)| (1..=node).contains(parent)), "{all:?}");
        }
    }
    let path = recipe(vec![("p", parents(TreeShape::Path))], vec![line(&["p"])], 5);
    assert_eq!(written(&path), "1 2 3 4\n");
    assert_eq!(written(&rows(parents(TreeShape::Star), 4)), "1\n1\n1\n");
    let Kind::Tree(weighted) = tree(TreeShape::Path) else { unreachable!() };
    let zero_based = Kind::Tree(Tree { parents: true, zero_based: true, ..weighted });
    let all = table(&rows(zero_based, 4));
    assert!(all.iter().zip(0..).all(|(row, parent)| row.len() == 2 && row[0] == parent), "{all:?}");
}

#[test]
fn symmetric_matrix_equals_its_transpose() {
    for n in [0, 1, 2, 9] {
        let all = table(&rows(distances("n"), n));
        for (r, row) in all.iter().enumerate() {
            assert_eq!(row[r], 0);
            assert!((0..row.len()).all(|c| row[c] == all[c][r] && (c == r || row[c] > 0)));
        }
    }
    assert_eq!(
        problems(&rows(distances("2"), 3)),
        ["vars[0].matrix.cols: must be 3 as the rows of a symmetric matrix, not 2 at n = 3"]
    );
}

#[test]
fn marks_are_in_a_grid_once_each() {
    for n in [1, 2, 30] {
        let grid = written(&rows(marked("SE"), n));
        let cells = grid.matches(['.', '#']).count() as u64;
        assert_eq!(cells, 2 * n - 2, "{grid}");
        assert!(["S", "E"].iter().all(|mark| grid.matches(mark).count() == 1), "{grid}");
    }
    assert_eq!(written(&rows(marked("SE"), 0)), "\n\n");
    for (marks, n, problem) in [
        ("SEX", 1, "must be at most the 2 cells, not 3 at n = 1"),
        ("S#", 9, "must not have '#', which is in the alphabet"),
        ("S ", 9, "must have only printable ASCII characters, and no blanks"),
        ("abcdefghijklmnopq", 9, "must have at most 16 bytes, not 17"),
    ] {
        let expected = format!("vars[0].grid.marks: {problem}");
        assert_eq!(problems(&rows(marked(marks), n)), [expected]);
    }
}

#[test]
fn brackets_are_balanced() {
    for n in [0, 2, 4, 600] {
        let word = written(&recipe(vec![("s", text(Pattern::Balanced))], vec![raw("s")], n));
        let mut due = Vec::new();
        for bracket in word.trim_end().chars() {
            match bracket {
                '(' => due.push(')'),
                '[' => due.push(']'),
                close => assert_eq!(due.pop(), Some(close), "{word}"),
            }
        }
        assert!(due.is_empty() && word.trim_end().len() as u64 == n, "{word}");
    }
    let brackets = |alphabet: &str, n| {
        let Kind::Text(mut text) = text(Pattern::Balanced) else { unreachable!() };
        text.alphabet = alphabet.into();
        problems(&rows(Kind::Text(text), n))
    };
    let odd = "vars[0].text.len: must be even for balanced brackets, not 3 at n = 3";
    assert_eq!(brackets("()", 3), [odd]);
    let pairs = "vars[0].text.alphabet: must have pairs of brackets for the pattern balanced, such \
                 as \"()[]\"";
    assert_eq!(brackets("()[", 2), [pairs]);
}

#[test]
fn queries_remove_only_what_is_there() {
    let operation =
        |adds, removes, code| QueryVariant { adds, removes, ..variant(1, vec![literal(code)]) };
    let all = |variants| {
        let queries = Queries { len: "n".into(), variants, ..Queries::default() };
        recipe(vec![("x", Kind::Queries(queries))], vec![lines(&["x"])], 500)
    };
    let (push, pop, top) =
        (operation(1, 0, "push"), operation(0, 1, "pop"), operation(1, 1, "top"));
    let mut there = 0_i64;
    let text = written(&all(vec![pop.clone(), push, top]));
    for word in text.lines() {
        assert!(there > 0 || word == "push", "{text}");
        there += match word {
            "push" => 1,
            "pop" => -1,
            _ => 0,
        };
    }
    assert!(["push", "pop", "top"].iter().all(|word| text.matches(word).count() > 100), "{text}");
    let problem =
        "vars[0].queries.variants: must have one that removes nothing, for the first query";
    assert_eq!(problems(&all(vec![pop])), [problem]);
}

#[test]
fn decimals_are_printed_after_a_point() {
    let decimals = |decimals| {
        let array = array("n", "-150", "150", Order::Random);
        rows(Kind::Array(Array { decimals, ..array }), 200)
    };
    for line in written(&decimals(2)).lines() {
        let (whole, places) = line.split_once('.').unwrap();
        let value: f64 = line.parse().unwrap();
        assert!(places.len() == 2 && !whole.is_empty() && value.abs() <= 1.5, "{line}");
    }
    assert_eq!(problems(&decimals(10)), ["vars[0].array.decimals: must be at most 9, not 10"]);
}

#[test]
fn edges_lead_to_the_second_side() {
    let simple = Graph { simple: true, ..Graph::default() };
    for (promises, edges) in [(&simple, "n*n/2"), (&simple, "n"), (&Graph::default(), "3*n*n")] {
        let all = table(&rows(sides(edges, promises), 10));
        let inside = |row: &Vec<i64>| (1..=10).contains(&row[0]) && (1..=5).contains(&row[1]);
        assert!(all.iter().all(inside) && all.len() >= 10, "{all:?}");
        let different: BTreeSet<_> = all.iter().collect();
        assert!(!promises.simple || different.len() == all.len(), "{all:?}");
    }
    let dense = Graph { shape: GraphShape::Dense.into(), ..Graph::default() };
    assert_eq!(table(&rows(sides("", &dense), 4)).len(), 8);
    let many = problems(&rows(sides("9", &simple), 4));
    assert_eq!(many, ["vars[0].graph.edges: must be at most 8 for 4 nodes, not 9 at n = 4"]);
    let directed = Graph { directed: true, shape: GraphShape::Band.into(), ..Graph::default() };
    assert_eq!(
        problems(&rows(sides("9", &directed), 4)),
        [
            "vars[0].graph.directed: cannot be used with other_side",
            "vars[0].graph.shape: must be random or dense with other_side",
        ]
    );
}
