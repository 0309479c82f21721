//! Programs whose runs of one size did not all do the same work, or look so.

use crate::pipeline::harness::*;
use crate::pipeline::input_candidates::{described, line};
use profiler_core::sandbox::fake::{BASE_NS, BASE_RSS, Fake, ended};
use profiler_proto::v1::{Growth, Outcome, WarningCode};
use runner_protocol::{BatchResult, Ending, Execution, Response};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};

#[tokio::test]
async fn slower_of_two_ways_counts() {
    let work_in_warm_up = with_runs(|ran| {
        let warm_up = ran.warm_up.as_mut().expect("a warm-up");
        warm_up.sample.wall_ns = 80 * BASE_NS;
        warm_up.sample.cpu_ns = Some(80 * BASE_NS);
    });
    let told = profile(over(&[1, 1_000, 10_000]), work_in_warm_up).await;
    let report = told.report();
    let size = &report.sizes[0];
    let faster = size.faster_figures.and_then(|figures| figures.headline);
    let faster_ms = faster.expect("a headline of the faster runs").ms;
    let runtimes = [faster_ms, size.runtime_ms()].map(|ms| format!("{ms:.1}"));
    assert_eq!(runtimes, ["1.0", "80.0"]);
    // One slower run has no interval.
    assert_eq!(told.warnings(), [["two_ways"; 3], ["noisy"; 3]].concat());
    assert_eq!(
        report.warnings[0].message,
        "the program behaves in two ways on the same input: 5 of 6 runs took at most 1.0 ms of \
         processor time, the others at least 80.0 ms; the figures are those of the slower runs"
    );
    let time = told.time_growth();
    assert_eq!(
        (time.function, time.undecided_reason.as_str()),
        (None, "the program behaves in two ways on the same input of n = 1")
    );
}

/// In each of the first measurements of sizes, two repetitions take this many times as long as the
/// others, which take ten times as long as usual.
fn slowed_in(measurements: usize, factor: u64, bend: fn(&mut BatchResult)) -> Fake {
    fn take(run: &mut Execution, factor: u64) {
        run.sample.wall_ns *= factor;
        run.sample.cpu_ns = run.sample.cpu_ns.map(|ns| ns * factor);
    }
    let done = AtomicUsize::new(0);
    with_runs(move |ran| {
        ran.repetitions.iter_mut().chain(&mut ran.warm_up).for_each(|run| take(run, 10));
        if done.fetch_add(1, Ordering::SeqCst) < measurements {
            ran.repetitions[1..3].iter_mut().for_each(|run| take(run, factor));
        } else {
            bend(ran);
        }
    })
}

#[tokio::test]
async fn runs_that_the_host_slowed_are_measured_again_in_a_new_sandbox() {
    for measurements in [1, 2] {
        let told = profile(over(&[0, 1_000]), slowed_in(measurements, 2, |_| {})).await;
        assert_eq!((told.runtimes_ms(), told.warnings()), (vec![10.0, 11.0], vec!["slow_spell"]));
        assert_eq!(
            told.report().warnings[0].message,
            "2 of 6 runs took at least 20.0 ms of processor time, the others at most 10.0 ms; in a \
             new sandbox no run was slower than these, so the host was busy; the figures are those of \
             the new runs"
        );
    }
}

/// The host paused some of six runs, the first one among them.
#[tokio::test]
async fn fewer_runs_may_have_been_paused() {
    for (paused, pause_ms, warning, runtime_ms) in
        [(1, 24, "slow_spell", 1.0), (1, 26, "two_ways", 27.0), (3, 24, "two_ways", 25.0)]
    {
        let done = AtomicUsize::new(0);
        let fake = with_runs(move |ran| {
            if done.fetch_add(1, Ordering::SeqCst) == 0 {
                for run in ran.warm_up.iter_mut().chain(&mut ran.repetitions).take(paused) {
                    run.sample.wall_ns += pause_ms * BASE_NS;
                    run.sample.cpu_ns = run.sample.cpu_ns.map(|ns| ns + pause_ms * BASE_NS);
                }
            }
        });
        let told = profile(over(&[0]), fake).await;
        assert_eq!((told.warnings()[0], told.runtimes_ms()), (warning, vec![runtime_ms]));
    }
}

/// A second look must not excuse these programs.
#[tokio::test]
async fn program_that_behaves_in_two_ways_stays_one() {
    fn slow(run: &mut Execution) {
        run.sample.cpu_ns = Some(20 * BASE_NS);
    }
    let cases = [
        ("in every sandbox", slowed_in(3, 2, |_| {}), 20.0),
        ("by more than a busy host slows", slowed_in(1, 4, |_| {}), 40.0),
        (
            "slow throughout in the new one",
            slowed_in(1, 2, |ran| {
                ran.repetitions.iter_mut().chain(&mut ran.warm_up).for_each(slow);
            }),
            20.0,
        ),
        (
            "slow in the first run of the new one",
            slowed_in(1, 2, |ran| ran.warm_up.iter_mut().for_each(slow)),
            20.0,
        ),
        (
            "another output in the new one",
            slowed_in(1, 2, |ran| ran.written.stdout_sha256 = [7; 32]),
            20.0,
        ),
    ];
    for (name, fake, runtime_ms) in cases {
        let told = profile(over(&[0]), fake).await;
        assert!(told.warnings().contains(&"two_ways"), "{name}: {:?}", told.warnings());
        assert_eq!(told.runtimes_ms(), [runtime_ms], "{name}");
    }
}

/// A program that takes 50 times as long once this many further sandboxes have fetched its binary.
fn slow_after(further: usize, fails_from: u64) -> Fake {
    let fetched = AtomicUsize::new(0);
    let model = move |n| {
        let ending = if n < fails_from { Ending::Exited(0) } else { Ending::Exited(1) };
        Some(ended(ending, BASE_NS, BASE_RSS))
    };
    Fake::new(model).bending(move |mut response| {
        if matches!(response, Response::Fetched(_)) {
            fetched.fetch_add(1, Ordering::SeqCst);
        }
        if let Response::Batch(ran) = &mut response
            && fetched.load(Ordering::SeqCst) >= further
        {
            for run in ran.repetitions.iter_mut().chain(&mut ran.warm_up) {
                run.sample.wall_ns *= 50;
                run.sample.cpu_ns = run.sample.cpu_ns.map(|ns| ns * 50);
            }
        }
        Some(response)
    })
}

#[tokio::test]
async fn last_size_runs_in_a_new_sandbox() {
    let told = profile(over(&[1, 10, 100]), slow_after(1, u64::MAX)).await;
    assert_eq!((told.runtimes_ms(), told.alive), (vec![1.0, 1.0, 50.0], 0));
    // If there is only one size, its own sandbox is new.
    let told = profile(over(&[1]), slow_after(1, u64::MAX)).await;
    assert_eq!(told.runtimes_ms(), [1.0]);
}

#[tokio::test]
async fn last_size_without_a_new_sandbox_has_a_warning() {
    let draft = asking(over(&[1, 10, 100]), |job| job.growth = Growth::Timed.into());
    let told = profile(draft, alone()).await;
    assert_eq!(told.warnings(), ["no_new_sandbox"]);
    assert_eq!(told.report().warnings[0].size, Some(100));
}

/// Candidates of the last size share its sandbox, so only the first one finds nothing there.
#[tokio::test]
async fn slowest_candidate_is_run_again_unless_it_ran_first() {
    for (lens, runtimes_ms) in [(["2 * n", "n"], [1.0, 1.0]), (["n", "2 * n"], [1.0, 50.0])] {
        let fetched = AtomicUsize::new(0);
        let fake = Fake::costing(10, 0).bending(move |mut response| {
            if matches!(response, Response::Fetched(_)) {
                fetched.fetch_add(1, Ordering::SeqCst);
            }
            // Only a run in the second new sandbox does the work.
            if let Response::Batch(ran) = &mut response
                && fetched.load(Ordering::SeqCst) >= 2
            {
                for run in &mut ran.repetitions {
                    run.sample.wall_ns = 50 * BASE_NS;
                    run.sample.cpu_ns = Some(50 * BASE_NS);
                }
            }
            Some(response)
        });
        let specs = lens.map(|len| line("", len)).into();
        let draft = asking(described(&[1, 100], specs), |job| job.growth = Growth::Timed.into());
        let told = profile(draft, fake).await;
        let last = &told.report().sizes[2..];
        let told_ms: Vec<_> = last.iter().map(|it| it.runtime_ms().round()).collect();
        assert_eq!(told_ms, runtimes_ms, "{lens:?}");
    }
}

#[tokio::test]
async fn largest_size_before_a_failure_is_run_again_in_a_new_sandbox() {
    let told = profile(over(&[1, 10, 100]), slow_after(2, 100)).await;
    assert_eq!(told.runtimes_ms()[..2], [1.0, 50.0]);
    assert_eq!(told.warnings().iter().filter(|code| **code == "two_ways").count(), 1);
    assert_eq!(
        told.time_growth().undecided_reason,
        "the program behaves in two ways on the same input of n = 10"
    );
    assert_eq!(told.alive, 0, "every sandbox is gone");
}

#[tokio::test]
async fn busy_host_slows_one_cold_run() {
    // The second cold run is as fast as the measured ones. No host slows a run of 1 ms by more than
    // 25 ms.
    for (slow_ms, sandboxes) in [(25, 3), (28, 2)] {
        let fetched = Arc::new(AtomicUsize::new(0));
        let count = fetched.clone();
        let fake = failing(Ending::Exited(1)).bending(move |mut response| {
            if matches!(response, Response::Fetched(_)) {
                count.fetch_add(1, Ordering::SeqCst);
            }
            if let Response::Batch(ran) = &mut response
                && count.load(Ordering::SeqCst) == 2
            {
                let slow_ns = slow_ms * BASE_NS;
                ran.repetitions.iter_mut().for_each(|run| run.sample.cpu_ns = Some(slow_ns));
            }
            Some(response)
        });
        let draft = asking(over(&[1, 10, 1_000]), |job| job.growth = Growth::Timed.into());
        let told = profile(draft, fake).await;
        let behaves_in_two_ways = told.warnings().contains(&"two_ways");
        assert_eq!(behaves_in_two_ways, slow_ms > 25, "{:?}", told.warnings());
        // The last size and the cold runs.
        assert_eq!(fetched.load(Ordering::SeqCst), sandboxes, "{slow_ms}");
    }
}

/// One repetition of the first size takes much longer than the others.
#[tokio::test]
async fn slow_run_is_noise_only_if_a_new_sandbox_agrees() {
    for (slow_ms, further, expected_ms) in [
        (20, 2, [1.0, 50.0, 1.0]),
        // In the new sandbox, the size before the last one takes no longer.
        (20, 9, [1.0, 1.0, 1.0]),
        // Without a slow run, that size is not run again.
        (1, 2, [1.0, 1.0, 1.0]),
    ] {
        let is_first = AtomicBool::new(true);
        let fetched = AtomicUsize::new(0);
        let fake = Fake::costing(0, 0).bending(move |mut response| {
            if matches!(response, Response::Fetched(_)) {
                fetched.fetch_add(1, Ordering::SeqCst);
            }
            if let Response::Batch(ran) = &mut response {
                if ran.warm_up.is_some() && is_first.swap(false, Ordering::SeqCst) {
                    ran.repetitions[2].sample.cpu_ns = Some(slow_ms * BASE_NS);
                }
                if fetched.load(Ordering::SeqCst) >= further {
                    for run in &mut ran.repetitions {
                        run.sample.wall_ns *= 50;
                        run.sample.cpu_ns = run.sample.cpu_ns.map(|ns| ns * 50);
                    }
                }
            }
            Some(response)
        });
        let told = profile(over(&[1, 10, 100]), fake).await;
        assert_eq!(told.runtimes_ms(), expected_ms, "{slow_ms} {further}");
        let behaves_in_two_ways = told.warnings().contains(&"two_ways");
        assert_eq!(behaves_in_two_ways, expected_ms[1] > 1.0, "{:?}", told.warnings());
        assert_eq!(told.alive, 0, "every sandbox is gone");
    }
}

#[tokio::test]
async fn size_that_fails_in_a_new_sandbox_alone_fails_with_a_warning() {
    let fetched = AtomicUsize::new(0);
    let fake = failing(Ending::Exited(1)).bending(move |mut response| {
        if matches!(response, Response::Fetched(_)) {
            fetched.fetch_add(1, Ordering::SeqCst);
        }
        if let Response::Batch(ran) = &mut response
            && fetched.load(Ordering::SeqCst) >= 2
        {
            ran.repetitions.iter_mut().for_each(|run| run.ending = Ending::Signaled(11));
        }
        Some(response)
    });
    let told = profile(over(&[1, 10, 1_000]), fake).await;
    assert_eq!(told.report().sizes[1].outcome(), Outcome::RuntimeError);
    assert_eq!(told.report().runtime_ms[1..], [f64::INFINITY; 2]);
    let mut warnings = told.report().warnings.iter();
    let two_ways = warnings.find(|it| it.code() == WarningCode::TwoWays).unwrap();
    assert_eq!(
        two_ways.message,
        "the program behaves in two ways on the same input: in a new sandbox it ended with \
         RUNTIME_ERROR"
    );
    assert_eq!(told.time_growth().function, None);
}

/// A program that knows nothing in a new sandbox can end at once, with any answer.
#[tokio::test]
async fn size_whose_output_is_another_one_in_a_new_sandbox_has_no_figures() {
    for varies in [false, true] {
        let fetched = AtomicUsize::new(0);
        let fake = failing(Ending::Exited(1)).bending(move |mut response| {
            if matches!(response, Response::Fetched(_)) {
                fetched.fetch_add(1, Ordering::SeqCst);
            }
            let sandboxes = fetched.load(Ordering::SeqCst);
            if let Response::Batch(ran) = &mut response
                && sandboxes >= 2
            {
                let words = if varies { sandboxes } else { 1 };
                ran.written.stdout_words_sha256[0] = u8::try_from(words).expect("a few");
            }
            Some(response)
        });
        let told = profile(over(&[1, 10, 1_000]), fake).await;
        let outcome = if varies { Outcome::Ok } else { Outcome::NotRun };
        assert_eq!(told.report().sizes[1].outcome(), outcome);
        assert_eq!(told.warnings().contains(&"two_ways"), !varies, "{:?}", told.warnings());
        assert_eq!(told.alive, 0, "every sandbox is gone");
    }
}
