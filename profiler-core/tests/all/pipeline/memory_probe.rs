//! The memory probe.

use crate::pipeline::harness::*;
use crate::pipeline::input_candidates::{described, line};
use profiler_core::sandbox::fake::{BASE_RSS, Fake};
use profiler_proto::v1::{
    Growth, InputExperiment, OnMemoryLimit, Outcome, TestCase, TestOrder, WarningCode,
};
use runner_protocol::{
    Breach, Ending, HELD_SLACK_BYTES, Input, Probed, Request, Response, Run, Subject, Variant,
};

/// A linear program whose probe `bend` changes.
fn probed(bend: impl Fn(&mut Probed) + Send + Sync + 'static) -> Fake {
    linear().bending(move |mut response| {
        if let Response::Probed(probed) = &mut response {
            bend(probed);
        }
        Some(response)
    })
}

#[tokio::test]
async fn size_is_looked_into() {
    let told = profile(over(&[0]), linear()).await;
    let memory = told.report().sizes[0].memory.expect("memory");
    let seen = (memory.data_stack_mb, memory.size_mb, memory.heap_mb, memory.stack_mb);
    assert_eq!(seen, (Some(3.0), Some(6.0), Some(0.0), None));
    assert_eq!(memory.statm.map(|statm| statm.resident_mb), Some(3.0));
}

#[tokio::test]
async fn sandbox_that_may_not_look_has_nothing_to_say() {
    let told = profile(over(&[0]), probed(|probed| probed.memory = None)).await;
    assert_eq!((told.report().sizes[0].memory, told.warnings()), (None, vec![]));
}

#[tokio::test]
async fn cgroups_peak_is_that_of_the_look() {
    let with_peak = probed(|probed| {
        let memory = probed.memory.as_mut().expect("memory");
        memory.cgroup_peak_bytes = Some(2 * BASE_RSS);
    });
    let told = profile(over(&[0]), with_peak).await;
    let memory = told.report().sizes[0].memory.expect("memory");
    assert_eq!((memory.cgroup_peak_mb, memory.data_stack_mb), (Some(6.0), Some(3.0)));
}

#[tokio::test]
async fn look_that_ends_otherwise_is_a_warning_and_no_failure() {
    let slow = |probed: &mut Probed| probed.execution.ending = Ending::Stopped(Breach::Wall(1));
    let told = profile(over(&[0]), probed(slow)).await;
    let warning = &told.report().warnings[0];
    assert_eq!(warning.code(), WarningCode::ProbeDiffers);
    assert!(warning.message.ends_with("stopped at its time limit"), "{}", warning.message);
    assert_eq!(told.runtimes_ms(), [1.0]);
    assert_eq!(told.report().sizes[0].memory, None);
}

/// Whether a run is one at a prime, for growth. It is not timed.
fn is_at_a_prime(run: &Run) -> bool {
    let is_prime = |n: u64| n > 10 && (2..=n.isqrt()).all(|factor| !n.is_multiple_of(factor));
    matches!(run.input, Input::Size(n) if is_prime(n))
}

/// The places of the runs of the program and of its probes among the requests.
fn timed_and_probed(told: &Told) -> [Vec<usize>; 2] {
    let places = |is_so: fn(&Request) -> bool| {
        let all = told.heard.iter().enumerate();
        all.filter(|(_, request)| is_so(request)).map(|(place, _)| place).collect()
    };
    let is_timed = |request: &Request| match request {
        Request::Run(run) => run.subject == Subject::Build(Variant::Plain) && !is_at_a_prime(run),
        _ => false,
    };
    [places(is_timed), places(|request| matches!(request, Request::Probe(_)))]
}

#[tokio::test]
async fn no_run_is_timed_after_a_probe() {
    let sizes = [1, 10, 100, 999];
    let tested = asking(over(&sizes), |job| {
        job.test_cases = vec![TestCase::default()];
        job.test_order = TestOrder::After.into();
        job.growth = Growth::Full.into();
    });
    // The size that fails has no probe, and the one before it runs once more in a new sandbox.
    let failed = asking(over(&[1, 10, 100, 999, 1_000]), |job| job.growth = Growth::Timed.into());
    for (draft, program, further) in [
        (tested, linear(), 3),
        (failed, failing(Ending::Exited(1)), 2),
        (over(&sizes), linear(), 0),
    ] {
        let told = profile(draft, program).await;
        let [timed, probed] = timed_and_probed(&told);
        assert!(timed.len() >= sizes.len() + further, "{timed:?}");
        assert_eq!(probed.len(), sizes.len());
        assert!(timed.last() < probed.first(), "{timed:?} {probed:?}");
        assert!(told.report().sizes[..4].iter().all(|size| size.memory.is_some()));
    }
}

/// The sizes take 4.5 ms and 5.5 ms, and a quarter of the time for probes is 5 ms.
#[tokio::test]
async fn brief_job_has_short_probes() {
    let draft = asking(over(&[10, 35_000, 45_000]), |job| job.precision = Some(0.1));
    let told = profile(draft, linear()).await;
    let sizes = &told.report().sizes[1..];
    let are_probed: Vec<_> = sizes.iter().map(|size| size.memory.is_some()).collect();
    assert_eq!(are_probed, [true, false]);
}

/// Sizes that only growth needs put their inputs into the sandbox in between.
#[tokio::test]
async fn probe_finds_the_input_of_its_size() {
    let draft = asking(described(&[30, 100], vec![line("", "n")]), |job| {
        job.input_experiment = InputExperiment::Off.into();
        job.growth = Growth::Full.into();
    });
    let told = profile(draft, Fake::costing(0, 1 << 20)).await;
    assert!(timed_and_probed(&told)[0].len() > 2);
    for size in &told.report().sizes {
        let held_mb = size.memory.and_then(|memory| memory.resident_mb);
        assert_eq!(held_mb, size.input_bytes.map(|bytes| 3.0 + bytes as f64));
    }
}

#[tokio::test]
async fn probe_over_the_memory_limit_can_end_the_job() {
    let over_limit =
        probed(|probed| probed.execution.ending = Ending::Stopped(Breach::Resident(1 << 40)));
    let draft = asking(over(&[1, 2]), |job| job.on_memory_limit = OnMemoryLimit::Abort.into());
    let told = profile(draft, over_limit).await;
    assert_eq!(told.error(), "memory: size 1 exceeded the memory limit");
    assert_eq!(told.kinds(), ["compiled", "size_measured", "size_measured", "failed"]);
}

/// A size's memory and the warnings, if the probe held `less` than the repetitions.
async fn held_less(less: u64) -> (bool, Vec<&'static str>) {
    let fake = linear().bending(move |mut response| {
        if let Response::Batch(batch) = &mut response {
            for repetition in &mut batch.repetitions {
                repetition.sample.peak_rss_bytes = BASE_RSS + less;
            }
        }
        Some(response)
    });
    let told = profile(over(&[0]), fake).await;
    (told.report().sizes[0].memory.is_some(), told.warnings())
}

#[tokio::test]
async fn look_that_holds_clearly_less_says_nothing() {
    assert_eq!(held_less(HELD_SLACK_BYTES).await, (true, vec![]));
    assert_eq!(held_less(HELD_SLACK_BYTES + 1).await, (false, vec!["probe_differs"]));
}

#[tokio::test]
async fn look_over_the_memory_limit_is_the_outcome() {
    let over_limit =
        probed(|probed| probed.execution.ending = Ending::Stopped(Breach::Resident(1 << 40)));
    let told = profile(over(&[0]), over_limit).await;
    let size = &told.report().sizes[0];
    assert_eq!((size.outcome(), size.peak_memory_mb()), (Outcome::MemoryLimit, f64::INFINITY));
    assert!(size.memory.is_some() && size.net_runtime_ms.is_none());
    assert_eq!(told.warnings(), ["runtime_failure", "unstable"]);
}

/// The peak and the warnings of a program with one process or several, whose cgroup's peak is `more`
/// bytes above its resident set.
async fn peak(more: Option<u64>, concurrent: bool) -> (f64, Vec<&'static str>) {
    let fake = linear().bending(move |mut response| {
        match &mut response {
            Response::Probed(probed) => {
                if let Some(memory) = &mut probed.memory {
                    memory.cgroup_peak_bytes = more.map(|more| BASE_RSS + more);
                }
            }
            Response::Batch(batch) => {
                for repetition in &mut batch.repetitions {
                    repetition.sample.concurrent = concurrent;
                }
            }
            _ => {}
        }
        Some(response)
    });
    let told = profile(over(&[0]), fake).await;
    let warnings = told.warnings().into_iter().filter(|code| *code != "wall_clock");
    (told.report().sizes[0].peak_memory_mb(), warnings.collect())
}

#[tokio::test]
async fn cgroup_count_far_above_the_resident_set_is_peak() {
    assert_eq!(peak(Some(HELD_SLACK_BYTES), true).await, (3.0, vec![]));
    let more = HELD_SLACK_BYTES + (1 << 20);
    assert_eq!(peak(Some(more), false).await, (20.0, vec!["memory_beside"]));
}

#[tokio::test]
async fn peak_of_several_processes_is_marked_without_a_cgroup() {
    assert_eq!(peak(None, true).await, (3.0, vec!["largest_process"]));
    assert_eq!(peak(None, false).await, (3.0, vec![]));
}

/// The number of memory probes at size 1000.
async fn looks(fake: Fake) -> usize {
    let told = profile(over(&[1_000]), fake).await;
    told.heard.iter().filter(|request| matches!(request, Request::Probe(_))).count()
}

#[tokio::test]
async fn size_that_failed_is_not_looked_into() {
    assert_eq!(looks(failing(Ending::Exited(1))).await, 0);
}

/// A run takes 0.4 ms for each element: at 1000, more than a quarter of the budget.
#[tokio::test]
async fn size_that_takes_long_is_not_looked_into() {
    assert_eq!(looks(Fake::costing(400_000, 8)).await, 0);
    assert_eq!(looks(Fake::costing(100_000, 8)).await, 1);
}
