//! The search for the worst input as a step of a job.

#![expect(clippy::expect_used, reason = "a draft of a test is valid, or is to be refused")]

use crate::pipeline::harness::{asking, over, profile};
use profiler_core::job::{Draft, Job};
use profiler_core::sandbox::fake::{BASE_NS, BASE_RSS, Fake, ok};
use profiler_growth::Class;
use profiler_input::InputSpec;
use profiler_input::spec::variable::Kind;
use profiler_input::spec::{Array, Items, Layout, Variable, layout};
use profiler_proto::v1::{GrowthClassification, SearchEnd, SourceFile, WorstGoal, WorstSearch};
use runner_protocol::{CountSeries, Request, Response, SeriesLines};

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

fn searching(worst: WorstSearch) -> Draft {
    asking(over(&[1, 100]), |job| {
        job.input_specs = vec![numbers("n")];
        job.worst = Some(worst);
    })
}

/// A program whose work is the square of the length of its input.
fn quadratic() -> Fake {
    Fake::new(|bytes| Some(ok(BASE_NS + 10 * bytes * bytes, BASE_RSS)))
}

#[tokio::test]
async fn worst_input_is_in_the_report() {
    let worst =
        WorstSearch { size: Some(800), seed: 3, executions: Some(200), ..WorstSearch::default() };
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
        // Only the steps after the search count a run by line.
        Response::Traced(_) => None,
        other => Some(other),
    });
    let worst = WorstSearch { size: Some(800), executions: Some(100), ..WorstSearch::default() };
    let told = profile(searching(worst), lost).await;
    let found = told.report().worst.as_deref().expect("a worst input");
    assert_eq!(found.problem, "the search was stopped");
    assert!(found.instructions.is_some() && found.spec.is_some());
}

/// A search for the most instructions of a line of util.h, which has two lines.
fn searching_file(file: &str, line: u32) -> Draft {
    let goal = WorstGoal::Line.into();
    let mut draft = searching(WorstSearch {
        size: Some(20),
        executions: Some(30),
        goal,
        line,
        file: file.into(),
        ..WorstSearch::default()
    });
    let code = draft.request.code.as_mut().expect("a program");
    code.files.push(SourceFile { path: "util.h".into(), text: "int f();\n".into() });
    draft
}

#[tokio::test]
async fn line_of_another_file_can_be_searched() {
    let told = profile(searching_file("util.h", 2), quadratic()).await;
    let found = told.report().worst.as_deref().expect("a worst input");
    assert_eq!((found.goal_line, &found.goal_file[..]), (2, "util.h"));
    let asked = told.heard.iter().filter_map(|it| match it {
        Request::CountSeries(CountSeries { lines: SeriesLines::Cost(line), .. }) => Some(line),
        _ => None,
    });
    let asked: Vec<_> = asked.map(|it| (it.file.as_deref(), it.line)).collect();
    assert!(!asked.is_empty() && asked.iter().all(|it| *it == (Some("util.h"), 2)), "{asked:?}");
    let unknown = "worst.file: must be the path of one of the program's files, not a.h";
    assert_eq!(refused(searching_file("a.h", 2)), unknown);
    let beyond = "worst.line: must be from 1 to 2, the last line of util.h, not 3";
    assert_eq!(refused(searching_file("util.h", 3)), beyond);
    let without_line = WorstSearch { file: "util.h".into(), ..WorstSearch::default() };
    assert_eq!(refused(searching(without_line)), "worst.file: requires the goal LINE");
}

#[tokio::test]
async fn worst_input_is_absent_without_a_search() {
    let draft = asking(searching(WorstSearch::default()), |job| job.worst = None);
    assert_eq!(profile(draft, quadratic()).await.report().worst, None);
}

fn refused(draft: Draft) -> String {
    let bad = Job::try_from(draft).expect_err("it is refused");
    bad.iter().map(ToString::to_string).collect::<Vec<_>>().join("\n")
}

#[test]
fn search_has_bounds_and_needs_specs() {
    let worst = WorstSearch { executions: Some(0), seconds: Some(-1.0), ..WorstSearch::default() };
    assert_eq!(
        refused(searching(worst)),
        "worst.executions: must be from 1 to 1000000, not 0\n\
         worst.seconds: must be from 0 to 3600 seconds"
    );
    let without = asking(searching(WorstSearch::default()), |job| job.input_specs.clear());
    assert_eq!(refused(without), "worst: requires an input spec");
    let beyond = WorstSearch { size: Some(101), ..WorstSearch::default() };
    let bounds = [("n".into(), 100)].into();
    let bounded = asking(searching(beyond), |job| job.input_bounds = bounds);
    assert_eq!(refused(bounded), "worst.size: must be at most the bound 100, not 101");
    let none = asking(searching(WorstSearch::default()), |job| {
        job.input_specs = vec![numbers("5 + 10 / (n - 1000)")];
    });
    let said = refused(none);
    assert!(said.starts_with("input_specs[0]") && said.contains("n = 1000"), "{said}");
}

#[test]
fn default_size_keeps_to_the_bound() {
    let size = |bounds: &[(&str, i64)]| {
        let bounds = bounds.iter().map(|(name, bound)| ((*name).into(), *bound)).collect();
        let job = asking(searching(WorstSearch::default()), |job| job.input_bounds = bounds);
        let job = Job::try_from(job);
        job.expect("a job").worst.expect("a search").n
    };
    assert_eq!((size(&[]), size(&[("n", 200)]), size(&[("n", 5000)])), (1000, 200, 1000));
}
