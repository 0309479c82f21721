//! The result of a check as text.

use super::result::{CheckResult, Found, Verdict, beginning, explained};
use crate::sandbox::Ended;
use profiler_core::limits::STRESS_N_MAX;
use profiler_core::measure::stress::{Complaint, Difference, StressEnd, StressTest};
use profiler_core::measure::{Answer, WordDifference};
use profiler_export::{
    Palette, ZERO_QUESTION, cut, readable, readable_name, sanitizer_finding, shown, unreached,
};

/// Maximum number of lines shown of an input.
const INPUT_LINES: usize = 20;
/// Maximum number of lines shown of an answer.
const ANSWER_LINES: usize = 8;
/// Advice if the task does not allow n = 0.
const OTHER_SIZES: &str = "If not, list other sizes, as in --sizes 1,2,5.";
/// Advice if the task does not allow a large n.
const OTHER_BOUND: &str = "If not, give the largest, as in --n-max 1000.";
/// Maximum number of sizes listed one by one.
const LISTED_SIZES: usize = 12;

/// Describes the progress of a search.
pub(super) fn progress(test: &StressTest, n: u64) -> String {
    let so_far = match &test.difference {
        Some(found) => {
            format!("found a difference at n = {}, looking for a smaller n", found.input.n)
        }
        None => "no difference".into(),
    };
    format!("{} tried, now n = {n}: {so_far}", inputs(test.tried))
}

/// Renders a sentence, and the evidence for it.
pub(super) fn text(result: &CheckResult, palette: &Palette) -> String {
    let style = match result.verdict {
        Verdict::Same => palette.good,
        Verdict::Unknown => palette.caution,
        _ => palette.bad,
    };
    let mut parts = vec![format!("{style}{}{style:#}", readable(&sentence(result)))];
    if let Some(found) = &result.found {
        if result.verdict != Verdict::Unknown {
            parts.push(smaller(found, result));
            match found.difference.input.n {
                0 => parts.push(format!("{ZERO_QUESTION} {OTHER_SIZES}")),
                n if result.is_unbounded && n > STRESS_N_MAX => {
                    parts.push(format!("Does the task allow n = {n}? {OTHER_BOUND}"));
                }
                _ => {}
            }
        }
        parts.push(input(found));
        parts.push(answers(result, found));
    } else if !result.agreed.is_empty() {
        parts.push(listed(result.agreed.iter()) + why_ended(&result.ended_by));
        if result.sanitized > 0 {
            let ran = inputs(result.sanitized);
            parts.push(format!("with AddressSanitizer and UndefinedBehaviorSanitizer: {ran}"));
        }
        parts.extend(result.coverage.as_ref().and_then(|it| unreached(it, result.inputs)));
    }
    parts.join("\n")
}

/// The result in one sentence.
pub(super) fn sentence(result: &CheckResult) -> String {
    let fast = result.programs.first().map_or("", String::as_str);
    let all = result.programs.join(" and ");
    let is_alone = result.programs.len() < 2;
    match (&result.found, &result.unknown_because) {
        (Some(found), None) => {
            let at = format!("at {}", origin(found, result.inputs));
            match &found.difference.complaint {
                Complaint::Rejected(message) => format!("{fast} is wrong {at}: {message}"),
                Complaint::Sanitizer(finding) => {
                    let (by, error) = (&finding.sanitizer, sanitizer_finding(finding));
                    format!("{fast} has an error {at}: with {by}: {error}")
                }
                Complaint::Differ if is_alone => format!("{fast} fails {at}"),
                Complaint::Differ if result.verdict == Verdict::BothFail => {
                    format!("{all} both fail {at}")
                }
                Complaint::Differ => format!("{all} differ {at}"),
            }
        }
        (Some(found), Some(because)) => {
            format!("cannot tell: {because}, at {}", origin(found, result.inputs))
        }
        (None, None) if is_alone => format!("nothing is wrong with {fast} on {}", tried(result)),
        (None, None) => format!("{all} agree on {}", tried(result)),
        (None, Some(because)) if result.inputs > 0 => {
            format!("cannot tell: {because}; no difference among {}", tried(result))
        }
        (None, Some(because)) => format!("cannot tell: {because}"),
    }
}

fn origin(found: &Found, tried: u32) -> String {
    let name = found.name.as_ref().map(|name| format!("candidate {name:?}"));
    let Difference { input, number, .. } = &found.difference;
    let seed = input.is_declared().then(|| format!("seed {}", input.genome.seed));
    let origin: Vec<_> = seed.into_iter().chain(name).collect();
    let origin =
        if origin.is_empty() { String::new() } else { format!(" ({})", origin.join(", ")) };
    format!("n = {}{origin}, after {number} of {}", input.n, inputs(tried))
}

fn tried(result: &CheckResult) -> String {
    let mut sizes = result.agreed.keys();
    let sizes = match (sizes.next(), sizes.next_back()) {
        (None, _) => String::new(),
        (Some(only), None) => format!(" with n = {only}"),
        (Some(first), Some(last)) => format!(" with n from {first} to {last}"),
    };
    format!("{}{sizes}, in {:.1} s", inputs(result.inputs), result.seconds)
}

fn inputs(count: u32) -> String {
    format!("{count} input{}", if count == 1 { "" } else { "s" })
}

/// Describes what was tried at sizes below the size of the difference.
fn smaller(found: &Found, result: &CheckResult) -> String {
    let below = result.agreed.range(..found.difference.input.n);
    let tried = if below.clone().next().is_none() {
        "no smaller n was tried".into()
    } else {
        format!("this is the smallest n tried with a difference; {}", listed(below))
    };
    tried + why_ended(&result.ended_by)
}

/// Lists the number of inputs of each size on which the programs agreed.
fn listed<'a>(sizes: impl Iterator<Item = (&'a u64, &'a u32)> + Clone) -> String {
    let agreed = sizes.clone().map(|(_, agreed)| *agreed);
    let count = sizes.clone().count();
    if count > LISTED_SIZES {
        let least = agreed.clone().min().unwrap_or_default();
        let most = agreed.max().unwrap_or_default();
        format!("inputs that agreed: {least} to {most} at each of {count} sizes")
    } else {
        let each = sizes.map(|(n, agreed)| format!("{agreed} at n = {n}"));
        format!("inputs that agreed: {}", each.collect::<Vec<_>>().join(", "))
    }
}

/// Names what ended a search, as a clause to append to its findings.
fn why_ended(by: &Ended<StressEnd>) -> &'static str {
    match by {
        Ended::Searched(StressEnd::Inputs) => "; --inputs ended the search",
        Ended::Searched(StressEnd::Time) => "; --time ended the search",
        Ended::Searched(StressEnd::NoMoreInputs) => "; further seeds gave no other inputs",
        Ended::Searched(StressEnd::NotRepeated) => {
            "; the search ended where a program did not repeat its answer"
        }
        Ended::Searched(StressEnd::NotJudged) => "; the search ended where the judge failed",
        Ended::Searched(StressEnd::NotGenerated) => "; the search ended where the generator failed",
        Ended::Stopped(_) => "; a signal ended the search",
        Ended::Fault(_) => "; a fault of the host ended the search",
        // There was no search.
        Ended::NotCompiled(..) => "",
    }
}

/// Renders the input, and the command that reproduces it. An input whose values were chosen has no
/// command, but can be in a file.
fn input(found: &Found) -> String {
    let bytes = &found.difference.input.bytes;
    let shown = shown(&beginning(bytes), bytes.len() as u64, INPUT_LINES);
    let again = match (&found.command, &found.file) {
        (Some(command), _) => format!("again: {}", readable(command)),
        (None, Some(file)) => format!("saved in {}", readable_name(&file.display().to_string())),
        (None, None) => "to save the input, give -o FILE".into(),
    };
    format!("\ninput:\n{shown}\n  {again}\n")
}

fn answers(result: &CheckResult, found: &Found) -> String {
    let Difference { answers, again, .. } = &found.difference;
    let named = result.programs.iter().zip(answers);
    let mut parts: Vec<_> = named.map(|(program, given)| answer(program, given)).collect();
    if let Some(at) = found.difference.unrepeated() {
        parts.push(answer(&format!("{}, run again,", result.programs[at]), &again[at]));
    }
    match found.first_difference() {
        Some(words) => parts.push(first_difference(&words, result)),
        None if result.verdict == Verdict::Different && answers.iter().all(Answer::is_ok) => {
            parts.push(
                "the answers are equal as far as they are kept, and differ after that".into(),
            );
        }
        None => {}
    }
    parts.join("\n")
}

fn answer(program: &str, given: &Answer) -> String {
    let program = readable_name(program);
    if !given.is_ok() {
        return format!("{program} ends with {}", explained(given));
    }
    let head = beginning(&given.written.stdout_head);
    match given.written.stdout_bytes {
        0 => format!("{program} answers nothing"),
        bytes => format!("{program} answers:\n{}", shown(&head, bytes, ANSWER_LINES)),
    }
}

fn first_difference(words: &WordDifference, result: &CheckResult) -> String {
    let word = |word: &Option<Vec<u8>>| match word {
        Some(word) => cut(&readable(&beginning(word))),
        None => "missing".into(),
    };
    let [fast, slow] = words.words.each_ref().map(word);
    let names = result.programs.iter().map(|name| readable_name(name));
    let said = [fast, slow].into_iter().zip(names).map(|(word, name)| format!("{word} in {name}"));
    format!("word {} is {}", words.number, said.collect::<Vec<_>>().join(", and "))
}

#[cfg(test)]
mod tests;
