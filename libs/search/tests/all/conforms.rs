//! Every input that a search tries is one that the declared spec allows.

use crate::related;
use profiler_infer::{accept, conforms};
use profiler_input::Scope;
use profiler_input::spec::layout::Kind as Part;
use profiler_input::spec::query_field::Kind as Field;
use profiler_input::spec::variable::Kind;
use profiler_input::spec::{
    Array, Graph, Grid, InputSpec, Intervals, Items, Layout, Matrix, Order, Pattern, Permutation,
    Points, Queries, QueryField, QueryRange, QueryVariant, Repetition, Scalar, Text, Tree,
    Variable, Weights,
};
use profiler_search::{Cost, Search, Settings, Space};
use proptest::prelude::*;
use std::collections::BTreeSet;

const MAX_BYTES: u64 = 1 << 20;

pub(crate) fn e(text: &str) -> String {
    text.into()
}

pub(crate) fn range(min: &str, max: &str) -> QueryRange {
    QueryRange { min: e(min), max: e(max), ..QueryRange::default() }
}

fn weights(min: &str, max: &str) -> Weights {
    Weights { min: e(min), max: e(max) }
}

fn scalar(min: &str, max: &str) -> Kind {
    Kind::Scalar(Scalar { min: e(min), max: e(max), ..Scalar::default() })
}

fn array(distinct: bool, order: Order, min: &str, max: &str) -> Kind {
    Kind::Array(Array {
        len: e("n"),
        min: e(min),
        max: e(max),
        distinct,
        order: order.into(),
        ..Array::default()
    })
}

fn stepped(step: &str) -> Kind {
    match array(false, Order::Random, "-3", "10^4") {
        Kind::Array(array) => Kind::Array(Array { step: e(step), ..array }),
        other => other,
    }
}

fn graph(promises: &Graph) -> Kind {
    let weights = Some(weights("1", "n"));
    Kind::Graph(Graph {
        nodes: e("n"),
        edges: e("m"),
        weights,
        zero_based: true,
        ..promises.clone()
    })
}

pub(crate) fn variable(name: &str, kind: Kind) -> Variable {
    Variable { name: e(name), kind: Some(kind) }
}

pub(crate) fn part(kind: Part) -> Layout {
    Layout { kind: Some(kind) }
}

pub(crate) fn variant(weight: u32, fields: Vec<Field>) -> QueryVariant {
    let fields = fields.into_iter().map(|kind| QueryField { kind: Some(kind) }).collect();
    QueryVariant { weight, fields, ..QueryVariant::default() }
}

/// A spec that prints n, then each variable in its own way.
pub(crate) fn spec(vars: Vec<(&str, Kind)>, rest: Vec<Layout>) -> InputSpec {
    let items = |items: &[&str]| Items {
        items: items.iter().map(|item| e(item)).collect(),
        omit_empty: false,
    };
    let scalars: Vec<_> = vars
        .iter()
        .filter(|(_, kind)| matches!(kind, Kind::Scalar(_)))
        .map(|(name, _)| *name)
        .collect();
    let head = Part::Line(items(&[&["n"][..], &scalars].concat()));
    let parts = vars.iter().filter_map(|(name, kind)| match kind {
        Kind::Scalar(_) => None,
        Kind::Array(_) | Kind::Permutation(_) => Some(Part::Line(items(&[name]))),
        Kind::Matrix(_) | Kind::Grid(_) => Some(Part::Grid(e(name))),
        Kind::Text(_) => Some(Part::Raw(e(name))),
        _ => Some(Part::Lines(items(&[name]))),
    });
    InputSpec {
        layout: [head].into_iter().chain(parts).map(part).chain(rest).collect(),
        vars: vars.into_iter().map(|(name, kind)| variable(name, kind)).collect(),
        ..InputSpec::default()
    }
}

#[expect(clippy::too_many_lines, reason = "a table")]
fn specs() -> Vec<InputSpec> {
    let number = |min: &str, max: &str| Field::Number(range(min, max));
    let case = Repetition {
        count: e("k"),
        vars: vec![variable("c", array(false, Order::Random, "-5", "n"))],
        layout: vec![
            part(Part::Line(Items { items: vec![e("n")], omit_empty: false })),
            part(Part::Line(Items { items: vec![e("c")], omit_empty: false })),
        ],
        ..Repetition::default()
    };
    vec![
        spec(
            vec![
                ("k", scalar("1", "n")),
                ("a", array(false, Order::Random, "-10^9", "10^9")),
                ("b", array(true, Order::Random, "1", "3*n")),
                ("e", array(true, Order::Random, "-7", "10^5")),
                ("f", stepped("7")),
                (
                    "x",
                    Kind::Array(Array {
                        len: e("n"),
                        min: e("-150"),
                        max: e("10^4"),
                        decimals: 2,
                        ..Array::default()
                    }),
                ),
                ("s", array(false, Order::Sorted, "0", "k")),
            ],
            vec![],
        ),
        spec(
            vec![
                ("p", Kind::Permutation(Permutation { len: e("n"), ..Permutation::default() })),
                (
                    "g",
                    Kind::Grid(Grid {
                        rows: e("3"),
                        cols: e("n"),
                        alphabet: e("..#S"),
                        ..Grid::default()
                    }),
                ),
                (
                    "x",
                    Kind::Matrix(Matrix {
                        rows: e("n"),
                        cols: e("2"),
                        min: e("0"),
                        max: e("9"),
                        ..Matrix::default()
                    }),
                ),
                ("t", Kind::Text(Text { len: e("n"), alphabet: e("abc"), ..Text::default() })),
            ],
            vec![],
        ),
        spec(
            vec![
                (
                    "t",
                    Kind::Tree(Tree {
                        nodes: e("n"),
                        weights: Some(weights("-3", "10^9")),
                        ..Tree::default()
                    }),
                ),
                (
                    "i",
                    Kind::Intervals(Intervals {
                        len: e("n"),
                        min: e("1"),
                        max: e("10^6"),
                        max_length: e("n"),
                        ..Intervals::default()
                    }),
                ),
                (
                    "q",
                    Kind::Points(Points {
                        len: e("n"),
                        min: e("-n"),
                        max: e("n"),
                        distinct: true,
                        ..Points::default()
                    }),
                ),
                (
                    "o",
                    Kind::Queries(Queries {
                        len: e("2*n"),
                        variants: vec![
                            variant(
                                1,
                                vec![
                                    Field::Literal(e("+")),
                                    number("1", "n"),
                                    number("0", "10^18"),
                                ],
                            ),
                            variant(
                                3,
                                vec![Field::Literal(e("?")), Field::Interval(range("1", "n"))],
                            ),
                        ],
                        ..Queries::default()
                    }),
                ),
            ],
            vec![],
        ),
        spec(
            vec![
                ("m", scalar("n", "2*n")),
                ("g", graph(&Graph { connected: true, simple: true, ..Graph::default() })),
            ],
            vec![],
        ),
        spec(vec![("m", scalar("0", "n-1")), ("g", graph(&Graph::default()))], vec![]),
        spec(
            vec![
                ("p", Kind::Tree(Tree { nodes: e("n"), parents: true, ..Tree::default() })),
                (
                    "d",
                    Kind::Matrix(Matrix {
                        rows: e("n"),
                        cols: e("n"),
                        min: e("1"),
                        max: e("10^9"),
                        symmetric: true,
                        zero_diagonal: true,
                        ..Matrix::default()
                    }),
                ),
                (
                    "g",
                    Kind::Grid(Grid {
                        rows: e("2"),
                        cols: e("n"),
                        alphabet: e("..#"),
                        marks: e("SE"),
                        ..Grid::default()
                    }),
                ),
                (
                    "b",
                    Kind::Text(Text {
                        len: e("2*n"),
                        alphabet: e("()[]"),
                        pattern: Pattern::Balanced.into(),
                        ..Text::default()
                    }),
                ),
                (
                    "s",
                    Kind::Queries(Queries {
                        len: e("n"),
                        variants: vec![
                            QueryVariant { adds: 1, ..variant(1, vec![number("1", "9")]) },
                            QueryVariant { removes: 1, ..variant(2, vec![Field::Literal(e("-"))]) },
                        ],
                        ..Queries::default()
                    }),
                ),
                ("m", scalar("1", "n")),
                ("e", graph(&Graph { simple: true, other_side: e("n + 1"), ..Graph::default() })),
            ],
            vec![],
        ),
        spec(vec![("k", scalar("1", "5"))], vec![part(Part::Repeat(case))]),
        related::spec_of_relations(),
    ]
}

/// Costs that reward large and long inputs in some way, to drive a search somewhere.
fn cost(bytes: &[u8], weight: u64) -> Cost {
    let whole = bytes.iter().fold(0_u64, |sum, byte| {
        sum.wrapping_mul(weight).wrapping_add(u64::from(*byte)) & 0xffff_ffff
    });
    Cost { whole, parts: [(1, bytes.len() as u64), (2, whole % 1000)].into() }
}

/// Calls `see` with every input of a search.
fn each_input(spec: &InputSpec, settings: Settings, weight: u64, mut see: impl FnMut(&str)) -> u32 {
    let space = Space::new(vec![spec.clone()], Scope::default(), MAX_BYTES);
    let mut search = Search::new(space, settings);
    while let Some(trial) = search.ask() {
        see(std::str::from_utf8(&trial.bytes).unwrap());
        let cost = cost(&trial.bytes, weight);
        search.tell(trial, Some(cost));
    }
    while let Some(trial) = search.simpler() {
        see(std::str::from_utf8(&trial.bytes).unwrap());
        let cost = cost(&trial.bytes, weight);
        search.tell(trial, Some(cost));
    }
    search.executions()
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(24))]

    #[test]
    fn every_input_is_one_of_the_spec(
        which in 0..specs().len(),
        n in 5_u64..40,
        seed in any::<u32>(),
        weight in 1_u64..100,
    ) {
        let spec = &specs()[which];
        let settings = Settings { n, seed, executions: 400 };
        let tried = each_input(spec, settings, weight, |input| {
            assert_eq!(accept(spec, input), Ok(()), "spec {which}:\n{input}");
        });
        prop_assert!(tried > 100, "only {tried} inputs of spec {which}");
    }
}

/// The check knows what every spec of the table promises, so it accepts the declared inputs too.
#[test]
fn every_input_of_a_stress_test_conforms() {
    for (which, spec) in specs().iter().enumerate() {
        let space = Space::new(vec![spec.clone()], Scope::default(), MAX_BYTES);
        let (mut declared, mut narrow) = (0, 0);
        for (seed, n) in (0..300).flat_map(|seed| (1..12).map(move |n| (seed, n))) {
            let genome = space.stress(0, seed, n);
            let Some(bytes) = space.input(&genome, n) else { continue };
            let input = std::str::from_utf8(&bytes).unwrap();
            let said = conforms(spec, &Scope::default(), n, input);
            assert_eq!(said, Ok(()), "spec {which}, {:?}:\n{input}", space.words(&genome));
            *(if genome.is_declared() { &mut declared } else { &mut narrow }) += 1;
        }
        assert!(2 * narrow > declared, "spec {which}: {narrow} of {}", narrow + declared);
    }
}

#[test]
fn edited_inputs_that_break_a_promise_are_refused() {
    let specs = specs();
    let said = |which: usize, n, input: &str| conforms(&specs[which], &Scope::default(), n, input);
    let lists =
        |last: &str| format!("3 2\n0 0 0\n1 2 3\n1 2 3\n-3 4 11\n1.00 -0.50 2.25\n{last}\n");
    let triangle = "3 3\n0 1 1\n1 2 1\n0 2 1\n";
    for (which, n, kept) in
        [(0, 3, &*lists("0 1 2")), (3, 3, triangle), (6, 4, "4 1\n4\n1 1 1 1\n")]
    {
        assert_eq!(said(which, n, kept), Ok(()), "{kept}");
    }
    for (which, n, broken, problem) in [
        (0, 3, &*lists("1 0 2"), "breaks a promise"),
        (0, 3, &lists("0 1 3"), "3 is not in 0..=2"),
        (3, 4, triangle, "3 is not n"),
        (3, 3, "3 2\n0 1 1\n1 2 1\n", "2 is not in 3..=6"),
        (3, 3, "3 3\n0 1 1\n1 2 1\n1 0 1\n", "the graph breaks a promise"),
        (3, 5, "5 5\n0 1 1\n0 2 1\n0 3 1\n1 2 1\n1 3 1\n", "the graph breaks a promise"),
        (6, 4, "4 1\n3\n1 1 1\n", "the sizes of the cases do not sum to n"),
    ] {
        let said = said(which, n, broken).unwrap_err();
        assert!(said.contains(problem), "{said}\n{broken}");
    }
}

#[test]
fn promises_of_a_graph_are_kept() {
    let spec = &specs()[3];
    let settings = Settings { n: 12, seed: 5, executions: 600 };
    let tried = each_input(spec, settings, 7, |input| {
        let mut seen = BTreeSet::new();
        let mut part: Vec<usize> = (0..12).collect();
        for line in input.lines().skip(1) {
            let ends: Vec<usize> =
                line.split(' ').take(2).map(|word| word.parse().unwrap()).collect();
            let (low, high) = (ends[0].min(ends[1]), ends[0].max(ends[1]));
            assert!(low < high && seen.insert((low, high)), "not simple:\n{input}");
            let (from, to) = (part[low], part[high]);
            part.iter_mut().filter(|one| **one == from).for_each(|one| *one = to);
        }
        assert!(part.iter().all(|one| *one == part[0]), "not connected:\n{input}");
    });
    assert!(tried > 100, "{tried}");
}

#[test]
fn promises_of_a_spec_are_not_changed() {
    let spec = &specs()[0];
    let settings = Settings { n: 9, seed: 1, executions: 500 };
    each_input(spec, settings, 3, |input| {
        let last = input.lines().last().unwrap();
        let numbers: Vec<u64> = last.split(' ').map(|word| word.parse().unwrap()).collect();
        assert!(numbers.is_sorted(), "s is declared as sorted: {last}");
    });
}
