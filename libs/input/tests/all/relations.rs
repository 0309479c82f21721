//! Values that depend on others: fields on earlier fields of a line, words on a list of words,
//! parents on the numbers of their nodes, and cells on their mirror images.

use crate::common::{
    intervals, line, lines, literal, marked, number, problems, range, recipe, rows, table, variant,
    written,
};
use profiler_input::spec::query_field::Kind as Field;
use profiler_input::spec::variable::Kind;
use profiler_input::spec::{
    Grid, Intervals, Pattern, Queries, QueryElement, QueryRange, Text, Tree, TreeShape,
};
use std::collections::BTreeSet;

fn queries(fields: Vec<Field>) -> Kind {
    Kind::Queries(Queries {
        len: "n".into(),
        variants: vec![variant(1, fields)],
        ..Queries::default()
    })
}

fn names(rows: &str, len: &str) -> Text {
    let (rows, len) = (rows.into(), len.into());
    Text { rows, len, min_len: "1".into(), distinct: true, ..Text::default() }
}

#[test]
fn number_is_not_below_an_earlier_one() {
    let last = |distinct| QueryRange { not_below: 2, distinct, ..range("3", "9") };
    for distinct in [false, true] {
        let fields =
            vec![literal("?"), number("1", "20"), number("-1", "1"), Field::Number(last(distinct))];
        let text = written(&rows(queries(fields), 400));
        let all: Vec<Vec<i64>> = text
            .lines()
            .map(|line| line.split(' ').skip(1).map(|word| word.parse().unwrap()).collect())
            .collect();
        let pairs: BTreeSet<(i64, i64)> = all.iter().map(|row| (row[0], row[2])).collect();
        let apart = i64::from(distinct);
        assert!(pairs.iter().all(|(one, last)| one + apart <= *last && (3..=9).contains(last)));
        let possible: i64 = (1..=9 - apart).map(|one| 10 - (one + apart).max(3)).sum();
        assert_eq!(i64::try_from(pairs.len()).unwrap(), possible, "{pairs:?}");
    }
}

#[test]
fn intervals_with_distinct_ends_have_a_length() {
    let field = Field::Interval(QueryRange { distinct: true, ..range("1", "3") });
    let Kind::Intervals(declared) = intervals(None) else { unreachable!() };
    let kind = Kind::Intervals(Intervals { max: "3".into(), distinct: true, ..declared });
    for kind in [queries(vec![field]), kind] {
        let pairs: BTreeSet<Vec<i64>> = table(&rows(kind, 100)).into_iter().collect();
        assert_eq!(pairs, BTreeSet::from([vec![1, 2], vec![1, 3], vec![2, 3]]));
    }
}

#[test]
fn lists_have_their_lengths() {
    let list = |distinct| Field::List(QueryRange { distinct, ..range("1", "4") });
    for distinct in [false, true] {
        let all = table(&rows(queries(vec![number("0", "6"), list(distinct)]), 300));
        let lengths: BTreeSet<i64> = all.iter().map(|row| row[0]).collect();
        assert_eq!(lengths, (0..=if distinct { 4 } else { 6 }).collect());
        for row in all {
            assert_eq!(i64::try_from(row.len()).unwrap(), row[0] + 1);
            let different: BTreeSet<&i64> = row[1..].iter().collect();
            assert!(!distinct || different.len() == row.len() - 1, "{row:?}");
        }
    }
}

#[test]
fn numbers_of_a_rising_list_rise() {
    let list = |distinct| Field::List(QueryRange { distinct, rising: true, ..range("1", "9") });
    for distinct in [false, true] {
        let all = table(&rows(queries(vec![number("0", "6"), list(distinct)]), 300));
        assert!(all.iter().any(|row| row[0] > 4));
        for row in all {
            assert!(row[1..].is_sorted_by(|one, next| one < next), "{row:?}");
        }
    }
}

#[test]
fn numbers_of_all_kinds_of_queries_rise_together() {
    let time = |max| Field::Number(QueryRange { rising: true, ..range("5", max) });
    let kinds = |other| Queries {
        len: "n".into(),
        variants: vec![
            variant(1, vec![literal("+"), time("5 * n"), number("1", "9")]),
            variant(1, vec![literal("-"), other]),
        ],
        ..Queries::default()
    };
    let text = written(&rows(Kind::Queries(kinds(time("5 * n"))), 200));
    let first = |line: &str| line.split(' ').nth(1).unwrap().parse::<i64>().unwrap();
    let times: Vec<i64> = text.lines().map(first).collect();
    assert!(times.is_sorted_by(|one, next| one < next), "{times:?}");
    assert!(["+", "-"].iter().all(|code| text.contains(code)));
    let interval = Field::Interval(QueryRange { rising: true, ..range("5", "5 * n") });
    for other in [time("n"), number("1", "9"), interval] {
        assert_eq!(
            problems(&rows(Kind::Queries(kinds(other)), 9)),
            ["vars[0].queries.variants: must be one if an interval is rising, or all must have a \
              number that is rising in the same range"]
        );
    }
}

#[test]
fn different_queries_have_other_numbers() {
    let interval = Field::Interval(QueryRange { distinct: true, ..range("1", "8") });
    let pairs =
        vec![number("1", "8"), Field::Number(QueryRange { other_than: 1, ..range("1", "8") })];
    let declared = |fields| Queries {
        len: "n".into(),
        variants: vec![variant(1, fields)],
        distinct: true,
        ..Queries::default()
    };
    for fields in [vec![interval.clone()], pairs] {
        // There are 28 pairs. The last ones are seldom drawn.
        for (n, least) in [(20, 20), (40, 26)] {
            let all = table(&rows(Kind::Queries(declared(fields.clone())), n));
            let sorted = all.into_iter().map(|mut row| {
                row.sort_unstable();
                row
            });
            let different = sorted.collect::<BTreeSet<_>>().len();
            assert!((least..=28).contains(&different), "{different}");
        }
    }
    let two = Queries {
        variants: vec![variant(1, vec![literal("a"), interval]), variant(1, vec![literal("b")])],
        ..declared(Vec::new())
    };
    for kind in [declared(vec![number("0", "3"), Field::List(range("1", "4"))]), two] {
        assert_eq!(
            problems(&rows(Kind::Queries(kind), 9)),
            [
                "vars[0].queries.distinct: requires one kind of query, of literals, numbers and intervals"
            ]
        );
    }
}

#[test]
fn words_differ_and_queries_refer_to_them() {
    let element = |distinct| {
        Field::Element(QueryElement { of: "w".into(), distinct, ..QueryElement::default() })
    };
    let pairs = queries(vec![element(false), element(true)]);
    let vars = vec![("w", Kind::Text(names("3", "4"))), ("q", pairs)];
    let text = written(&recipe(vars, vec![line(&["w"]), lines(&["q"])], 100));
    let (first, rest) = text.split_once('\n').unwrap();
    let all: BTreeSet<&str> = first.split(' ').collect();
    assert_eq!(all.len(), 3);
    let used: BTreeSet<Vec<&str>> = rest.lines().map(|line| line.split(' ').collect()).collect();
    assert!(used.iter().all(|pair| pair[0] != pair[1] && all.contains(pair[0])), "{used:?}");
    assert_eq!(used.len(), 6);
    let two = Text { alphabet: "ab".into(), ..names("n", "10") };
    let words = written(&rows(Kind::Text(two), 1000));
    let different: BTreeSet<&str> = words.lines().collect();
    assert_eq!(different.len(), 1000);
    assert!(different.iter().all(|word| (1..=10).contains(&word.len())));
}

#[test]
fn parents_can_be_in_any_order() {
    for (root, shape) in [("", TreeShape::Random), ("0", TreeShape::Path), ("-1", TreeShape::Star)]
    {
        let tree = Tree {
            nodes: "n".into(),
            shape: shape.into(),
            parents: true,
            root: root.into(),
            any_order: true,
            zero_based: root == "-1",
            ..Tree::default()
        };
        for n in [0, 1, 2, 30] {
            let all = table(&rows(Kind::Tree(tree.clone()), n)).concat();
            let base = i64::from(root != "-1");
            let first = if root.is_empty() { base + 1 } else { base };
            assert_eq!(all.len() as u64, if root.is_empty() { n.saturating_sub(1) } else { n });
            let parent = |node: i64| usize::try_from(node - first).ok().map(|at| all[at]);
            let roots = all.iter().filter(|it| root.parse() == Ok(**it)).count();
            assert_eq!(roots as u64, u64::from(n > 0 && !root.is_empty()), "{all:?}");
            for start in base..base + n.cast_signed() {
                let up = (0..n).try_fold(start, |node, _| parent(node).filter(|it| *it >= base));
                assert_eq!(up, None, "{all:?} has a cycle at {start}");
            }
            let rises = (first..).zip(&all).all(|(node, parent)| *parent < node);
            assert!(!rises || n < 30, "{all:?}");
        }
    }
}

#[test]
fn symmetric_grid_equals_its_transpose() {
    let grid = Grid {
        rows: "n".into(),
        cols: "n".into(),
        alphabet: "01".into(),
        symmetric: true,
        diagonal: "x".into(),
        ..Grid::default()
    };
    let text = written(&rows(Kind::Grid(grid), 20));
    let cells: Vec<&[u8]> = text.lines().map(str::as_bytes).collect();
    for (r, row) in cells.iter().enumerate() {
        for (c, &cell) in row.iter().enumerate() {
            assert_eq!(cell, cells[c][r]);
            assert_eq!(cell == b'x', r == c);
        }
    }
    assert!(text.contains('0') && text.contains('1'));
}

#[test]
fn what_cannot_depend_on_others_is_a_problem() {
    let after = |not_below| Field::Number(QueryRange { not_below, ..range("1", "2") });
    let element =
        Field::Element(QueryElement { of: "w".into(), distinct: false, ..QueryElement::default() });
    let strict = |min, max| Field::Interval(QueryRange { distinct: true, ..range(min, max) });
    let low = QueryRange { not_below: 1, ..range("1", "2") };
    let of = "vars[0].queries.variants[0].fields";
    for (kind, problem) in [
        (
            queries(vec![after(1)]),
            format!("{of}[0].number.not_below: must be that of an earlier number"),
        ),
        (
            queries(vec![Field::List(range("1", "2"))]),
            format!("{of}[0].list: must be after a number, which is its length"),
        ),
        (
            queries(vec![element]),
            format!("{of}[0].element.of: must name an earlier text, tree or graph, not \"w\""),
        ),
        (
            queries(vec![strict("4", "4")]),
            format!("{of}[0].interval: must have two different numbers at n = 5"),
        ),
        (
            queries(vec![number("3", "9"), Field::Number(low)]),
            format!("{of}[0].number: has no number that allows the later fields at n = 5"),
        ),
        (
            Kind::Text(Text { pattern: Pattern::Fibonacci.into(), ..names("2", "4") }),
            "vars[0].text.rows: requires the pattern random".into(),
        ),
        (
            Kind::Text(Text { alphabet: "a".into(), ..names("2", "4") }),
            "vars[0].text.len: is too small for 2 strings at n = 5".into(),
        ),
        (
            Kind::Text(Text { min_len: "0".into(), ..names("2", "4") }),
            "vars[0].text.min_len: must be 1 or more, not 0 at n = 5".into(),
        ),
        (
            Kind::Tree(Tree { nodes: "n".into(), any_order: true, ..Tree::default() }),
            "vars[0].tree.any_order: requires parents".into(),
        ),
    ] {
        assert_eq!(problems(&rows(kind, 5))[0], problem);
    }
    let Kind::Grid(grid) = marked("SE") else { unreachable!() };
    let marked = Kind::Grid(Grid { symmetric: true, ..grid });
    assert_eq!(
        problems(&rows(marked, 2)),
        ["vars[0].grid.marks: cannot be used with symmetric or diagonal"]
    );
}
