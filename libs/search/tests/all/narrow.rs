//! Inputs of a stress test: which of these has, within 300 inputs, values that a wrong program could
//! stumble over. Half of the inputs are narrow; their ranges are the task's own.

use profiler_input::spec::layout::Kind as Part;
use profiler_input::spec::variable::Kind;
use profiler_input::spec::{Array, Graph, InputSpec, Items, Layout, Scalar, Text, Variable};
use profiler_input::{Scope, spec};
use profiler_search::{Genome, Space};

const INPUTS: u32 = 300;

type Lists = [Vec<i64>];

/// A situation, the spec in which it is sought, and whether the rows of an input have it.
type Case = (&'static str, fn() -> InputSpec, fn(&Lists) -> bool);

fn spec_of(kinds: Vec<(&str, Kind)>, layout: Vec<Part>) -> InputSpec {
    let variable = |(name, kind): (&str, Kind)| Variable { name: name.into(), kind: Some(kind) };
    let layout = layout.into_iter().map(|kind| Layout { kind: Some(kind) }).collect();
    InputSpec { vars: kinds.into_iter().map(variable).collect(), layout, ..InputSpec::default() }
}

fn line(item: &str) -> Part {
    Part::Line(Items { items: vec![item.into()], omit_empty: false })
}

fn scalar(min: &str, max: &str) -> Kind {
    Kind::Scalar(Scalar { min: min.into(), max: max.into(), ..Scalar::default() })
}

/// A scalar k, and n numbers of the same range, each on a line.
fn numbers(min: &str, max: &str) -> InputSpec {
    let (len, range) = ("n".to_owned(), scalar(min, max));
    let array = Array { len, min: min.into(), max: max.into(), ..Array::default() };
    spec_of(vec![("k", range), ("a", Kind::Array(array))], vec![line("k"), line("a")])
}

fn positive() -> InputSpec {
    numbers("1", "10^9")
}

fn signed() -> InputSpec {
    numbers("-10^9", "10^9")
}

/// The edges of a graph with n nodes.
fn graph() -> InputSpec {
    let graph = Graph { nodes: "n".into(), edges: "m".into(), ..Graph::default() };
    let edges = Part::Lines(Items { items: vec!["g".into()], omit_empty: false });
    let kinds = vec![("m", scalar("0", "3*n")), ("g", Kind::Graph(graph))];
    spec_of(kinds, vec![line("n"), line("m"), edges])
}

/// A text, as the codes of its letters.
fn text() -> InputSpec {
    let text = Text { len: "n".into(), ..spec::Text::default() };
    spec_of(vec![("s", Kind::Text(text))], vec![line("s")])
}

fn adjacent(list: &[i64], holds: fn(i64, i64) -> bool) -> bool {
    list.windows(2).any(|pair| holds(pair[0], pair[1]))
}

fn isolated(rows: &Lists) -> bool {
    rows[0][0] > 3 && rows[1][0] > 5 && rows[2..].iter().all(|edge| !edge.contains(&rows[0][0]))
}

const CASES: [Case; 24] = [
    ("two neighbours are equal", positive, |it| adjacent(&it[1], |one, next| one == next)),
    ("all of four are equal", positive, |it| it[1].len() > 3 && !adjacent(&it[1], |a, b| a != b)),
    ("k is in the list", positive, |it| it[1].contains(&it[0][0])),
    ("two elements sum to k", positive, |it| {
        let pairs =
            it[1].iter().enumerate().flat_map(|(at, x)| it[1][..at].iter().map(move |y| x + y));
        pairs.into_iter().any(|sum| sum == it[0][0])
    }),
    ("the maximum is twice there", positive, |it| {
        let most = it[1].iter().max();
        it[1].iter().filter(|x| Some(*x) == most).count() == 2
    }),
    ("k is 2^16", positive, |it| it[0][0] == 1 << 16),
    ("k is a power of two less one, above 1000", positive, |it| {
        it[0][0] > 1000 && (it[0][0] + 1).count_ones() == 1
    }),
    ("k is a square above 1000", positive, |it| it[0][0] > 1000 && is_square(it[0][0])),
    ("k is a square less one, above 1000", positive, |it| {
        it[0][0] > 1000 && is_square(it[0][0] + 1)
    }),
    ("k is the largest", positive, |it| it[0][0] == 1_000_000_000),
    ("k is a power of ten", positive, |it| it[0][0] == 1_000_000),
    ("all are the largest", positive, |it| it[1].iter().all(|x| *x == 1_000_000_000)),
    ("an element is 0", signed, |it| it[1].contains(&0)),
    ("k is -1", signed, |it| it[0][0] == -1),
    ("k is the smallest", signed, |it| it[0][0] == -1_000_000_000),
    ("two are opposite", signed, |it| it[1].iter().any(|x| *x != 0 && it[1].contains(&-x))),
    ("a sum is 0", signed, |it| adjacent(&it[1], |one, next| one + next == 0)),
    ("a negative multiple of k", signed, |it| {
        it[0][0] > 1 && it[1].iter().any(|x| *x < 0 && x % it[0][0] == 0)
    }),
    ("no edge between three nodes", graph, |it| it[0][0] > 2 && it[1][0] == 0),
    ("node n has no edge, others have five", graph, isolated),
    ("only loops", graph, |it| it.len() > 4 && it[2..].iter().all(|edge| edge[0] == edge[1])),
    ("a palindrome of five letters", text, |it| {
        it[0].len() > 4 && it[0].iter().eq(it[0].iter().rev())
    }),
    ("one letter, five times", text, |it| it[0].len() > 4 && !adjacent(&it[0], |a, b| a != b)),
    ("a square of a word of three letters", text, |it| {
        it[0].len() == 6 && it[0][..3] == it[0][3..]
    }),
];

fn is_square(number: i64) -> bool {
    number.isqrt() * number.isqrt() == number
}

fn lists(input: &str) -> Vec<Vec<i64>> {
    let number = |word: &str| word.parse().map(|number| vec![number]);
    let letters = |word: &str| word.bytes().map(i64::from).collect::<Vec<_>>();
    let of_line = |line: &str| -> Vec<i64> {
        line.split(' ').flat_map(|word| number(word).unwrap_or_else(|_| letters(word))).collect()
    };
    input.lines().map(of_line).collect()
}

/// The situations that inputs of sizes 1 to 10 have.
fn met(first_seed: u32, genome: fn(&Space, u32, u64) -> Genome) -> Vec<&'static str> {
    let has = |(_, spec, holds): &Case| {
        let space = Space::new(vec![spec()], Scope::default(), 1 << 20);
        (0..INPUTS).any(|at| {
            let (seed, n) = (first_seed + at / 10, u64::from(at % 10) + 1);
            let input = space.input(&genome(&space, seed, n), n);
            input.is_some_and(|bytes| holds(&lists(std::str::from_utf8(&bytes).unwrap())))
        })
    };
    CASES.iter().filter(|case| has(case)).map(|(name, ..)| *name).collect()
}

#[test]
fn narrow_inputs_meet_what_wide_ranges_never_meet() {
    for first in [0, 1000, 2000] {
        let declared = met(first, |_, seed, _| Genome::declared(0, seed));
        let stress = met(first, |space, seed, n| space.stress(0, seed, n));
        let missed: Vec<_> =
            CASES.iter().map(|(name, ..)| *name).filter(|name| !stress.contains(name)).collect();
        println!("{}, then {} of {}: {missed:?}", declared.len(), stress.len(), CASES.len());
        assert!(declared.len() <= 3, "{declared:?}");
        assert!(stress.len() >= 20, "{missed:?}");
    }
}
