//! The experiment that finds out whether the input holds all that the program reads.

use crate::pipeline::harness::*;
use profiler_core::job::Draft;
use profiler_core::sandbox::fake::{BASE_NS, BASE_RSS, Fake, ok};
use profiler_proto::v1::{
    Growth, InputCheck, InputExperiment, InputUse, Interactor, Outcome, Schedule, SizeResult,
    TestCase,
};
use runner_protocol::{FileName, NamedFiles, Request, Response, Subject, Variant};
use std::sync::atomic::{AtomicU64, Ordering};

const SIZES: [u64; 5] = [1_000, 5_000, 10_000, 50_000, 100_000];

/// A program that works more on a continued input, up to a certain amount of it.
fn starved(program: Fake) -> Fake {
    let nth = AtomicU64::new(0);
    program.bending(move |response| Some(starving(&nth, response)))
}

/// The answer about the `nth` counted run of such a program, unless the empty program was counted.
fn starving(nth: &AtomicU64, mut response: Response) -> Response {
    if let Response::Counted(counted) = &mut response
        && !is_of_empty(counted)
    {
        // After the first run come two on continued inputs, and then both kinds in turn.
        let is_continued = matches!(nth.fetch_add(1, Ordering::SeqCst), 1 | 2 | 4 | 6);
        counted.instructions = Ok(if is_continued { 90_000_000 } else { 10_000_000 });
    }
    response
}

fn tried_first(draft: Draft) -> Draft {
    asking(draft, |job| job.input_experiment = InputExperiment::First.into())
}

fn input_use(told: &Told) -> Option<InputUse> {
    told.report().input_check.as_ref().map(InputCheck::input_use)
}

#[tokio::test]
async fn program_that_needs_no_more_has_a_class() {
    let told = profile(over(&SIZES), linear()).await;
    assert_eq!((input_use(&told), told.warnings()), (Some(InputUse::Enough), vec![]));
    assert!(told.memory_growth().function.is_some());
}

#[tokio::test]
async fn starved_program_has_none_and_costs_no_extra_runs() {
    let draft = asking(over(&SIZES), |job| job.growth = Growth::Full.into());
    let told = profile(draft, starved(linear())).await;
    assert_eq!(told.warnings(), ["input_exhausted"]);
    assert_eq!(input_use(&told), Some(InputUse::Starved));
    for unknown in [told.time_growth(), told.memory_growth()] {
        assert_eq!((unknown.function, unknown.curve), (None, None));
        assert!(unknown.undecided_reason.contains("input"), "{unknown:?}");
    }
    let extra = |request: &&Request| matches!(request, Request::Trace(_) | Request::Allocate(_));
    assert_eq!(told.heard.iter().filter(extra).count(), 0);
}

#[tokio::test]
async fn class_on_declared_inputs_stays() {
    let all = SIZES.map(|size| (size, vec![b'1'; usize::try_from(size).expect("small")]));
    let draft = asking(over(&SIZES), |job| job.inputs = inputs(all));
    let told = profile(draft, starved(linear())).await;
    assert_eq!(
        (input_use(&told), told.warnings()),
        (Some(InputUse::Starved), vec!["input_exhausted"])
    );
    assert!(told.memory_growth().function.is_some());
    assert!(told.report().warnings[0].message.contains("the spec may lack"));
}

#[tokio::test]
async fn interactive_task_is_not_tried() {
    let interactor = Interactor { code_cpp: "int main() {}".into(), ..Interactor::default() };
    let draft = asking(over(&[1_000]), |job| job.interactor = Some(interactor));
    let told = profile(draft, linear()).await;
    assert_eq!(input_use(&told), None);
}

#[tokio::test]
async fn starved_program_is_not_measured_after_an_experiment_that_comes_first() {
    let never_ends = Fake::new(|n| (n < SIZES[0]).then(|| ok(BASE_NS, BASE_RSS)));
    let draft = tried_first(over(&SIZES));
    let told = profile(draft, starved(never_ends)).await;
    assert_eq!(
        (input_use(&told), told.warnings()),
        (Some(InputUse::Starved), vec!["input_exhausted"])
    );
    let report = told.ended.as_ref().expect("it has a report");
    let sizes: Vec<_> = report.sizes.iter().map(|size| (size.size, size.outcome())).collect();
    assert_eq!(sizes, SIZES.map(|size| (size, Outcome::NotRun)));
    let check = report.input_check.as_ref().expect("it was checked");
    assert_eq!(check.default_input.as_deref(), Some("100000\n"));
    assert_eq!(
        told.kinds()[1..],
        ["size_measured"; 5].into_iter().chain(["finished"]).collect::<Vec<_>>()
    );
    assert_eq!(told.alive, 0, "both sandboxes are gone");
}

/// A program can tell that it is counted, and then end at once.
#[tokio::test]
async fn program_that_hides_its_need_from_the_counter_is_starved() {
    let nth = AtomicU64::new(0);
    let hiding = linear().bending(move |mut response| {
        // Runs on continued inputs, as in `starving`, after a first look at one.
        if let Response::Batch(ran) = &mut response
            && matches!(nth.fetch_add(1, Ordering::SeqCst), 1 | 2 | 3 | 5 | 7)
        {
            ran.written.stdout_sha256 = [7; 32];
        }
        Some(response)
    });
    let told = profile(tried_first(over(&SIZES)), hiding).await;
    let check = told.report().input_check.as_ref().expect("it was checked");
    assert_eq!((check.input_use(), check.size), (InputUse::Starved, SIZES[0]));
    assert_eq!(told.warnings(), ["input_exhausted"]);
}

/// A program that opens files in place of its input and output, tried first at these sizes.
fn opening(sizes: &[u64]) -> Draft {
    let source = "freopen(\"a.txt\", \"r\", stdin); freopen(\"b.txt\", \"w\", stdout);";
    Draft { source: source.into(), ..tried_first(over(sizes)) }
}

#[tokio::test]
async fn program_that_opens_a_file_instead_is_not_measured() {
    let given = inputs(SIZES.map(|size| (size, "1\n")));
    for draft in [opening(&SIZES), asking(opening(&SIZES), |job| job.inputs = given)] {
        let told = profile(draft, linear()).await;
        assert_eq!(told.warnings(), ["input_exhausted"]);
        let report = told.report();
        assert!(report.sizes.iter().all(|size| size.outcome() == Outcome::NotRun));
        let check = report.input_check.as_ref().expect("it was checked");
        let files = (check.opened_file.as_deref(), check.written_file.as_deref());
        assert_eq!((check.input_use(), files), (InputUse::Starved, (Some("a.txt"), Some("b.txt"))));
        assert!(told.time_growth().undecided_reason.contains("lacked input"));
    }
}

#[tokio::test]
async fn program_that_reads_its_input_or_is_older_is_measured() {
    let reads = linear().bending(|mut response| {
        if let Response::Batch(ran) = &mut response {
            ran.repetitions.iter_mut().for_each(|run| run.sample.stdin_position = 2);
        }
        Some(response)
    });
    let older = asking(opening(&SIZES), |job| job.input_experiment = 0);
    let named = asking(opening(&SIZES), |job| job.input_file = "a.txt".into());
    for (draft, fake) in [(opening(&SIZES), reads), (older, linear()), (named, linear())] {
        let told = profile(draft, fake).await;
        let report = told.report();
        assert!(report.sizes.iter().all(|size| size.outcome() == Outcome::Ok));
        assert_eq!(report.input_check.as_ref().and_then(|check| check.opened_file.clone()), None);
    }
}

#[tokio::test]
async fn every_run_has_the_names_of_the_files() {
    let draft = asking(over(&[1, 1_000, 5_000]), |job| {
        (job.input_file, job.output_file) = ("input.txt".into(), "output.txt".into());
    });
    let told = profile(draft, linear()).await;
    assert!(told.report().sizes.iter().all(|size| size.input_read_bytes.is_none()));
    let names = |request: &Request| match request {
        Request::Run(run) | Request::Probe(run) | Request::Count(run) => {
            (run.subject == Subject::Build(Variant::Plain)).then_some(run.files)
        }
        Request::CountForked(_) | Request::CountSeries(_) => panic!("{request:?}"),
        _ => None,
    };
    let names: Vec<_> = told.heard.iter().filter_map(names).collect();
    let [input, output] = ["input.txt", "output.txt"].map(FileName::new);
    assert!(!names.is_empty());
    assert_eq!(names, vec![NamedFiles { input, output }; names.len()]);
}

#[tokio::test]
async fn experiment_that_comes_first_does_not_end_a_run_that_has_something_to_say() {
    let tests = vec![TestCase { input: "1\n".into(), output: "1\n".into(), ..TestCase::default() }];
    let inputs = inputs(SIZES.map(|size| (size, "1\n")));
    for (draft, fake) in [
        (over(&SIZES), linear()),
        (asking(over(&SIZES), |job| job.test_cases = tests), starved(linear())),
        (asking(over(&SIZES), |job| job.inputs = inputs), starved(linear())),
    ] {
        let told = profile(tried_first(draft), fake).await;
        assert!(input_use(&told).is_some());
        assert!(told.report().sizes.iter().all(|size| size.outcome() == Outcome::Ok));
    }
}

#[tokio::test]
async fn growing_schedule_goes_on_without_input() {
    let draft = asking(tried_first(over(&[])), |job| {
        job.schedule = Schedule::Auto.into();
        job.input_bounds = [("n".to_owned(), 1_000)].into();
    });
    let told = profile(draft, starved(linear())).await;
    assert_eq!(input_use(&told), Some(InputUse::Starved));
    let ended: Vec<_> = told.report().sizes.iter().map(SizeResult::outcome).collect();
    assert!(ended.len() > 2 && ended.iter().all(|outcome| *outcome == Outcome::Ok), "{ended:?}");
}

/// If no second sandbox starts, the experiment runs later in the job's own sandbox.
#[tokio::test]
async fn experiment_is_made_up_for() {
    let (fake, nth) = (linear(), AtomicU64::new(0));
    let available = fake.available();
    let fake = fake.bending(move |response| {
        if matches!(response, Response::Hello(_)) {
            available.store(false, Ordering::SeqCst);
        }
        Some(starving(&nth, response))
    });
    let draft = tried_first(over(&SIZES));
    let told = profile(draft, fake).await;
    assert_eq!(input_use(&told), Some(InputUse::Starved));
    assert!(told.time_growth().function.is_none());
}

#[tokio::test]
async fn experiment_can_be_left_out() {
    let draft = asking(over(&SIZES), |job| job.input_experiment = InputExperiment::Off.into());
    let told = profile(draft, linear()).await;
    assert_eq!((input_use(&told), told.warnings()), (None, vec![]));
    assert!(told.memory_growth().function.is_some());
}
