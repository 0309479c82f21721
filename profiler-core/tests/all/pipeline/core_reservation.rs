//! Processor that measures, and what a report says about it.

use crate::pipeline::harness::*;
use async_trait::async_trait;
use futures::FutureExt;
use futures::future::pending;
use profiler_core::cancel::cancel_signal;
use profiler_core::error::SandboxFault;
use profiler_core::job::{Draft, Job};
use profiler_core::report::{Events, METHOD_VERSION};
use profiler_core::sandbox::fake::Fake;
use profiler_core::sandbox::{Backend, Cores, Pool, Sandbox};
use profiler_core::{Profiler, Turn, run_job};
use profiler_decode::counter_output::COUNTED_CPU;
use profiler_proto::v1::event::Kind;
use profiler_proto::v1::{
    CoreAwaited, ErrorCode, Growth, InputExperiment, Outcome, TestCase, TestOrder,
};
use runner_protocol::{Hello, Request, Response, Run, WordDigest};
use std::process;
use std::sync::atomic::Ordering;
use std::sync::{Arc, Mutex};
use std::time::Duration;
use tokio::sync::watch;
use tokio::time::sleep;

/// Time for which another job holds the core: longer than the fake compiler takes.
const HELD: Duration = Duration::from_millis(300);

/// `count` cores of one processor each, with addresses that no other process uses.
fn cores(count: u32, test: &str) -> Cores {
    let physical: Vec<_> = (0..count).map(|cpu| vec![cpu]).collect();
    Cores::divide(&physical, 1).with_addresses(format!("pipeline/{}/{test}/", process::id()))
}

/// Two sizes, measured on these cores.
async fn profile_on(cores: Cores, fake: Fake) -> Told {
    profile_in(over(&[1, 2]), fake, Some(cores), |_| None).await
}

#[tokio::test]
async fn program_has_a_core_of_its_own() {
    let told = profile_on(cores(3, "own"), linear()).await;
    assert_eq!(told.heard.first(), Some(&Request::KeepTo(vec![0, 1])));
    let pinned = told.heard.iter().filter_map(|request| match request {
        Request::Run(Run { core, .. }) | Request::Probe(Run { core, .. }) => Some(*core),
        _ => None,
    });
    // The calibration, the start-up, and the batches of two sizes. The probes of the sizes follow.
    let own = Some(2);
    assert_eq!(pinned.collect::<Vec<_>>(), [own, own, own, own, None, None]);
    assert_eq!(told.host().measured_core, Some(2));
    assert_eq!(told.host().neighbours, Some(0));
    assert_eq!(told.host().core_wait_ms, Some(0.0));
    assert_eq!(told.kinds(), ["compiled", "size_measured", "size_measured", "finished"]);
}

/// Kinds of the events of a run that may build and waits for its turn, until it has been built or
/// waits to build, and whether its input was checked.
async fn before_its_turn(cores: Option<Cores>, draft: Draft) -> (Vec<&'static str>, bool) {
    let pool = Pool::new(Arc::new(linear()), 0).with_cores(cores);
    let profiler = Profiler::new(pool.clone(), None);
    let job = Job::try_from(draft).unwrap();
    let ((mut events, mut told), (stopper, mut signal)) = (Events::new("run"), cancel_signal());
    let asked = async {
        stopper.cancel(ErrorCode::Cancelled);
        pending::<()>().await;
    };
    let turn = Turn { to_measure: asked.boxed(), ..Turn::now() };
    let ended = run_job(&job, &profiler, &mut events, &mut signal, turn).await.unwrap_err();
    drop(events);
    let mut kinds = Vec::new();
    while let Some(event) = told.recv().await {
        kinds.extend(event.kind.as_ref().map(name));
    }
    (kinds, ended.partial.unwrap().input_check.is_some())
}

#[tokio::test]
async fn program_is_compiled_before_its_turn_where_a_compiler_disturbs_nobody() {
    let before = async |cores| before_its_turn(cores, over(&[1])).await.0;
    assert_eq!(before(Some(cores(2, "ahead"))).await, ["compiled", "failed"]);
    assert_eq!(before(Some(cores(1, "one ahead"))).await, ["failed"]);
    assert_eq!(before(None).await, ["failed"]);
}

#[tokio::test]
async fn input_is_checked_before_the_jobs_turn_unless_tests_decide_first() {
    let first = |test_order: TestOrder| {
        asking(over(&[1_000, 2_000]), |job| {
            job.input_experiment = InputExperiment::First.into();
            job.test_cases = vec![TestCase { output: "7".into(), ..TestCase::default() }];
            job.test_order = test_order.into();
        })
    };
    let is_checked =
        async |order, name| before_its_turn(Some(cores(2, name)), first(order)).await.1;
    assert!(is_checked(TestOrder::After, "tried ahead").await);
    assert!(!is_checked(TestOrder::First, "tests ahead").await);
}

/// A backend whose sandboxes are stopped once the receiver says so, if they started before.
struct Losing(Fake, watch::Receiver<bool>);

#[async_trait]
impl Backend for Losing {
    fn name(&self) -> &'static str {
        self.0.name()
    }

    async fn start(&self) -> Result<Sandbox, SandboxFault> {
        let mut lost = self.1.clone();
        let is_late = *lost.borrow();
        let sandbox = self.0.start().await?;
        if is_late {
            return Ok(sandbox);
        }
        let stopped = async move {
            let _ = lost.wait_for(|is_lost| *is_lost).await;
            "it was paused".to_owned()
        };
        Ok(Sandbox { channel: sandbox.channel.unless_stopped(stopped), ..sandbox })
    }

    fn not_enforced(&self) -> Vec<String> {
        self.0.not_enforced()
    }
}

#[tokio::test]
async fn sandboxes_lost_before_the_runs_turn_are_replaced_and_one_build_is_told() {
    let right = linear().bending(|mut response| {
        if let Response::Batch(ran) = &mut response {
            ran.written.stdout_words_sha256 = WordDigest::of(b"7");
        }
        Some(response)
    });
    let (alive, (tell, lost)) = (right.alive(), watch::channel(false));
    let cores = Some(cores(2, "lost ahead"));
    let profiler =
        Profiler::new(Pool::new(Arc::new(Losing(right, lost)), 0).with_cores(cores), None);
    let job = asking(over(&[1, 2]), |job| {
        job.test_cases = vec![TestCase { output: "7".into(), ..TestCase::default() }];
        job.test_order = TestOrder::First.into();
    });
    let job = Job::try_from(job).unwrap();
    let ((mut events, mut told), (_stopper, mut signal)) = (Events::new("run"), cancel_signal());
    let asked = async {
        // The job's own sandbox, and those of its last size and of its counts.
        while alive.load(Ordering::SeqCst) < 3 {
            sleep(Duration::from_millis(1)).await;
        }
        tell.send(true).unwrap();
    };
    let turn = Turn { to_measure: asked.boxed(), ..Turn::now() };
    let report = run_job(&job, &profiler, &mut events, &mut signal, turn).await.unwrap();
    drop(events);
    let mut kinds = Vec::new();
    while let Some(event) = told.recv().await {
        kinds.extend(event.kind.as_ref().map(name));
    }
    assert_eq!(kinds, ["compiled", "size_measured", "size_measured", "finished"]);
    assert_eq!(report.test_cases[0].correct, Some(true));
    assert!(report.sizes.iter().all(|size| size.outcome() == Outcome::Ok));
    assert_eq!(alive.load(Ordering::SeqCst), 0);
}

/// A run of the check could do the work of a timed run beside it.
#[tokio::test]
async fn nothing_is_timed_while_the_input_is_checked() {
    let order = Arc::new(Mutex::new(String::new()));
    let answered = order.clone();
    let program = linear().bending(move |response| {
        match &response {
            Response::Counted(_) => answered.lock().unwrap().push('c'),
            Response::Batch(_) => answered.lock().unwrap().push('t'),
            _ => {}
        }
        Some(response)
    });
    let draft = asking(over(&[1_000, 2_000]), |job| {
        job.input_experiment = InputExperiment::First.into();
        job.growth = Growth::Timed.into();
    });
    let told = profile_in(draft, program, Some(cores(2, "checked")), |_| None).await;
    assert!(told.report().input_check.is_some());
    let order = order.lock().unwrap();
    let timed = order.trim_start_matches('c');
    assert!(timed.len() < order.len() && !timed.contains('c'), "{order}");
}

#[tokio::test]
async fn turn_ends_between_the_timed_runs_and_the_probes() {
    let order = Arc::new(Mutex::new(String::new()));
    let (answered, ended) = (order.clone(), order.clone());
    let program = linear().bending(move |response| {
        match &response {
            Response::Batch(_) => answered.lock().unwrap().push('t'),
            Response::Probed(_) => answered.lock().unwrap().push('p'),
            _ => {}
        }
        Some(response)
    });
    let pool = Pool::new(Arc::new(program), 0).with_cores(Some(cores(2, "turn")));
    let draft = asking(over(&[1_000, 2_000]), |job| {
        job.input_experiment = InputExperiment::Off.into();
        job.growth = Growth::Timed.into();
    });
    let (job, profiler) = (Job::try_from(draft).unwrap(), Profiler::new(pool, None));
    let ((mut events, _told), (_stopper, mut signal)) = (Events::new("run"), cancel_signal());
    let measured = Box::new(move || ended.lock().unwrap().push('m'));
    let turn = Turn { measured, ..Turn::now() };
    run_job(&job, &profiler, &mut events, &mut signal, turn).await.unwrap();
    let order = order.lock().unwrap();
    assert_eq!(order.trim_start_matches('t'), "mpp", "{order}");
}

#[tokio::test]
async fn report_on_one_core_promises_nothing() {
    let told = profile_on(cores(1, "one"), linear()).await;
    assert_eq!(told.warnings(), ["one_core"]);
    assert_eq!(told.host().measured_core, None);
}

#[tokio::test]
async fn profiler_not_told_of_cores_pins_nothing() {
    let told = profile(over(&[1]), linear()).await;
    let host = told.host();
    assert_eq!((host.measured_core, host.neighbours, told.warnings()), (None, None, vec![]));
    assert_eq!(host.core_wait_ms, None);
}

/// Another process measures on the last core, which is tried first.
#[tokio::test]
async fn neighbours_are_counted() {
    let cores = cores(3, "neighbours");
    let taken = cores.clone().take().await;
    let two = Cores::divide(&[vec![0], vec![1], vec![2]], 2)
        .with_addresses(format!("pipeline/{}/neighbours/", process::id()));
    let told = profile_on(two, linear()).await;
    drop(taken);
    let host = told.host();
    assert_eq!((host.measured_core, host.neighbours), (Some(1), Some(1)));
}

#[tokio::test]
async fn wait_for_a_core_is_told_and_measured() {
    let cores = cores(2, "waits");
    let taken = cores.take().await;
    let free = async {
        sleep(HELD).await;
        drop(taken);
    };
    let (told, ()) = tokio::join!(profile_on(cores, linear()), free);
    let kinds = ["compiled", "core_awaited", "size_measured", "size_measured", "finished"];
    assert_eq!(told.kinds(), kinds);
    let numbers: Vec<_> = told.events.iter().map(|event| event.sequence).collect();
    assert_eq!(numbers, [1, 2, 3, 4, 5]);
    let awaited = CoreAwaited { core: 1, holder: "another job of this swiftprof".into() };
    assert_eq!(told.said().nth(1), Some(&Kind::CoreAwaited(awaited)));
    let waited = told.host().core_wait_ms.unwrap();
    assert!(waited > 0.0, "{waited}");
}

#[tokio::test]
async fn run_that_never_gets_a_core_says_how_long_it_waited() {
    let cores = cores(2, "never");
    let _taken = cores.take().await;
    let stop = |kind: &Kind| matches!(kind, Kind::CoreAwaited(_)).then_some(ErrorCode::Deadline);
    let told = profile_in(over(&[1, 2]), linear(), Some(cores), stop).await;
    assert_eq!(told.kinds(), ["compiled", "core_awaited", "failed"]);
    assert!(told.host().core_wait_ms.is_some_and(|ms| ms > 0.0), "{:?}", told.host());
}

#[tokio::test]
async fn core_is_free_again_when_a_run_has_ended() {
    let cores = cores(2, "free");
    profile_on(cores.clone(), linear()).await;
    assert_eq!(profile_on(cores, linear()).await.host().measured_core, Some(1));
}

#[tokio::test]
async fn fingerprint_is_the_hosts() {
    let of = async |fake| {
        let told = profile(over(&[1]), fake).await;
        assert_eq!(told.host().method_version, METHOD_VERSION);
        assert_eq!(told.host().counted_cpu, COUNTED_CPU);
        told.host().fingerprint.clone()
    };
    let with = |change: fn(&mut Hello)| {
        linear().bending(move |mut response| {
            if let Response::Hello(hello) = &mut response {
                change(hello);
            }
            Some(response)
        })
    };
    let (one, again) = (of(linear()).await, of(Fake::costing(1, 1)).await);
    assert_eq!(one, again);
    let model = of(with(|hello| hello.cpu_model = "another".into())).await;
    let flags = of(with(|hello| hello.cpu_flags = "another".into())).await;
    assert!(one.is_some() && one != model && one != flags, "{one:?} {model:?} {flags:?}");
}
