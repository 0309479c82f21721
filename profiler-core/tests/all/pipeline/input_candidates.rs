//! Inputs that specs describe, with several candidates for the worst case.

#![expect(clippy::expect_used, reason = "a draft of a test is valid, or is to be refused")]

use crate::pipeline::harness::{Told, asking, inputs, linear, over, profile};
use profiler_core::job::{Draft, Job};
use profiler_core::limits::{MAX_CHOSEN_SIZE, MAX_SIZE};
use profiler_input::InputSpec;
use profiler_input::spec::variable::Kind;
use profiler_input::spec::{Items, Layout, Repetition, Scalar, Split, Text, Variable, layout};
use profiler_proto::v1::{Growth, Schedule, SizeList};
use runner_protocol::{Budget, Request};

/// A line of `len` characters.
pub(crate) fn line(name: &str, len: &str) -> InputSpec {
    let text = Text { len: len.into(), ..Text::default() };
    let items = Items { items: vec!["s".into()], omit_empty: false };
    InputSpec {
        name: name.into(),
        vars: vec![Variable { name: "s".into(), kind: Some(Kind::Text(text)) }],
        layout: vec![part(layout::Kind::Line(items))],
        ..InputSpec::default()
    }
}

fn part(kind: layout::Kind) -> Layout {
    Layout { kind: Some(kind) }
}

pub(crate) fn described(sizes: &[u64], specs: Vec<InputSpec>) -> Draft {
    asking(over(sizes), |job| job.input_specs = specs)
}

fn growing(specs: Vec<InputSpec>) -> Draft {
    asking(described(&[], specs), |job| job.schedule = Schedule::Auto.into())
}

fn refused(draft: Draft) -> String {
    let bad = Job::try_from(draft).expect_err("it is refused");
    bad.iter().map(ToString::to_string).collect::<Vec<_>>().join("\n")
}

fn points(told: &Told) -> Vec<(u64, u32, Option<u64>)> {
    told.report().sizes.iter().map(|s| (s.size, s.candidate, s.input_bytes)).collect()
}

#[tokio::test]
async fn every_size_is_measured_with_every_candidate() {
    let specs = vec![line("short", "n"), line("", "2 * n")];
    let told = profile(described(&[1, 1_000], specs), linear()).await;
    let expected =
        [(1, 0, Some(2)), (1, 1, Some(3)), (1_000, 0, Some(1_001)), (1_000, 1, Some(2_001))];
    assert_eq!(points(&told), expected);
    assert_eq!(told.report().candidates, ["short", "input 2"]);
    assert_eq!(told.kinds().iter().filter(|&&kind| kind == "size_measured").count(), 4);
}

#[tokio::test]
async fn input_is_made_once_for_all_runs_of_its_size() {
    // The check of the input is one of the runs. It cuts the input, so that is made again for the
    // count. Runs for growth would make more inputs on a slow host, where they get more time.
    for (instructions, times) in [(false, 1), (true, 2)] {
        let draft = asking(described(&[4], vec![line("one", "n")]), |job| {
            job.instructions = instructions;
            job.growth = Growth::Timed.into();
        });
        let told = profile(draft, linear()).await;
        let made = told.heard.iter().filter(|request| matches!(request, Request::Generate(_)));
        assert_eq!(made.count(), times);
    }
}

/// The SHA-256 of "xxxx\n".
const X: &str = "2448ef41c7f68344a46cb76a9180de1b26c6abc3d28406ba496d044ffc0819a0";
/// The SHA-256 of "4\n".
const FOUR: &str = "7de1555df0c2700329e815b93b32c571c3ea54dc967b89e81ab73b9972b72d1d";

#[tokio::test]
async fn input_is_identified_wherever_it_comes_from() {
    let mut spec = line("", "n");
    if let Some(Kind::Text(text)) = &mut spec.vars[0].kind {
        text.alphabet = "x".into();
    }
    let given = |data: &str| asking(over(&[4]), |job| job.inputs = inputs([(4, data)]));
    for (draft, digest) in [
        (described(&[4], vec![spec]), X),
        (given("xxxx\n"), X),
        (over(&[4]), FOUR),
        (given("4\n"), FOUR),
    ] {
        let told = profile(draft, linear()).await;
        assert_eq!(told.report().sizes[0].input_sha256, digest);
    }
}

#[test]
fn fault_of_a_candidate_is_named_before_compiling() {
    let text = refused(described(&[0, 1], vec![line("", "n"), line("", "1 / n")]));
    assert_eq!(text, "input_specs[1].vars[0].text.len: divides by zero at n = 0");
}

#[test]
fn specs_and_inputs_exclude_each_other() {
    let draft = asking(described(&[1], vec![line("", "n")]), |job| job.inputs = inputs([(1, "")]));
    assert_eq!(refused(draft), "input_specs: cannot be used with inputs");
}

#[test]
fn too_many_candidates_are_refused() {
    let text = refused(described(&[1], vec![line("", "n"); 9]));
    assert_eq!(text, "input_specs: must have at most 8 specs, not 9");
}

#[test]
fn input_that_is_too_large_is_refused() {
    let text = refused(described(&[1, 1_000_000_000], vec![line("", "n")]));
    assert!(text.starts_with("input_specs[0]."), "{text}");
}

#[tokio::test]
async fn default_sizes_are_fitted_to_every_spec() {
    let fitted = |lens: &[&str]| {
        let specs = lens.iter().map(|len| line("", len)).collect();
        asking(described(&[], specs), |job| job.fit_sizes = true)
    };
    let job = Job::try_from(fitted(&["n", "n * n"])).expect("a job");
    assert_eq!(job.sizes.requested(), [0, 1, 100, 500, 1_000, 5_000, 10_000]);
    let told = profile(fitted(&["n", "n + 1 / n"]), linear()).await;
    let first = told.report().sizes.first().map(|it| it.size);
    assert_eq!(first, Some(1));
    let end = told.report().schedule_end.as_deref().unwrap_or_default();
    assert!(end.starts_with("n = 100000; sizes below n = 1 are left out, as vars[0]"), "{end}");
    assert!(end.ends_with("divides by zero at n = 0"), "{end}");
}

#[test]
fn sizes_of_a_spec_are_refused_unless_they_are_fitted() {
    let spec = || vec![line("", "n * n * n")];
    let text = refused(described(&[], spec()));
    assert!(text.contains("input_specs[0].vars[0].text.len: must be at most"), "{text}");
    let listed = asking(described(&[1, 10_000], spec()), |job| job.fit_sizes = true);
    assert!(refused(listed).ends_with("at n = 10000"));
    let hopeless = asking(described(&[], vec![line("", "0 - n - 1")]), |job| job.fit_sizes = true);
    assert!(refused(hopeless).starts_with("input_specs[0].vars[0].text.len"));
}

#[test]
fn sizes_keep_to_the_bounds_of_a_spec() {
    let bounded = |sizes: &[u64]| {
        let spec = InputSpec { n_min: "2".into(), n_max: "2 * 10^5".into(), ..line("", "n") };
        described(sizes, vec![line("", "n"), spec])
    };
    let fitted = Job::try_from(asking(bounded(&[]), |job| job.fit_sizes = true)).expect("a job");
    assert_eq!(fitted.sizes.requested(), [2, 3, 1_000, 6_400, 14_000, 90_000, 200_000]);
    assert_eq!(fitted.sizes.n_max(), Some(200_000));
    assert_eq!(
        refused(bounded(&[1, 200_001])),
        "input_specs[1].n_min: is 2, so that there is no input at n = 1\n\
         input_specs[1].n_max: is 200000, so that there is no input at n = 200001"
    );
}

#[tokio::test]
async fn growing_schedule_ends_before_an_input_that_is_too_large() {
    let draft = growing(vec![line("", "n * n")]);
    let job = Job::try_from(draft.clone()).expect("a job");
    assert_eq!(job.sizes.requested().last(), Some(&10_000));
    assert!(job.input_bytes() > 100_000_000);
    let bounds = [("n".to_owned(), MAX_SIZE.cast_signed())].into();
    let bounded = asking(draft, |job| job.input_bounds = bounds);
    let job = Job::try_from(bounded).expect("n * n need not fit into 64 bits");
    assert_eq!(job.sizes.requested().last(), Some(&10_000));
}

#[test]
fn growing_schedule_that_ends_before_it_begins_says_why() {
    let text = |len| {
        refused(asking(growing(vec![line("", len)]), |job| {
            job.extra_corner_cases = Some(SizeList::default());
        }))
    };
    assert_eq!(
        text("n + 2^62 + 2^62"),
        "input_specs[0].vars[0].text.len: does not fit into 64 bits at n = 0"
    );
    assert_eq!(
        text("n + 2^40"),
        "input_specs[0].vars[0].text.len: must be at most 2147483648, not 1099511627776 at n = 0"
    );
}

/// A hundred thousand random cases, at every size from there on.
fn many_cases() -> InputSpec {
    let size = Scalar { min: "0".into(), max: "n".into(), ..Scalar::default() };
    let cases = Repetition {
        count: "min(n, 90000)".into(),
        split: Split::Random.into(),
        vars: vec![Variable { name: "k".into(), kind: Some(Kind::Scalar(size)) }],
        layout: vec![part(layout::Kind::Literal("1".into()))],
        ..Repetition::default()
    };
    InputSpec { layout: vec![part(layout::Kind::Repeat(cases))], ..InputSpec::default() }
}

#[test]
fn costly_check_makes_a_growing_schedule_coarser() {
    let count = |specs| {
        let job = Job::try_from(growing(specs)).expect("a job");
        assert_eq!(job.sizes.requested().last(), Some(&MAX_CHOSEN_SIZE));
        job.sizes.requested().len()
    };
    let few = count(vec![line("", "1"); 8]);
    let coarse = count(vec![many_cases(); 8]);
    assert!(coarse < few && coarse > 5, "{coarse} of {few}");
}

#[test]
fn costly_check_at_certain_sizes_is_refused() {
    let sizes: Vec<u64> = (1..=64).map(|size| size * 1_000_000).collect();
    let text = refused(described(&sizes, vec![many_cases(); 8]));
    assert!(text.contains("layout: has too many cases to check"), "{text}");
}

#[test]
fn spec_that_is_too_long_is_refused() {
    let long = InputSpec { name: "x".repeat(300_000), ..line("", "n") };
    let text = refused(described(&[1], vec![long]));
    assert_eq!(text, "input_specs[0]: must take at most 262144 bytes");
}

#[tokio::test]
async fn candidates_of_one_name_are_told_apart() {
    let told =
        profile(described(&[1], vec![line("a", "n"), line("a", "n"), line("", "n")]), linear())
            .await;
    assert_eq!(told.report().candidates, ["a", "a 2", "input 3"]);
}

/// Each result gets the same share of the remaining time, whichever candidate it belongs to.
#[tokio::test]
async fn budget_is_shared_between_all_results() {
    let told = profile(described(&[1, 2, 3], vec![line("", "n"); 2]), linear()).await;
    let budgets_ms: Vec<_> = told
        .heard
        .iter()
        .filter_map(|request| match request {
            Request::Run(run) if run.warm_up => match run.stop.budget {
                Budget::Whole(ns) => Some(ns / 1_000_000),
                Budget::Repetitions(_) => None,
            },
            _ => None,
        })
        .collect();
    // The fake takes hardly any time, so the time that a size leaves passes on to the next ones.
    assert_eq!(budgets_ms.len(), 6);
    let expected_ms = [9_000 / 6, 9_000 / 5, 9_000 / 4, 9_000 / 3, 9_000 / 2, 9_000];
    for (budget_ms, expected_ms) in budgets_ms.into_iter().zip(expected_ms) {
        assert!(
            budget_ms <= expected_ms && budget_ms > expected_ms / 2,
            "{budget_ms} of {expected_ms}"
        );
    }
}
