//! Checkers: programs that judge the answers to test cases, and the outputs at sizes.

use crate::pipeline::harness::{Told, alone, asking, linear, over, profile};
use profiler_core::job::Draft;
use profiler_core::limits::MAX_CHECKED_BYTES;
use profiler_core::sandbox::fake::{DOES_NOT_COMPILE, Fake, STDOUT, ended};
use profiler_proto::v1::TestVerdict::{self, Accepted, WrongAnswer};
use profiler_proto::v1::{
    Checker, CheckerProgram, OtherProgram, Outcome, TestCase, TestCaseResult, TestOrder, Warning,
    WarningCode,
};
use runner_protocol::{Breach, Ending, Request, Response};
use std::sync::atomic::{AtomicUsize, Ordering};

/// A draft with `cases` test cases, and a checker of this source.
fn checked(source: &str, cases: usize, order: TestOrder) -> Draft {
    let case =
        TestCase { input: "1\n".into(), output: "never compared".into(), ..TestCase::default() };
    asking(over(&[1]), |job| {
        job.test_cases = vec![case; cases];
        job.test_order = order.into();
        let (code_cpp, compiler_flags) = (source.into(), vec!["-O1".into()]);
        let checker = CheckerProgram { code_cpp, compiler_flags, ..CheckerProgram::default() };
        job.checker_program = Some(checker);
    })
}

/// A program that writes `stdout_bytes`. Its checker's runs end so, one after the other; the last
/// ending repeats.
fn judged(stdout_bytes: u64, endings: &'static [(Ending, &'static str)]) -> Fake {
    let checks = AtomicUsize::new(0);
    linear().bending(move |mut response| {
        match &mut response {
            Response::Batch(ran) => ran.written.stdout_bytes = stdout_bytes,
            Response::Checked(checked) => {
                let at = checks.fetch_add(1, Ordering::SeqCst).min(endings.len() - 1);
                let (ending, message) = endings[at];
                checked.execution = ended(ending, 1_000_000, 0);
                checked.message = message.into();
            }
            _ => {}
        }
        Some(response)
    })
}

const ACCEPTS: (Ending, &str) = (Ending::Exited(0), "ok\n");
const REJECTS: (Ending, &str) = (Ending::Exited(1), "wrong answer 1st numbers differ\n");

/// Messages of the warnings about test cases.
fn warnings(told: &Told) -> Vec<&str> {
    let is_ours =
        |it: &&Warning| matches!(it.code(), WarningCode::WrongAnswer | WarningCode::CheckerFailed);
    told.report().warnings.iter().filter(is_ours).map(|it| it.message.as_str()).collect()
}

fn correct(told: &Told) -> Vec<Option<bool>> {
    told.report().test_cases.iter().map(|case| case.correct).collect()
}

#[tokio::test]
async fn checker_decides_whatever_output_was_expected() {
    let draft = checked("int main() {}", 2, TestOrder::After);
    let told = profile(draft, judged(2, &[ACCEPTS, REJECTS])).await;
    assert_eq!(correct(&told), [Some(true), Some(false)]);
    let [accepted, rejected] = &told.report().test_cases[..] else { panic!("two cases") };
    assert_eq!((accepted.checker_message.as_str(), accepted.answer.len()), ("ok", 0));
    assert_eq!((rejected.checker_message.as_str(), &*rejected.answer), (REJECTS.1.trim(), STDOUT));
    assert_eq!((accepted.verdict(), rejected.verdict()), (Accepted, WrongAnswer));
    assert_eq!(warnings(&told), ["test 2 printed 7: wrong answer 1st numbers differ"]);
    assert_eq!((told.runtimes_ms().len(), told.alive), (1, 0));
}

#[tokio::test]
async fn checker_is_compiled_once_and_runs_after_each_run() {
    let draft = checked("int main() { return 0; }", 3, TestOrder::First);
    let told = profile(draft, judged(2, &[ACCEPTS])).await;
    assert_eq!(correct(&told), [Some(true); 3]);
    let count = |is: fn(&&Request) -> bool| told.heard.iter().filter(is).count();
    assert_eq!(count(|it| matches!(it, Request::Check(_))), 3);
    assert_eq!(count(|it| matches!(it, Request::FetchStdout(_))), 3);
    assert_eq!(count(|it| matches!(it, Request::Compile(it) if it.flags == ["-O1"])), 1);
    assert_eq!(told.alive, 0);
}

#[tokio::test]
async fn rejected_program_is_not_measured_if_its_test_cases_come_first() {
    let draft = checked("int main() {}", 3, TestOrder::First);
    let told = profile(draft, judged(2, &[ACCEPTS, REJECTS])).await;
    assert_eq!(correct(&told), [Some(true), Some(false), None]);
    assert_eq!(told.warnings(), ["wrong_answer", "test_cases_not_run"]);
    assert_eq!(told.report().sizes[0].outcome(), Outcome::NotRun);
}

#[tokio::test]
async fn points_are_told() {
    let points = &[(Ending::Exited(7), "points 0.5 half\n"), (Ending::Exited(7), "points 0\n")];
    let draft = checked("int main() {}", 2, TestOrder::After);
    let told = profile(draft, judged(2, points)).await;
    let found: Vec<_> = told.report().test_cases.iter().map(|it| (it.correct, it.points)).collect();
    assert_eq!(found, [(Some(true), Some(0.5)), (Some(false), Some(0.0))]);
}

#[tokio::test]
async fn checker_that_fails_gives_no_verdict_and_the_next_case_runs() {
    let endings = &[
        (Ending::Signaled(11), ""),
        (Ending::Exited(3), "FAIL the test is odd\nmore"),
        (Ending::Stopped(Breach::Time(10_000_000_000)), ""),
        ACCEPTS,
    ];
    let draft = checked("int main() {}", 4, TestOrder::First);
    let told = profile(draft, judged(2, endings)).await;
    assert_eq!(correct(&told), [None, None, None, Some(true)]);
    assert!(told.report().test_cases.iter().all(|case| case.outcome() == Outcome::Ok));
    assert_eq!(
        warnings(&told),
        [
            "test 1 is not judged, because the checker ended with SIGSEGV",
            "test 2 is not judged, because the checker ended with exit code 3: FAIL the test is odd",
            "test 3 is not judged, because the checker ended with TIME_LIMIT",
        ]
    );
    let failed = told.warnings().into_iter().filter(|code| *code == "checker_failed");
    assert_eq!(failed.count(), 3);
    assert_eq!(told.report().sizes[0].outcome(), Outcome::NotRun);
    assert_eq!(told.time_growth().undecided_reason, "not every test case has a verdict");
}

#[tokio::test]
async fn checker_that_does_not_compile_is_named_once_and_no_case_is_run() {
    let draft = checked(DOES_NOT_COMPILE, 2, TestOrder::After);
    let told = profile(draft, judged(2, &[ACCEPTS])).await;
    let not_run = TestCaseResult::not_run("the checker does not compile");
    assert_eq!(told.report().test_cases, vec![not_run; 2]);
    let said = warnings(&told);
    let [warning] = &said[..] else { panic!("{said:?}") };
    assert!(warning.starts_with("the checker does not compile: "), "{warning}");
    assert!(told.warnings().contains(&"test_cases_not_run"));
    assert_eq!((told.runtimes_ms().len(), told.alive), (1, 0));
}

#[tokio::test]
async fn checker_whose_sandbox_does_not_start_judges_nothing_and_the_program_is_measured() {
    let told = profile(checked("int main() {}", 2, TestOrder::After), alone()).await;
    let not_run = TestCaseResult::not_run("the checker has no sandbox");
    assert_eq!(told.report().test_cases, vec![not_run; 2]);
    let why = "the checker has no sandbox: no Docker daemon answers at switched off";
    assert_eq!((warnings(&told), told.error().as_str()), (vec![why], "none"));
    assert_eq!((told.runtimes_ms().len(), told.alive), (1, 0));
}

/// A program that writes two bytes. The sandbox is lost instead of giving the `nth` of the answers
/// that `is_lost` picks, from 1.
fn losing(nth: usize, is_lost: fn(&Response) -> bool) -> Fake {
    let count = AtomicUsize::new(0);
    linear().bending(move |mut response| {
        if let Response::Batch(ran) = &mut response {
            ran.written.stdout_bytes = 2;
        }
        let is_next = is_lost(&response) && count.fetch_add(1, Ordering::SeqCst) + 1 == nth;
        (!is_next).then_some(response)
    })
}

#[tokio::test]
async fn checker_whose_sandbox_is_lost_judges_nothing_more() {
    let lost = losing(2, |response| matches!(response, Response::Checked(_)));
    let told = profile(checked("int main() {}", 3, TestOrder::After), lost).await;
    let found: Vec<_> =
        told.report().test_cases.iter().map(|case| (case.outcome(), case.correct)).collect();
    let (right, open) = ((Outcome::Ok, Some(true)), (Outcome::Ok, None));
    assert_eq!(found, [right, open, (Outcome::NotRun, None)]);
    let why = "test 2 is not judged, because the checker has no sandbox: lost the sandbox: the \
               channel to the runner ended";
    assert_eq!((warnings(&told), told.error().as_str()), (vec![why], "none"));
    assert_eq!(told.report().test_cases[2].reason, "the checker has no sandbox");
    assert_eq!((told.runtimes_ms().len(), told.alive), (1, 0));
}

#[tokio::test]
async fn fault_of_the_programs_own_sandbox_ends_the_run() {
    let lost = losing(1, |response| matches!(response, Response::Fetched(_)));
    let told = profile(checked("int main() {}", 1, TestOrder::After), lost).await;
    assert_eq!(told.error(), "internal: lost the sandbox: the channel to the runner ended");
}

#[tokio::test]
async fn output_that_is_too_long_for_a_checker_is_the_programs_fault() {
    let draft = checked("int main() {}", 1, TestOrder::After);
    let told = profile(draft, judged(MAX_CHECKED_BYTES + 1, &[ACCEPTS])).await;
    let [case] = &told.report().test_cases[..] else { panic!("one case") };
    assert_eq!((case.outcome(), case.correct), (Outcome::OutputLimit, None));
    assert_eq!(case.verdict(), TestVerdict::RuntimeError);
    let evidence = case.evidence.as_ref().unwrap();
    assert_eq!((evidence.limit_value, evidence.unit().as_str_name()), (Some(16.0), "UNIT_MIB"));
    let said = "test 1 ended with OUTPUT_LIMIT: the answer has 16777217 bytes, and a checker \
                reads at most 16777216";
    assert_eq!(warnings(&told), [said]);
    assert!(!told.heard.iter().any(|it| matches!(it, Request::Check(_))));
}

#[tokio::test]
async fn answer_of_a_program_that_failed_is_not_judged() {
    let crashing = linear().bending(|mut response| {
        if let Response::Batch(ran) = &mut response
            && ran.warm_up.is_none()
        {
            ran.repetitions[0].ending = Ending::Signaled(11);
        }
        Some(response)
    });
    let told = profile(checked("int main() {}", 1, TestOrder::After), crashing).await;
    assert_eq!(correct(&told), [None]);
    assert!(!told.heard.iter().any(|it| matches!(it, Request::Check(_))));
    assert!(told.warnings().contains(&"wrong_answer"));
}

/// A draft of two sizes, at which this checker judges the output. A reference gives the expected
/// output, if there is one.
fn checked_at_sizes(source: &str, reference: Option<&str>) -> Draft {
    asking(over(&[1, 2]), |job| {
        let checker = CheckerProgram { code_cpp: source.into(), ..CheckerProgram::default() };
        (job.checker_program, job.check_sizes) = (Some(checker), true);
        let other = |code_cpp: &str| OtherProgram {
            code_cpp: code_cpp.into(),
            compiler_flags: vec!["-O0".into()],
            ..OtherProgram::default()
        };
        job.reference = reference.map(other);
    })
}

/// Whether the output at each size is right, and what the checker said or why nobody knows.
fn judged_at_sizes(told: &Told) -> Vec<(Option<bool>, &str)> {
    let checks = told.report().sizes.iter().filter_map(|size| size.output_check.as_ref());
    let told = checks.map(|check| {
        let TestCaseResult { correct, checker_message, reason, .. } = &**check;
        (*correct, if reason.is_empty() { checker_message.as_str() } else { reason })
    });
    told.collect()
}

#[tokio::test]
async fn outputs_at_sizes_are_judged_after_all_sizes_are_measured() {
    let draft = checked_at_sizes("int main() {}", Some("int main() { return 2; }"));
    let told = profile(draft, judged(2, &[ACCEPTS, REJECTS])).await;
    let said = "wrong answer 1st numbers differ";
    assert_eq!(judged_at_sizes(&told), [(Some(true), "ok"), (Some(false), said)]);
    assert_eq!(warnings(&told), ["the program printed 7: wrong answer 1st numbers differ"]);
    assert!(told.report().warnings.iter().any(|warning| warning.size == Some(2)));
    let is_timed = |it: &Request| matches!(it, Request::Run(run) if run.warm_up);
    let last_timed = told.heard.iter().rposition(is_timed);
    let first_check = told.heard.iter().position(|it| matches!(it, Request::Check(_)));
    assert!(last_timed.is_some() && last_timed < first_check);
    let fetched = told.heard.iter().filter(|it| matches!(it, Request::FetchStdout(_)));
    assert_eq!(fetched.count(), 4, "the program's output and the reference's, at two sizes");
    assert_eq!((told.runtimes_ms().len(), told.alive), (2, 0));
}

#[tokio::test]
async fn without_a_reference_the_output_itself_is_expected() {
    let told = profile(checked_at_sizes("int main() {}", None), judged(2, &[ACCEPTS])).await;
    assert_eq!(judged_at_sizes(&told), [(Some(true), "ok"); 2]);
    let fetched = told.heard.iter().filter(|it| matches!(it, Request::FetchStdout(_)));
    assert_eq!((fetched.count(), told.alive), (2, 0));
}

#[tokio::test]
async fn outputs_at_sizes_have_no_verdict_without_a_reference_or_a_checker_that_works() {
    let draft = checked_at_sizes("int main() {}", Some(DOES_NOT_COMPILE));
    let told = profile(draft, judged(2, &[ACCEPTS])).await;
    let found = judged_at_sizes(&told);
    assert!(found.iter().all(|(correct, _)| correct.is_none()) && found.len() == 2, "{found:?}");
    assert!(found[0].1.starts_with("the reference does not compile: "), "{found:?}");
    let told = profile(checked_at_sizes(DOES_NOT_COMPILE, None), judged(2, &[ACCEPTS])).await;
    assert_eq!(judged_at_sizes(&told), [(None, "the checker does not compile"); 2]);
    assert_eq!(warnings(&told).len(), 1);
    let told =
        profile(checked_at_sizes("int main() {}", None), judged(MAX_CHECKED_BYTES + 1, &[ACCEPTS]))
            .await;
    let found = judged_at_sizes(&told);
    assert!(found[0].0.is_none() && found[0].1.contains("OUTPUT_LIMIT"), "{found:?}");
    assert_eq!((told.runtimes_ms().len(), told.alive), (2, 0));
}

/// A program and a reference that write these outputs: the reference first, at each size.
fn writing(outputs: &'static [&'static str]) -> Fake {
    let fetched = AtomicUsize::new(0);
    linear().bending(move |mut response| {
        match &mut response {
            Response::Batch(ran) => ran.written.stdout_bytes = STDOUT.len() as u64,
            Response::Fetched(bytes) if bytes.as_slice() == STDOUT => {
                let at = fetched.fetch_add(1, Ordering::SeqCst);
                *bytes = outputs[at].into();
            }
            _ => {}
        }
        Some(response)
    })
}

#[tokio::test]
async fn outputs_at_sizes_are_compared_without_a_checker_in_cpp() {
    use Checker::{Exact, Numbers, Words};
    let near: &'static [&'static str] = &["0.1", "0.10000001", "0.1\n0.2", "0.1 0.3"];
    let blank: &'static [&'static str] = &["0.1\n", "0.1\n", "0.1\n", "0.1 "];
    let other = Some("word 2 is 0.3, expected 0.2");
    let blanks = Some("the words are right, the blanks or line ends are not");
    for (checker, outputs, said) in [
        (Numbers, near, [None, other]),
        (Words, near, [Some("word 1 is 0.10000001, expected 0.1"), other]),
        (Exact, blank, [None, blanks]),
    ] {
        let draft = asking(checked_at_sizes("", Some("int main() { return 2; }")), |job| {
            (job.checker_program, job.checker) = (None, checker.into());
        });
        let told = profile(draft, writing(outputs)).await;
        let expected = said.map(|said| (Some(said.is_none()), said.unwrap_or_default()));
        assert_eq!(judged_at_sizes(&told), expected, "{checker:?}");
        assert!(!told.heard.iter().any(|it| matches!(it, Request::Check(_))));
        assert_eq!((told.runtimes_ms().len(), told.alive), (2, 0));
    }
}

#[tokio::test]
async fn without_a_reference_a_comparison_accepts_the_output_itself() {
    let draft = asking(checked_at_sizes("", None), |job| {
        (job.checker_program, job.checker) = (None, Checker::Numbers.into());
    });
    let told = profile(draft, judged(2, &[ACCEPTS])).await;
    assert_eq!(judged_at_sizes(&told), [(Some(true), ""); 2]);
}

/// A program can tell a run that is not timed, and print a right answer only there.
#[tokio::test]
async fn output_that_no_timed_run_wrote_is_not_judged() {
    let fake = linear().bending(|mut response| {
        if let Response::Batch(ran) = &mut response
            && ran.warm_up.is_none()
        {
            ran.written.stdout_words_sha256[0] = 1;
        }
        Some(response)
    });
    let told = profile(checked_at_sizes("int main() {}", None), fake).await;
    let judged = judged_at_sizes(&told);
    assert_eq!(judged.len(), 2);
    for (correct, reason) in judged {
        assert!(correct.is_none() && reason.contains("is not that of every timed run"), "{reason}");
    }
}
