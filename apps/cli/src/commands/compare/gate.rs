//! `--fail-on` and `--baseline`: searches a report for what makes a run unsuccessful.

use crate::args::{FailOn, GateArgs, SEVERAL_ANSWERS};
use crate::exit::{Exit, Failure};
use crate::saved_report;
use crate::stderr::tell;
use clap::ValueEnum;
use profiler_compare::{
    Basis, Comparison, Outputs, Program, Size, Verdict, changes, compare_programs, questions,
    why_meaningless,
};
use profiler_export::{
    Check, Ending, explain_warning, fails_at_zero_alone, failure_at_zero, flag, wrong_tests,
};
use profiler_proto::Word;
use profiler_proto::v1::{
    GrowthClassification, Outcome, ProfileReport, SizeResult, Warning, WarningCode,
};
use profiler_wire::BRIEF_PRECISION;

const PERCENT: f64 = 100.0;
/// Caveat for a size whose outputs cannot be compared: a program failed there, or an older version
/// wrote the report.
const NOT_COMPARED: &str = "; the outputs there were not compared";

/// Conditions that a run must meet. The baseline is read before anything is measured.
pub(in crate::commands) struct Gate {
    fail_on: Vec<FailOn>,
    baseline: Option<Program>,
    fail_if_slower: Option<f64>,
    outputs: Outputs,
}

/// Findings of the gate, and the exit code.
#[derive(Debug, PartialEq)]
pub(in crate::commands) struct Findings {
    pub(in crate::commands) checks: Vec<Check>,
    pub(in crate::commands) exit: Exit,
}

impl Findings {
    /// Prints the sentences to stderr.
    pub(in crate::commands) fn print(&self) {
        for check in &self.checks {
            tell(format_args!("swiftprof: {}", check.sentence));
        }
    }

    /// Returns the exit code of the findings, unless the run's is worse.
    pub(in crate::commands) fn exit_after(&self, run: Exit) -> Exit {
        match run {
            Exit::Done => self.exit,
            Exit::CannotTell if self.exit == Exit::Unsuccessful => self.exit,
            worse => worse,
        }
    }
}

impl Gate {
    /// Reads the baseline.
    pub(in crate::commands) fn open(args: &GateArgs) -> Result<Self, Failure> {
        Ok(Self {
            fail_on: args.fail_on.clone(),
            baseline: args.baseline.as_deref().map(saved_report::read_program).transpose()?,
            fail_if_slower: args.fail_if_slower,
            outputs: args.outputs.required(),
        })
    }

    /// Returns the precision for a run whose arguments do not set it: the baseline's, or without a
    /// baseline a low one, because a person waits for the result.
    pub(in crate::commands) fn precision(&self) -> Option<f64> {
        match &self.baseline {
            Some(baseline) => baseline.reports.iter().find_map(|report| report.precision),
            None => Some(BRIEF_PRECISION),
        }
    }

    /// Checks how a run ended.
    pub(in crate::commands) fn apply(&self, ending: &Ending) -> Findings {
        let partial = ending.report();
        let found = self.fail_on.iter().filter_map(|wanted| {
            let what = describe(*wanted, partial?)?;
            let name = format!("--fail-on {}", wanted.to_possible_value()?.get_name());
            Some(Check { sentence: format!("{name}: {what}"), name, is_failure: true })
        });
        let mut checks: Vec<_> = found.collect();
        let mut exit = if checks.is_empty() { Exit::Done } else { Exit::Unsuccessful };
        if let (Some(baseline), Ending::Report(report)) = (&self.baseline, ending) {
            let now = Program { name: report.task_id.clone(), reports: vec![(**report).clone()] };
            let programs = [("the baseline", baseline), ("the program", &now)];
            let judged = match why_meaningless(programs, flag) {
                Some(because) => Err(because),
                None => self.judge(&compare_programs(baseline, &now, self.outputs, flag)),
            };
            let (sentence, verdict) = judged.unwrap_or_else(|because| {
                let asks = self.fail_if_slower.is_some();
                let exit = if asks { Exit::CannotTell } else { Exit::Done };
                (format!("cannot be compared with the baseline: {because}"), exit)
            });
            let is_failure = verdict != Exit::Done;
            checks.push(Check { name: "--baseline".into(), sentence, is_failure });
            exit = if exit == Exit::Done { verdict } else { exit };
        }
        Findings { checks, exit }
    }

    /// Returns a sentence about the comparison with the baseline and the exit code, or why there is
    /// no verdict.
    fn judge(&self, comparison: &Comparison) -> Result<(String, Exit), String> {
        let because = || {
            // Only without times do the warnings say why there is no verdict.
            let is_timed = comparison.basis == Basis::Time;
            let warnings = comparison.warnings.iter().filter(|_| !is_timed);
            let reasons = warnings.chain(&comparison.unknown_because);
            reasons.map(String::as_str).collect::<Vec<_>>().join("; ")
        };
        let decided = comparison.sizes.iter().filter(|it| it.verdict != Verdict::Unknown);
        let largest =
            decided.max_by(|a, b| a.size.cmp(&b.size).then(ratio(a).total_cmp(&ratio(b))));
        let Some(at) = largest else { return Err(because()) };
        let n = at.size;
        let change = (ratio(at) - 1.0) * PERCENT;
        let caveat = comparison.uncompared_at.map_or("", |_| NOT_COMPARED);
        Ok(match comparison.verdict {
            Verdict::Unknown => return Err(because()),
            Verdict::OtherOutput => {
                let n = comparison.other_output_at.unwrap_or(n);
                let told = "writes a different output than the baseline";
                (format!("{told} at n = {n}. {SEVERAL_ANSWERS}"), Exit::Unsuccessful)
            }
            Verdict::Same => {
                let asked = questions(comparison).unwrap_or_default();
                (format!("no slower than the baseline at n = {n}{asked}"), Exit::Done)
            }
            Verdict::Faster => {
                let how = format!("faster than the baseline at n = {n}: {change:.1} %");
                (format!("{how}{}{caveat}", changes(comparison)), Exit::Done)
            }
            Verdict::Slower => {
                let how = if change.is_infinite() {
                    format!("fails at n = {n}, where the baseline did not")
                } else {
                    let how = format!("slower than the baseline at n = {n}: +{change:.1} %");
                    how + &changes(comparison)
                };
                let is_over = self.fail_if_slower.is_some_and(|share| change > share * PERCENT);
                (how, if is_over { Exit::Unsuccessful } else { Exit::Done })
            }
        })
    }
}

/// Returns the ratio of B's time to A's, or else the ratio of instructions. The ratio is infinite
/// if B alone failed.
fn ratio(size: &Size) -> f64 {
    if size.fails_for_b_alone() {
        return f64::INFINITY;
    }
    size.time.map(|time| time.ratio).or(size.instructions_ratio).unwrap_or(1.0)
}

/// Describes the finding in the report; `None` if the report does not have it. A failure at n = 0
/// alone is none.
fn describe(wanted: FailOn, report: &ProfileReport) -> Option<String> {
    let failed = |size: &&SizeResult| {
        !matches!(size.outcome(), Outcome::Ok | Outcome::NotRun)
            && !fails_at_zero_alone(report, size)
    };
    let over = |size: &&SizeResult| failed(size) && size.outcome().is_limit();
    let is_of_zero = |warning: &Warning| {
        warning.code() == WarningCode::RuntimeFailure
            && warning.size == Some(0)
            && failure_at_zero(report).is_some()
    };
    let place = |size: &SizeResult| format!("{} at n = {}", size.outcome().name(), size.size);
    match wanted {
        FailOn::Warning => {
            let first = report.warnings.iter().find(|warning| !is_of_zero(warning))?;
            Some(format!("{}: {}", first.code().word(), explain_warning(first, flag)))
        }
        FailOn::Failure => report.sizes.iter().find(failed).map(place),
        FailOn::WrongAnswer => wrong_tests(report),
        FailOn::OverLimit => report.sizes.iter().find(over).map(place).or_else(|| {
            let growth = report.growth.as_ref()?;
            [&growth.time, &growth.memory].into_iter().flatten().find_map(predicted_over)
        }),
    }
}

/// Returns where the limit is predicted to be exceeded; `None` if that is not predicted.
fn predicted_over(class: &GrowthClassification) -> Option<String> {
    let prediction = class.prediction.as_ref().filter(|it| it.fits == Some(false))?;
    Some(format!("predicted at n = {}", prediction.size))
}

#[cfg(test)]
mod tests {
    use super::*;
    use profiler_proto::v1::{
        Figures, Headline, Host, InputCheck, InputUse, Interval, Output, RemedyKind,
        TestCaseResult, TestVerdict,
    };

    fn report(ms: f64) -> ProfileReport {
        let outcome = if ms.is_finite() { Outcome::Ok } else { Outcome::TimeLimit };
        let interval = Some(Interval { low: ms * 0.999, high: ms, level: 0.95 });
        let figures = Figures {
            headline: Some(Headline { ms, interval, known: true }),
            ..Figures::default()
        };
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
            let host =
                Host { fingerprint: Some("other".into()), method_version, ..Host::default() };
            let host = Some(Host { kernel: kernel.into(), ..host });
            ProfileReport { host, ..report(10.0) }
        };
        for (baseline, because) in [
            (saved(0, "another"), "the hosts of the reports differ in kernel: "),
            (
                saved(1, ""),
                "the reports were made by versions of swiftprof that measure differently: ",
            ),
        ] {
            let found = between(baseline, report(10.0), Some(0.05));
            let said = format!("cannot be compared with the baseline: {because}");
            assert!(found.checks[0].sentence.starts_with(&said), "{found:?}");
            assert_eq!(found.exit, Exit::CannotTell);
        }
    }

    #[test]
    fn incomparable_programs_are_told_at_the_gate() {
        assert_eq!(against(f64::INFINITY, f64::INFINITY, Some(0.05)).exit, Exit::CannotTell);
        assert_eq!(against(f64::INFINITY, f64::INFINITY, None).exit, Exit::Done);
    }
}
