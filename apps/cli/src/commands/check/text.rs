//! The result of a check as text.

use super::result::{CheckResult, Found, Given, Size, Verdict, Words};
use crate::sandbox::Ended;
use profiler_core::measure::stress::{StressEnd, StressTest};
use profiler_export::{Palette, cut, readable, shown};

/// Maximum number of lines shown of an input.
const INPUT_LINES: usize = 20;
/// Maximum number of lines shown of an answer.
const ANSWER_LINES: usize = 8;
/// Maximum number of sizes listed one by one.
const LISTED_SIZES: usize = 12;

/// Describes the progress of a search.
pub(super) fn progress(test: &StressTest, n: u64) -> String {
    let so_far = match test.difference() {
        Some(found) => format!("a difference at n = {}, looking for a smaller n", found.input.n),
        None => "no difference".into(),
    };
    format!("{} tried, now n = {n}: {so_far}", inputs(test.tried()))
}

/// Renders a sentence, and the evidence for it.
pub(super) fn text(result: &CheckResult, palette: &Palette) -> String {
    let style = match result.verdict {
        Verdict::Different | Verdict::BothFail => palette.bad,
        Verdict::Same => palette.good,
        Verdict::Unknown => palette.caution,
    };
    let mut parts = vec![format!("{style}{}{style:#}", readable(&sentence(result)))];
    if let Some(found) = &result.difference {
        if result.verdict != Verdict::Unknown {
            parts.push(smaller(found, result));
        }
        parts.push(input(found));
        parts.push(answers(result, found));
    } else if result.inputs > 0 {
        parts.push(listed(&result.sizes) + why_ended(&result.ended_by));
    }
    parts.join("\n")
}

/// The result in one sentence.
pub(super) fn sentence(result: &CheckResult) -> String {
    let CheckResult { fast, slow, .. } = result;
    match (&result.difference, &result.unknown_because) {
        (Some(found), None) => {
            let both = if result.verdict == Verdict::BothFail { "both fail" } else { "differ" };
            format!("{fast} and {slow} {both} at {}", origin(found, result.inputs))
        }
        (Some(found), Some(because)) => {
            format!("cannot tell: {because}, at {}", origin(found, result.inputs))
        }
        (None, None) => format!("{fast} and {slow} agree on {}", tried(result)),
        (None, Some(because)) if result.inputs > 0 => {
            format!("cannot tell: {because}; no difference among {}", tried(result))
        }
        (None, Some(because)) => format!("cannot tell: {because}"),
    }
}

fn origin(found: &Found, tried: u32) -> String {
    let name = found.name.as_ref().map(|name| format!(", candidate {name:?}")).unwrap_or_default();
    let Found { n, seed, number, .. } = found;
    format!("n = {n} (seed {seed}{name}), after {number} of {}", inputs(tried))
}

fn tried(result: &CheckResult) -> String {
    let sizes = [result.sizes.first(), result.sizes.last()].map(|size| size.map_or(0, |it| it.n));
    let sizes = match sizes {
        [first, last] if first == last => format!("n = {first}"),
        [first, last] => format!("n from {first} to {last}"),
    };
    format!("{} with {sizes}, in {:.1} s", inputs(result.inputs), result.seconds)
}

fn inputs(count: u32) -> String {
    format!("{count} input{}", if count == 1 { "" } else { "s" })
}

/// Describes what was tried at the sizes below that of the difference.
fn smaller(found: &Found, result: &CheckResult) -> String {
    let end = result.sizes.iter().position(|size| size.n >= found.n);
    let tried = match &result.sizes[..end.unwrap_or(result.sizes.len())] {
        [] => "no smaller n was tried".into(),
        below => format!("this is the smallest n tried with a difference; {}", listed(below)),
    };
    tried + why_ended(&result.ended_by)
}

/// Lists the number of inputs of each size on which the programs agreed.
fn listed(sizes: &[Size]) -> String {
    let agreed = || sizes.iter().map(|size| size.agreed);
    if sizes.len() > LISTED_SIZES {
        let [least, most] = [agreed().min(), agreed().max()].map(Option::unwrap_or_default);
        format!("inputs that agreed: {least} to {most} at each of {} sizes", sizes.len())
    } else {
        let each = sizes.iter().map(|size| format!("{} at n = {}", size.agreed, size.n));
        format!("inputs that agreed: {}", each.collect::<Vec<_>>().join(", "))
    }
}

/// Names what ended a search, as a clause after what it found.
fn why_ended(by: &Ended<StressEnd>) -> &'static str {
    match by {
        Ended::Searched(StressEnd::Inputs) => "; --inputs ended the search",
        Ended::Searched(StressEnd::Time) => "; --time ended the search",
        Ended::Searched(StressEnd::NoMoreInputs) => "; further seeds gave no other inputs",
        Ended::Searched(StressEnd::NotRepeated) => {
            "; the search ended where a program did not repeat its answer"
        }
        Ended::Stopped(_) => "; a signal ended the search",
        Ended::Fault(_) => "; a fault of the host ended the search",
        // There was no search.
        Ended::NotCompiled(..) => "",
    }
}

/// Renders the input, and the command that makes it again.
fn input(found: &Found) -> String {
    let shown = shown(&found.input, found.input_bytes as u64, INPUT_LINES);
    let again = found.command.as_ref().map_or_else(
        || "  the spec has no name of its own: keep the input with -o FILE".into(),
        |command| format!("  again: {}", readable(command)),
    );
    format!("\ninput:\n{shown}\n{again}\n")
}

fn answers(result: &CheckResult, found: &Found) -> String {
    let mut parts = vec![answer(&result.fast, &found.fast), answer(&result.slow, &found.slow)];
    if let Some(again) = &found.not_repeated {
        parts.push(answer(&format!("{}, run again,", again.program), &again.answer));
    }
    match &found.first_difference {
        Some(words) => parts.push(first_difference(words, result)),
        None if found.fast.is_ok() && found.slow.is_ok() => {
            parts.push(
                "the kept parts of the answers are equal; the answers differ after them".into(),
            );
        }
        None => {}
    }
    parts.join("\n")
}

fn answer(program: &str, given: &Given) -> String {
    let program = readable(program);
    if !given.is_ok() {
        return format!("{program} ends with {}", given.explained);
    }
    match given.stdout_bytes {
        0 => format!("{program} answers nothing"),
        bytes => format!("{program} answers:\n{}", shown(&given.stdout, bytes, ANSWER_LINES)),
    }
}

fn first_difference(words: &Words, result: &CheckResult) -> String {
    let word = |word: &Option<String>| {
        word.as_ref().map_or_else(|| "missing".into(), |word| cut(&readable(word)))
    };
    let [fast, slow] = [&words.fast, &words.slow].map(word);
    let names = [&result.fast, &result.slow].map(|name| readable(name));
    format!("word {} is {fast} in {}, and {slow} in {}", words.word, names[0], names[1])
}

#[cfg(test)]
mod tests;
