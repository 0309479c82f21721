//! Sizes, inputs, figures and their clock.

use crate::pipeline::harness::*;
use crate::pipeline::summary::{size_details, summary};
use insta::assert_snapshot;
use profiler_core::limits::{
    BRIEF_BUDGET, LEAST_BRIEF_REPETITIONS, LEAST_REPETITIONS, MOST_REPETITIONS, ONE_RUN_PRECISION,
    SHARE,
};
use profiler_core::sandbox::fake::{BASE_NS, Fake};
use profiler_proto::v1::event::Kind;
use profiler_proto::v1::{self, RuntimeClock, WarningCode};
use runner_protocol::{BatchResult, Budget, Request, Stop};

#[tokio::test]
async fn default_sizes() {
    let draft = asking(over(&[]), |job| job.input_bounds = [("n".into(), 10_000)].into());
    assert_snapshot!(summary(&profile(draft, linear()).await));
}

#[tokio::test]
async fn every_figure_of_one_size() {
    let told = profile(over(&[1_000]), linear()).await;
    assert_snapshot!(size_details(&told.report().sizes[0]));
}

#[tokio::test]
async fn events_carry_the_same_results_as_the_report_except_for_memory() {
    let told = profile(over(&[1, 1_000]), linear()).await;
    let (mut compiled, mut sizes) = (None, Vec::new());
    for kind in told.said() {
        match kind {
            Kind::Compiled(step) => compiled = Some(step.clone()),
            Kind::SizeMeasured(result) => sizes.push(result.clone()),
            _ => {}
        }
    }
    assert_eq!(compiled, told.report().compile);
    let without_memory = |size: &v1::SizeResult| v1::SizeResult { memory: None, ..size.clone() };
    assert_eq!(sizes, told.report().sizes.iter().map(without_memory).collect::<Vec<_>>());
}

#[tokio::test]
async fn explicit_inputs() {
    let draft = asking(over(&[2, 3]), |job| job.inputs = inputs([(2, "two"), (3, "three")]));
    assert_snapshot!(summary(&profile(draft, linear()).await));
}

/// The fake's time depends on the length of its input.
#[tokio::test]
async fn explicit_input_reaches_the_program_whole() {
    let draft = asking(over(&[1]), |job| job.inputs = inputs([(1, vec![b'x'; 300_000])]));
    assert_eq!(profile(draft, linear()).await.runtimes_ms(), [31.0]);
}

/// A program that is concurrent from size 1000 on, and waits for a processor half of the time.
fn concurrent() -> Fake {
    Fake::new(|n| {
        let mut execution = well(n);
        execution.sample.run_delay_ns = Some(execution.sample.wall_ns / 2);
        execution.sample.cpu_ns = Some(execution.sample.wall_ns / 2);
        execution.sample.concurrent = n >= 1_000;
        Some(execution)
    })
}

#[tokio::test]
async fn one_concurrent_size_puts_all_on_the_wall_clock() {
    assert_snapshot!(summary(&profile(over(&[1, 1_000]), concurrent()).await));
}

#[tokio::test]
async fn concurrent_size_has_run_delay_and_no_blocked_time() {
    let told = profile(over(&[0, 1_000]), concurrent()).await;
    let figures = told.report().sizes.iter().filter_map(|size| size.figures.as_ref());
    let parts: Vec<_> = figures
        .map(|f| (f.run_delay_ms.map(|delay| delay.max), f.blocked_ms.map(|blocked| blocked.max)))
        .collect();
    assert_eq!(parts, [(Some(0.5), Some(0.0)), (Some(0.55), None)]);
}

#[tokio::test]
async fn chosen_clock_stays_if_it_can_time_what_ran() {
    let on = async |clock: RuntimeClock, sizes: &[u64]| {
        let draft = asking(over(sizes), |job| job.runtime_clock = clock.into());
        profile(draft, concurrent()).await.runtimes_ms()
    };
    assert_eq!(on(RuntimeClock::Cpu, &[0, 1_000]).await, [0.5, 0.55]);
    assert_eq!(on(RuntimeClock::Unloaded, &[0]).await, [0.5]);
    let told = asking(over(&[0, 1_000]), |job| job.runtime_clock = RuntimeClock::Unloaded.into());
    let told = profile(told, concurrent()).await;
    assert_eq!(told.runtimes_ms(), [1.0, 1.1], "the wall clock");
    let warned = told.report().warnings.iter().any(|it| it.code() == WarningCode::WallClock);
    assert!(warned, "{:?}", told.report().warnings);
}

/// A linear program on a kernel that does not report run delay.
fn without_schedstat() -> Fake {
    Fake::new(|n| {
        let mut execution = well(n);
        execution.sample.run_delay_ns = None;
        Some(execution)
    })
}

#[tokio::test]
async fn clock_is_the_wall_without_run_delay() {
    let told = profile(over(&[0]), without_schedstat()).await;
    assert_eq!(told.report().runtime_clock(), v1::RuntimeClock::Wall);
}

#[tokio::test]
async fn event_has_figures_without_run_delay() {
    let told = profile(over(&[0]), without_schedstat()).await;
    let measured = told.said().find_map(|kind| match kind {
        Kind::SizeMeasured(result) => Some(result.runtime_ms()),
        _ => None,
    });
    assert_eq!(measured, Some(1.0));
}

#[tokio::test]
async fn unreadable_gnu_time_ends_the_run() {
    let told = profile(over(&[1]), with_runs(|ran| ran.gnu_time = Some(b"soon".into())));
    assert_snapshot!(summary(&told.await));
}

#[tokio::test]
async fn gnu_time_that_failed_itself_is_left_out() {
    let told = profile(over(&[1]), with_runs(|ran| ran.gnu_time = None)).await;
    assert_eq!(told.report().sizes[0].gnu_time, None);
}

#[tokio::test]
async fn peak_that_gnu_time_saw_otherwise_is_a_warning() {
    let text = "Elapsed (wall clock) time (h:mm:ss or m:ss): 0:00.00\n\
                Maximum resident set size (kbytes): 10240\n";
    let told = profile(over(&[1]), with_runs(|ran| ran.gnu_time = Some(text.into()))).await;
    assert_eq!(
        told.report().warnings[0].message,
        "/usr/bin/time reports a peak of 10.0 MiB, and the runner 3.0 MiB"
    );
}

#[tokio::test]
async fn one_run_that_looks_concurrent_is_left_out() {
    let odd = with_runs(|ran| {
        let sample = &mut ran.repetitions[0].sample;
        sample.concurrent = true;
        sample.wall_ns /= 2;
    });
    let told = profile(over(&[1, 1_000]), odd).await;
    let report = told.report();
    assert_eq!(report.runtime_clock(), v1::RuntimeClock::Unloaded);
    assert_eq!(told.warnings(), Vec::<&str>::new());
    let figures = report.sizes[0].figures.expect("figures");
    assert_eq!(figures.runtime_ms.map(|it| it.count), Some(4));
    assert!(figures.wall_ms.is_some_and(|it| it.min >= 1.0), "{figures:?}");
}

/// Noise can make one run in ten look concurrent.
#[tokio::test]
async fn runs_are_concurrent_if_more_than_one_in_ten_looks_so() {
    for (concurrent, clock) in [(2, v1::RuntimeClock::Unloaded), (3, v1::RuntimeClock::Wall)] {
        let odd = with_runs(move |ran| {
            ran.repetitions = vec![ran.repetitions[0].clone(); 20];
            ran.repetitions[..concurrent].iter_mut().for_each(|run| run.sample.concurrent = true);
        });
        let told = profile(over(&[1]), odd).await;
        assert_eq!(told.report().runtime_clock(), clock, "{concurrent}");
    }
}

#[tokio::test]
async fn runs_with_different_output_are_a_warning() {
    let told = profile(over(&[1]), with_runs(|ran| ran.other_outputs = 2)).await;
    assert_eq!(told.warnings(), ["not_deterministic"]);
    assert_eq!(
        told.report().warnings[0].message,
        "on the same input, 2 of 5 repetitions wrote a different output than the first run"
    );
}

#[tokio::test]
async fn output_varies_if_runs_write_other_words() {
    for other_words in [0, 1] {
        let told = profile(over(&[1]), with_runs(move |ran| ran.other_words = other_words)).await;
        let varies = told.report().sizes[0].stdout.as_ref().map(|stdout| stdout.varies);
        assert_eq!(varies, Some(other_words > 0));
    }
}

#[tokio::test]
async fn warm_up_without_repetitions_is_the_only_sample() {
    let told = profile(over(&[1]), with_runs(|ran| ran.repetitions.clear())).await;
    assert_eq!(told.report().sizes[0].samples.len(), 1);
}

#[tokio::test]
async fn runner_without_any_run_ends_the_run() {
    let none = |ran: &mut BatchResult| {
        ran.warm_up = None;
        ran.repetitions.clear();
    };
    let told = profile(over(&[1]), with_runs(none)).await;
    assert!(told.ended.is_err());
}

/// Returns the conditions that stop the repetitions of each size.
fn stops(told: &Told) -> Vec<Stop> {
    let stops = told.heard.iter().filter_map(|request| match request {
        Request::Run(run) if run.warm_up => Some(run.stop),
        _ => None,
    });
    stops.collect()
}

#[tokio::test]
async fn size_is_repeated_until_its_headline_is_known() {
    let told = profile(over(&[1]), linear()).await;
    let stop = Stop {
        least: LEAST_REPETITIONS,
        most: MOST_REPETITIONS,
        precision_ppm: 10_000,
        budget: Budget::Whole(u64::try_from(SHARE.as_nanos()).expect("a second or two")),
    };
    assert_eq!(stops(&told), [stop]);
}

/// Both sizes share what all repetitions may take, and the second gets what the first leaves.
#[tokio::test]
async fn brief_job_gives_repetitions_little_time() {
    let draft = asking(over(&[1, 1_000]), |job| job.precision = Some(0.1));
    let told = profile(draft, linear()).await;
    let share = u64::try_from(BRIEF_BUDGET.as_nanos() / 2).expect("a fraction of a second");
    let stop = Stop {
        least: LEAST_BRIEF_REPETITIONS,
        most: MOST_REPETITIONS,
        precision_ppm: 100_000,
        budget: Budget::Repetitions(share),
    };
    let [first, second] = stops(&told)[..] else { panic!("two sizes") };
    assert_eq!(first, stop);
    let is_larger = matches!(second.budget, Budget::Repetitions(its) if its > share);
    assert!(is_larger && Stop { budget: stop.budget, ..second } == stop, "{second:?}");
    assert_eq!(told.report().precision, Some(0.1));
    assert_eq!(told.report().sizes[1].gnu_time, None);
}

#[tokio::test]
async fn precision_of_one_percent_is_that_of_every_job() {
    let draft = asking(over(&[1]), |job| job.precision = Some(0.01));
    let told = profile(draft, linear()).await;
    let plain = profile(over(&[1]), linear()).await;
    assert_eq!((stops(&told), told.report().precision), (stops(&plain), None));
}

/// Without a budget, the warm-up is the only run.
#[tokio::test]
async fn precision_of_a_hundred_percent_is_one_run_and_no_probe() {
    let draft = asking(over(&[1, 1_000]), |job| job.precision = Some(ONE_RUN_PRECISION));
    let told = profile(draft, linear()).await;
    let stop = Stop { least: 1, most: 1, precision_ppm: 10_000, budget: Budget::Whole(0) };
    assert_eq!(stops(&told), [stop; 2]);
    assert!(!told.heard.iter().any(|request| matches!(request, Request::Probe(_))));
    assert_eq!(told.report().precision, Some(ONE_RUN_PRECISION));
}

/// A warm-up and seven runs of at most 4.25 s each are within the budget.
#[tokio::test]
async fn job_can_say_how_many_repetitions_there_are() {
    let draft = asking(over(&[1, 1_000]), |job| job.repetitions = Some(7));
    let told = profile(draft, linear()).await;
    let budget = Budget::Whole(34_000_000_000);
    assert_eq!(stops(&told), [Stop { least: 7, most: 7, precision_ppm: 10_000, budget }; 2]);
    let walls = told.report().sizes.iter().filter_map(|size| size.figures?.wall_ms);
    assert_eq!(walls.map(|it| it.count).collect::<Vec<_>>(), [7, 7]);
}

/// The `nth` repetition of every size, from 0, takes `ns`.
fn with_repetition(nth: usize, ns: u64) -> Fake {
    with_runs(move |ran| {
        ran.repetitions[nth].sample.wall_ns = ns;
        ran.repetitions[nth].sample.cpu_ns = Some(ns);
    })
}

/// The headline of the first size.
fn headline(told: &Told) -> v1::Headline {
    told.report().sizes[0].figures.and_then(|figures| figures.headline).expect("a headline")
}

#[tokio::test]
async fn headline_that_is_not_known_well_enough_is_a_warning() {
    let noisy = with_runs(|ran| {
        for (at, execution) in (1_u64..).zip(&mut ran.repetitions) {
            execution.sample.wall_ns = at * BASE_NS;
            execution.sample.cpu_ns = Some(at * BASE_NS);
        }
    });
    let told = profile(over(&[1]), noisy).await;
    let interval = headline(&told).interval.expect("an interval");
    let half = (interval.high - interval.low) / 2.0;
    let warning = &told.report().warnings[0];
    assert_eq!((warning.code(), warning.size), (WarningCode::Noisy, Some(1)));
    assert!(warning.message.contains(&format!("± {half:.3} ms")), "{}", warning.message);
    assert!(warning.message.ends_with("after 5 runs"), "{}", warning.message);
}

#[tokio::test]
async fn headline_has_an_interval_of_its_own() {
    let told = profile(over(&[1]), with_repetition(0, BASE_NS + BASE_NS / 100)).await;
    let headline = headline(&told);
    let interval = headline.interval.expect("an interval");
    assert!(interval.low <= headline.ms && headline.ms <= interval.high);
    assert!(headline.known);
}

/// The first repetition's processor time exceeds its wall clock by `ns`.
fn contradicting(ns: u64) -> Fake {
    with_runs(move |ran| {
        let sample = &mut ran.repetitions[0].sample;
        sample.cpu_ns = Some(sample.wall_ns + ns);
    })
}

#[tokio::test]
async fn figures_that_contradict_each_other_are_left_out() {
    let told = profile(over(&[1]), contradicting(51_000)).await;
    let figures = told.report().sizes[0].figures.expect("figures");
    assert_eq!(figures.blocked_ms, None);
    assert_eq!(
        told.report().warnings[0].message,
        "wall_ms 1.000 of one run is less than cpu_ms 1.051 plus run_delay_ms 0.000, \
         so blocked_ms is left out"
    );
}

/// The float 0.7 - 0.6 - 0.1 is not 0.
#[tokio::test]
async fn program_that_never_waits_is_blocked_for_exactly_no_time() {
    let busy = with_runs(|ran| {
        for repetition in &mut ran.repetitions {
            let sample = &mut repetition.sample;
            sample.wall_ns = 700_000;
            (sample.cpu_ns, sample.run_delay_ns) = (Some(600_000), Some(100_000));
        }
    });
    let told = profile(over(&[1]), busy).await;
    let blocked = told.report().sizes[0].figures.and_then(|figures| figures.blocked_ms);
    assert_eq!(blocked.map(|blocked| (blocked.min, blocked.max)), Some((0.0, 0.0)));
}

#[tokio::test]
async fn figures_that_are_off_by_a_little_stay_as_they_are() {
    let told = profile(over(&[1]), contradicting(49_000)).await;
    let blocked = told.report().sizes[0].figures.and_then(|figures| figures.blocked_ms);
    assert!(blocked.expect("it is there").min < 0.0);
}

/// The program reads the first two inputs to their ends, and of the last one a block.
#[tokio::test]
async fn program_that_reads_less_of_a_larger_input_is_told() {
    let fake = Fake::new(|bytes| {
        let mut run = well(bytes);
        run.sample.stdin_position = if bytes < 200_000 { bytes } else { 8_191 };
        Some(run)
    });
    let lengths = [(1, 2), (2, 100_000), (3, 200_000)];
    let draft = asking(over(&[1, 2, 3]), |job| {
        job.inputs = inputs(lengths.map(|(size, bytes)| (size, "7".repeat(bytes))));
    });
    let told = profile(draft, fake).await;
    let read: Vec<_> = told.report().sizes.iter().map(|size| size.input_read_bytes).collect();
    assert_eq!(read, [Some(2), Some(100_000), Some(8_191)]);
    let warnings = told.report().warnings.iter();
    let warnings: Vec<_> =
        warnings.filter(|warning| warning.code() == WarningCode::ReadsLessInput).collect();
    assert_eq!((warnings.len(), warnings[0].size), (1, Some(3)));
    assert_eq!(
        warnings[0].message,
        "the program read 8191 of the 200000 bytes of its input, and 100000 of 100000 at n = 2: it \
         may answer from memory, or stop early"
    );
}
