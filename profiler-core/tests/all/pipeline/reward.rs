//! `reward`: the verdict on the test cases alone, with the counts of the right answers.

use crate::pipeline::harness::{Told, asking, linear, over, profile};
use profiler_core::job::Draft;
use profiler_core::sandbox::fake::{BASE_NS, Fake, INSTRUCTIONS_PER_NS};
use profiler_proto::Word;
use profiler_proto::v1::{TestCase, TestOrder};
use runner_protocol::{Ending, Request, Response, Variant, WordDigest, Written};
use sha2::{Digest, Sha256};
use std::collections::BTreeSet;
use std::sync::{Arc, Mutex};

/// Instructions of a linear program on an input of two bytes.
const COUNT: u64 = (BASE_NS + 2 * 100) * INSTRUCTIONS_PER_NS;

/// A job for whose program only the verdict counts, although it names a size.
fn judged(outputs: &[&str]) -> Draft {
    let case = |output: &&str| TestCase {
        input: "1\n".into(),
        output: (*output).into(),
        ..TestCase::default()
    };
    asking(over(&[1_000]), |job| {
        job.test_cases = outputs.iter().map(case).collect();
        job.reward = true;
    })
}

fn written(answer: &str) -> Written {
    Written {
        stdout_bytes: answer.len() as u64,
        stdout_sha256: Sha256::digest(answer).into(),
        stdout_words_sha256: WordDigest::of(answer.as_bytes()),
        stdout_head: answer.into(),
        ..Written::default()
    }
}

/// A program that gives this answer, also when it is counted. `bend` changes its counted runs and
/// its other ones.
fn answering(answer: &'static str, bend: impl Fn(&mut Response) + Send + Sync + 'static) -> Fake {
    linear().bending(move |mut response| {
        match &mut response {
            Response::Batch(ran) => ran.written = written(answer),
            Response::Counted(counted) => counted.written = written(answer),
            _ => {}
        }
        bend(&mut response);
        Some(response)
    })
}

fn words(told: &Told) -> Vec<&'static str> {
    told.report().test_cases.iter().map(|case| case.verdict().word()).collect()
}

fn counts(told: &Told) -> Vec<Option<u64>> {
    told.report().test_cases.iter().map(|case| case.instructions).collect()
}

/// Number of the requests for counted runs.
fn counted_runs(told: &Told) -> usize {
    told.heard.iter().filter(|request| matches!(request, Request::Count(_))).count()
}

#[tokio::test]
async fn nothing_but_the_test_cases_is_run() {
    let told = profile(judged(&["7"; 3]), answering("7", |_| ())).await;
    assert_eq!((words(&told), counts(&told)), (vec!["AC"; 3], vec![Some(COUNT); 3]));
    let report = told.report();
    assert!(report.sizes.is_empty() && report.input_sizes.is_empty());
    assert!(report.growth.is_none() && report.start_up.is_none() && report.input_check.is_none());
    assert!(told.host().calibration_ms.is_none() && report.instructions_method.is_some());
    assert_eq!((told.kinds(), told.warnings()), (vec!["compiled", "finished"], vec![]));
    let compiled = told.heard.iter().filter_map(|request| match request {
        Request::Compile(request) => Some(request.variant),
        _ => None,
    });
    assert!(compiled.eq([Variant::Plain]));
    let runs = told.heard.iter().filter(|request| matches!(request, Request::Run(_))).count();
    assert_eq!((runs, counted_runs(&told), told.alive), (3, 3, 0));
    let others = told.heard.iter().filter(|request| {
        use Request::{Compile, Count, Fetch, Run};
        !matches!(request, Compile(_) | Fetch(_) | Run(_) | Count(_))
    });
    assert_eq!(others.count(), 0, "{:?}", told.heard);
}

/// Number of the requests for counted runs in forked processes.
fn forked_runs(told: &Told) -> usize {
    told.heard.iter().filter(|request| matches!(request, Request::CountForked(_))).count()
}

#[tokio::test]
async fn many_test_cases_are_counted_in_forked_processes_and_a_sample_also_in_started_ones() {
    let told = profile(judged(&["7"; 40]), answering("7", |_| ())).await;
    assert_eq!((counts(&told), told.warnings()), (vec![Some(COUNT); 40], vec![]));
    assert_eq!((forked_runs(&told), counted_runs(&told)), (40, 2));
}

#[tokio::test]
async fn forked_process_that_counts_differently_is_the_last() {
    let runs = Mutex::new(0);
    let differing = answering("7", move |response| {
        if let Response::Counted(counted) = response {
            let mut runs = runs.lock().unwrap();
            *runs += 1;
            // The first run is that of the started process.
            if *runs == 2 {
                counted.instructions = Ok(COUNT + 1);
            }
        }
    });
    let told = profile(judged(&["7"; 5]), differing).await;
    assert_eq!(
        (counts(&told), forked_runs(&told), counted_runs(&told)),
        (vec![Some(COUNT); 5], 1, 5)
    );
    let warning = &told.report().warnings[0];
    let message = format!("test 1: two runs executed {COUNT} and {} instructions", COUNT + 1);
    assert_eq!((warning.code().word(), &warning.message), ("not_deterministic", &message));
}

#[tokio::test]
async fn right_answers_alone_are_counted() {
    let outputs = ["7", "6", "7"];
    let told = profile(judged(&outputs), answering("7", |_| ())).await;
    assert_eq!(words(&told), ["AC", "WA", "NOT_RUN"]);
    assert_eq!(counts(&told), [Some(COUNT), None, None]);
    assert_eq!(told.warnings(), ["wrong_answer", "test_cases_not_run"]);
    assert!(told.report().growth.is_none() && told.ended.is_ok());
    let all = asking(judged(&outputs), |job| job.test_order = TestOrder::All.into());
    let told = profile(all, answering("7", |_| ())).await;
    assert_eq!(words(&told), ["AC", "WA", "AC"]);
    assert_eq!(counts(&told), [Some(COUNT), None, Some(COUNT)]);
}

/// A program could leave its answers where they were judged, and only look them up when it is
/// counted.
#[tokio::test]
async fn counts_come_from_a_sandbox_in_which_no_answer_was_judged() {
    let seen: [Arc<Mutex<BTreeSet<usize>>>; 2] = Default::default();
    let [judging, counting] = seen.clone();
    let program = linear().bending_in(move |sandbox, mut response| {
        match &mut response {
            Response::Batch(ran) => {
                ran.written = written("7");
                judging.lock().unwrap().insert(sandbox);
            }
            Response::Counted(counted) => {
                counted.written = written("7");
                counting.lock().unwrap().insert(sandbox);
            }
            _ => {}
        }
        Some(response)
    });
    let told = profile(judged(&["7"; 2]), program).await;
    assert_eq!(counts(&told), [Some(COUNT); 2]);
    let [judging, counting] = seen.map(|seen| seen.lock().unwrap().clone());
    assert_eq!((judging.len(), counting.len()), (1, 1));
    assert!(judging.is_disjoint(&counting), "{judging:?}");
}

#[tokio::test]
async fn program_that_cannot_be_counted_says_why_once() {
    let threads = answering("7", |response| {
        if let Response::Counted(counted) = response {
            counted.instructions = Err("it makes a thread".into());
        }
    });
    let told = profile(judged(&["7"; 3]), threads).await;
    assert_eq!((words(&told), counts(&told)), (vec!["AC"; 3], vec![None; 3]));
    assert_eq!((told.warnings(), counted_runs(&told)), (vec!["instructions_unsupported"], 1));
    assert_eq!(told.report().warnings[0].message, "test 1: it makes a thread");
    assert!(told.report().instructions_method.is_none());
}

#[tokio::test]
async fn count_that_contradicts_the_judged_run_is_no_count() {
    let bent = async |bend: fn(&mut Response)| {
        let told = profile(judged(&["7"]), answering("7", bend)).await;
        assert_eq!((words(&told), counts(&told)), (vec!["AC"], vec![None]));
        let warning = &told.report().warnings[0];
        (warning.code().word(), warning.message.clone())
    };
    let other_output = bent(|response| {
        if let Response::Counted(counted) = response {
            counted.written = written("8");
        }
    });
    let message = "test 1: the counted run wrote different output than a timed run";
    assert_eq!(other_output.await, ("not_deterministic", message.into()));
    let other_ending = bent(|response| {
        if let Response::Counted(counted) = response {
            counted.execution.ending = Ending::Signaled(9);
        }
    });
    let (code, message) = other_ending.await;
    assert_eq!(code, "not_counted");
    assert!(message.starts_with("test 1: the counted run ended differently: "), "{message}");
    let forged = bent(|response| match response {
        Response::Batch(ran) => ran.repetitions[0].sample.user_ns = 63_000_000,
        Response::Counted(counted) => counted.instructions = Ok(996_421),
        _ => {}
    });
    let message = "test 1: the count is 996421 instructions, too few for 63.0 ms of user time";
    assert_eq!(forged.await, ("not_counted", message.into()));
}

#[tokio::test]
async fn run_that_ends_between_test_cases_keeps_the_judged_ones() {
    let answered = Mutex::new(0);
    let lost_later = linear().bending(move |mut response| {
        let mut answered = answered.lock().unwrap();
        match &mut response {
            Response::Batch(ran) => {
                *answered += 1;
                ran.written = written("7");
            }
            Response::Counted(counted) => counted.written = written("7"),
            _ => {}
        }
        (*answered < 3).then_some(response)
    });
    let told = profile(judged(&["7"; 4]), lost_later).await;
    assert!(told.error().starts_with("internal: lost the sandbox"), "{}", told.error());
    assert_eq!(words(&told), ["AC", "AC", "NOT_RUN", "NOT_RUN"]);
    assert_eq!(counts(&told)[0], Some(COUNT));
}
