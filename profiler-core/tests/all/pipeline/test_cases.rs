//! Test cases: a program's answers, before or after it is measured.

use crate::pipeline::harness::{Told, asking, linear, over, profile};
use profiler_core::job::Draft;
use profiler_core::limits::MAX_DESCRIBED_CASES;
use profiler_core::sandbox::fake::Fake;
use profiler_proto::Word;
use profiler_proto::v1::{
    Checker, Growth, Outcome, Schedule, SizeResult, TestCase, TestCaseResult, TestOrder,
    WarningCode,
};
use runner_protocol::{Ending, MAX_STDOUT_HEAD_BYTES, Request, Response, Sample, WordDigest};
use sha2::{Digest, Sha256};
use std::sync::atomic::{AtomicUsize, Ordering};

fn expecting(outputs: &[&str]) -> Draft {
    let case = |output: &&str| TestCase {
        input: "1\n".into(),
        output: (*output).into(),
        ..TestCase::default()
    };
    asking(over(&[1]), |job| job.test_cases = outputs.iter().map(case).collect())
}

/// A draft with the longest time limit.
fn patient(draft: Draft) -> Draft {
    asking(draft, |job| job.limits.get_or_insert_default().timeout_ms = Some(60_000.0))
}

/// A program that gives this answer to a test case, with these figures.
fn judged(answer: &'static str, figures: impl Fn(&mut Sample) + Send + Sync + 'static) -> Fake {
    linear().bending(move |mut response| {
        if let Response::Batch(ran) = &mut response
            && ran.warm_up.is_none()
        {
            figures(&mut ran.repetitions[0].sample);
            ran.written.stdout_words_sha256 = WordDigest::of(answer.as_bytes());
        }
        Some(response)
    })
}

/// A program that gives this answer to a test case after so many seconds.
fn slow(answer: &'static str, seconds: u64) -> Fake {
    judged(answer, move |sample| sample.wall_ns = seconds * 1_000_000_000)
}

/// A program that gives this answer to a test case.
fn answering(answer: &'static str) -> Fake {
    linear().bending(move |mut response| {
        if let Response::Batch(ran) = &mut response {
            ran.written.stdout_head = answer.into();
            ran.written.stdout_bytes = answer.len() as u64;
            ran.written.stdout_sha256 = Sha256::digest(answer).into();
            ran.written.stdout_words_sha256 = WordDigest::of(answer.as_bytes());
        }
        Some(response)
    })
}

fn correct(told: &Told) -> Vec<Option<bool>> {
    told.report().test_cases.iter().map(|case| case.correct).collect()
}

fn words(told: &Told) -> Vec<&'static str> {
    told.report().test_cases.iter().map(|case| case.verdict().word()).collect()
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
    assert_eq!(warning.message, "test 1 printed 7, expected 6");
    assert_eq!(told.report().test_cases[0].answer, b"7\n");
    assert_eq!(told.runtimes_ms().len(), 1);
}

#[tokio::test]
async fn result_has_a_word_and_the_figures_of_its_run() {
    let program = judged("7", |sample| {
        (sample.wall_ns, sample.run_delay_ns) = (5_000_000, Some(1_000_000));
        (sample.peak_rss_bytes, sample.held_bytes) = (4 << 20, 32 << 20);
    });
    let told = profile(expecting(&["7", "8"]), program).await;
    assert_eq!(words(&told), ["AC", "WA"]);
    for case in &told.report().test_cases {
        assert_eq!((case.runtime_ms, case.peak_memory_mb), (Some(4.0), Some(32.0)));
        assert_eq!(case.reason, "");
    }
}

/// A leader that yields the processor to its child seems to wait for it.
#[tokio::test]
async fn time_includes_the_work_of_children() {
    let program = judged("7", |sample| {
        (sample.wall_ns, sample.run_delay_ns) = (5_000_000, Some(4_000_000));
        (sample.cpu_ns, sample.concurrent) = (Some(4_500_000), true);
    });
    let told = profile(expecting(&["7"]), program).await;
    assert_eq!(told.report().test_cases[0].runtime_ms, Some(4.5));
    assert_eq!(
        told.report().warnings[0].message,
        "in 1 of 1 test cases, several threads or processes ran and shared one core: their \
         runtime_ms includes the processor time of all of them"
    );
}

#[tokio::test]
async fn blanks_that_the_exact_checker_refuses_are_a_presentation_error() {
    let draft = asking(expecting(&["7 8", "7 9", "7 8\n"]), |job| {
        job.checker = Checker::Exact.into();
    });
    let told = profile(draft, answering("7 8\n")).await;
    assert_eq!(words(&told), ["PE", "WA", "AC"]);
    let warnings = &told.report().warnings;
    assert_eq!(warnings[0].message, "test 1 printed \"7 8\\n\", expected \"7 8\"");
    assert_eq!(warnings[1].message, "test 2 printed \"7 8\", expected \"7 9\"");
    let words_only = profile(expecting(&["7 8"]), answering("7 8\n")).await;
    assert_eq!(words(&words_only), ["AC"]);
}

#[tokio::test]
async fn answers_are_quoted_on_one_line() {
    for (answer, quoted) in [
        ("\n", "nothing"),
        ("-4.5\n", "-4.5"),
        ("1 2\n", "\"1 2\""),
        ("\"\n", "\"\\\"\""),
        ("\u{1b}[31m", "\"\\u{1b}[31m\""),
    ] {
        let told = profile(expecting(&["é"]), answering(answer)).await;
        let said = format!("test 1 printed {quoted}, expected é");
        assert_eq!(told.report().warnings[0].message, said);
    }
    let long = "x".repeat(100).leak();
    let told = profile(expecting(&[""]), answering(long)).await;
    let said = format!("test 1 printed \"{}\"…, expected nothing", "x".repeat(60));
    assert_eq!(told.report().warnings[0].message, said);
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

/// A program whose answer is `7`, followed by more than a sandbox keeps. A test case takes it so
/// many seconds longer.
fn long_winded(seconds: u64) -> Fake {
    linear().bending(move |mut response| {
        if let Response::Batch(ran) = &mut response {
            if ran.warm_up.is_none() {
                ran.repetitions[0].sample.wall_ns += seconds * 1_000_000_000;
            }
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
        profile(draft, long_winded(0)).await
    };
    let outputs = ["7 And More", "7 and more", "7 AND MORE"];
    let told = judged(&outputs[..], Checker::Caseless).await;
    assert_eq!(correct(&told), [None, Some(true), None]);
    assert_eq!(words(&told), ["NOT_RUN", "AC", "NOT_RUN"]);
    let outcomes = told.report().test_cases.iter().map(TestCaseResult::outcome);
    assert!(outcomes.eq([Outcome::Ok; 3]));
    assert_eq!(told.warnings(), ["not_judged"; 2]);
    let why = "its answer has 69633 bytes, and this checker reads the first 69632";
    assert_eq!(told.report().test_cases[0].reason, why);
    let said = format!("test 1 is not judged, because {why}");
    assert_eq!(told.report().warnings[0].message, said);
    assert_eq!(told.report().sizes[0].outcome(), Outcome::NotRun);
    assert_eq!(told.time_growth().undecided_reason, "not every test case has a verdict");
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
    let said = "test 2 printed \"7\\n8\", expected other words";
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
async fn wrong_answer_is_described_whatever_came_before_it() {
    let outputs = [vec!["7 And More"; MAX_DESCRIBED_CASES + 1], vec!["8"]].concat();
    let draft = asking(first(&outputs, TestOrder::All), |job| {
        job.checker = Checker::Caseless.into();
    });
    let told = profile(draft, long_winded(0)).await;
    let expected = [vec!["not_judged"; MAX_DESCRIBED_CASES], vec!["wrong_answer"]].concat();
    assert_eq!(told.warnings(), expected);
    assert_eq!(told.report().test_cases.last().unwrap().answer, b"7 ");
}

#[tokio::test]
async fn cases_after_long_failures_are_not_run_and_not_correct() {
    use Outcome::{NotRun, Ok};
    let draft = || patient(expecting(&["6"; 5]));
    let told = profile(draft(), slow("7", 6)).await;
    assert_eq!(correct(&told), [Some(false), Some(false), None, None, None]);
    let cases = &told.report().test_cases;
    let outcomes: Vec<_> = cases.iter().map(TestCaseResult::outcome).collect();
    assert_eq!(outcomes, [Ok, Ok, NotRun, NotRun, NotRun]);
    assert!(cases.iter().all(|case| case.evidence.is_some() == (case.outcome() == Ok)));
    assert_eq!(words(&told), ["WA", "WA", "NOT_RUN", "NOT_RUN", "NOT_RUN"]);
    assert!(cases.iter().all(|case| case.runtime_ms.is_some() == (case.outcome() == Ok)));
    assert_eq!(
        [&cases[1], &cases[2]].map(|case| case.reason.as_str()),
        ["", "the time for test cases was spent"]
    );
    let warning = told.report().warnings.last().unwrap();
    assert_eq!(
        warning.message,
        "3 of 5 test cases were not run, because the time for test cases was spent"
    );
    assert_eq!(correct(&profile(draft(), slow("6", 6)).await), [Some(true); 5]);
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
    assert_eq!((correct(&told), words(&told)), (vec![None], vec!["RE"]));
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
    assert_eq!(correct(&told), [Some(false), Some(false), None]);
    assert_eq!(words(&told), ["WA", "WA", "NOT_RUN"]);
    assert_eq!(told.report().test_cases[2].reason, "the run ended before");
    assert_eq!(told.warnings(), ["wrong_answer"; 2]);
}

fn first(outputs: &[&str], test_order: TestOrder) -> Draft {
    asking(expecting(outputs), |job| job.test_order = test_order.into())
}

#[tokio::test]
async fn wrong_program_is_not_measured_if_its_test_cases_come_first() {
    let told = profile(first(&["7", "6", "6"], TestOrder::First), answering("7")).await;
    assert_eq!(correct(&told), [Some(true), Some(false), None]);
    assert_eq!(words(&told), ["AC", "WA", "NOT_RUN"]);
    assert_eq!(told.report().test_cases[2].reason, "an earlier one failed");
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
    let draft = asking(first(&["7"], TestOrder::First), |job| job.growth = Growth::Timed.into());
    let told = profile(draft, answering("7")).await;
    let fetches = told.heard.iter().filter(|request| matches!(request, Request::Fetch(_)));
    assert_eq!(fetches.count(), 1);
}

/// Slow is not wrong. Each case has the program's own limits.
#[tokio::test]
async fn test_cases_that_come_first_share_no_short_budget() {
    let told = profile(patient(first(&["6"; 25], TestOrder::First)), slow("6", 6)).await;
    assert_eq!(correct(&told), [Some(true); 25]);
    assert_eq!(told.report().sizes[0].outcome(), Outcome::Ok);
    let told = profile(patient(first(&["6"; 25], TestOrder::All)), slow("7", 6)).await;
    assert_eq!(correct(&told), [Some(false); 25]);
}

/// Profiles a program with this answer, whose test cases take more than an hour.
async fn profile_for_an_hour(order: TestOrder, answer: &'static str) -> Told {
    profile(patient(first(&["6"; 64], order)), slow(answer, 59)).await
}

/// A case that was not run is not right.
#[tokio::test]
async fn program_that_was_not_run_on_all_test_cases_is_not_measured() {
    for order in [TestOrder::First, TestOrder::All] {
        let told = profile_for_an_hour(order, "6").await;
        let expected = [&[Some(true); 62][..], &[None; 2]].concat();
        assert_eq!((correct(&told), told.warnings()), (expected, vec!["test_cases_not_run"]));
        let said = "2 of 64 test cases were not run, because the time for test cases was spent";
        assert_eq!(told.report().warnings[0].message, said);
        let outcomes: Vec<_> = told.report().sizes.iter().map(SizeResult::outcome).collect();
        assert_eq!((outcomes, told.alive), (vec![Outcome::NotRun], 0));
        assert_eq!(told.time_growth().undecided_reason, "not every test case has a verdict");
    }
    let told = profile_for_an_hour(TestOrder::All, "7").await;
    assert_eq!(told.time_growth().undecided_reason, "the program is wrong on a test case");
}

/// A request of version 0.2 gets its figures after at most two minutes of test cases.
#[tokio::test]
async fn program_whose_test_cases_come_last_is_measured_even_if_some_are_not_run() {
    let told = profile(patient(expecting(&["6"; 25])), slow("6", 6)).await;
    assert_eq!(correct(&told), [&[Some(true); 21][..], &[None; 4]].concat());
    assert_eq!(told.report().sizes[0].outcome(), Outcome::Ok);
}

#[tokio::test]
async fn cases_after_long_ones_without_a_verdict_are_run_only_if_all_are_asked_for() {
    let ran = async |order| {
        let draft = asking(patient(first(&["7 And More"; 5], order)), |job| {
            job.checker = Checker::Caseless.into();
        });
        let told = profile(draft, long_winded(6)).await;
        told.report().test_cases.iter().filter(|case| case.outcome() == Outcome::Ok).count()
    };
    assert_eq!((ran(TestOrder::First).await, ran(TestOrder::All).await), (2, 5));
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
