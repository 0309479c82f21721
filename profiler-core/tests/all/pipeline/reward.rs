//! `reward`: the verdict on the test cases alone, with the counts of the right answers.

use crate::pipeline::harness::{
    EMPTY_INSTRUCTIONS, Told, asking, counts_empty, is_of_empty, linear, over, profile,
};
use profiler_core::cancel::cancel_signal;
use profiler_core::job::{Draft, Job};
use profiler_core::report::Events;
use profiler_core::sandbox::Pool;
use profiler_core::sandbox::fake::{BASE_NS, Fake, Heard, INSTRUCTIONS_PER_NS};
use profiler_core::{Profiler, Turn, run_job};
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
    assert!(compiled.eq([Variant::Plain, Variant::Empty]));
    let runs = told.heard.iter().filter(|request| matches!(request, Request::Run(_))).count();
    assert_eq!((runs, counted_runs(&told), told.alive), (3, 3, 0));
    let others = told.heard.iter().filter(|request| {
        use Request::{Compile, Count, Fetch, Run};
        !matches!(request, Compile(_) | Fetch(_) | Run(_) | Count(_))
    });
    assert_eq!(others.count(), 0, "{:?}", told.heard);
}

/// A judged run could do the work of a counted one beside it.
#[tokio::test]
async fn nothing_is_counted_before_all_is_judged() {
    let told = profile(judged(&["7"; 3]), answering("7", |_| ())).await;
    let judges = |request: &Request| matches!(request, Request::Run(_));
    let counts = |request: &Request| matches!(request, Request::Count(_));
    let last_judged = told.heard.iter().rposition(judges).unwrap();
    let first_counted = told.heard.iter().position(counts).unwrap();
    assert!(last_judged < first_counted, "{:?}", told.heard);
}

#[tokio::test]
async fn empty_program_is_compiled_and_counted_once_for_many_jobs() {
    let heard = Heard::default();
    let backend = answering("7", |_| ()).recording(heard.clone());
    let profiler = Profiler::new(Pool::new(Arc::new(backend), 0), None);
    let run = async |flag: &str| {
        let draft = asking(judged(&["7"]), |job| {
            job.code.get_or_insert_default().compiler_flags = vec![flag.into()];
        });
        let job = Job::try_from(draft).unwrap();
        let ((mut events, _told), (_stopper, mut signal)) = (Events::new("run"), cancel_signal());
        let ended = run_job(&job, &profiler, &mut events, &mut signal, Turn::now()).await;
        let case = ended.expect("a report").test_cases.remove(0);
        assert_eq!(case.net_instructions, Some(COUNT - EMPTY_INSTRUCTIONS));
        assert_eq!(case.own_instructions, Some(COUNT));
        let heard = heard.lock().unwrap();
        let is_empty = |request: &&Request| matches!(request, Request::Compile(it) if it.variant == Variant::Empty);
        let counts = heard.iter().filter(|request| counts_empty(request)).count();
        (heard.iter().filter(is_empty).count(), counts)
    };
    assert_eq!(run("-O2").await, (1, 1));
    assert_eq!(run("-O2").await, (1, 1));
    assert_eq!(run("-O1").await, (2, 2));
}

#[tokio::test]
async fn count_below_that_of_an_empty_program_is_no_count() {
    let forged = answering("7", |response| {
        if let Response::Counted(counted) = response
            && !is_of_empty(counted)
        {
            counted.instructions = Ok(1000);
        }
    });
    let told = profile(judged(&["7"]), forged).await;
    assert_eq!((words(&told), counts(&told)), (vec!["AC"], vec![None]));
    let reason = format!(
        "the count is 1000 instructions, fewer than the {EMPTY_INSTRUCTIONS} of an empty program"
    );
    assert_eq!(told.report().test_cases[0].uncounted_reason, reason);
    assert_eq!(told.report().warnings[0].message, format!("test 1: {reason}"));
}

/// A measured job whose tests come in this order, and that asks for counts.
fn measured(order: TestOrder) -> Draft {
    asking(judged(&["7"; 2]), |job| {
        (job.reward, job.instructions) = (false, true);
        job.test_order = order.into();
    })
}

#[tokio::test]
async fn job_that_asks_for_instructions_counts_its_test_cases() {
    for order in [TestOrder::First, TestOrder::After] {
        let told = profile(measured(order), answering("7", |_| ())).await;
        assert_eq!((words(&told), counts(&told)), (vec!["AC"; 2], vec![Some(COUNT); 2]));
        let report = told.report();
        assert!(report.sizes[0].instructions.is_some(), "{order:?} {:?}", report.warnings);
        assert_eq!(told.alive, 0);
    }
    // A client of version 0.2 sets no order.
    let told = profile(measured(TestOrder::Unspecified), answering("7", |_| ())).await;
    assert_eq!((words(&told), counts(&told)), (vec!["AC"; 2], vec![None; 2]));
    assert!(told.report().test_cases.iter().all(|case| case.uncounted_reason.is_empty()));
}

/// Number of the requests for counted runs in forked processes.
fn forked_runs(told: &Told) -> usize {
    told.heard.iter().filter(|request| matches!(request, Request::CountForked(_))).count()
}

#[tokio::test]
async fn many_test_cases_are_counted_in_forked_processes_and_a_sample_also_in_started_ones() {
    let told = profile(judged(&["7"; 40]), answering("7", |_| ())).await;
    assert_eq!((counts(&told), told.warnings()), (vec![Some(COUNT); 40], vec![]));
    assert_eq!((forked_runs(&told), counted_runs(&told)), (40, 3));
}

#[tokio::test]
async fn forked_process_that_counts_differently_is_the_last() {
    let runs = Mutex::new(0);
    let differing = answering("7", move |response| {
        if let Response::Counted(counted) = response
            && !is_of_empty(counted)
        {
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
async fn test_whose_runs_differ_in_count_and_output_has_both_warnings() {
    let runs = Mutex::new(0);
    let differing = answering("7", move |response| {
        if let Response::Counted(counted) = response
            && !is_of_empty(counted)
        {
            let mut runs = runs.lock().unwrap();
            *runs += 1;
            match *runs {
                // The started process of the first test, and then the forked one.
                1 => counted.written = written("6"),
                2 => counted.instructions = Ok(COUNT + 1),
                _ => {}
            }
        }
    });
    let told = profile(judged(&["7"; 5]), differing).await;
    assert_eq!(counts(&told), [vec![None], vec![Some(COUNT); 4]].concat());
    assert_eq!(told.warnings(), ["not_deterministic"; 2]);
}

#[tokio::test]
async fn counts_since_the_last_sample_are_left_out_if_a_forked_process_counts_differently() {
    let runs = Mutex::new(0);
    let differing = answering("7", move |response| {
        if let Response::Counted(counted) = response
            && !is_of_empty(counted)
        {
            let mut runs = runs.lock().unwrap();
            *runs += 1;
            // The first two runs are those of the first test, which is in the sample.
            counted.instructions = Ok(COUNT + if *runs > 2 { *runs } else { 0 });
        }
    });
    let told = profile(judged(&["7"; 33]), differing).await;
    let left_out: Vec<_> =
        counts(&told).iter().enumerate().filter(|(_, it)| it.is_none()).map(|(at, _)| at).collect();
    // The place of the next sample is random: all tests between the two are left out.
    let sample = left_out.len() + 1;
    assert!(left_out.iter().copied().eq(1..sample), "{left_out:?}");
    assert_eq!((forked_runs(&told), counted_runs(&told)), (sample + 1, 2 + 32 - sample));
    let warning = &told.report().warnings[0].message;
    let begin = format!("test {}: two runs executed ", sample + 1);
    assert!(warning.starts_with(&begin), "{warning}");
    let end = format!("; {} earlier counts are left out", left_out.len());
    assert_eq!(warning.ends_with(&end), !left_out.is_empty(), "{warning}");
    assert_eq!(told.warnings(), ["not_deterministic"]);
    for at in left_out {
        let reason = &told.report().test_cases[at].uncounted_reason;
        let expected = format!("at test {}, two runs executed ", sample + 1);
        assert!(reason.starts_with(&expected), "{reason}");
    }
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
    let reasons = told.report().test_cases.iter().map(|case| case.uncounted_reason.as_str());
    assert!(reasons.eq(["it makes a thread"; 3]));
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
    assert_eq!(counts(&told), [None; 4]);
}
