//! JUnit's XML: a suite for each program. Its cases are the compile steps, the test cases, the
//! sizes and the checks.
//!
//! This file writes the XML by hand, because `quick-junit` rounds times to milliseconds.

use crate::ending::{Check, Ending, Run};
use crate::html::escaped_up_to;
use crate::report::verdict::rejection;
use crate::report::{
    ZERO_QUESTION, failed_step, fails_at_zero_alone, readable, unfinished_tests, why_not_judged,
    wrong_tests,
};
use crate::text::{TextOptions, compile_errors, explain_size, place, why_not_run};
use profiler_proto::Word;
use profiler_proto::v1::{
    CompileStep, ErrorCode, Outcome, ProfileReport, SandboxError, SizeResult, TestVerdict, Warning,
    WarningCode,
};

/// Longest text of a case, in bytes.
const MAX_TEXT_BYTES: usize = 64 << 10;
const MS_PER_SECOND: f64 = 1e3;

/// A case, and how long it took.
struct Case {
    name: String,
    seconds: Option<f64>,
    result: CaseResult,
    /// Word of the verdict on a test case; empty for other cases.
    verdict: &'static str,
}

/// Result of a case, with its text.
enum CaseResult {
    Passed,
    /// The program does not do what it should.
    Failure(String),
    /// The program could not be tried.
    Error(String),
    Skipped(String),
}

pub(super) fn document(runs: &[Run<'_>]) -> String {
    let suites: Vec<_> = runs.iter().map(|run| (run.source, cases(run))).collect();
    let all = totals(suites.iter().flat_map(|(_, cases)| cases));
    let mut lines = vec![
        r#"<?xml version="1.0" encoding="UTF-8"?>"#.into(),
        format!(r#"<testsuites name="swiftprof" {all}>"#),
    ];
    for (source, cases) in &suites {
        let (source, counts) = (escaped(source), totals(cases.iter()));
        let is_skipped = |case: &&Case| matches!(case.result, CaseResult::Skipped(_));
        let skipped = cases.iter().filter(is_skipped).count();
        lines.push(format!(r#"  <testsuite name="{source}" {counts} skipped="{skipped}">"#));
        lines.extend(cases.iter().map(|case| case.element(&source)));
        lines.push("  </testsuite>".into());
    }
    lines.push("</testsuites>\n".into());
    lines.join("\n")
}

fn cases(run: &Run<'_>) -> Vec<Case> {
    let error = match run.ending {
        Ending::Report(_) => None,
        Ending::Error(error) => Some(&**error),
    };
    let mut cases: Vec<_> =
        run.ending.report().map(|report| of_report(report, error)).unwrap_or_default();
    cases.extend(error.and_then(of_error));
    cases.extend(run.checks.iter().map(of_check));
    cases
}

fn of_report(report: &ProfileReport, error: Option<&SandboxError>) -> Vec<Case> {
    let steps = [("compile", &report.compile), ("compile interactor", &report.interactor_compile)];
    let why = error.map(|error| readable(&error.message)).unwrap_or_default();
    let steps =
        steps.into_iter().filter_map(|(name, step)| Some(of_step(name, step.as_ref()?, &why)));
    let sizes = report.sizes.iter().map(|size| of_size(report, size));
    steps.chain(test_cases(report)).chain(sizes).collect()
}

/// Builds the case of a compile step. If the step made no binary, the run ended early; `why` is the
/// run's error.
fn of_step(name: &str, step: &CompileStep, why: &str) -> Case {
    let result = if step.binary_bytes.is_some() {
        CaseResult::Passed
    } else {
        let errors = compile_errors(step, &TextOptions::default());
        CaseResult::Error(format!("{why}\n{errors}").trim().into())
    };
    Case { seconds: Some(step.wall_ms / MS_PER_SECOND), ..Case::new(name, result) }
}

/// Builds a case for each test case. The first one that is wrong, or has no verdict, has the
/// sentence about all. The report has a warning, in the same order, for the first test cases that
/// are wrong.
fn test_cases(report: &ProfileReport) -> impl Iterator<Item = Case> {
    let is_about_case = |it: &&Warning| it.code() == WarningCode::WrongAnswer && it.size.is_none();
    let wrong = report.warnings.iter().filter(is_about_case);
    let mut wrong = wrong.map(|warning| readable(&warning.message));
    let (mut first_wrong, mut first_open) = (wrong_tests(report), unfinished_tests(report));
    let skipped = report.warnings.iter().find(|it| it.code() == WarningCode::TestCasesNotRun);
    let skipped = skipped.map_or_else(|| "not run".into(), |it| readable(&it.message));
    report.test_cases.iter().zip(1..).map(move |(case, number)| {
        let verdict = case.judged();
        let result = match verdict {
            TestVerdict::Accepted => CaseResult::Passed,
            TestVerdict::NotRun => match first_open.take() {
                Some(verdict) => CaseResult::Error(verdict),
                None if case.is_not_judged() => {
                    CaseResult::Skipped(format!("not judged, because {}", readable(&case.reason)))
                }
                None => CaseResult::Skipped(skipped.clone()),
            },
            _ => {
                let ended = || match case.outcome() {
                    Outcome::Ok => "wrong answer".into(),
                    outcome => outcome.name().into(),
                };
                let told = wrong.next().unwrap_or_else(ended);
                CaseResult::Failure(first_wrong.take().unwrap_or(told))
            }
        };
        Case {
            seconds: case.runtime_ms.map(|ms| ms / MS_PER_SECOND),
            verdict: verdict.word(),
            ..Case::new(format!("test case {number}"), result)
        }
    })
}

fn of_size(report: &ProfileReport, size: &SizeResult) -> Case {
    let result = match size.outcome() {
        Outcome::Ok => {
            let rejected = rejection(size).map(CaseResult::Failure);
            let open = || why_not_judged(size).map(CaseResult::Skipped);
            rejected.or_else(open).unwrap_or(CaseResult::Passed)
        }
        Outcome::NotRun => CaseResult::Skipped(format!("not run, {}", why_not_run(report))),
        _ if fails_at_zero_alone(report, size) => {
            CaseResult::Skipped(format!("{ZERO_QUESTION} {}", explain_size(size)))
        }
        _ => CaseResult::Failure(explain_size(size)),
    };
    let ms = size.runtime_ms.filter(|ms| ms.is_finite());
    let case = Case::new(place(report, size.size, size.candidate), result);
    Case { seconds: ms.map(|ms| ms / MS_PER_SECOND), ..case }
}

/// Builds a case for the early end of a run, unless the case of its compile step says the same.
fn of_error(error: &SandboxError) -> Option<Case> {
    let is_said = error.code() == ErrorCode::Compile
        && error.partial.as_ref().is_some_and(|partial| failed_step(partial).is_some());
    let text = format!("{}: {}", error.code().word(), readable(&error.message));
    (!is_said).then(|| Case::new("run", CaseResult::Error(text)))
}

fn of_check(check: &Check) -> Case {
    let result = if check.is_failure {
        CaseResult::Failure(readable(&check.sentence))
    } else {
        CaseResult::Passed
    };
    Case::new(check.name.clone(), result)
}

/// Counts of a suite, or of all suites, and the sum of the times in seconds, as attributes.
fn totals<'a>(cases: impl Iterator<Item = &'a Case> + Clone) -> String {
    let count = |is: fn(&CaseResult) -> bool| cases.clone().filter(|it| is(&it.result)).count();
    let failures = count(|result| matches!(result, CaseResult::Failure(_)));
    let errors = count(|result| matches!(result, CaseResult::Error(_)));
    let tests = cases.clone().count();
    let seconds = cases.filter_map(|case| case.seconds).fold(0.0, |sum, seconds| sum + seconds);
    format!(r#"tests="{tests}" failures="{failures}" errors="{errors}" time="{seconds:.6}""#)
}

impl Case {
    fn new(name: impl Into<String>, result: CaseResult) -> Self {
        Self { name: name.into(), seconds: None, result, verdict: "" }
    }

    /// Renders the XML element. `class` is already escaped.
    fn element(&self, class: &str) -> String {
        let name = escaped(&self.name);
        let time = self.seconds.map(|seconds| format!(r#" time="{seconds:.6}""#));
        let time = time.unwrap_or_default();
        let opened = format!(r#"    <testcase name="{name}" classname="{class}"{time}"#);
        let (kind, text) = match &self.result {
            CaseResult::Passed => return opened + "/>",
            CaseResult::Skipped(text) => {
                let text = escaped(text);
                return format!("{opened}><skipped message=\"{text}\"/></testcase>");
            }
            CaseResult::Failure(text) => ("failure", text),
            CaseResult::Error(text) => ("error", text),
        };
        let first = escaped(text.lines().next().unwrap_or_default());
        let text = escaped(text);
        let word = Some(self.verdict).filter(|word| !word.is_empty());
        let word = word.map(|word| format!(r#" type="{word}""#)).unwrap_or_default();
        format!(r#"{opened}><{kind} message="{first}"{word}>{text}</{kind}></testcase>"#)
    }
}

fn escaped(text: &str) -> String {
    escaped_up_to(text, MAX_TEXT_BYTES)
}
