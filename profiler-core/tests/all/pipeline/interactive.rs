//! Interactive tasks.

use crate::pipeline::harness::*;
use profiler_core::job::Draft;
use profiler_core::sandbox::fake::{DOES_NOT_COMPILE, Fake, INTERACTOR_NS};
use profiler_proto::v1::{ErrorCode, Interactor, OtherProgram, Outcome, RuntimeClock, SizeResult};
use runner_protocol::{Ending, InteractorRun, Request, Response, Run, Variant};

fn interactive_task(sizes: &[u64]) -> Draft {
    talking_to(sizes, "int main() {}")
}

fn talking_to(sizes: &[u64], source: &str) -> Draft {
    let interactor = Interactor { code_cpp: source.into(), compiler_flags: vec!["-O1".into()] };
    asking(over(sizes), |job| job.interactor = Some(interactor))
}

/// A linear program whose interactive runs `bend` changes.
fn with_interactor_runs(bend: impl Fn(&mut InteractorRun) + Send + Sync + 'static) -> Fake {
    linear().bending(move |mut response| {
        if let Response::Batch(ran) = &mut response {
            ran.interactor_runs.iter_mut().for_each(&bend);
        }
        Some(response)
    })
}

fn timed(told: &Told) -> Vec<&Run> {
    let runs = told.heard.iter().filter_map(|request| match request {
        Request::Run(run) => Some(run),
        _ => None,
    });
    runs.filter(|run| run.interactor.is_some()).collect()
}

#[tokio::test]
async fn both_sides_are_told_apart() {
    let told = profile(interactive_task(&[10]), linear()).await;
    assert_eq!((told.error().as_str(), told.warnings()), ("none", vec![]));
    let report = told.report();
    let size = &report.sizes[0];
    let interactor = size.interactor.as_ref().unwrap();
    assert_eq!((size.outcome(), interactor.outcome()), (Outcome::Ok, Outcome::Ok));
    let cpu = interactor.figures.unwrap().headline.unwrap().ms;
    let total = interactor.total_wall_ms.unwrap().median;
    assert_eq!((size.runtime_ms(), cpu, total), (1.001, INTERACTOR_NS as f64 / 1e6, 3.001));
    assert_eq!((report.runtime_clock(), size.stdout.is_none()), (RuntimeClock::Cpu, true));
    let reason = &report.runtime_clock_reason;
    assert!(reason.contains("interactor"), "{reason}");
}

#[tokio::test]
async fn interactor_is_compiled_once_with_its_own_flags() {
    let told = profile(interactive_task(&[1, 2]), linear()).await;
    let compiled = told.heard.iter().filter_map(|request| match request {
        Request::Compile(compile) => Some((compile.variant, &compile.flags[..])),
        _ => None,
    });
    let of_it: Vec<_> = compiled.filter(|(variant, _)| *variant == Variant::Interactor).collect();
    assert_eq!(of_it, [(Variant::Interactor, &["-O1".to_owned()][..])]);
    let step = told.report().interactor_compile.as_ref().unwrap();
    assert_eq!(step.command, "g++ -O1 main.cpp -o main.out");
}

#[tokio::test]
async fn interactive_run_has_no_warm_up_and_no_probe() {
    let told = profile(interactive_task(&[1, 2]), linear()).await;
    assert_eq!(timed(&told).iter().map(|run| run.warm_up).collect::<Vec<_>>(), [false, false]);
    assert!(!told.heard.iter().any(|request| matches!(request, Request::Probe(_))));
}

/// A task whose questions are counted.
fn counting(sizes: &[u64]) -> Draft {
    asking(interactive_task(sizes), |job| job.count_questions = true)
}

fn questions(told: &Told) -> Vec<Option<u64>> {
    told.report().sizes.iter().map(|size| size.questions).collect()
}

#[tokio::test]
async fn questions_are_counted_in_one_more_run_after_the_timed_ones() {
    let told = profile(counting(&[1, 20]), linear()).await;
    assert_eq!((questions(&told), told.warnings()), (vec![Some(1), Some(20)], vec![]));
    let counts: Vec<_> = timed(&told).iter().map(|run| run.counts_lines).collect();
    assert_eq!(counts, [false, false, true, true]);
    let limits = timed(&told).iter().map(|run| (run.limits, run.interactor)).collect::<Vec<_>>();
    assert!(limits.iter().all(|it| *it == limits[0]));
    assert_eq!(timed(&told)[2].stop.most, 1);
}

#[tokio::test]
async fn questions_are_counted_only_on_request() {
    let told = profile(interactive_task(&[1]), linear()).await;
    assert_eq!((questions(&told), timed(&told).len()), (vec![None], 1));
    let alone = profile(asking(over(&[1]), |job| job.count_questions = true), linear()).await;
    assert_eq!((questions(&alone), timed(&alone).len()), (vec![None], 0));
}

#[tokio::test]
async fn counting_run_that_fails_leaves_the_size_as_it_is() {
    let crashing = with_interactor_runs(|run| {
        if run.lines.is_some() {
            run.execution.ending = Ending::Signaled(11);
        }
    });
    let told = profile(counting(&[1]), crashing).await;
    let size = &told.report().sizes[0];
    assert_eq!((size.outcome(), size.questions), (Outcome::Ok, None));
    assert!(size.interactor.as_ref().unwrap().outcome() == Outcome::Ok);
    let rejecting = with_interactor_runs(|run| run.execution.ending = Ending::Exited(1));
    let told = profile(counting(&[1]), rejecting).await;
    assert_eq!(timed(&told).len(), 1, "a size that failed is not run again");
}

/// A program can tell by time that its questions are counted, and then think more and ask less.
#[tokio::test]
async fn questions_of_a_run_that_did_other_work_are_not_told() {
    let thinking = linear().bending(|mut response| {
        if let Response::Batch(ran) = &mut response
            && ran.interactor_runs.iter().any(|run| run.lines.is_some())
        {
            ran.repetitions[0].sample.cpu_ns = Some(50_000_000);
        }
        Some(response)
    });
    let told = profile(counting(&[1]), thinking).await;
    assert_eq!((questions(&told), told.warnings()), (vec![None], vec!["not_counted"]));
    let warning = &told.report().warnings[0].message;
    assert!(warning.contains("took 50.0 ms of processor time, unlike the timed runs"), "{warning}");
}

#[tokio::test]
async fn questions_of_each_program_of_a_comparison_are_counted_once() {
    let against =
        OtherProgram { code_cpp: "int main() { return 0; }".into(), ..Default::default() };
    let draft = asking(counting(&[1]), |job| job.against = Some(against));
    let told = profile(draft, linear()).await;
    let report = told.report();
    let turns = [report].into_iter().chain(&report.turns);
    let counted: Vec<_> = turns.map(|turn| turn.sizes[0].questions.is_some()).collect();
    assert_eq!(counted, [true, true, false, false]);
}

#[tokio::test]
async fn program_alone_runs_with_an_interactor() {
    let told = profile(interactive_task(&[1]), linear()).await;
    let runs = told.heard.iter().filter(|request| matches!(request, Request::Run(_))).count();
    // The calibration and the start-up.
    assert_eq!(runs - timed(&told).len(), 2);
}

#[tokio::test]
async fn interactor_that_does_not_compile_ends_the_run() {
    let told = profile(talking_to(&[1], DOES_NOT_COMPILE), linear()).await;
    let error = told.ended.as_ref().unwrap_err();
    assert_eq!(error.code(), ErrorCode::Compile);
    assert!(error.message.starts_with("the interactor does not compile: "), "{error:?}");
    assert!(told.report().compile.as_ref().unwrap().diagnostics.is_empty());
    assert_eq!(told.report().interactor_compile.as_ref().unwrap().diagnostics.len(), 1);
    assert_eq!(told.alive, 0);
}

#[tokio::test]
async fn rejection_is_a_protocol_error() {
    let rejecting = with_interactor_runs(|run| {
        run.execution.ending = Ending::Exited(1);
        run.left_first = true;
    });
    let told = profile(interactive_task(&[1, 2]), rejecting).await;
    let outcomes: Vec<_> = told.report().sizes.iter().map(SizeResult::outcome).collect();
    assert_eq!(outcomes, [Outcome::ProtocolError; 2]);
    assert_eq!(told.report().hotspots["_crash"], "PROTOCOL_ERROR");
    assert_eq!(told.runtimes_ms(), [f64::INFINITY; 2]);
}

#[tokio::test]
async fn interactor_that_crashes_says_nothing_of_the_program() {
    let crashing = with_interactor_runs(|run| run.execution.ending = Ending::Signaled(11));
    let told = profile(interactive_task(&[1]), crashing).await;
    let size = &told.report().sizes[0];
    assert_eq!(size.outcome(), Outcome::InteractorFailed);
    let evidence = size.interactor.as_ref().unwrap().evidence.as_ref().unwrap();
    assert_eq!(evidence.signal(), "SIGSEGV");
    assert_eq!(told.report().warnings[0].message, "the interactor failed");
}

#[tokio::test]
async fn interactor_runs_are_absent_without_an_interactor() {
    let told = profile(over(&[1]), linear()).await;
    assert!(timed(&told).is_empty());
    assert!(told.report().sizes[0].interactor.is_none());
    assert!(told.report().interactor_compile.is_none());
}
