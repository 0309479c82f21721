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
    Change, Check, Ending, explain_warning, fails_at_zero_alone, failure_at_zero, flag, wrong_tests,
};
use profiler_proto::Word;
use profiler_proto::v1::{
    GrowthClassification, Outcome, ProfileReport, SizeResult, Warning, WarningCode,
};
use profiler_wire::BRIEF_PRECISION;
use std::collections::BTreeSet;

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
            // A failure at a smaller size stays one.
            let judged = match (judged, largest_missing(baseline, &now)) {
                (Ok((_, Exit::Done)), Some(because)) => Err(because),
                (judged, _) => judged,
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
            Verdict::Faster if at.a.outcome != Outcome::Ok.name() => {
                (format!("ends OK at n = {n}, where the baseline failed{caveat}"), Exit::Done)
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

/// Explains that the program was not measured at the baseline's largest size, which matters most.
fn largest_missing(baseline: &Program, now: &Program) -> Option<String> {
    let sizes = |program: &Program| {
        let reports = program.reports.iter();
        reports.flat_map(|it| &it.sizes).map(|it| it.size).collect::<BTreeSet<_>>()
    };
    let n = sizes(baseline).pop_last().filter(|n| !sizes(now).contains(n))?;
    let same = flag(Change::SameSizes);
    Some(format!(
        "the program was not measured at n = {n}, the baseline's largest size. Measure both with \
         {same}"
    ))
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
mod tests;
