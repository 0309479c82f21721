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

/// Whether nothing was measured because the program is wrong on a test case.
pub(crate) fn ended_the_run(report: &ProfileReport) -> bool {
    let not_run = report.sizes.iter().all(|size| size.outcome() == Outcome::NotRun);
    not_run && wrong_tests(report).is_some()
}
