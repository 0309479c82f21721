//! The sizes that did not end OK, with the evidence.

use crate::report::outcome_name;
use crate::report::{figure, readable};
use crate::text::layout::place;
use crate::text::layout::prefixed;
use profiler_proto::Word;
use profiler_proto::v1::{Evidence, FailureHint, KilledBy, Outcome, ProfileReport, SizeResult};

/// What stands in front of the program's own lines.
const QUOTE: &str = "    | ";
/// The most lines of stderr that are shown of one size; the last ones tell most.
const STDERR_LINES: usize = 8;

/// Every size that did not end OK, explained; empty if there is none.
pub(in crate::text) fn sizes(report: &ProfileReport) -> String {
    let failed = report.sizes.iter().filter(|size| size.outcome() != Outcome::Ok);
    let explained = |size| explained(size, &place(report, size.size, size.candidate));
    failed.map(explained).collect::<Vec<_>>().join("\n")
}

fn explained(size: &SizeResult, place: &str) -> String {
    let program = side(size.outcome(), size.evidence.as_ref(), &size.stderr_tail);
    let mut text = format!("  {place}: {program}");
    let interactor = size.interactor.as_ref().filter(|other| other.outcome() != Outcome::Ok);
    if let Some(other) = interactor {
        let said = side(other.outcome(), other.evidence.as_ref(), &other.stderr_tail);
        text.push_str("\n    interactor: ");
        text.push_str(&said);
    }
    text
}

/// What came of the program, or of its interactor.
fn side(outcome: Outcome, evidence: Option<&Evidence>, stderr: &str) -> String {
    let stderr = readable(stderr);
    let lines: Vec<_> = stderr.lines().collect();
    let last = lines.get(lines.len().saturating_sub(STDERR_LINES)..).unwrap_or_default();
    let mut text = outcome_name(outcome).to_owned() + &evidence.map(facts).unwrap_or_default();
    if !last.is_empty() {
        text.push_str("; stderr ends with\n");
        text.push_str(&prefixed(QUOTE, &last.join("\n")));
    }
    text
}

/// What an outcome rests on, as the rest of a sentence.
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
    let unit = readable(&evidence.unit);
    Some(format!("{name} {met} of {limit} {unit} (seen by {method})"))
}

fn killer(evidence: &Evidence) -> Option<String> {
    let killer = match evidence.killed_by() {
        KilledBy::Profiler => "ended by the profiler",
        KilledBy::KernelOom => "ended by the kernel, out of memory",
        KilledBy::KernelRlimit => "ended by the kernel, at a resource limit",
        KilledBy::Unspecified | KilledBy::Itself => return None,
    };
    Some(killer.into())
}

fn hint(evidence: &Evidence) -> Option<String> {
    let hint = match evidence.hint() {
        FailureHint::Unspecified => return None,
        FailureHint::Stack => "probably the stack overflowed",
        FailureHint::BadAlloc => "probably an allocation was refused (std::bad_alloc)",
        FailureHint::Silence => "each side waited for the other",
    };
    Some(hint.into())
}
