use super::*;
use crate::ending::{Check, Ending};
use crate::tests::hostile;
use crate::tests::sample_reports::{ending, error, growing, report, segfault, too_slow};
use profiler_proto::v1::{
    CompileStep, Diagnostic, ErrorCode, Outcome, ProfileReport, Severity, TestCaseResult, Warning,
    WarningCode,
};
use proptest::prelude::*;
use serde_json::Value;

fn written(runs: &[Run<'_>], form: CiForm) -> String {
    String::from_utf8(ci_document(runs, form).unwrap()).unwrap()
}

fn message(severity: Severity, file: &str, place: Option<(u32, u32)>, text: &str) -> Diagnostic {
    Diagnostic {
        severity: severity.into(),
        file: file.into(),
        line: place.map(|it| it.0),
        column: place.map(|it| it.1),
        message: text.into(),
    }
}

/// A run with a failure of each kind.
fn failing() -> Ending {
    let mut sizes = growing();
    sizes.extend([segfault(), too_slow()]);
    let mut skipped = too_slow();
    (skipped.size, skipped.outcome) = (200_000, Outcome::NotRun.into());
    sizes.push(skipped);
    let mut report = report(sizes);
    let unused = message(Severity::Warning, "main.cpp", Some((3, 9)), "unused variable 'x'");
    let remark = message(Severity::Note, "main.cpp", Some((3, 9)), "no finding");
    let step = report.compile.as_mut().unwrap();
    (step.binary_bytes, step.diagnostics) = (Some(9), vec![unused, remark]);
    let answered = |correct| TestCaseResult {
        outcome: Outcome::Ok.into(),
        correct: Some(correct),
        runtime_ms: Some(1.5),
        ..TestCaseResult::default()
    };
    report.test_cases = vec![answered(true), answered(false)];
    let warning = |code: WarningCode, text: &str| Warning {
        code: code.into(),
        message: text.into(),
        ..Warning::default()
    };
    report.warnings = vec![
        warning(WarningCode::WrongAnswer, "test 2 printed 2, expected 1"),
        warning(WarningCode::RuntimeFailure, "the sizes say this"),
        Warning { size: Some(1000), ..warning(WarningCode::Noisy, "50 % more, which is noise") },
    ];
    ending(report)
}

/// A program that does not compile, with a message about each kind of place.
fn broken() -> Ending {
    let step = CompileStep {
        diagnostics: vec![
            message(Severity::Error, "main.cpp", Some((4, 18)), "expected ';' before 'std'"),
            message(Severity::FatalError, "/usr/include/a.h", Some((7, 1)), "no"),
            message(Severity::Error, "main.cpp", None, "undefined reference to `f()'"),
            message(Severity::Error, "collect2", None, "ld returned 1 exit status"),
        ],
        error_text: "main.cpp:4:18: error: expected ';' before 'std'\n    4 | std::cin >> n".into(),
        ..CompileStep::default()
    };
    let partial = ProfileReport { compile: Some(step), ..ProfileReport::default() };
    let why = "3 errors, the first in line 4: expected ';' before 'std'";
    error(ErrorCode::Compile, why, partial)
}

fn checks() -> Vec<Check> {
    let check = |name: &str, sentence: &str, is_failure| Check {
        name: name.into(),
        sentence: sentence.into(),
        is_failure,
    };
    vec![
        check("--fail-on over-limit", "--fail-on over-limit: predicted at n = 9", true),
        check("--baseline", "no slower than the baseline at n = 1000", false),
    ]
}

#[test]
fn failure_at_zero_alone_is_a_question_in_every_form() {
    let mut sizes = growing();
    assert_eq!(sizes[0].size, 0);
    sizes[0].outcome = Outcome::RuntimeError.into();
    let mut report = report(sizes);
    report.compile.as_mut().unwrap().binary_bytes = Some(9);
    let ending = ending(report);
    let run = [Run { ending: &ending, source: "a.cpp", checks: &[], note: None }];
    let junit = written(&run, CiForm::Junit);
    assert!(junit.contains(r#"failures="0" errors="0""#), "{junit}");
    assert!(junit.contains("<skipped message=\"Does the task allow n = 0?"), "{junit}");
    let github = written(&run, CiForm::Github);
    assert!(github.contains("::notice ") && !github.contains("::error"), "{github}");
    assert!(github.contains("::Does the task allow n = 0? n = 0: RUNTIME_ERROR"), "{github}");
    let sarif = written(&run, CiForm::Sarif);
    assert!(
        sarif.contains("Does the task allow n = 0?") && !sarif.contains("\"error\""),
        "{sarif}"
    );
}

#[test]
fn every_kind_of_finding_is_in_every_form() {
    let (failing, broken, checks) = (failing(), broken(), checks());
    let runs = [
        Run { ending: &failing, source: "src/a <b>.cpp", checks: &checks, note: None },
        Run { ending: &broken, source: "src/broken.cpp", checks: &[], note: None },
    ];
    insta::assert_snapshot!("junit", written(&runs, CiForm::Junit));
    insta::assert_snapshot!("github", written(&runs, CiForm::Github));
    let sarif: Value = serde_json::from_str(&written(&runs, CiForm::Sarif)).unwrap();
    let version = &sarif["runs"][0]["tool"]["driver"]["version"];
    assert_eq!(version, env!("CARGO_PKG_VERSION"));
    insta::assert_snapshot!(
        "sarif",
        written(&runs, CiForm::Sarif).replace(&version.to_string(), "…")
    );
}

/// A report describes its first problems with test cases alone.
#[test]
fn test_case_without_a_warning_has_its_result() {
    let Ending::Report(mut report) = failing() else { unreachable!() };
    let not_judged = TestCaseResult {
        outcome: Outcome::Ok.into(),
        reason: "it is too long".into(),
        ..TestCaseResult::default()
    };
    let wrong = report.test_cases[1].clone();
    report.test_cases.extend([wrong, not_judged]);
    let xml = written(&[(&Ending::Report(report)).into()], CiForm::Junit);
    let parsed = roxmltree::Document::parse(&xml).unwrap();
    let said = |number| {
        let name = format!("test case {number}");
        let mut nodes = parsed.descendants();
        let case = nodes.find(|node| node.attribute("name") == Some(name.as_str())).unwrap();
        let result = case.children().find(roxmltree::Node::is_element).unwrap();
        (result.tag_name().name().to_owned(), result.attribute("message").unwrap().to_owned())
    };
    assert_eq!(said(3), ("failure".into(), "wrong answer".into()));
    assert_eq!(said(4), ("skipped".into(), "not judged, because it is too long".into()));
}

#[test]
fn test_case_that_was_not_run_is_no_success() {
    let Ending::Report(mut report) = failing() else { unreachable!() };
    let not_run = TestCaseResult { outcome: Outcome::NotRun.into(), ..TestCaseResult::default() };
    report.test_cases = vec![report.test_cases[0].clone(), not_run.clone(), not_run];
    report.warnings = vec![Warning::new(WarningCode::TestCasesNotRun, "2 were not run")];
    let xml = written(&[(&Ending::Report(report)).into()], CiForm::Junit);
    let first = "<error message=\"no verdict: 1 of 3 tests ran, and their answers are correct\" \
                 type=\"NOT_RUN\">";
    assert!(xml.contains(first), "{xml}");
    assert_eq!(xml.matches("<skipped message=\"2 were not run\"/>").count(), 1, "{xml}");
}

#[test]
fn run_without_findings_has_no_annotation() {
    let fine = ending(report(growing()));
    assert_eq!(written(&[(&fine).into()], CiForm::Github), "");
}

#[test]
fn checker_that_failed_is_an_error_and_no_failure() {
    let mut judged = report(growing());
    let (outcome, reason) = (Outcome::Ok.into(), "the checker ended with SIGSEGV".into());
    judged.test_cases = vec![TestCaseResult { outcome, reason, ..TestCaseResult::default() }];
    let document = written(&[(&ending(judged)).into()], CiForm::Junit);
    let said = "<error message=\"no verdict: test 1 is not judged, because the checker ended with \
                SIGSEGV\" type=\"NOT_RUN\">";
    assert!(document.contains(said), "{document}");
    assert!(!document.contains("<failure"), "{document}");
}

#[test]
fn size_whose_output_the_checker_rejects_is_a_failure() {
    let mut judged = report(growing());
    judged.sizes[0].output_check = Some(Box::new(TestCaseResult {
        correct: Some(false),
        checker_message: "the sum is 6".into(),
        ..TestCaseResult::default()
    }));
    let document = written(&[(&ending(judged)).into()], CiForm::Junit);
    assert_eq!(document.matches("<failure message=\"the sum is 6\">").count(), 1, "{document}");
}

#[test]
fn size_whose_output_is_not_judged_is_skipped() {
    let mut open = report(growing());
    open.sizes[0].output_check =
        Some(Box::new(TestCaseResult::not_run("the reference does not compile")));
    let document = written(&[(&ending(open)).into()], CiForm::Junit);
    let said = "<skipped message=\"not judged, because the reference does not compile\"/>";
    assert_eq!(document.matches(said).count(), 1, "{document}");
}

/// A compiler that met a limit named no error.
#[test]
fn reason_of_an_early_end_is_never_lost() {
    let step = CompileStep::default();
    let partial = ProfileReport { compile: Some(step), ..ProfileReport::default() };
    let limited = error(ErrorCode::Compile, "the compiler exceeded 10 s", partial);
    let lost = error(ErrorCode::Internal, "the sandbox was lost", ProfileReport::default());
    for (ending, why) in [(limited, "the compiler exceeded 10 s"), (lost, "the sandbox was lost")] {
        for form in [CiForm::Junit, CiForm::Sarif, CiForm::Github] {
            let document = written(&[(&ending).into()], form);
            assert!(document.contains(why) && document.contains("main.cpp"), "{document}");
        }
    }
}

proptest! {
    #[test]
    fn no_name_breaks_a_form(text in hostile(), source in hostile()) {
        let Ending::Report(mut report) = failing() else { unreachable!() };
        report.candidates = vec![text.clone(), text.clone()];
        report.sizes[4].stderr_tail.clone_from(&text);
        report.compile.as_mut().unwrap().diagnostics[0].message.clone_from(&text);
        report.warnings[0].message = text;
        let ending = Ending::Report(report);
        let run = [Run { source: &source, ..Run::from(&ending) }];
        let xml = written(&run, CiForm::Junit);
        let parsed = roxmltree::Document::parse(&xml).unwrap();
        let cases = parsed.descendants().filter(|node| node.has_tag_name("testcase")).count();
        prop_assert_eq!(cases, 10);
        let annotations = written(&run, CiForm::Github);
        prop_assert_eq!(annotations.lines().count(), 5);
        prop_assert!(annotations.lines().all(|line| line.starts_with("::")));
        let sarif: Value = serde_json::from_str(&written(&run, CiForm::Sarif)).unwrap();
        let uri = &sarif["runs"][0]["results"][0]["locations"][0]["physicalLocation"]
            ["artifactLocation"]["uri"];
        prop_assert!(uri.as_str().unwrap().is_ascii());
    }
}
