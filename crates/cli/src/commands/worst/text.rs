//! The result of a search for the worst input as text.

use super::result::{BothClasses, Found, Size, SlowLine, Verdict, WorstResult};
use crate::commands::check::shown;
use profiler_core::measure::worst::WorstCase;
use profiler_export::{Palette, readable};

/// Most lines of the input that are shown.
const INPUT_LINES: usize = 6;
/// A worst input that costs less than this many times the median of random inputs is not much
/// worse.
const CLEARLY_WORSE: f64 = 1.1;
/// Digits of a group in a large number.
const GROUP: usize = 3;

/// How far a search is.
pub(super) fn progress(case: &WorstCase) -> String {
    let search = case.searched();
    let tried = search.executions();
    let median = {
        let mut random = search.randoms().to_vec();
        random.sort_unstable();
        random.get(random.len() / 2).copied()
    };
    let best = match (search.best(), median) {
        (Some(best), Some(median)) => {
            format!("the worst so far executes {:.1} times random", ratio(best.cost, median))
        }
        _ => "none ended well so far".into(),
    };
    let step = if case.end().is_some() { ", now other sizes" } else { "" };
    format!("{tried} inputs tried at n = {}{step}: {best}", case.searched_size())
}

/// A sentence, and what it rests on.
pub(super) fn text(result: &WorstResult, palette: &Palette) -> String {
    let is_worse = result.ratio.is_some_and(|ratio| ratio >= CLEARLY_WORSE);
    let style = match (&result.problem, is_worse) {
        (Some(_), _) => palette.caution,
        (None, true) => palette.bad,
        (None, false) => palette.good,
    };
    let mut parts = vec![format!("{style}{}{style:#}", readable(&sentence(result)))];
    if let Some(found) = &result.input {
        parts.push(input(found));
    }
    parts.extend(result.line.as_ref().map(line));
    parts.extend(sizes(&result.sizes));
    parts.push(effort(result));
    parts.extend(result.failures.as_ref().map(|failed| {
        let looks = looks(&failed.first_looks);
        format!(
            "{} did not end well; the first, at n = {} ({looks}): {}",
            inputs(failed.inputs),
            failed.first_n,
            failed.first_ended
        )
    }));
    parts.join("\n")
}

/// The result in one sentence.
pub(super) fn sentence(result: &WorstResult) -> String {
    let program = &result.program;
    let found = match (result.measured_n, result.ratio, &result.random_instructions) {
        (Some(n), Some(ratio), Some(random)) => {
            let times = if ratio >= CLEARLY_WORSE {
                format!("{ratio:.1} times the median of random inputs")
            } else {
                "no more than random inputs, about".into()
            };
            let worst = result.worst_instructions.unwrap_or(random.most);
            Some(format!(
                "the worst input found executes {} instructions at n = {n}, {times} ({})",
                grouped(worst),
                grouped(random.median)
            ))
        }
        _ => None,
    };
    let classes = result.growth.as_ref().map(growth);
    let known = match (classes, found) {
        (Some(classes), Some(found)) => format!("{program}: {classes}; {found}"),
        (None, Some(found)) => format!("{program}: found at this n only: {found}"),
        _ => format!("{program}: nothing was measured"),
    };
    match &result.problem {
        Some(problem) if result.measured_n.is_some() => format!("{known} (but {problem})"),
        Some(problem) => format!("cannot tell: {program}: {problem}"),
        None => known,
    }
}

/// "n log n on random input, n² on the worst (confidence 0.99)".
fn growth(both: &BothClasses) -> String {
    let BothClasses { random, worst } = both;
    let lowest = [random, worst].into_iter().filter_map(|class| class.confidence);
    let lowest = lowest.fold(1.0, f64::min);
    let names = [random, worst].map(class);
    if random.class.is_some() && random.class == worst.class {
        return format!("{} on random and on the worst input (confidence {lowest:.2})", names[0]);
    }
    let [random_name, worst_name] = &names;
    if random.class.is_some() && worst.class.is_some() {
        return format!(
            "{random_name} on random input, {worst_name} on the worst (confidence {lowest:.2})"
        );
    }
    let [random, worst] = [random, worst]
        .map(|class| class.confidence.map(|it| format!(" ({it:.2})")).unwrap_or_default());
    format!("{random_name}{random} on random input, {worst_name}{worst} on the worst")
}

fn class(class: &Verdict) -> String {
    match (&class.class, &class.likeliest) {
        (Some(class), _) => class.clone(),
        (None, Some(likeliest)) => format!("perhaps {likeliest}"),
        (None, None) => "of unknown growth".into(),
    }
}

fn looks(looks: &[String]) -> String {
    if looks.is_empty() { "as the spec draws it".into() } else { looks.join("; ") }
}

/// The input, what it looks like, and how to make it again.
fn input(found: &Found) -> String {
    let again = found.command.as_ref().map_or_else(
        || "again: keep the spec with --output-spec FILE.json, or the input with -o FILE".into(),
        |command| format!("again: {command}"),
    );
    let shown = shown(&found.input, found.input_bytes as u64, INPUT_LINES);
    let looks = looks(&found.looks);
    format!("looks:  {}\n{shown}\n{}", readable(&looks), readable(&again))
}

fn line(line: &SlowLine) -> String {
    let text = format!(
        "line {}: {} instructions at n = {}, {} on a random input: {}",
        line.line,
        grouped(line.worst_instructions),
        line.n,
        grouped(line.random_instructions),
        line.source
    );
    readable(&text)
}

/// The counts at all sizes, if there are several.
fn sizes(sizes: &[Size]) -> Option<String> {
    if sizes.len() < 2 {
        return None;
    }
    let rows = sizes.iter().map(|size| {
        let random = size.random_instructions.as_ref().map(|random| grouped(random.median));
        let worst = size.worst_instructions.map(grouped);
        let or_none = |count: Option<String>| count.unwrap_or_else(|| "–".into());
        format!("{:>10} {:>20} {:>20}", size.n, or_none(random), or_none(worst))
    });
    let head = format!("{:>10} {:>20} {:>20}", "n", "random (median)", "worst");
    Some([head].into_iter().chain(rows).collect::<Vec<_>>().join("\n"))
}

fn effort(result: &WorstResult) -> String {
    let why = match result.ended_by {
        "executions" => "; --executions ended the search",
        "time" => "; --seconds ended the search",
        "nothing_better" => "; it ended because nothing got better",
        "signal" => "; a signal ended it",
        _ => "",
    };
    format!(
        "{} searched at n = {} in {:.1} s with seed {}, {} runs in all{why}",
        inputs(result.searched_executions),
        result.searched_n,
        result.seconds,
        result.seed,
        result.executions
    )
}

fn inputs(count: u32) -> String {
    format!("{count} input{}", if count == 1 { "" } else { "s" })
}

fn ratio(worst: u64, random: u64) -> f64 {
    worst as f64 / random.max(1) as f64
}

/// A number with its digits in groups: `1 234 567`.
fn grouped(number: u64) -> String {
    let digits = number.to_string();
    let mut grouped = String::new();
    for (at, digit) in digits.chars().enumerate() {
        if at > 0 && (digits.len() - at).is_multiple_of(GROUP) {
            grouped.push(' ');
        }
        grouped.push(digit);
    }
    grouped
}

#[cfg(test)]
mod tests;
