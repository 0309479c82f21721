//! Test cases that the program does not pass.

use super::counted;
use profiler_proto::v1::{Outcome, ProfileReport, TestCaseResult, WarningCode};

/// Returns a sentence about a program that is wrong on a test case, with its first wrong answer.
pub fn wrong_tests(report: &ProfileReport) -> Option<String> {
    let has_run = |case: &&TestCaseResult| case.outcome() != Outcome::NotRun;
    let ran = report.test_cases.iter().filter(has_run);
    let wrong = ran.clone().filter(|case| case.is_wrong()).count();
    let (all, not_run) = (report.test_cases.len(), report.test_cases.len() - ran.count());
    let not_run = if not_run > 0 { format!(" ({not_run} not run)") } else { String::new() };
    let first = report.warnings.iter().find(|it| it.code() == WarningCode::WrongAnswer);
    let first = first.map_or_else(String::new, |warning| format!(": {}", warning.message));
    let all = counted(all as u64, "test case");
    (wrong > 0).then(|| format!("The program is wrong on {wrong} of {all}{not_run}{first}."))
}

/// Returns a sentence about a program that is wrong on no test case, but was not run on all.
pub fn unfinished_tests(report: &ProfileReport) -> Option<String> {
    let cases = &report.test_cases;
    let not_run = cases.iter().filter(|case| case.outcome() == Outcome::NotRun).count();
    let ran = cases.len() - not_run;
    let correct = if ran > 0 { ", all correct" } else { "" };
    let all = counted(cases.len() as u64, "test case");
    let is_open = not_run > 0 && !cases.iter().any(TestCaseResult::is_wrong);
    is_open.then(|| format!("No verdict: {ran} of {all} ran{correct}."))
}

/// Whether nothing was measured because the program is wrong on a test case, or was not run on all.
pub(crate) fn ended_the_run(report: &ProfileReport) -> bool {
    let not_run = report.sizes.iter().all(|size| size.outcome() == Outcome::NotRun);
    not_run && (wrong_tests(report).is_some() || unfinished_tests(report).is_some())
}
