//! Verdict of the test cases and of a checker on the outputs of the sizes, in the words that
//! Python's client uses too.

use super::{counted, readable};
use profiler_proto::v1::{
    Outcome, ProfileReport, SizeResult, TestCaseResult, TestVerdict, WarningCode,
};
use serde::Serialize;

/// Whether a program is right on all of its test cases, from the best to the worst.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Rightness {
    /// Right on all.
    Correct,
    /// Wrong on none, but not judged on all.
    NoVerdict,
    /// Wrong on a test case or at a size.
    Wrong,
}

/// Verdict of the test cases, or of the checker at a size.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TestsVerdict {
    /// Whether the program is right.
    pub rightness: Rightness,
    /// The verdict as a sentence without its full stop.
    pub sentence: String,
}

/// Returns the verdict of the test cases as a sentence without its full stop, such as "wrong on 2
/// of 5 tests; first: test 1 printed 4, expected 3"; `None` without test cases if the checker
/// rejects no output.
pub fn verdict(report: &ProfileReport) -> Option<String> {
    judge_tests(report).map(|it| it.sentence)
}

/// Returns the verdict if the program is wrong on a test case or at a size.
pub fn wrong_tests(report: &ProfileReport) -> Option<String> {
    judge_tests(report).filter(|it| it.rightness == Rightness::Wrong).map(|it| it.sentence)
}

/// Returns the verdict if the program is wrong on no test case, but was not judged on all.
pub fn unfinished_tests(report: &ProfileReport) -> Option<String> {
    judge_tests(report).filter(|it| it.rightness == Rightness::NoVerdict).map(|it| it.sentence)
}

/// Whether nothing was measured because the program is wrong on a test case, or was not judged on
/// all.
pub(crate) fn ended_the_run(report: &ProfileReport) -> bool {
    let not_run = report.sizes.iter().all(|size| size.outcome() == Outcome::NotRun);
    not_run && judge_tests(report).is_some_and(|it| it.rightness != Rightness::Correct)
}

/// Judges the results of the test cases. If they are not wrong, the smallest size at which the
/// checker rejects the output decides. `None` without test cases and without such a size.
pub fn judge_tests(report: &ProfileReport) -> Option<TestsVerdict> {
    let of_tests = judge_cases(report);
    if of_tests.as_ref().is_some_and(|it| it.rightness == Rightness::Wrong) {
        return of_tests;
    }
    wrong_size(report).or(of_tests)
}

fn wrong_size(report: &ProfileReport) -> Option<TestsVerdict> {
    report.sizes.iter().find_map(|size| {
        let sentence = format!("wrong at n = {}: {}", size.size, rejection(size)?);
        Some(TestsVerdict { rightness: Rightness::Wrong, sentence })
    })
}

/// Returns the checker's words if it rejects the output of a size.
pub(crate) fn rejection(size: &SizeResult) -> Option<String> {
    let check = size.output_check.as_ref().filter(|check| check.correct == Some(false))?;
    let said = readable(&check.checker_message);
    Some(if said.is_empty() { "the checker rejects the output".into() } else { said })
}

/// Explains why nobody knows whether the output of a size is right; `None` if it is known, or if
/// the job did not ask for it.
pub fn why_not_judged(size: &SizeResult) -> Option<String> {
    let check = size.output_check.as_ref().filter(|check| check.correct.is_none())?;
    Some(format!("not judged, because {}", readable(&check.reason)))
}

fn judge_cases(report: &ProfileReport) -> Option<TestsVerdict> {
    let cases = &report.test_cases;
    let all = cases.len();
    let count = |is: fn(&&TestCaseResult) -> bool| cases.iter().filter(is).count();
    let wrong = count(|case| case.is_wrong());
    let not_judged = count(|case| case.is_not_judged());
    let not_run = count(|case| case.judged() == TestVerdict::NotRun) - not_judged;
    let of_all = format!("of {}", counted(all as u64, "test"));
    let (rightness, sentence) = if wrong > 0 {
        let others = [(not_run, "not run"), (not_judged, "not judged")];
        let others = others.iter().filter(|(count, _)| *count > 0);
        let others: Vec<_> = others.map(|(count, what)| format!("{count} {what}")).collect();
        let others = others.join(", ");
        let others = if others.is_empty() { others } else { format!(" ({others})") };
        let first = report.warnings.iter().find(|it| it.code() == WarningCode::WrongAnswer);
        let first = first.map(|warning| format!("; first: {}", readable(&warning.message)));
        let first = first.unwrap_or_default();
        (Rightness::Wrong, format!("wrong on {wrong} {of_all}{others}{first}"))
    } else if let Some(at) = cases.iter().position(TestCaseResult::is_not_judged) {
        let (number, why) = (at + 1, readable(&cases[at].reason));
        (Rightness::NoVerdict, format!("no verdict: test {number} is not judged, because {why}"))
    } else if not_run > 0 {
        let first = cases.iter().position(|case| !case.reason.is_empty());
        let first = first.map(|at| (at + 1, readable(&cases[at].reason)));
        let rest = match (not_run < all, first) {
            (true, None) => ", and their answers are correct".into(),
            (true, Some((number, why))) => {
                format!(", and their answers are correct; test {number} was not run, because {why}")
            }
            (false, None) => String::new(),
            (false, Some((_, why))) => format!(", because {why}"),
        };
        (Rightness::NoVerdict, format!("no verdict: {} {of_all} ran{rest}", all - not_run))
    } else {
        (Rightness::Correct, format!("correct on {all} {of_all}"))
    };
    (all > 0).then_some(TestsVerdict { rightness, sentence })
}

#[cfg(test)]
mod tests {
    use super::*;
    use profiler_proto::v1::Warning;

    #[test]
    fn verdict_is_one_sentence() {
        use TestVerdict::{Accepted, NotRun, TimeLimit, WrongAnswer};
        let (right, wrong, open) = (Rightness::Correct, Rightness::Wrong, Rightness::NoVerdict);
        for (verdicts, rightness, sentence) in [
            (
                &[WrongAnswer, Accepted, TimeLimit, Accepted, Accepted][..],
                wrong,
                "wrong on 2 of 5 tests; first: test 1 printed 4, expected 3",
            ),
            (
                &[Accepted, WrongAnswer, NotRun],
                wrong,
                "wrong on 1 of 3 tests (1 not run); first: test 1 printed 4, expected 3",
            ),
            (&[Accepted, Accepted], right, "correct on 2 of 2 tests"),
            (&[Accepted], right, "correct on 1 of 1 test"),
            (
                &[Accepted, NotRun, NotRun],
                open,
                "no verdict: 1 of 3 tests ran, and their answers are correct",
            ),
            (&[NotRun], open, "no verdict: 0 of 1 test ran"),
        ] {
            let case = |&verdict: &TestVerdict| TestCaseResult {
                verdict: verdict.into(),
                ..TestCaseResult::default()
            };
            let warning = |code| Warning::new(code, "test 1 printed 4, expected 3\n");
            let report = ProfileReport {
                test_cases: verdicts.iter().map(case).collect(),
                warnings: vec![
                    warning(WarningCode::TestCasesNotRun),
                    warning(WarningCode::WrongAnswer),
                    Warning::new(WarningCode::WrongAnswer, "another one"),
                ],
                ..ProfileReport::default()
            };
            assert_eq!(verdict(&report).as_deref(), Some(sentence));
            assert_eq!(judge_tests(&report).map(|it| it.rightness), Some(rightness), "{sentence}");
            assert_eq!(wrong_tests(&report).is_some(), rightness == wrong, "{sentence}");
            assert_eq!(unfinished_tests(&report).is_some(), rightness == open, "{sentence}");
            assert_eq!(ended_the_run(&report), rightness != right, "{sentence}");
        }
        assert_eq!(verdict(&ProfileReport::default()), None);
    }

    #[test]
    fn size_at_which_the_checker_rejects_the_output_makes_the_program_wrong() {
        let judged = |size, correct, message: &str| SizeResult {
            size,
            output_check: Some(Box::new(TestCaseResult {
                correct,
                checker_message: message.into(),
                ..TestCaseResult::default()
            })),
            ..SizeResult::default()
        };
        let sizes = vec![
            judged(1, Some(true), "ok"),
            judged(2, None, ""),
            judged(3, Some(false), "the sum is 6"),
            judged(4, Some(false), ""),
        ];
        let right =
            TestCaseResult { verdict: TestVerdict::Accepted.into(), ..TestCaseResult::default() };
        let mut report =
            ProfileReport { sizes, test_cases: vec![right], ..ProfileReport::default() };
        assert_eq!(wrong_tests(&report).as_deref(), Some("wrong at n = 3: the sum is 6"));
        assert_eq!(rejection(&report.sizes[1]), None);
        report.sizes.remove(2);
        let silent = "wrong at n = 4: the checker rejects the output";
        assert_eq!(wrong_tests(&report).as_deref(), Some(silent));
        report.sizes.pop();
        assert_eq!(verdict(&report).as_deref(), Some("correct on 1 of 1 test"));
    }

    #[test]
    fn verdict_without_a_run_says_why() {
        let test_cases = vec![TestCaseResult::not_run("the checker does not compile"); 2];
        let report = ProfileReport { test_cases, ..ProfileReport::default() };
        let said = "no verdict: 0 of 2 tests ran, because the checker does not compile";
        assert_eq!(verdict(&report).as_deref(), Some(said));
    }

    #[test]
    fn first_reason_for_not_running_a_test_is_in_the_verdict() {
        let right =
            TestCaseResult { verdict: TestVerdict::Accepted.into(), ..TestCaseResult::default() };
        let [invalid, late] =
            ["its input is invalid: FAIL odd", "the time was spent"].map(TestCaseResult::not_run);
        let test_cases = vec![right, invalid, late];
        let report = ProfileReport { test_cases, ..ProfileReport::default() };
        let said = "no verdict: 1 of 3 tests ran, and their answers are correct; test 2 was not \
                    run, because its input is invalid: FAIL odd";
        assert_eq!(verdict(&report).as_deref(), Some(said));
    }

    #[test]
    fn answer_that_is_not_judged_leaves_the_verdict_open() {
        let said = |cases: &[(Outcome, Option<bool>)]| {
            let case = |&(outcome, correct): &(Outcome, Option<bool>)| TestCaseResult {
                outcome: outcome.into(),
                correct,
                reason: "it is too long".into(),
                ..TestCaseResult::default()
            };
            let test_cases = cases.iter().map(case).collect();
            verdict(&ProfileReport { test_cases, ..ProfileReport::default() }).unwrap()
        };
        let (right, wrong) = ((Outcome::Ok, Some(true)), (Outcome::Ok, Some(false)));
        let (not_judged, not_run) = ((Outcome::Ok, None), (Outcome::NotRun, None));
        let open = "no verdict: test 2 is not judged, because it is too long";
        assert_eq!(said(&[right, not_judged, not_run]), open);
        let others = "wrong on 1 of 3 tests (1 not run, 1 not judged)";
        assert_eq!(said(&[not_judged, wrong, not_run]), others);
    }
}
