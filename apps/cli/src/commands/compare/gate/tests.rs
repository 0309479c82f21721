//! Findings of the gate on reports with known figures.

use super::*;
use profiler_proto::v1::{
    Figures, Headline, Host, InputCheck, InputUse, Interval, Output, RemedyKind, TestCaseResult,
    TestVerdict,
};

fn report(ms: f64) -> ProfileReport {
    let outcome = if ms.is_finite() { Outcome::Ok } else { Outcome::TimeLimit };
    let interval = Some(Interval { low: ms * 0.999, high: ms, level: 0.95 });
    let figures =
        Figures { headline: Some(Headline { ms, interval, known: true }), ..Figures::default() };
    let size = SizeResult {
        size: 100,
        outcome: outcome.into(),
        runtime_ms: Some(ms),
        figures: Some(figures).filter(|_| ms.is_finite()),
        ..SizeResult::default()
    };
    let host = Some(Host { fingerprint: Some("one".into()), ..Host::default() });
    ProfileReport { sizes: vec![size], host, ..ProfileReport::default() }
}

fn gated(fail_on: &[FailOn], report: ProfileReport) -> Findings {
    let gate = Gate {
        fail_on: fail_on.to_vec(),
        baseline: None,
        fail_if_slower: None,
        outputs: Outputs::Agree,
    };
    gate.apply(&Ending::Report(Box::new(report)))
}

fn against(baseline: f64, now: f64, fail_if_slower: Option<f64>) -> Findings {
    between(report(baseline), report(now), fail_if_slower)
}

fn between(baseline: ProfileReport, now: ProfileReport, limit: Option<f64>) -> Findings {
    let program = Program { name: "saved".into(), reports: vec![baseline] };
    let gate = Gate {
        fail_on: Vec::new(),
        baseline: Some(program),
        fail_if_slower: limit,
        outputs: Outputs::Agree,
    };
    gate.apply(&Ending::Report(Box::new(now)))
}

fn sentences(found: &Findings) -> Vec<&str> {
    found.checks.iter().map(|check| check.sentence.as_str()).collect()
}

#[test]
fn findings_are_named() {
    let mut bad = report(f64::INFINITY);
    let judged =
        |verdict: TestVerdict| TestCaseResult { verdict: verdict.into(), ..Default::default() };
    bad.test_cases = vec![judged(TestVerdict::WrongAnswer), judged(TestVerdict::NotRun)];
    bad.warnings = vec![Warning {
        code: WarningCode::Noisy.into(),
        message: "it is loud, and lacks an InputSpec".into(),
        reason: "it is loud".into(),
        remedies: vec![RemedyKind::InputSpec.into()],
        ..Warning::default()
    }];
    let all = [FailOn::Warning, FailOn::Failure, FailOn::WrongAnswer, FailOn::OverLimit];
    let found = gated(&all, bad);
    assert_eq!(
        sentences(&found),
        [
            "--fail-on warning: noisy: it is loud; use --input-spec",
            "--fail-on failure: TIME_LIMIT at n = 100",
            "--fail-on wrong-answer: wrong on 1 of 2 tests (1 not run)",
            "--fail-on over-limit: TIME_LIMIT at n = 100",
        ]
    );
    assert_eq!(found.exit, Exit::Unsuccessful);
    assert_eq!(gated(&all, report(1.0)), Findings { checks: vec![], exit: Exit::Done });
    let open = ProfileReport { test_cases: vec![judged(TestVerdict::NotRun)], ..report(1.0) };
    let found = gated(&[FailOn::WrongAnswer], open);
    assert_eq!(found, Findings { checks: vec![], exit: Exit::Done });
    assert_eq!(found.exit_after(Exit::CannotTell), Exit::CannotTell);
}

#[test]
fn failure_at_zero_alone_does_not_fail_the_gate() {
    let mut report = report(1.0);
    let zero = SizeResult { outcome: Outcome::TimeLimit.into(), ..SizeResult::default() };
    report.sizes.insert(0, zero);
    let warning = Warning::new(WarningCode::RuntimeFailure, "TIME_LIMIT");
    report.warnings = vec![Warning { size: Some(0), ..warning }];
    let all = [FailOn::Warning, FailOn::Failure, FailOn::OverLimit];
    assert_eq!(gated(&all, report.clone()), Findings { checks: vec![], exit: Exit::Done });
    report.sizes[1].outcome = Outcome::TimeLimit.into();
    assert_eq!(gated(&all, report).checks.len(), 3);
}

#[test]
fn slower_than_the_baseline_by_more_than_allowed_is_a_failure() {
    assert_eq!(against(10.0, 12.0, Some(0.05)).exit, Exit::Unsuccessful);
    assert_eq!(against(10.0, 12.0, Some(0.3)).exit, Exit::Done);
    assert_eq!(against(10.0, 12.0, None).exit, Exit::Done);
    assert_eq!(against(10.0, 8.0, Some(0.05)).exit, Exit::Done);
    let slower = against(10.0, 12.0, Some(0.05));
    assert_eq!(sentences(&slower), ["slower than the baseline at n = 100: +20.0 %"]);
    assert!(slower.checks[0].is_failure);
}

#[test]
fn program_that_writes_something_else_does_not_pass() {
    let writing = |ms, words: &str| {
        let mut report = report(ms);
        let words_sha256 = words.into();
        report.sizes[0].stdout = Some(Output { words_sha256, ..Output::default() });
        report
    };
    for limit in [None, Some(0.05)] {
        let found = between(writing(10.0, "a"), writing(1.0, "b"), limit);
        assert_eq!(found.exit, Exit::Unsuccessful);
        assert!(found.checks[0].is_failure);
        let said = "writes a different output than the baseline at n = 100. If the task has several \
                    right answers, use --checker or --any-output.";
        assert_eq!(sentences(&found), [said]);
        let found = between(writing(10.0, "a"), writing(1.0, "a"), limit);
        assert_eq!(sentences(&found), ["faster than the baseline at n = 100: -90.0 %"]);
    }
}

#[test]
fn program_that_fails_now_is_slower() {
    assert_eq!(against(10.0, f64::INFINITY, Some(9.0)).exit, Exit::Unsuccessful);
}

#[test]
fn program_that_was_not_fed_what_it_reads_does_not_pass() {
    let check = InputCheck {
        input_use: InputUse::Starved.into(),
        default_input: Some("100\n".into()),
        ..InputCheck::default()
    };
    let starved = || ProfileReport { input_check: Some(check.clone()), ..report(1.0) };
    for (baseline, now, who) in
        [(report(10.0), starved(), "the program"), (starved(), report(10.0), "the baseline")]
    {
        let found = between(baseline, now, Some(0.05));
        assert_eq!(found.exit, Exit::CannotTell);
        let said = format!(
            "cannot be compared with the baseline: {who} was fed only \"100\\n\" and asked for \
             more. Declare its input with --input-spec, or use --interactor if it talks to a \
             judge."
        );
        assert_eq!(sentences(&found), [said]);
    }
}

#[test]
fn baseline_of_another_host_or_method_is_not_compared() {
    let saved = |method_version, kernel: &str| {
        let host = Host { fingerprint: Some("other".into()), method_version, ..Host::default() };
        let host = Some(Host { kernel: kernel.into(), ..host });
        ProfileReport { host, ..report(10.0) }
    };
    for (baseline, because) in [
        (saved(0, "another"), "the hosts of the reports differ in kernel: "),
        (saved(1, ""), "the reports were made by versions of swiftprof that measure differently: "),
    ] {
        let found = between(baseline, report(10.0), Some(0.05));
        let said = format!("cannot be compared with the baseline: {because}");
        assert!(found.checks[0].sentence.starts_with(&said), "{found:?}");
        assert_eq!(found.exit, Exit::CannotTell);
    }
}

#[test]
fn program_that_was_not_measured_at_the_largest_size_does_not_pass() {
    let mut longer = report(10.0);
    longer.sizes.push(SizeResult { size: 200, ..longer.sizes[0].clone() });
    let found = between(longer.clone(), report(1.0), Some(0.05));
    let said = "cannot be compared with the baseline: the program was not measured at n = 200, \
                the baseline's largest size. Measure both with the same --sizes";
    assert_eq!((sentences(&found), found.exit), (vec![said], Exit::CannotTell));
    assert_eq!(between(longer.clone(), report(20.0), Some(0.05)).exit, Exit::Unsuccessful);
    assert_eq!(between(report(10.0), longer, Some(0.05)).exit, Exit::Done);
}

#[test]
fn program_on_other_inputs_does_not_pass() {
    let fed = |ms, input: &str| {
        let mut report = report(ms);
        report.sizes[0].input_sha256 = input.into();
        report
    };
    assert_eq!(between(fed(10.0, "01"), fed(1.0, "02"), Some(0.2)).exit, Exit::CannotTell);
    assert_eq!(between(fed(10.0, "01"), fed(1.0, "01"), Some(0.2)).exit, Exit::Done);
}

#[test]
fn program_that_no_longer_fails_is_told() {
    let found = against(f64::INFINITY, 10.0, Some(0.05));
    assert_eq!(found.exit, Exit::Done);
    let said = "ends OK at n = 100, where the baseline failed; the outputs there were not compared";
    assert_eq!(sentences(&found), [said]);
}

#[test]
fn incomparable_programs_are_told_at_the_gate() {
    assert_eq!(against(f64::INFINITY, f64::INFINITY, Some(0.05)).exit, Exit::CannotTell);
    assert_eq!(against(f64::INFINITY, f64::INFINITY, None).exit, Exit::Done);
}
