//! Figures that do not depend on the program: the processor's speed, and the cost of starting.

use crate::pipeline::harness::*;
use profiler_core::cancel::cancel_signal;
use profiler_core::job::Job;
use profiler_core::report::Events;
use profiler_core::sandbox::Pool;
use profiler_core::sandbox::fake::{BASE_NS, EMPTY_NS, Fake, Heard, ok};
use profiler_core::{Profiler, Turn, run_job};
use profiler_proto::v1::{self, Growth, RuntimeClock};
use runner_protocol::{BatchResult, Compiled, Ending, Request, Response, Subject};
use std::sync::Arc;

/// Changes the runs of all subjects except the program.
fn beside(bend: impl Fn(&mut BatchResult) + Send + Sync + 'static) -> Fake {
    linear().bending(move |mut response| {
        if let Response::Batch(ran) = &mut response
            && ran.warm_up.is_none()
        {
            bend(ran);
        }
        Some(response)
    })
}

#[tokio::test]
async fn processor_is_calibrated() {
    assert_eq!(profile(over(&[1]), linear()).await.host().calibration_ms, Some(1.25));
}

/// Numbers of calibrations and of counts of the empty program in two jobs, one after the other, in
/// one profiler.
async fn calibrations(ask: impl FnOnce(&mut v1::Job), growth: Growth) -> [usize; 2] {
    let heard = Heard::default();
    let pool = Pool::new(Arc::new(linear().recording(heard.clone())), 0);
    let profiler = Profiler::new(pool, None);
    let draft = asking(over(&[1]), |job| {
        ask(job);
        job.growth = growth.into();
    });
    let job = Job::try_from(draft).expect("a valid draft");
    for _ in 0..2 {
        let ((mut events, _told), (_stopper, mut signal)) = (Events::new("run"), cancel_signal());
        let ended = run_job(&job, &profiler, &mut events, &mut signal, Turn::now()).await;
        let report = ended.expect("a report");
        let counted = report.start_up.expect("a start-up").instructions;
        assert_eq!(counted, (growth != Growth::Timed).then_some(EMPTY_INSTRUCTIONS));
        assert_eq!(report.host.and_then(|host| host.calibration_ms), Some(1.25));
    }
    let heard = heard.lock().expect("no runner panics with it");
    let calibrates = |request: &&Request| matches!(request, Request::Run(run) if run.subject == Subject::Calibration);
    [
        heard.iter().filter(calibrates).count(),
        heard.iter().filter(|request| counts_empty(request)).count(),
    ]
}

#[tokio::test]
async fn brief_jobs_share_their_calibration() {
    assert_eq!(calibrations(|job| job.precision = Some(0.1), Growth::Counted).await, [1, 1]);
    assert_eq!(calibrations(|_| {}, Growth::Counted).await, [2, 2]);
    assert_eq!(calibrations(|_| {}, Growth::Timed).await, [2, 0]);
}

#[tokio::test]
async fn jobs_with_one_timed_run_share_their_calibration() {
    for (runs, calibrated) in [(1, 1), (2, 2)] {
        let ask = move |job: &mut v1::Job| job.repetitions = Some(runs);
        assert_eq!(calibrations(ask, Growth::Timed).await, [calibrated, 0], "{runs} runs");
    }
}

#[tokio::test]
async fn first_start_is_not_counted() {
    let slow_first = beside(|ran| ran.repetitions[0].sample.wall_ns = 9 * BASE_NS);
    let told = profile(over(&[1]), slow_first).await;
    let figures = told.report().start_up.and_then(|it| it.figures).expect("a start-up");
    assert_eq!(figures.wall_ms.map(|it| (it.count, it.max)), Some((5, 0.75)));
}

#[tokio::test]
async fn cost_of_starting_is_taken_off() {
    let told = profile(over(&[0, 1_000]), linear()).await;
    let net = told.report().sizes.iter().map(|size| size.net_runtime_ms);
    let net: Vec<_> = net.map(|ms| (ms.expect("a net runtime") * 1e6).round()).collect();
    assert_eq!(net, [250_000.0, 350_000.0]);
}

/// Whether a program is marked as below the noise floor. Its run takes `ns` longer than its start,
/// and one of the starts takes 0.1 ms longer than the others.
async fn is_below_the_floor(ns: i64) -> Option<bool> {
    let model = move |_| Some(ok(EMPTY_NS.saturating_add_signed(ns), 1 << 20));
    let noisy = Fake::new(model).bending(|mut response| {
        if let Response::Batch(ran) = &mut response
            && ran.warm_up.is_none()
        {
            ran.repetitions[1].sample.wall_ns += 100_000;
        }
        Some(response)
    });
    profile(over(&[1]), noisy).await.report().sizes[0].below_noise_floor
}

#[tokio::test]
async fn runtime_lost_in_the_start_ups_noise_is_marked() {
    assert_eq!(is_below_the_floor(0).await, Some(true));
    assert_eq!(is_below_the_floor(-10_000).await, Some(true));
    assert_eq!(is_below_the_floor(500_000).await, Some(false));
}

/// Two runs of 50 and 55 ms have an interval that begins at 0. They are longer than 0.5 ms even so.
#[tokio::test]
async fn few_runs_that_differ_are_not_lost_in_noise() {
    let few = Fake::new(|_| Some(ok(50_000_000, 1 << 20))).bending(|mut response| {
        if let Response::Batch(ran) = &mut response
            && ran.warm_up.is_some()
        {
            ran.repetitions.truncate(2);
            ran.repetitions[1].sample.wall_ns += 5_000_000;
        }
        Some(response)
    });
    let told = profile(over(&[1]), few).await;
    let size = &told.report().sizes[0];
    let headline = size.figures.and_then(|figures| figures.headline).expect("a headline");
    assert_eq!(headline.interval.map(|interval| interval.low), Some(0.0));
    assert_eq!(size.below_noise_floor, Some(false));
}

#[tokio::test]
async fn net_runtime_below_zero_stays_as_it_is() {
    let told = profile(over(&[1]), Fake::new(|_| Some(ok(EMPTY_NS - 10_000, 1 << 20)))).await;
    assert!(told.report().sizes[0].net_runtime_ms.expect("a net runtime") < 0.0);
}

#[tokio::test]
async fn size_that_failed_has_no_net_runtime() {
    let told = profile(over(&[1_000]), failing(Ending::Exited(1))).await;
    let size = &told.report().sizes[0];
    assert_eq!((size.net_runtime_ms, size.below_noise_floor), (None, None));
}

#[tokio::test]
async fn empty_program_that_does_not_compile_is_a_warning() {
    let none = |compiled: &mut Compiled| {
        compiled.binary = None;
    };
    let told = profile(over(&[1]), with_compiler(|nth| nth == 2, none)).await;
    assert_eq!((told.warnings(), &told.report().start_up), (vec!["no_start_up"], &None));
}

#[tokio::test]
async fn empty_program_that_fails_is_a_warning() {
    let fails = beside(|ran| ran.repetitions[0].ending = Ending::Exited(1));
    let told = profile(over(&[1]), fails).await;
    assert_eq!((told.warnings(), told.host().calibration_ms), (vec!["no_start_up"], None));
}

#[tokio::test]
async fn start_up_is_on_the_reports_clock() {
    let draft = asking(over(&[1]), |job| job.runtime_clock = RuntimeClock::Cpu.into());
    let idle = beside(|ran| {
        ran.repetitions.iter_mut().for_each(|execution| execution.sample.cpu_ns = Some(500_000));
    });
    let told = profile(draft, idle).await;
    assert_eq!(told.report().start_up.map(|it| it.runtime_ms), Some(0.5));
}

#[tokio::test]
async fn start_up_is_no_event() {
    assert_eq!(
        profile(over(&[1]), linear()).await.kinds(),
        ["compiled", "size_measured", "finished"]
    );
}
