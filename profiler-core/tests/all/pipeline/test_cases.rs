//! Test cases: a program's answers, before or after it is measured.

use crate::pipeline::harness::{Told, asking, linear, over, profile};
use profiler_core::job::Draft;
use profiler_core::limits::MAX_DESCRIBED_CASES;
use profiler_core::sandbox::fake::Fake;
use profiler_proto::v1::{
    Checker, Outcome, Schedule, SizeResult, TestCase, TestCaseResult, TestOrder, WarningCode,
};
use runner_protocol::{Ending, MAX_STDOUT_HEAD_BYTES, Request, Response, WordDigest};
use std::sync::atomic::{AtomicUsize, Ordering};

fn expecting(outputs: &[&str]) -> Draft {
    let case = |output: &&str| TestCase {
        input: "1\n".into(),
        output: (*output).into(),
        ..TestCase::default()
    };
    asking(over(&[1]), |job| job.test_cases = outputs.iter().map(case).collect())
}

/// A draft with a time limit of 7 s.
fn patient(draft: Draft) -> Draft {
    asking(draft, |job| job.limits.get_or_insert_default().timeout_ms = Some(7_000.0))
}

/// A program that gives this answer to a test case.
fn answering(answer: &'static str) -> Fake {
    linear().bending(move |mut response| {
        if let Response::Batch(ran) = &mut response {
            ran.written.stdout_head = answer.into();
            ran.written.stdout_bytes = answer.len() as u64;
            ran.written.stdout_words_sha256 = WordDigest::of(answer.as_bytes());
        }
        Some(response)
    })
}

fn correct(told: &Told) -> Vec<Option<bool>> {
    told.report().test_cases.iter().map(|case| case.correct).collect()
}

#[tokio::test]
async fn blanks_and_line_ends_do_not_matter() {
    let told =
        profile(expecting(&["1 2\n3", "1 2 3", "1 23", "1 2 3 4"]), answering(" 1 2\r\n3 \n"))
            .await;
    assert_eq!(correct(&told), [Some(true), Some(true), Some(false), Some(false)]);
}

#[tokio::test]
async fn wrong_answer_is_a_warning_and_the_program_is_measured() {
    let told = profile(expecting(&["6"]), answering("7\n")).await;
    let warning = &told.report().warnings[0];
    assert_eq!(warning.code(), WarningCode::WrongAnswer);
    assert_eq!(warning.message, "test case 1 expects \"6\", but the answer is \"7\"");
    assert_eq!(told.report().test_cases[0].answer, b"7\n");
    assert_eq!(told.runtimes_ms().len(), 1);
}

#[tokio::test]
async fn answer_of_which_a_part_is_kept_is_wrong() {
    let long = linear().bending(|mut response| {
        if let Response::Batch(ran) = &mut response {
            ran.written.stdout_head = b"6".into();
            ran.written.stdout_words_sha256 = WordDigest::of(b"6 7");
        }
        Some(response)
    });
    assert_eq!(correct(&profile(expecting(&["6"]), long).await), [Some(false)]);
}

/// A program whose answer is `7`, followed by more than a sandbox keeps.
fn long_winded() -> Fake {
    linear().bending(|mut response| {
        if let Response::Batch(ran) = &mut response {
            ran.written.stdout_head = b"7 ".into();
            ran.written.stdout_bytes = u64::from(MAX_STDOUT_HEAD_BYTES) + 1;
            ran.written.stdout_words_sha256 = WordDigest::of(b"7 and more");
        }
        Some(response)
    })
}

#[tokio::test]
async fn answer_that_is_too_long_for_the_checker_is_neither_right_nor_wrong() {
    let judged = async |outputs: &[&str], checker: Checker| {
        let draft = asking(first(outputs, TestOrder::First), |job| job.checker = checker.into());
        profile(draft, long_winded()).await
    };
    let outputs = ["7 And More", "7 and more", "7 AND MORE"];
    let told = judged(&outputs[..], Checker::Caseless).await;
    assert_eq!(correct(&told), [None, Some(true), None]);
    let outcomes = told.report().test_cases.iter().map(TestCaseResult::outcome);
    assert!(outcomes.eq([Outcome::Ok; 3]));
    let warning = &told.report().warnings[0];
    assert_eq!(warning.code(), WarningCode::NotJudged);
    assert_eq!(
        warning.message,
        "test case 1 is not judged: its answer has 69633 bytes, and this checker reads the first \
         69632"
    );
    let told = judged(&["8 and more"][..], Checker::Numbers).await;
    assert_eq!((correct(&told), told.warnings()), (vec![Some(false)], vec!["wrong_answer"]));
}

#[tokio::test]
async fn digest_stands_for_an_expected_output() {
    let draft = asking(expecting(&["", ""]), |job| {
        for (case, words) in job.test_cases.iter_mut().zip([b"7 8", b"7 9"]) {
            case.output_words_sha256 = WordDigest::of(words).into();
        }
    });
    let told = profile(draft, answering("7\n8\n")).await;
    assert_eq!(correct(&told), [Some(true), Some(false)]);
    let said = "test case 2 expects other words, but the answer is \"7\\n8\"";
    assert_eq!(told.report().warnings[0].message, said);
}

#[tokio::test]
async fn first_problems_alone_are_described() {
    let outputs = vec!["6"; MAX_DESCRIBED_CASES + 2];
    let told = profile(first(&outputs, TestOrder::All), answering("7")).await;
    let report = told.report();
    assert_eq!(correct(&told), vec![Some(false); outputs.len()]);
    let answers = report.test_cases.iter().filter(|case| case.answer == b"7").count();
    assert_eq!((answers, told.warnings().len()), (MAX_DESCRIBED_CASES, MAX_DESCRIBED_CASES));
    assert_eq!(report.test_cases.last().unwrap().answer, b"");
}

#[tokio::test]
async fn cases_after_long_failures_are_not_run_and_not_correct() {
    use Outcome::{NotRun, Ok};
    let slow = |answer: &'static str| {
        linear().bending(move |mut response| {
            if let Response::Batch(ran) = &mut response
                && ran.warm_up.is_none()
            {
                ran.repetitions[0].sample.wall_ns = 6_000_000_000;
                ran.written.stdout_words_sha256 = WordDigest::of(answer.as_bytes());
            }
            Some(response)
        })
    };
    let draft = || patient(expecting(&["6"; 5]));
    let told = profile(draft(), slow("7")).await;
    assert_eq!(correct(&told), [Some(false), Some(false), None, None, None]);
    let cases = &told.report().test_cases;
    let outcomes: Vec<_> = cases.iter().map(TestCaseResult::outcome).collect();
    assert_eq!(outcomes, [Ok, Ok, NotRun, NotRun, NotRun]);
    assert!(cases.iter().all(|case| case.evidence.is_some() == (case.outcome() == Ok)));
    let warning = told.report().warnings.last().unwrap();
    assert_eq!(
        warning.message,
        "3 of 5 test cases were not run, because the time for test cases was spent"
    );
    assert_eq!(correct(&profile(draft(), slow("6")).await), [Some(true); 5]);
}

#[tokio::test]
async fn test_case_that_crashes_has_no_answer() {
    let crashing = linear().bending(|mut response| {
        if let Response::Batch(ran) = &mut response
            && ran.warm_up.is_none()
        {
            ran.repetitions[0].ending = Ending::Signaled(11);
        }
        Some(response)
    });
    let told = profile(expecting(&["6"]), crashing).await;
    assert_eq!(correct(&told), [None]);
    assert!(told.warnings().contains(&"wrong_answer"));
}

#[tokio::test]
async fn run_that_ends_between_test_cases_keeps_the_checked_ones() {
    let answered = AtomicUsize::new(0);
    // The calibration and the start-up are the first two of these batches.
    let lost_later = linear().bending(move |response| match &response {
        Response::Batch(ran) if ran.warm_up.is_none() => {
            (answered.fetch_add(1, Ordering::SeqCst) < 4).then_some(response)
        }
        _ => Some(response),
    });
    let told = profile(expecting(&["6"; 3]), lost_later).await;
    assert!(told.error().starts_with("internal: lost the sandbox"), "{}", told.error());
    assert_eq!(correct(&told), [Some(false), Some(false)]);
    assert_eq!(told.warnings(), ["wrong_answer"; 2]);
}

fn first(outputs: &[&str], test_order: TestOrder) -> Draft {
    asking(expecting(outputs), |job| job.test_order = test_order.into())
}

#[tokio::test]
async fn wrong_program_is_not_measured_if_its_test_cases_come_first() {
    let told = profile(first(&["7", "6", "6"], TestOrder::First), answering("7")).await;
    assert_eq!(correct(&told), [Some(true), Some(false), None]);
    assert_eq!(told.warnings(), ["wrong_answer", "test_cases_not_run"]);
    assert_eq!(
        told.report().warnings[1].message,
        "1 of 3 test cases were not run, because an earlier one failed"
    );
    let outcomes: Vec<_> = told.report().sizes.iter().map(SizeResult::outcome).collect();
    assert_eq!((outcomes, told.alive), (vec![Outcome::NotRun], 0));
    assert_eq!(told.time_growth().undecided_reason, "the program is wrong on a test case");
}

#[tokio::test]
async fn all_test_cases_run_first_if_the_job_wants_to_know_all() {
    let told = profile(first(&["7", "6", "7"], TestOrder::All), answering("7")).await;
    assert_eq!(correct(&told), [Some(true), Some(false), Some(true)]);
    assert_eq!(told.report().sizes[0].outcome(), Outcome::NotRun);
}

#[tokio::test]
async fn right_program_is_measured_and_its_test_cases_run_once() {
    for order in [TestOrder::First, TestOrder::All] {
        let told = profile(first(&["7"; 2], order), answering("7")).await;
        assert_eq!(correct(&told), [Some(true); 2]);
        assert_eq!((told.runtimes_ms().len(), told.alive), (1, 0));
    }
}

/// A timed run finds nothing that the program left in the sandbox of the test cases.
#[tokio::test]
async fn test_cases_that_come_first_have_a_sandbox_of_their_own() {
    let told = profile(first(&["7"], TestOrder::First), answering("7")).await;
    let fetches = told.heard.iter().filter(|request| matches!(request, Request::Fetch(_)));
    assert_eq!(fetches.count(), 1);
}

/// Test cases that did not run for lack of time are no wrong answers.
#[tokio::test]
async fn program_without_a_wrong_answer_is_measured() {
    let slow = linear().bending(|mut response| {
        if let Response::Batch(ran) = &mut response
            && ran.warm_up.is_none()
        {
            ran.repetitions[0].sample.wall_ns = 6_000_000_000;
            ran.written.stdout_words_sha256 = WordDigest::of(b"6");
        }
        Some(response)
    });
    let told = profile(patient(first(&["6"; 25], TestOrder::First)), slow).await;
    assert_eq!(correct(&told).last(), Some(&None));
    assert_eq!(told.report().sizes[0].outcome(), Outcome::Ok);
}

#[tokio::test]
async fn growing_schedule_has_no_sizes_to_leave_out() {
    let draft = asking(first(&["6"], TestOrder::First), |job| {
        job.input_sizes.clear();
        job.schedule = Schedule::Auto.into();
    });
    let told = profile(draft, answering("7")).await;
    let left_out = told.report().sizes.iter().map(|size| size.size);
    assert_eq!(left_out.collect::<Vec<_>>(), [0, 1], "the corner cases alone");
}
