use super::*;
use profiler_input::spec::variable::Kind;
use profiler_input::spec::{Array, Items, Layout, Scalar, Variable, layout};
use std::iter;

/// A line of as many random numbers as `len` says, in `1..=most`.
pub(in crate::measure::stress) fn numbers(name: &str, len: &str, most: u32) -> InputSpec {
    let array =
        Array { len: len.into(), min: "1".into(), max: most.to_string(), ..Array::default() };
    let vars = vec![Variable { name: "a".into(), kind: Some(Kind::Array(array)) }];
    let line = Items { items: vec!["a".into()], omit_empty: false };
    let layout = vec![Layout { kind: Some(layout::Kind::Line(line)) }];
    InputSpec { name: name.into(), vars, layout, ..InputSpec::default() }
}

pub(in crate::measure::stress) fn series(
    specs: Vec<InputSpec>,
    sizes: &TriedSizes,
) -> Result<InputSeries, Violations> {
    let scope = Scope { size_variable: "n".into(), ..Scope::default() };
    InputSeries::try_new(specs.into_iter().enumerate().collect(), scope, sizes, 7)
}

/// Returns the inputs, however many attempts each takes.
fn inputs(series: &mut InputSeries) -> impl Iterator<Item = TestInput> {
    iter::from_fn(|| {
        loop {
            let origin = series.next_origin()?;
            if let Some(input) = series.new_input(origin) {
                return Some(input);
            }
        }
    })
}

fn origins(series: &mut InputSeries, count: usize) -> Vec<(u32, u64, usize)> {
    inputs(series).take(count).map(|input| (input.genome.seed, input.n, input.candidate)).collect()
}

#[test]
fn sizes_rise_within_a_seed() {
    let specs = vec![numbers("one", "n", 1_000_000), numbers("two", "n + 1", 1_000_000)];
    let mut series = series(specs, &TriedSizes::Exactly(vec![2, 5])).unwrap();
    let seven = [(7, 2, 0), (7, 2, 1), (7, 5, 0), (7, 5, 1)];
    let eight = [(8, 2, 0), (8, 2, 1)];
    assert_eq!(origins(&mut series.clone(), 6), [&seven[..], &eight].concat());
    let mut again = series.clone();
    assert!(inputs(&mut series).take(50).eq(inputs(&mut again).take(50)), "always the same");
}

#[test]
fn no_input_is_given_twice() {
    let mut series = series(vec![numbers("", "n", 3)], &TriedSizes::UpTo(2)).unwrap();
    let inputs = inputs(&mut series).map(|input| String::from_utf8(input.bytes).unwrap());
    let inputs: Vec<_> = inputs.collect();
    let distinct: HashSet<_> = inputs.iter().collect();
    assert_eq!(distinct.len(), inputs.len());
    assert_eq!(inputs.len(), 1 + 3 + 9, "{inputs:?}");
}

#[test]
fn smaller_sizes_alone_are_kept() {
    let mut series = series(vec![numbers("", "n", 1_000_000)], &TriedSizes::UpTo(5)).unwrap();
    let found = inputs(&mut series).take(4).last().unwrap();
    assert_eq!(found.n, 3);
    series.keep_below(&found);
    assert!(inputs(&mut series).take(20).all(|input| input.n < 3));
    series.keep_below(&TestInput { n: 0, ..found });
    assert!(series.next_origin().is_none());
}

/// The caller can stop between attempts.
#[test]
fn attempt_makes_at_most_one_input() {
    let constant = numbers("", "n", 1);
    let mut series = series(vec![constant], &TriedSizes::Exactly(vec![1, 2])).unwrap();
    let attempt = || series.next_origin().map(|origin| series.new_input(origin));
    let attempts: Vec<_> = iter::from_fn(attempt).collect();
    assert!(attempts[..2].iter().all(Option::is_some));
    assert!(attempts[2..].iter().all(Option::is_none));
    assert_eq!(attempts.len(), 2 + 2 * STALE_SEEDS as usize);
}

#[test]
fn sizes_begin_with_the_smallest_that_has_an_input() {
    let mut series = series(vec![numbers("", "n - 3", 1_000_000)], &TriedSizes::UpTo(10)).unwrap();
    let sizes: Vec<_> = inputs(&mut series).take(8).map(|input| input.n).collect();
    assert_eq!(sizes, (3..=10).collect::<Vec<_>>());
}

#[test]
fn candidate_without_an_input_is_refused_by_its_field() {
    let bad = || vec![numbers("", "n", 9), numbers("", "n - 30", 9)];
    for sizes in [TriedSizes::UpTo(10), TriedSizes::Exactly(vec![40, 7])] {
        let found = series(bad(), &sizes).unwrap_err();
        assert_eq!(found[0].field, "input_specs[1].vars[0].array.len", "{found:?}");
    }
    assert!(series(bad(), &TriedSizes::Exactly(vec![40])).is_ok());
    let long = series(vec![numbers("", "n", 9)], &TriedSizes::Exactly(vec![10_000_000]));
    let found = long.unwrap_err();
    assert!(found[0].problem.contains("at most 16777216 bytes"), "{found:?}");
}

#[test]
fn seed_that_gives_no_input_is_skipped() {
    let drawn = Scalar { min: "0".into(), max: "2".into(), ..Scalar::default() };
    let mut spec = numbers("", "2 / k", 1_000_000);
    spec.vars.insert(0, Variable { name: "k".into(), kind: Some(Kind::Scalar(drawn)) });
    let scope = || Scope { size_variable: "n".into(), ..Scope::default() };
    let with_seed = |seed| {
        let sizes = TriedSizes::Exactly(vec![1]);
        InputSeries::try_new(vec![(0, spec.clone())], scope(), &sizes, seed)
    };
    let first = (0..100).find(|&seed| with_seed(seed).is_ok()).unwrap();
    let mut series = with_seed(first).unwrap();
    let seeds: Vec<_> =
        inputs(&mut series).take(20).map(|input| input.genome.seed - first).collect();
    assert!(seeds.last().unwrap() > &19, "{seeds:?}");
}

#[test]
fn half_of_the_inputs_are_narrow() {
    let specs = vec![numbers("", "n", 1_000_000)];
    let mut series = series(specs, &TriedSizes::Exactly(vec![4, 7])).unwrap();
    let tried: Vec<_> = inputs(&mut series).take(100).collect();
    let narrow = tried.iter().filter(|input| !input.is_declared()).count();
    assert!((35..=50).contains(&narrow), "{narrow}");
}

#[test]
fn large_sizes_are_tried_now_and_then_and_grow() {
    let specs = vec![numbers("", "n", 1_000_000)];
    let mut series = series(specs, &TriedSizes::UpToAndBeyond(10)).unwrap();
    let mut large = Vec::new();
    for _ in 0..100 {
        let input = inputs(&mut series).next().unwrap();
        if series.is_large(input.n) {
            large.push(input.n);
            series.took(input.n, Some(Duration::ZERO));
        }
    }
    assert!(large.len() > 9 && large.is_sorted() && large[0] < large[9], "{large:?}");
}
