//! Findings of a search when costs are known functions of the input.

use profiler_input::Scope;
use profiler_input::spec::variable::Kind;
use profiler_input::spec::{Array, InputSpec, Items, Layout, Scalar, Text, Variable, layout};
use profiler_search::{Cost, Search, Settings, Space, Way};
use std::collections::BTreeMap;

const MAX_BYTES: u64 = 1 << 20;

pub(crate) fn spec(name: &str, kind: Kind) -> InputSpec {
    let items = Items { items: vec![name.into()], omit_empty: false };
    InputSpec {
        vars: vec![Variable { name: name.into(), kind: Some(kind) }],
        layout: vec![Layout { kind: Some(layout::Kind::Line(items)) }],
        ..InputSpec::default()
    }
}

fn array() -> InputSpec {
    numbers_of(false)
}

fn numbers_of(distinct: bool) -> InputSpec {
    let array = Array {
        len: "n".into(),
        min: "0".into(),
        max: "10^9".into(),
        distinct,
        ..Array::default()
    };
    spec("a", Kind::Array(array))
}

fn scalar(max: &str) -> InputSpec {
    let scalar = Scalar { min: "1".into(), max: max.into(), ..Scalar::default() };
    spec("k", Kind::Scalar(scalar))
}

pub(crate) fn numbers(bytes: &[u8]) -> Vec<i64> {
    let text = std::str::from_utf8(bytes).unwrap();
    text.split_whitespace().map(|word| word.parse().unwrap()).collect()
}

/// Swaps that insertion sort makes.
fn insertions(bytes: &[u8]) -> u64 {
    let numbers = numbers(bytes);
    let swaps = (0..numbers.len())
        .map(|at| numbers[..at].iter().filter(|before| **before > numbers[at]).count() as u64);
    swaps.sum()
}

/// Searches to the end. Returns the search and the inputs in their order.
fn searched(
    spec: InputSpec,
    settings: Settings,
    cost: impl Fn(&[u8]) -> Option<Cost>,
) -> (Search, Vec<Vec<u8>>) {
    let space = Space::new(vec![spec], Scope::default(), MAX_BYTES);
    let (mut search, mut inputs) = (Search::new(space, settings), Vec::new());
    while let Some(trial) = search.ask() {
        inputs.push(trial.bytes.clone());
        let cost = cost(&trial.bytes);
        search.tell(trial, cost);
    }
    while let Some(trial) = search.simpler() {
        let cost = cost(&trial.bytes);
        search.tell(trial, cost);
    }
    (search, inputs)
}

#[expect(clippy::unnecessary_wraps, reason = "a search takes an optional cost")]
fn whole(whole: u64) -> Option<Cost> {
    Some(Cost { whole, ..Cost::default() })
}

#[test]
fn order_that_costs_most_is_found_and_scales() {
    let settings = Settings { n: 40, seed: 0, executions: 100_000 };
    let (search, inputs) = searched(array(), settings, |input| whole(insertions(input)));
    let best = search.best().unwrap();
    assert_eq!(best.cost, 40 * 39 / 2);
    assert_eq!(search.space().words(&best.genome), ["a: falling"]);
    assert!(inputs.len() < 100_000, "a search ends where nothing gets better");
    let large = search.space().input(&best.genome, 640).unwrap();
    assert_eq!(insertions(&large), 640 * 639 / 2);
    let most = search.randoms().iter().max().unwrap();
    assert!(search.randoms().len() >= 5 && *most < best.cost, "{:?}", search.randoms());
}

#[test]
fn adversary_builds_a_costly_order() {
    let space = Space::new(vec![array()], Scope::default(), MAX_BYTES);
    let mut search = Search::new(space, Settings { n: 40, seed: 2, executions: 5000 });
    let mut most = BTreeMap::new();
    while let Some(trial) = search.ask() {
        let cost = insertions(&trial.bytes);
        let known = most.entry(trial.way).or_insert(0);
        *known = cost.max(*known);
        search.tell(trial, whole(cost));
    }
    let random = most[&Way::Random];
    assert!(most[&Way::Adversary] > random + random / 2, "{most:?}");
}

/// Keys that are passed while all are inserted into a table of chains, by the key modulo `buckets`.
fn passed(bytes: &[u8], buckets: i64) -> u64 {
    let mut chains = BTreeMap::new();
    let insert = |key: i64| {
        let chain = chains.entry(key % buckets).or_insert(0);
        *chain += 1;
        *chain - 1
    };
    numbers(bytes).into_iter().map(insert).sum()
}

#[test]
fn keys_of_one_bucket_are_found_as_multiples() {
    for (buckets, words) in [(1024, "1024"), (1 << 13, "65536"), (10_007, "10007")] {
        let settings = Settings { n: 100, seed: 1, executions: 3000 };
        let cost = |input: &[u8]| whole(1000 + passed(input, buckets));
        let (search, _) = searched(numbers_of(true), settings, cost);
        let best = search.best().unwrap();
        assert_eq!(best.cost, 1000 + 100 * 99 / 2, "{buckets}");
        let found = search.space().words(&best.genome);
        assert_eq!(found, [format!("a: multiples of {words}")]);
        let large = search.space().input(&best.genome, 800).unwrap();
        assert_eq!(passed(&large, buckets), 800 * 799 / 2, "{buckets}");
    }
}

#[test]
fn variants_of_one_choice_do_not_crowd_out_another() {
    let settings = Settings { n: 40, seed: 0, executions: 2000 };
    let (search, _) = searched(array(), settings, |input| whole(insertions(input)));
    let kinds = search.elites().iter().map(|elite| {
        let words = search.space().words(&elite.genome).join("; ");
        words.replace(|letter: char| letter.is_ascii_digit(), "")
    });
    let kinds: Vec<String> = kinds.collect();
    let distinct: std::collections::BTreeSet<&String> = kinds.iter().collect();
    assert!(kinds.len() > 5 && distinct.len() == kinds.len(), "{kinds:?}");
}

#[test]
fn scalar_is_climbed_to() {
    let wanted = 1_234_567_i64;
    let settings = Settings { n: 1, seed: 3, executions: 20_000 };
    let near = |input: &[u8]| whole(1_000_000_000 - numbers(input)[0].abs_diff(wanted));
    let (search, _) = searched(scalar("10^9"), settings, near);
    let off = 1_000_000_000 - search.best().unwrap().cost;
    assert!(off < 1_000_000, "{off} away");
}

#[test]
fn part_keeps_the_input_that_costs_it_most() {
    // The whole cost is flat until the string has one letter alone and no more than two runs.
    let text = Text { len: "n".into(), alphabet: "abcdefgh".into(), ..Text::default() };
    let runs = |input: &[u8]| input.windows(2).filter(|pair| pair[0] != pair[1]).count() as u64;
    let settings = Settings { n: 60, seed: 9, executions: 600 };
    let (search, _) = searched(spec("s", Kind::Text(text)), settings, |input| {
        let whole = if runs(input) <= 1 { 100 } else { 1 };
        Some(Cost { whole, parts: [(7, 1000 - runs(input))].into() })
    });
    assert_eq!(search.best().unwrap().cost, 100);
}

#[test]
fn same_settings_give_the_same_inputs() {
    let settings = Settings { n: 20, seed: 11, executions: 300 };
    let run = |settings| searched(array(), settings, |input| whole(insertions(input)));
    let (first, again) = (run(settings), run(settings));
    assert_eq!(first.1, again.1);
    assert_eq!(first.0.elites(), again.0.elites());
    let other = run(Settings { seed: 12, ..settings });
    assert_ne!(first.1, other.1);
    let shorter = run(Settings { executions: 100, ..settings });
    assert_eq!(shorter.1[..], first.1[..100]);
}

#[test]
fn no_input_is_tried_twice_and_a_space_of_few_inputs_ends() {
    let settings = Settings { n: 1, seed: 0, executions: 5000 };
    let (search, mut inputs) = searched(scalar("4"), settings, |_| whole(1));
    let tried = inputs.len();
    inputs.sort();
    inputs.dedup();
    assert_eq!((tried, inputs.len()), (4, 4));
    assert!(search.best().unwrap().genome.is_declared(), "nothing is better than the spec");
}

#[test]
fn inputs_on_which_the_program_fails_are_no_elites() {
    let settings = Settings { n: 30, seed: 0, executions: 300 };
    let is_sorted = |input: &[u8]| numbers(input).is_sorted();
    let (search, inputs) = searched(array(), settings, |input| {
        if is_sorted(input) { None } else { whole(1000 - insertions(input)) }
    });
    assert!(inputs.iter().any(|input| is_sorted(input)));
    let best = search.best().unwrap();
    assert!(!is_sorted(&search.space().input(&best.genome, 30).unwrap()));
}
