//! Verdict of the test cases, in the words that Python's client uses too.

use super::{counted, readable};
use profiler_proto::v1::{Outcome, ProfileReport, TestVerdict, WarningCode};

/// Verdict of the test cases.
struct Judgement {
    /// Whether the program is right; `None` if nobody knows.
    is_right: Option<bool>,
    /// The verdict as a sentence without its full stop.
    sentence: String,
}

/// Returns the verdict of the test cases as a sentence without its full stop, such as "wrong on 2
/// of 5 tests; first: test 1 printed 4, expected 3"; `None` without test cases.
pub fn verdict(report: &ProfileReport) -> Option<String> {
    judge(report).map(|it| it.sentence)
}

/// Returns the verdict if the program is wrong on a test case.
pub fn wrong_tests(report: &ProfileReport) -> Option<String> {
    judge(report).filter(|it| it.is_right == Some(false)).map(|it| it.sentence)
}

/// Returns the verdict if the program is wrong on no test case, but was not judged on all.
pub fn unfinished_tests(report: &ProfileReport) -> Option<String> {
    judge(report).filter(|it| it.is_right.is_none()).map(|it| it.sentence)
}

/// Whether nothing was measured because the program is wrong on a test case, or was not run on all.
pub(crate) fn ended_the_run(report: &ProfileReport) -> bool {
    let not_run = report.sizes.iter().all(|size| size.outcome() == Outcome::NotRun);
    not_run && judge(report).is_some_and(|it| it.is_right != Some(true))
}

fn judge(report: &ProfileReport) -> Option<Judgement> {
    let cases = &report.test_cases;
    let all = cases.len();
    let wrong = cases.iter().filter(|case| case.is_wrong()).count();
    let not_run = cases.iter().filter(|case| case.judged() == TestVerdict::NotRun).count();
    let of_all = format!("of {}", counted(all as u64, "test"));
    let (is_right, sentence) = if wrong > 0 {
        let not_run = if not_run > 0 { format!(" ({not_run} not run)") } else { String::new() };
        let first = report.warnings.iter().find(|it| it.code() == WarningCode::WrongAnswer);
        let first = first.map(|warning| format!("; first: {}", readable(&warning.message)));
        let first = first.unwrap_or_default();
        (Some(false), format!("wrong on {wrong} {of_all}{not_run}{first}"))
    } else if not_run > 0 {
        let right = if not_run < all { ", and their answers are correct" } else { "" };
        (None, format!("no verdict: {} {of_all} ran{right}", all - not_run))
    } else {
        (Some(true), format!("correct on {all} {of_all}"))
    };
    (all > 0).then_some(Judgement { is_right, sentence })
}

#[cfg(test)]
mod tests {
    use super::*;
    use profiler_proto::v1::{TestCaseResult, Warning};

    #[test]
    fn verdict_is_one_sentence() {
        use TestVerdict::{Accepted, NotRun, TimeLimit, WrongAnswer};
        let (right, wrong, open) = (Some(true), Some(false), None);
        for (verdicts, is_right, sentence) in [
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
            assert_eq!(wrong_tests(&report).is_some(), is_right == wrong, "{sentence}");
            assert_eq!(unfinished_tests(&report).is_some(), is_right == open, "{sentence}");
            assert_eq!(ended_the_run(&report), is_right != right, "{sentence}");
        }
        assert_eq!(verdict(&ProfileReport::default()), None);
    }
}
