//! Generators: programs that make the inputs which no spec describes.

use crate::pipeline::harness::{Told, asking, linear, profile};
use crate::pipeline::input_candidates::{described, line};
use profiler_core::job::{Draft, Job};
use profiler_core::limits::{JUDGE_TIMEOUT, MAX_INPUT_BYTES};
use profiler_core::sandbox::fake::{DOES_NOT_COMPILE, Fake};
use profiler_input::InputSpec;
use profiler_proto::v1::{Growth, Schedule, SizeList, WorstSearch};
use runner_protocol::{Breach, Ending, Made, Make, Request, Response};
use std::sync::atomic::{AtomicU8, Ordering};

/// A spec with a generator of this source.
fn generated(source: &str) -> InputSpec {
    InputSpec { generator: source.into(), seed: 7, ..InputSpec::default() }
}

/// A brief job at these sizes, whose inputs a generator makes.
fn draft(sizes: &[u64]) -> Draft {
    asking(described(sizes, vec![generated("int main() {}")]), |job| {
        job.precision = Some(1.0);
        job.growth = Growth::Timed.into();
    })
}

/// A linear program. Each run of its generator is changed.
fn making(change: impl Fn(&mut Made) + Send + Sync + 'static) -> Fake {
    linear().bending(move |mut response| {
        if let Response::Made(made) = &mut response {
            change(made);
        }
        Some(response)
    })
}

/// The arguments of all runs of the generator.
fn runs(told: &Told) -> Vec<(u64, u32)> {
    let run = |request: &Request| match request {
        Request::Make(Make { n, seed, .. }) => Some((*n, *seed)),
        _ => None,
    };
    told.heard.iter().filter_map(run).collect()
}

#[tokio::test]
async fn inputs_are_made_twice_before_anything_runs() {
    let told = profile(draft(&[10, 200_000]), linear()).await;
    let sizes: Vec<_> =
        told.report().sizes.iter().map(|size| (size.size, size.input_bytes)).collect();
    assert_eq!(sizes, [(10, Some(10)), (200_000, Some(200_000))]);
    assert_eq!(runs(&told), [(10, 7), (10, 7), (200_000, 7), (200_000, 7)]);
    let last = told.heard.iter().rposition(|it| matches!(it, Request::Make(_)));
    let first_run = told.heard.iter().position(|it| matches!(it, Request::Run(_)));
    assert!(last < first_run);
    assert!(!told.heard.iter().any(|it| matches!(it, Request::Generate(_))));
    assert_eq!(told.alive, 0);
}

#[tokio::test]
async fn seed_of_the_job_is_added() {
    let told = profile(asking(draft(&[10]), |job| job.input_seed = 5), linear()).await;
    assert_eq!(runs(&told), [(10, 12), (10, 12)]);
}

#[tokio::test]
async fn generator_that_fails_is_named_and_nothing_is_measured() {
    type Change = fn(&mut Made);
    static SECOND: AtomicU8 = AtomicU8::new(0);
    let too_slow = Ending::Stopped(Breach::Time(11_000_000_000));
    let cases: [(Change, &str); 4] = [
        (|made| made.written.stdout_bytes = 0, "wrote nothing at n = 10"),
        (
            |made| made.written.stdout_sha256 = [SECOND.fetch_add(1, Ordering::SeqCst); 32],
            "wrote something else at its second run with the same arguments, n = 10 and seed 7",
        ),
        (
            |made| {
                made.execution.ending = Ending::Exited(1);
                made.written.stderr_tail = b"bad n\nmore".into();
            },
            "ended with exit code 1 at n = 10: bad n",
        ),
        (
            |made| made.written.stdout_bytes = MAX_INPUT_BYTES as u64 + 1,
            "wrote more than 16 MiB at n = 10",
        ),
    ];
    for (change, why) in cases {
        let told = profile(draft(&[10, 20]), making(change)).await;
        assert_eq!(told.error(), format!("invalid_input: the generator {why}"));
        assert!(!told.heard.iter().any(|it| matches!(it, Request::Run(_))));
        assert_eq!((told.report().sizes.len(), told.alive), (0, 0));
    }
    let slow = making(move |made| made.execution.ending = too_slow);
    let why = format!("took longer than {} s at n = 10", JUDGE_TIMEOUT.as_secs());
    let told = profile(draft(&[10]), slow).await;
    assert_eq!(told.error(), format!("invalid_input: the generator {why}"));
}

#[tokio::test]
async fn generator_that_does_not_compile_is_named() {
    let specs = vec![line("described", "n"), generated(DOES_NOT_COMPILE)];
    let told = profile(described(&[10], specs), linear()).await;
    let why = "invalid_input: the generator of input 2 does not compile: ";
    assert!(told.error().starts_with(why), "{}", told.error());
    assert_eq!((told.report().sizes.len(), told.alive), (0, 0));
}

#[tokio::test]
async fn sizes_end_before_an_input_that_is_too_long() {
    let growing = asking(draft(&[]), |job| {
        job.schedule = Schedule::Auto.into();
        job.extra_corner_cases = Some(SizeList { values: vec![1] });
        job.precision = None;
    });
    // The fake's generator writes nothing at n = 0.
    let fitted = asking(draft(&[]), |job| {
        job.input_specs[0].n_min = "1".into();
        job.fit_sizes = true;
    });
    for draft in [growing, fitted] {
        let long = making(|made| {
            if made.written.stdout_bytes > 6_000 {
                made.written.stdout_bytes = MAX_INPUT_BYTES as u64 + 1;
            }
        });
        let told = profile(draft, long).await;
        assert_eq!(told.error(), "none");
        let largest = told.report().sizes.last().expect("a size").size;
        assert!((1_000..=6_000).contains(&largest), "{largest}");
    }
}

#[test]
fn generator_replaces_vars_and_layout() {
    let refused = |spec: InputSpec| {
        let draft = described(&[10], vec![spec]);
        let bad = Job::try_from(draft).expect_err("it is refused");
        bad.iter().map(ToString::to_string).collect::<Vec<_>>().join("\n")
    };
    let both = InputSpec { generator: "int main() {}".into(), ..line("", "n") };
    assert_eq!(
        refused(both),
        "input_specs[0].vars: cannot be used with generator\n\
         input_specs[0].layout: cannot be used with generator"
    );
    assert_eq!(refused(generated(" ")), "input_specs[0].generator: must not be empty");
    let bounded = InputSpec { n_max: "5".into(), ..generated("int main() {}") };
    let why = "input_specs[0].n_max: is 5, so that there is no input at n = 10";
    assert_eq!(refused(bounded), why);
    let header = InputSpec { testlib_h: "int x;".into(), ..line("", "n") };
    assert_eq!(refused(header), "input_specs[0].testlib_h: requires a generator");
}

#[tokio::test]
async fn search_for_the_worst_input_varies_the_seed_of_a_generator() {
    let worst = WorstSearch { size: Some(50), seed: 3, executions: Some(5), ..Default::default() };
    let told = profile(asking(draft(&[10]), |job| job.worst = Some(worst)), linear()).await;
    let found = told.report().worst.as_deref().expect("a worst input");
    assert_eq!((found.generator_seed, found.measured_size), (Some(3), Some(50)), "{found:?}");
    assert_eq!((found.searched_executions, &found.problem[..]), (5, ""));
    let seeds = runs(&told).into_iter().filter(|(n, _)| *n == 50).map(|(_, seed)| seed);
    assert_eq!(seeds.collect::<Vec<_>>(), [3, 4, 5, 6, 7, 3, 5], "the worst and the median again");
    assert_eq!(told.alive, 0);
}
