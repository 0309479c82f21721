//! The search for the worst input as a step of a job.

#![expect(clippy::expect_used, reason = "a draft of a test is valid, or is to be refused")]

use crate::pipeline::harness::{over, profile};
use profiler_core::job::{Draft, Job, WorstDraft};
use profiler_core::sandbox::fake::{BASE_NS, BASE_RSS, Fake, ok};
use profiler_growth::Class;
use profiler_input::InputSpec;
use profiler_input::spec::variable::Kind;
use profiler_input::spec::{Array, Items, Layout, Variable, layout};
use profiler_proto::v1::{GrowthClassification, SearchEnd};
use runner_protocol::Response;

/// A line of n numbers.
fn numbers(len: &str) -> InputSpec {
    let array = Array { len: len.into(), min: "1".into(), max: "10^9".into(), ..Array::default() };
    let line = Items { items: vec!["a".into()], omit_empty: false };
    InputSpec {
        vars: vec![Variable { name: "a".into(), kind: Some(Kind::Array(array)) }],
        layout: vec![Layout { kind: Some(layout::Kind::Line(line)) }],
        ..InputSpec::default()
    }
}

fn searching(worst: WorstDraft) -> Draft {
    Draft { specs: vec![numbers("n")], worst: Some(worst), ..over(&[1, 100]) }
}

/// A program whose work is the square of the length of its input.
fn quadratic() -> Fake {
    Fake::new(|bytes| Some(ok(BASE_NS + 10 * bytes * bytes, BASE_RSS)))
}

#[tokio::test]
async fn worst_input_is_in_the_report() {
    let worst =
        WorstDraft { n: Some(800), seed: 3, executions: Some(200), ..WorstDraft::default() };
    let told = profile(searching(worst), quadratic()).await;
    let found = told.report().worst.as_deref().expect("a worst input");
    assert_eq!((found.searched_size, found.measured_size, found.seed), (100, Some(800), 3));
    assert_eq!(found.end(), SearchEnd::Executions);
    assert!((200..=found.executions).contains(&found.searched_executions), "{found:?}");
    let classes = [&found.random_growth, &found.worst_growth]
        .map(|it| it.as_ref().and_then(GrowthClassification::class));
    assert_eq!(classes, [Some(Class::Quadratic); 2]);
    assert!(found.instructions > found.random.map(|random| random.most), "{found:?}");
    assert!(found.spec.is_some() && found.input.len() as u64 <= found.input_bytes);
    assert_eq!(told.report().sizes.len(), 2, "the sizes are what was asked for");
}

#[tokio::test]
async fn search_that_is_lost_leaves_the_best_so_far() {
    let lost = quadratic().bending(|response| match response {
        // What follows the search is counted one by one.
        Response::Traced(_) => None,
        other => Some(other),
    });
    let worst = WorstDraft { n: Some(800), executions: Some(100), ..WorstDraft::default() };
    let told = profile(searching(worst), lost).await;
    let found = told.report().worst.as_deref().expect("a worst input");
    assert_eq!(found.problem, "the search was stopped");
    assert!(found.instructions.is_some() && found.spec.is_some());
}

#[tokio::test]
async fn worst_input_is_absent_without_a_search() {
    let draft = Draft { worst: None, ..searching(WorstDraft::default()) };
    assert_eq!(profile(draft, quadratic()).await.report().worst, None);
}

fn refused(draft: Draft) -> String {
    let bad = Job::try_from(draft).expect_err("it is refused");
    bad.iter().map(ToString::to_string).collect::<Vec<_>>().join("\n")
}

#[test]
fn search_has_bounds_and_needs_specs() {
    let worst = WorstDraft { executions: Some(0), seconds: Some(-1.0), ..WorstDraft::default() };
    assert_eq!(
        refused(searching(worst)),
        "worst.executions: must lie in 1..=1000000\nworst.seconds: must lie in 0..=3600"
    );
    let without = Draft { specs: Vec::new(), ..searching(WorstDraft::default()) };
    assert_eq!(refused(without), "worst: needs a spec of the input");
    let beyond = WorstDraft { n: Some(101), ..WorstDraft::default() };
    let bounds = [("n".into(), 100)].into();
    let bounded = Draft { bounds, ..searching(beyond) };
    assert_eq!(refused(bounded), "worst.size: 101 is over the bound of 100");
    let none =
        Draft { specs: vec![numbers("5 + 10 / (n - 1000)")], ..searching(WorstDraft::default()) };
    let said = refused(none);
    assert!(said.starts_with("input_specs[0]") && said.contains("n=1000"), "{said}");
}

#[test]
fn default_size_keeps_to_the_bound() {
    let size = |bounds: &[(&str, i64)]| {
        let bounds = bounds.iter().map(|(name, bound)| ((*name).into(), *bound)).collect();
        let job = Job::try_from(Draft { bounds, ..searching(WorstDraft::default()) });
        job.expect("a job").worst.expect("a search").n
    };
    assert_eq!((size(&[]), size(&[("n", 200)]), size(&[("n", 5000)])), (1000, 200, 1000));
}
