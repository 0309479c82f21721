//! `stress`: the search for an input to which the program and a reference give different answers.

use crate::pipeline::harness::{asking, linear, profile};
use crate::pipeline::input_candidates::{described, line};
use profiler_core::job::{Draft, Job, TriedSizes};
use profiler_core::sandbox::fake::{DOES_NOT_COMPILE, Fake};
use profiler_input::InputSpec;
use profiler_proto::v1::{Checker, OtherProgram, Outcome, StressEnd, StressTest};
use runner_protocol::{Request, Response, WordDigest, Written};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

/// A stress test of a few inputs with at most ten characters.
fn stressed() -> Draft {
    asking(described(&[], vec![line("", "n")]), |job| {
        let reference = OtherProgram { code_cpp: "int main() {}".into(), ..Default::default() };
        job.input_sizes = vec![2, 5];
        let inputs = Some(6);
        job.stress = Some(StressTest { reference: Some(reference), inputs, seconds: None });
    })
}

fn written(answer: &str) -> Written {
    Written {
        stdout_bytes: answer.len() as u64,
        stdout_words_sha256: WordDigest::of(answer.as_bytes()),
        stdout_head: answer.into(),
        ..Written::default()
    }
}

/// Programs that answer what `answer` gives for the number of the run.
fn answering(answer: impl Fn(u64) -> &'static str + Send + Sync + 'static) -> Fake {
    let runs = Arc::new(AtomicU64::new(0));
    linear().bending(move |mut response| {
        if let Response::Batch(ran) = &mut response {
            ran.written = written(answer(runs.fetch_add(1, Ordering::SeqCst)));
        }
        Some(response)
    })
}

#[tokio::test]
async fn programs_that_agree_are_run_on_every_input_and_nothing_is_measured() {
    let told = profile(stressed(), answering(|_| "7")).await;
    let report = told.report();
    let found = report.stress.as_deref().expect("a result");
    assert_eq!((found.inputs, found.end(), &found.difference), (6, StressEnd::Inputs, &None));
    assert_eq!(found.agreed.iter().map(|it| it.size).collect::<Vec<_>>(), [2, 5]);
    assert_eq!(found.agreed.iter().map(|it| it.inputs).sum::<u32>(), 6);
    let lines = found.coverage.as_ref().expect("a fake program has two lines");
    assert_eq!((lines.inputs, lines.code_lines, lines.reached_lines), (6, 2, 2));
    assert!(report.sizes.is_empty() && report.growth.is_none() && report.start_up.is_none());
    assert_eq!((told.kinds(), told.warnings()), (vec!["compiled", "finished"], vec![]));
    assert_eq!(told.alive, 0, "every sandbox is gone");
}

#[tokio::test]
async fn answer_that_changes_ends_the_search() {
    let told = profile(stressed(), answering(|run| if run % 3 == 0 { "7" } else { "8" })).await;
    let found = told.report().stress.as_deref().expect("a result");
    assert_eq!(found.end(), StressEnd::NotRepeated);
    let difference = found.difference.as_ref().expect("a difference");
    assert_eq!((difference.number, difference.size), (1, 2));
    assert_eq!((difference.input_bytes, difference.input.len()), (3, 3));
    let answers = [&difference.answer, &difference.expected].map(|it| it.as_ref().expect("one"));
    assert!(answers.iter().any(|it| it.varies));
    assert!(answers.iter().all(|it| it.outcome() == Outcome::Ok && it.stdout_bytes == 1));
    assert_eq!(difference.word, Some(1));
}

#[tokio::test]
async fn generator_makes_the_inputs_in_its_own_sandbox() {
    let generated = |source: &str| {
        asking(stressed(), |job| {
            let generator = source.into();
            job.input_specs = vec![InputSpec { generator, ..InputSpec::default() }];
        })
    };
    let told = profile(generated("int main() {}"), answering(|_| "7")).await;
    let found = told.report().stress.as_deref().expect("a result");
    assert_eq!(found.agreed.iter().map(|it| it.size).collect::<Vec<_>>(), [2, 5]);
    assert!(told.heard.iter().any(|it| matches!(it, Request::Make(_))));
    assert_eq!(told.alive, 0, "every sandbox is gone");

    let told = profile(generated(DOES_NOT_COMPILE), answering(|_| "7")).await;
    let why = "invalid_input: the generator does not compile: ";
    assert!(told.error().starts_with(why), "{}", told.error());
    assert_eq!(told.alive, 0, "every sandbox is gone");
}

#[test]
fn request_says_what_is_tried() {
    let plan = |draft: Draft| Job::try_from(draft).expect("a job").stress.expect("a plan");
    assert_eq!(plan(stressed()).sizes, TriedSizes::Exactly(vec![2, 5]));
    let bounded = |n_max: i64| {
        asking(stressed(), |job| {
            job.input_sizes.clear();
            job.input_bounds.insert("n".into(), n_max);
        })
    };
    assert_eq!(plan(bounded(7)).sizes, TriedSizes::UpTo(7));
    assert_eq!(plan(bounded(1000)).sizes, TriedSizes::UpToAndBeyond(10));
    let by_numbers = asking(stressed(), |job| job.checker = Checker::Numbers.into());
    assert!(Job::try_from(by_numbers).is_ok());
}

#[test]
fn wrong_request_is_refused_with_its_fields() {
    let refused = |draft: Draft| Job::try_from(draft).expect_err("it is refused").to_string();
    let without_spec = asking(stressed(), |job| job.input_specs.clear());
    assert_eq!(refused(without_spec), "stress: requires an input spec");
    let set = |test: StressTest| asking(stressed(), |job| job.stress = Some(test));
    let nothing = refused(set(StressTest::default()));
    assert_eq!(nothing, "stress.reference.code_cpp: must not be empty");
    let with = |change: fn(&mut StressTest)| {
        refused(asking(stressed(), |job| job.stress.iter_mut().for_each(change)))
    };
    assert!(with(|test| test.inputs = Some(0)).starts_with("stress.inputs: must be from 1 to "));
    assert!(with(|test| test.seconds = Some(1e9)).starts_with("stress.seconds: must be from 0 "));
    let both = refused(asking(stressed(), |job| job.debug = true));
    assert_eq!(both, "stress: cannot be used with debug");
    let no_input = asking(described(&[], vec![line("", "0 - n - 1")]), |job| {
        job.stress = stressed().request.stress;
    });
    assert!(refused(no_input).starts_with("input_specs[0].vars[0]"), "a spec without an input");
}
