//! What went wrong, with its evidence: sizes that did not end OK, and runs that ended early.

use super::compile;
use super::number::{behind, figure, readable};
use super::report::{self, outcome, outcome_name};
use crate::palette::Palette;
use profiler_proto::v1::{Evidence, Outcome, SandboxError, SizeResult};

/// What stands in front of the program's own lines.
const QUOTE: &str = "    | ";
/// The most lines of stderr that are shown of one size; the last ones tell most.
const STDERR_LINES: usize = 8;
/// `SandboxError.code` of a program that does not compile.
const COMPILE: &str = "compile";

/// A run that ended early: what was measured until then, and what ended it.
pub(super) fn text(error: &SandboxError, palette: &Palette) -> String {
    let partial = error.partial.as_ref();
    let ending = format!(
        "{bad}{}{bad:#}: {}",
        readable(&error.code),
        readable(&error.message),
        bad = palette.bad
    );
    let before = match partial {
        Some(partial) if error.code == COMPILE => {
            partial.compile.as_ref().map(compile::output).unwrap_or_default()
        }
        Some(partial) => report::text(partial, palette),
        None => String::new(),
    };
    report::joined([before, ending])
}

/// Every size that did not end OK, explained; empty if there is none.
pub(super) fn sizes(sizes: &[SizeResult]) -> String {
    let failed = sizes.iter().filter(|size| outcome(size) != Outcome::Ok);
    failed.map(explained).collect::<Vec<_>>().join("\n")
}

fn explained(size: &SizeResult) -> String {
    let name = outcome_name(outcome(size));
    let facts = size.evidence.as_ref().map(facts).unwrap_or_default();
    let stderr = readable(&size.stderr_tail);
    let lines: Vec<_> = stderr.lines().collect();
    let last = lines.get(lines.len().saturating_sub(STDERR_LINES)..).unwrap_or_default();
    let mut text = format!("  n = {}: {name}{facts}", size.size);
    if !last.is_empty() {
        text.push_str("; stderr ends with\n");
        text.push_str(&behind(QUOTE, &last.join("\n")));
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
    let (name, unit, method) = (&evidence.limit, &evidence.unit, &evidence.method);
    Some(readable(&format!("{name} {met} of {limit} {unit} (seen by {method})")))
}

fn killer(evidence: &Evidence) -> Option<String> {
    let killer = match evidence.killed_by.as_str() {
        "profiler" => "ended by the profiler",
        "kernel_oom" => "ended by the kernel, out of memory",
        "kernel_rlimit" => "ended by the kernel, at a resource limit",
        _ => return None,
    };
    Some(killer.into())
}

fn hint(evidence: &Evidence) -> Option<String> {
    match evidence.hint.as_str() {
        "" => None,
        "stack" => Some("probably the stack overflowed".into()),
        "bad_alloc" => Some("probably an allocation was refused (std::bad_alloc)".into()),
        other => Some(format!("hint: {}", readable(other))),
    }
}
