//! Growth of time and memory, from all measurements of a job.

#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

mod primes;

use crate::pipeline::harness::*;
use profiler_core::job::{Draft, Job};
use profiler_core::limits::{MAX_CHOSEN_SIZE, MAX_SIZE};
use profiler_core::sandbox::fake::{BASE_NS, BASE_RSS, Fake, ended, ok};
use profiler_growth::Class;
use profiler_input::InputSpec;
use profiler_input::spec::variable::Kind;
use profiler_input::spec::{Items, Layout, Permutation, Variable, layout};
use profiler_proto::v1::{Growth, Interactor, SignalKind};
use runner_protocol::{Breach, Ending, Input, Request, Response, Run};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

/// The largest size of the input check.
const CHECKED: u64 = 24;
const AMPLE_SHARE: f64 = 1e6;
const SHORT: [u64; 6] = [1, 1_000, 5_000, 10_000, 20_000, 50_000];
/// The line whose instructions grow.
const LINE: u32 = 7;
const SIZES: [u64; 6] = [1, 1_000, 10_000, 100_000, 500_000, 1_000_000];

fn full(sizes: &[u64]) -> Draft {
    asking(over(sizes), |job| job.growth = Growth::Full.into())
}

fn timed(sizes: &[u64]) -> Draft {
    asking(over(sizes), |job| job.growth = Growth::Timed.into())
}

/// Runs a job that is counted by default. Fake runs take no time, so its share of that time is larger
/// than a setting may allow.
async fn counted(sizes: &[u64], backend: Fake) -> Told {
    let mut job = Job::try_from(over(sizes)).unwrap();
    job.growth_share = AMPLE_SHARE;
    profile_job(job, backend, None, |_| None).await
}

/// The sizes of a signal of time. If it is one of a line, it is that of [`LINE`].
fn points(told: &Told, kind: SignalKind) -> Vec<u64> {
    let mut signals = told.time_growth().signals.iter();
    let found =
        signals.find(|signal| signal.kind() == kind && signal.line.is_none_or(|line| line == LINE));
    found.map_or(Vec::new(), |signal| signal.points.iter().map(|point| point.size).collect())
}

/// The sizes that were counted in forked processes, in order, without those of the input check.
fn forked_sizes(told: &Told) -> Vec<u64> {
    let sizes = told.heard.iter().filter_map(|request| match request {
        Request::CountForked(Run { input: Input::Size(size), .. })
        | Request::CountByLine(Run { input: Input::Size(size), .. }) => Some(*size),
        _ => None,
    });
    sizes.filter(|&size| size > CHECKED).collect()
}

#[tokio::test]
async fn linear_program_is_told_from_its_times() {
    let told = profile(timed(&SIZES), linear()).await;
    assert_eq!(told.memory_growth().class(), Some(Class::Linear), "{:?}", told.memory_growth());
    assert_eq!(told.growth().effort(), Growth::Timed);
    assert_eq!(points(&told, SignalKind::Runtime), SIZES);
    assert!(told.heard.iter().all(|request| !matches!(request, Request::Count(_))));
    let exponent = told.time_growth().exponent.unwrap();
    assert!((0.9..1.1).contains(&exponent), "{exponent}");
}

#[tokio::test]
async fn full_adds_sizes_and_counts_and_leaves_the_lists_alone() {
    let told = profile(full(&SIZES), linear()).await;
    let sizes: Vec<_> = told.report().sizes.iter().map(|result| result.size).collect();
    assert_eq!(sizes, SIZES);
    assert_eq!(told.kinds().iter().filter(|&&kind| kind == "size_measured").count(), SIZES.len());
    let seen = points(&told, SignalKind::Runtime);
    assert!(seen.len() > SIZES.len() + 3, "{seen:?}");
    for kind in [SignalKind::Instructions, SignalKind::OwnInstructions, SignalKind::Line] {
        assert!(points(&told, kind).len() >= 4, "{kind:?}");
    }
    assert_eq!(told.time_growth().class(), Some(Class::Linear), "{:?}", told.time_growth());
    assert_eq!(told.warnings(), Vec::<&str>::new());
}

#[tokio::test]
async fn added_size_whose_runs_lie_in_two_groups_is_no_evidence() {
    let requested = SHORT.len() as u64;
    let batches = AtomicU64::new(0);
    let slow_later = with_runs(move |ran| {
        if batches.fetch_add(1, Ordering::SeqCst) >= requested {
            for slow in &mut ran.repetitions[1..3] {
                slow.sample.cpu_ns = slow.sample.cpu_ns.map(|ns| ns * 20);
            }
        }
    });
    let told = profile(full(&SHORT), slow_later).await;
    assert_eq!(points(&told, SignalKind::Runtime), SHORT);
    let time = told.time_growth();
    assert!(time.class().is_some(), "{}", time.undecided_reason);
}

#[tokio::test]
async fn default_counts_each_size_by_line_and_one_again() {
    let told = counted(&SHORT, linear()).await;
    let by_line = told.heard.iter().filter(|request| matches!(request, Request::CountByLine(_)));
    assert_eq!(by_line.count(), SHORT.len() - 1 + 2, "and two primes");
    assert_eq!(points(&told, SignalKind::Line), SHORT[1..]);
    let counts = told.heard.iter().filter(|request| matches!(request, Request::Count(_)));
    let forked = forked_sizes(&told);
    assert_eq!((counts.count(), &forked[SHORT.len() - 1..]), (1, &[49_999, 9_973][..]));
    assert_eq!(told.warnings(), Vec::<&str>::new());
}

#[tokio::test]
async fn default_counts_whole_runs_where_lines_cannot_be() {
    let told = counted(&SHORT, linear().without_lines()).await;
    assert_eq!(told.growth().effort(), Growth::Counted);
    assert_eq!(points(&told, SignalKind::Runtime), SHORT);
    assert_eq!(points(&told, SignalKind::Instructions), SHORT[1..]);
    let again = told.heard.iter().filter(|request| matches!(request, Request::Count(_))).count();
    assert_eq!((again, forked_sizes(&told).len()), (1, 1 + SHORT.len() - 1 + 2));
    assert_eq!(told.time_growth().class(), Some(Class::Linear), "{:?}", told.time_growth());
    assert_eq!(told.warnings(), Vec::<&str>::new());
}

#[tokio::test]
async fn share_of_nothing_counts_nothing() {
    let draft = Draft { growth_share: Some(0.0), ..over(&SIZES) };
    let told = profile(draft, linear()).await;
    let counting =
        |request: &Request| matches!(request, Request::Count(_) | Request::CountByLine(_));
    assert!(!told.heard.iter().any(counting));
    assert_eq!(told.growth().effort(), Growth::Counted);
}

#[tokio::test]
async fn counts_that_vary_are_dropped() {
    let runs = AtomicU64::new(1);
    let varying = linear().bending(move |mut response| {
        if let Response::Counted(counted) = &mut response
            && !is_of_empty(counted)
        {
            let run = runs.fetch_add(1, Ordering::SeqCst);
            counted.instructions =
                counted.instructions.clone().map(|count| count + run * 10_000_000);
        }
        Some(response)
    });
    let told = counted(&SHORT, varying).await;
    assert_eq!(points(&told, SignalKind::Instructions), Vec::<u64>::new());
    assert_eq!(told.warnings(), ["not_deterministic"]);
}

#[tokio::test]
async fn growth_is_counted_in_a_sandbox_in_which_nothing_was_timed() {
    let in_own = Arc::new(AtomicU64::new(0));
    let count = in_own.clone();
    let program = linear().bending_in(move |sandbox, response| {
        if matches!(response, Response::Lines(_)) && sandbox == 0 {
            count.fetch_add(1, Ordering::SeqCst);
        }
        Some(response)
    });
    let told = counted(&SHORT, program).await;
    assert_eq!(points(&told, SignalKind::Line), SHORT[1..]);
    assert_eq!(in_own.load(Ordering::SeqCst), 0);
    assert_eq!(told.alive, 0, "every sandbox is gone");
}

#[tokio::test]
async fn counts_that_contradict_the_timed_runs_are_dropped() {
    let forged = linear().bending(|mut response| {
        if let Response::Counted(counted) = &mut response
            && !is_of_empty(counted)
        {
            counted.instructions = Ok(1_000_000);
        }
        Some(response)
    });
    let moved = linear().bending(|mut response| {
        if let Response::Counted(counted) = &mut response
            && !is_of_empty(counted)
        {
            counted.execution.sample.sys_ns = 1_000_000_000;
        }
        Some(response)
    });
    for program in [forged, moved] {
        let told = counted(&SHORT, program).await;
        assert_eq!(points(&told, SignalKind::Instructions), Vec::<u64>::new());
        assert_eq!(told.warnings(), ["not_counted"]);
        let message = &told.report().warnings[0].message;
        assert!(message.ends_with(", so growth is classified without counts"), "{message}");
    }
}

/// A program that forges the count of its largest size may have forged all of them.
#[tokio::test]
async fn no_count_decides_if_the_count_of_a_size_contradicts_its_timed_runs() {
    for effort in [Growth::Timed, Growth::Counted, Growth::Full] {
        let forged = linear().bending(|mut response| {
            if let Response::Counted(counted) = &mut response
                && counted.instructions.as_ref().is_ok_and(|count| *count > 200_000_000)
            {
                counted.instructions = Ok(2_500_000);
            }
            Some(response)
        });
        let draft = asking(over(&SIZES), |job| {
            (job.instructions, job.growth) = (true, effort.into());
        });
        let mut job = Job::try_from(draft).unwrap();
        job.growth_share = AMPLE_SHARE;
        let told = profile_job(job, forged, None, |_| None).await;
        let counted = told.report().sizes.iter().filter(|size| size.instructions.is_some());
        assert_eq!(counted.count(), SIZES.len() - 1);
        for kind in [SignalKind::Instructions, SignalKind::OwnInstructions, SignalKind::Line] {
            assert_eq!(points(&told, kind), Vec::<u64>::new(), "{effort:?}");
        }
        assert_eq!(told.warnings(), ["not_counted"], "{effort:?}");
        let message = &told.report().warnings[0].message;
        assert!(message.ends_with(", so growth is classified without counts"), "{message}");
    }
}

/// Counts do not include the kernel's work.
#[tokio::test]
async fn time_alone_decides_if_the_kernel_does_the_work() {
    let confidence = async |in_kernel: bool| {
        let program = Fake::new(move |n| {
            let mut run = well(n);
            if in_kernel {
                (run.sample.user_ns, run.sample.sys_ns) = (0, run.sample.user_ns);
            }
            Some(run)
        });
        counted(&SIZES, program).await.time_growth().confidence
    };
    let [counted, alone] = [confidence(false).await, confidence(true).await];
    assert_ne!(counted, alone);
}

#[tokio::test]
async fn run_that_ends_early_has_the_growth_of_its_sizes() {
    let greedy = Fake::new(|n| {
        let bytes = BASE_RSS + 64 * n * n;
        let killed = Ending::Stopped(Breach::Resident(bytes));
        let ns = BASE_NS + 20 * n * n;
        Some(if n <= 2_000 { ok(ns, bytes) } else { ended(killed, ns, bytes) })
    });
    let told = profile(over(&[100, 250, 500, 1_000, 1_500, 2_000, 5_000]), greedy).await;
    assert!(told.error().starts_with("memory"), "{}", told.error());
    for growth in [told.time_growth(), told.memory_growth()] {
        assert_eq!(growth.class(), Some(Class::Quadratic), "{growth:?}");
    }
}

#[tokio::test]
async fn run_without_sizes_has_no_growth() {
    let broken = linear().bending(|response| match response {
        Response::Batch(_) => None,
        other => Some(other),
    });
    let told = profile(over(&SIZES), broken).await;
    assert_eq!(told.report().growth, None);
}

/// The input of a larger n is longer, also at additional sizes.
#[tokio::test]
async fn cost_by_the_byte_is_linear() {
    let permutation = Permutation { len: "n".into(), ..Permutation::default() };
    let line = Items { items: vec!["p".into()], omit_empty: false };
    let spec = InputSpec {
        vars: vec![Variable { name: "p".into(), kind: Some(Kind::Permutation(permutation)) }],
        layout: vec![Layout { kind: Some(layout::Kind::Line(line)) }],
        ..InputSpec::default()
    };
    let told = profile(asking(full(&SIZES), |job| job.input_specs = vec![spec]), linear()).await;
    assert!(points(&told, SignalKind::Runtime).len() > SIZES.len());
    assert_eq!(told.time_growth().class(), Some(Class::Linear), "{:?}", told.time_growth());
}

#[tokio::test]
async fn full_looks_between_what_works_and_what_does_not() {
    let doubling = Fake::new(|n| {
        let ns = BASE_NS + 4 * (1_u64 << n.min(40));
        let late = Ending::Stopped(Breach::Time(2_000_000_000));
        Some(if ns < 2_000_000_000 { ok(ns, BASE_RSS) } else { ended(late, ns, BASE_RSS) })
    });
    let told = profile(full(&[0, 1, 1_000]), doubling).await;
    assert_eq!(told.time_growth().class(), Some(Class::Exponential), "{:?}", told.time_growth());
}

#[tokio::test]
async fn sizes_stay_within_the_bound() {
    let bounded =
        asking(full(&SIZES[..4]), |job| job.input_bounds = [("n".into(), 200_000)].into());
    let told = profile(bounded, linear()).await;
    assert_eq!(points(&told, SignalKind::Runtime).last(), Some(&200_000));
    let prediction = told.time_growth().prediction.unwrap();
    assert_eq!((prediction.size, prediction.fits), (200_000, Some(true)));
}

/// A program may read n as an int, unless the job has a size that no int holds.
#[tokio::test]
async fn no_chosen_size_is_above_an_int_unless_a_requested_one_is() {
    for (requested, most) in
        [(MAX_CHOSEN_SIZE, MAX_CHOSEN_SIZE), (10_u64.pow(12), 10_u64.pow(13)), (MAX_SIZE, MAX_SIZE)]
    {
        let flat = Fake::new(|_| Some(ok(10 * BASE_NS, BASE_RSS)));
        let told = profile(full(&[1, requested]), flat).await;
        assert_eq!(points(&told, SignalKind::Runtime).last(), Some(&most), "{requested}");
    }
}

#[tokio::test]
async fn explicit_inputs_have_no_other_sizes() {
    let all = SIZES.map(|size| (size, vec![b'x'; usize::try_from(size).expect("small")]));
    let draft = asking(full(&SIZES), |job| job.inputs = inputs(all));
    let told = profile(draft, linear()).await;
    assert_eq!(points(&told, SignalKind::Runtime), SIZES);
    assert!(!points(&told, SignalKind::Instructions).is_empty());
}

/// A program that cannot be counted.
fn uncounted() -> Fake {
    linear().bending(|mut response| {
        if let Response::Counted(counted) = &mut response {
            counted.instructions = Err("it has threads".into());
        }
        Some(response)
    })
}

#[tokio::test]
async fn whole_runs_are_counted_where_lines_cannot_be() {
    let told = profile(full(&SIZES), linear().without_lines()).await;
    assert!(points(&told, SignalKind::Instructions).len() >= 4);
    let by_line = told.heard.iter().filter(|request| matches!(request, Request::CountByLine(_)));
    assert_eq!(by_line.count(), 1);
    assert!(points(&told, SignalKind::Line).is_empty());
    assert_eq!(told.warnings(), Vec::<&str>::new());
}

#[tokio::test]
async fn uncountable_growth_is_said_once() {
    let told = profile(full(&SIZES), uncounted()).await;
    assert_eq!(told.warnings(), ["growth_unsupported"]);
    assert!(told.time_growth().confidence.is_some());
}

#[tokio::test]
async fn default_says_nothing_of_what_cannot_be_counted() {
    let told = counted(&SHORT, uncounted()).await;
    assert_eq!(told.warnings(), Vec::<&str>::new());
    assert!(points(&told, SignalKind::Instructions).is_empty());
}

#[tokio::test]
async fn growth_of_interactive_tasks_is_not_said() {
    let interactor = Interactor { code_cpp: "int main() {}".into(), ..Interactor::default() };
    let draft = asking(full(&[1, 10]), |job| job.interactor = Some(interactor));
    let told = profile(draft, linear()).await;
    assert_eq!((told.error().as_str(), &told.report().growth), ("none", &None));
}
