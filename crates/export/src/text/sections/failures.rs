//! Sizes that did not end OK, with the evidence.

use crate::report::{
    default_input, fails_at_zero_alone, figure, readable, unfinished_tests, verdict, widened,
};
use crate::text::layout::{place, prefixed};
use profiler_proto::Word;
use profiler_proto::v1::{Evidence, FailureHint, KilledBy, Outcome, ProfileReport, SizeResult};

/// Prefix of lines that quote the program's stderr.
const QUOTE: &str = "    | ";
/// Number of lines of stderr that are shown for a size. The last lines say the most.
const STDERR_LINES: usize = 8;

/// Returns the reason for leaving out the sizes that were not run. A size that has run was left out
/// for its other output in a new sandbox.
pub(crate) fn why_not_run(report: &ProfileReport) -> &'static str {
    let has_run = |size: &SizeResult| size.outcome() == Outcome::NotRun && size.warm_up.is_some();
    if report.sizes.iter().any(has_run) {
        "because its output in a new sandbox is another one"
    } else if default_input::ended_the_run(report) {
        "because the program lacked input"
    } else if !verdict::ended_the_run(report) {
        "because two smaller sizes in a row exceeded a limit"
    } else if unfinished_tests(report).is_some() {
        "because not every test case has a verdict"
    } else {
        "because the program is wrong on a test case"
    }
}

/// Explains every size that did not end OK; empty if there is none. Sizes with the same explanation
/// share it, and the same stderr is shown once. A failure at n = 0 alone is a question of the
/// summary.
pub(in crate::text) fn sizes(report: &ProfileReport) -> String {
    let failed = |size: &&SizeResult| {
        !matches!(size.outcome(), Outcome::Ok | Outcome::NotRun)
            && !fails_at_zero_alone(report, size)
    };
    let mut explained: Vec<(Vec<String>, String)> = Vec::new();
    let mut shown: Vec<(String, &str)> = Vec::new();
    for size in report.sizes.iter().filter(failed) {
        let place = place(report, size.size, size.candidate);
        let text = explain_size(size);
        if let Some((places, _)) = explained.iter_mut().find(|(_, said)| *said == text) {
            places.push(place);
            continue;
        }
        let first = shown.iter().find(|(_, stderr)| *stderr == size.stderr_tail);
        let is_new = first.is_none() && !size.stderr_tail.is_empty();
        let text = first.map_or(text, |(first, _)| {
            let silent = SizeResult { stderr_tail: String::new(), ..size.clone() };
            format!("{}; stderr ends as at {first}", explain_size(&silent))
        });
        if is_new {
            shown.push((place.clone(), &size.stderr_tail));
        }
        explained.push((vec![place], text));
    }
    let lines =
        explained.iter().map(|(places, text)| format!("  {}: {text}", places.join(" and ")));
    lines.chain(not_run(report)).collect::<Vec<_>>().join("\n")
}

/// One line for all sizes that were left out.
fn not_run(report: &ProfileReport) -> Option<String> {
    let left_out = report.sizes.iter().filter(|size| size.outcome() == Outcome::NotRun);
    let mut sizes: Vec<_> = left_out.map(|size| size.size.to_string()).collect();
    sizes.dedup();
    let why = why_not_run(report);
    (!sizes.is_empty()).then(|| format!("  n = {}: not run, {why}", sizes.join(", ")))
}

/// Explains the outcome of a size with its evidence, and the interactor's outcome if that is not
/// OK.
pub(crate) fn explain_size(size: &SizeResult) -> String {
    let mut text = explain_outcome(size.outcome(), size.evidence.as_ref(), &size.stderr_tail);
    let interactor = size.interactor.as_ref().filter(|other| other.outcome() != Outcome::Ok);
    if let Some(other) = interactor {
        let said = explain_outcome(other.outcome(), other.evidence.as_ref(), &other.stderr_tail);
        text.push_str("\n    interactor: ");
        text.push_str(&said);
    }
    text
}

/// The outcome of a program with its evidence, and the end of its stderr, as text.
pub fn explain_outcome(outcome: Outcome, evidence: Option<&Evidence>, stderr: &str) -> String {
    let stderr = readable(stderr);
    let lines: Vec<_> = stderr.lines().collect();
    let last = lines.get(lines.len().saturating_sub(STDERR_LINES)..).unwrap_or_default();
    let mut text = outcome.name().to_owned() + &evidence.map(facts).unwrap_or_default();
    if !last.is_empty() {
        text.push_str("; stderr ends with\n");
        text.push_str(&prefixed(QUOTE, &last.join("\n")));
    }
    text
}

/// The evidence for an outcome, as the rest of a sentence.
fn facts(evidence: &Evidence) -> String {
    let facts = [ended(evidence), limit(evidence), killer(evidence), hint(evidence)];
    facts.into_iter().flatten().fold(String::new(), |text, fact| text + ", " + &fact)
}

fn ended(evidence: &Evidence) -> Option<String> {
    let signal = evidence.signal.as_deref().map(readable);
    signal.or(evidence.exit_code.map(|code| format!("exit code {code}")))
}

fn limit(evidence: &Evidence) -> Option<String> {
    let (limit, met) = (evidence.limit_value?, evidence.met_value?);
    let [limit, met] = [limit, met].map(|value| figure(Some(value), 1));
    let (name, method) = (evidence.limit().word(), evidence.method().word());
    let unit = evidence.unit().word();
    let widened = widened(evidence);
    Some(format!("{name} {met} of {limit} {unit}{widened} (seen by {method})"))
}

fn killer(evidence: &Evidence) -> Option<String> {
    let killer = match evidence.killed_by() {
        KilledBy::Profiler => "killed by the profiler",
        KilledBy::KernelOom => "killed by the kernel (out of memory)",
        KilledBy::KernelRlimit => "killed by the kernel (resource limit)",
        KilledBy::Unspecified | KilledBy::Itself => return None,
    };
    Some(killer.into())
}

fn hint(evidence: &Evidence) -> Option<String> {
    let hint = match evidence.hint() {
        FailureHint::Unspecified => return None,
        FailureHint::Stack => "probably a stack overflow",
        FailureHint::BadAlloc => "probably a failed allocation (std::bad_alloc)",
        FailureHint::Silence => "program and interactor waited for each other",
    };
    Some(hint.into())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tests::sample_reports::{failed, report};

    #[test]
    fn same_explanation_and_same_stderr_are_shown_once() {
        let exited = |code| Evidence { exit_code: Some(code), ..Evidence::default() };
        let crash = |n, code| failed(n, Outcome::RuntimeError, exited(code), "no input\n");
        assert_eq!(
            sizes(&report(vec![crash(0, 1), crash(1, 1), crash(9, 2)])),
            "  n = 0 and n = 1: RUNTIME_ERROR, exit code 1; stderr ends with\n    | no input\n  \
             n = 9: RUNTIME_ERROR, exit code 2; stderr ends as at n = 0"
        );
    }
}
