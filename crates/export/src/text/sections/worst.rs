//! The worst input: a sentence, and the evidence for it.

use crate::report::{counted, line_name, readable, text_of};
use crate::text::layout::shown;
use profiler_growth::Class;
use profiler_proto::v1::{
    FailedInputs, GrowthClassification, ProfileReport, RandomCosts, RandomInstructions, SearchEnd,
    SearchWay, SearchWayKind, SlowLine, WorstGoal, WorstInput, WorstPoint,
};

/// Maximum number of lines of the input that are shown.
const INPUT_LINES: usize = 6;
/// Maximum number of characters of a line of the source that are shown.
const SOURCE_LINE_CHARS: usize = 200;
/// Ratio of the worst input's cost to the median cost of random inputs. From this ratio on, the
/// worst input is clearly worse.
const CLEARLY_WORSE: f64 = 1.1;

/// Whether the worst input costs clearly more than random ones.
pub fn is_worse(worst: &WorstInput) -> bool {
    ratio(worst).is_some_and(|ratio| ratio >= CLEARLY_WORSE)
}

/// Names the quantity that a search maximized, in one word.
pub fn unit(worst: &WorstInput) -> &'static str {
    match worst.goal() {
        WorstGoal::Memory => "bytes",
        WorstGoal::Allocations => "allocations",
        WorstGoal::Unspecified | WorstGoal::Instructions | WorstGoal::Line => "instructions",
    }
}

/// Returns the costs of the worst input and of random inputs, in units of [`unit()`].
pub fn costs(worst: &WorstInput) -> (Option<u64>, Option<RandomCosts>) {
    of_any_goal((worst.instructions, worst.random), (worst.cost, worst.random_cost))
}

/// Returns the costs at one size.
pub fn costs_at(point: &WorstPoint) -> (Option<u64>, Option<RandomCosts>) {
    of_any_goal((point.instructions, point.random), (point.cost, point.random_cost))
}

/// Combines the fields for the goal of instructions with those for other goals. A report sets only
/// one of the two.
fn of_any_goal(
    (count, counts): (Option<u64>, Option<RandomInstructions>),
    (cost, costs): (Option<u64>, Option<RandomCosts>),
) -> (Option<u64>, Option<RandomCosts>) {
    let counts = counts.map(|it| RandomCosts { median: it.median, most: it.most });
    (count.or(cost), counts.or(costs))
}

/// Returns the cost of the worst input over the median of random ones, at the measured size. Both
/// are net of the start-up, except in reports of version 0.2, which do not have it.
pub fn ratio(worst: &WorstInput) -> Option<f64> {
    worst.measured_size?;
    let (cost, random) = costs(worst);
    let (cost, random) = cost.zip(random)?;
    Some(worst.ratio.unwrap_or(cost as f64 / random.median.max(1) as f64))
}

/// Returns a sentence if no input costs clearly more than random ones. It names no class, because a
/// search that found nothing says nothing about the worst input.
pub fn nothing_worse(worst: &WorstInput) -> Option<String> {
    ratio(worst).filter(|ratio| *ratio < CLEARLY_WORSE).map(|_| {
        let tried = grouped(worst.searched_executions.into());
        format!(
            "no input found that costs clearly more than random ({tried} tried); that proves \
             nothing"
        )
    })
}

/// Returns the result in one sentence.
pub fn sentence(worst: &WorstInput) -> String {
    let found = || {
        let (n, ratio, (cost, random)) = (worst.measured_size?, ratio(worst)?, costs(worst));
        let [what, median] = match worst.generator_seed {
            Some(seed) => [format!("seed {seed}"), "seed".into()],
            None => ["the worst input found".into(), "of random inputs".to_owned()],
        };
        let net = worst.start_up_instructions.map(grouped);
        let net = net.map(|it| format!(", both without the start-up of {it}")).unwrap_or_default();
        Some(format!(
            "{what} {} at n = {n}, {ratio:.1} times the median {median} ({}){net}",
            does(worst, cost?),
            grouped(random?.median)
        ))
    };
    let known = nothing_worse(worst).unwrap_or_else(|| match (classes(worst), found()) {
        (Some(classes), Some(found)) => format!("{classes}; {found}"),
        (None, Some(found)) if worst.generator_seed.is_some() => {
            let seeds = counted(worst.searched_executions.into(), "seed");
            format!("worst of {seeds} of the generator: {found}")
        }
        (None, Some(found)) => format!("found at this n only: {found}"),
        _ => "nothing was measured".into(),
    });
    match readable(&worst.problem) {
        problem if problem.is_empty() => known,
        problem if worst.measured_size.is_some() => format!("{known} (but {problem})"),
        problem => format!("cannot tell: {problem}{}", so_far(worst).unwrap_or_default()),
    }
}

/// Names the best input of a search after which nothing was measured.
fn so_far(worst: &WorstInput) -> Option<String> {
    let (cost, random) = costs(worst);
    let (did, n, median) = (does(worst, cost?), worst.searched_size, grouped(random?.median));
    Some(format!("; the worst input so far {did} at n = {n}, the median random one {median}"))
}

/// Says what a program does with the worst input.
fn does(worst: &WorstInput, cost: u64) -> String {
    let cost = grouped(cost);
    match worst.goal() {
        WorstGoal::Memory => format!("makes it hold {cost} bytes"),
        WorstGoal::Allocations => format!("makes it allocate {cost} times"),
        WorstGoal::Line => {
            let line = readable(&line_name(&worst.goal_file, worst.goal_line));
            format!("executes {cost} instructions of {line}")
        }
        WorstGoal::Unspecified | WorstGoal::Instructions => format!("executes {cost} instructions"),
    }
}

/// Renders both classes: "n log n on random input, n² on the worst (confidence 0.99)". `None` if
/// the input was found at one n only, or costs no more than random input.
pub fn classes(worst: &WorstInput) -> Option<String> {
    if nothing_worse(worst).is_some() {
        return None;
    }
    let both = [worst.random_growth.as_ref()?, worst.worst_growth.as_ref()?];
    let confidence = both.iter().filter_map(|class| class.confidence).fold(1.0, f64::min);
    let names = both.map(class_name);
    let [random, worst] = &names;
    Some(match both.map(GrowthClassification::class) {
        [Some(of_random), Some(of_worst)] if of_random == of_worst => {
            format!("{random} on random and on the worst input (confidence {confidence:.2})")
        }
        [Some(_), Some(_)] => {
            format!("{random} on random input, {worst} on the worst (confidence {confidence:.2})")
        }
        _ => {
            let each = both
                .map(|class| class.confidence.map(|it| format!(" ({it:.2})")).unwrap_or_default());
            format!("{random}{} on random input, {worst}{} on the worst", each[0], each[1])
        }
    })
}

fn class_name(class: &GrowthClassification) -> String {
    match (class.class(), class.runner_up_class()) {
        (Some(class), _) => class.name(),
        (None, Some(likeliest)) => format!("perhaps {}", Class::name(likeliest)),
        (None, None) => "of unknown growth".into(),
    }
}

/// Renders the evidence for the sentence. `source` is the file of its line, and `again` says how to
/// reproduce the input.
pub fn evidence(worst: &WorstInput, source: &str, again: &str) -> String {
    let mut parts = Vec::new();
    if worst.spec.is_some() || worst.generator_seed.is_some() {
        let input = String::from_utf8_lossy(&worst.input);
        let looks = readable(&looks(&worst.looks));
        let shown = shown(&input, worst.input_bytes, INPUT_LINES);
        parts.push(format!("looks:  {looks}\n{shown}\nagain: {}", readable(again)));
    }
    parts.extend(worst.line.as_ref().map(|slow| line(slow, source)));
    parts.extend(points(&worst.points));
    parts.push(effort(worst));
    parts.extend(ways(worst));
    parts.extend(worst.failures.as_ref().map(failures));
    parts.join("\n")
}

/// Tells how to reproduce an input that a run found.
pub(crate) fn again(worst: &WorstInput) -> String {
    if let Some(seed) = worst.generator_seed {
        let n = worst.measured_size.unwrap_or(worst.searched_size);
        return format!("swiftprof input with --n {n} and --seed {seed} makes it");
    }
    format!(
        "swiftprof worst with --seed {} and --output-spec FILE.json keeps it for --input-spec",
        worst.seed
    )
}

fn looks(looks: &[String]) -> String {
    if looks.is_empty() { "as the spec draws it".into() } else { looks.join("; ") }
}

fn line(slow: &SlowLine, source: &str) -> String {
    let text = format!(
        "{}: {} instructions at n = {}, {} on a random input: {}",
        line_name(&slow.file, slow.line),
        grouped(slow.worst),
        slow.size,
        grouped(slow.random),
        source_line(source, slow.line)
    );
    readable(&text)
}

/// The text of the file that has the line of a worst input.
pub fn source<'r>(report: &'r ProfileReport, worst: &WorstInput) -> &'r str {
    text_of(report, worst.line.as_ref().map_or("", |line| line.file.as_str()))
}

/// A line of the source, without its indentation.
pub fn source_line(source: &str, line: u32) -> String {
    let at = line.saturating_sub(1) as usize;
    let line = source.split('\n').nth(at).unwrap_or_default().trim();
    line.chars().take(SOURCE_LINE_CHARS).collect()
}

/// The costs at all sizes, if there are several.
fn points(points: &[WorstPoint]) -> Option<String> {
    if points.len() < 2 {
        return None;
    }
    let rows = points.iter().map(|point| {
        let (worst, random) = costs_at(point);
        let (worst, random) = (worst.map(grouped), random.map(|random| grouped(random.median)));
        let or_none = |count: Option<String>| count.unwrap_or_else(|| "–".into());
        format!("{:>10} {:>20} {:>20}", point.size, or_none(random), or_none(worst))
    });
    let head = format!("{:>10} {:>20} {:>20}", "n", "random (median)", "worst");
    Some([head].into_iter().chain(rows).collect::<Vec<_>>().join("\n"))
}

fn effort(worst: &WorstInput) -> String {
    let why = match worst.end() {
        SearchEnd::Executions => "; the limit on inputs ended the search",
        SearchEnd::Time => "; the time limit ended the search",
        SearchEnd::NothingBetter => "; the search ended because it found no worse input",
        SearchEnd::Unspecified => "",
    };
    format!(
        "{} searched at n = {} in {:.1} s with seed {}, {} runs in all{why}",
        counted(worst.searched_executions.into(), "input"),
        worst.searched_size,
        worst.seconds,
        worst.seed,
        worst.executions
    )
}

/// Tells what each way of the search tried and found. `None` if there was only one way.
fn ways(worst: &WorstInput) -> Option<String> {
    let one = |way: &SearchWay| {
        let cost = way.cost.map(|cost| format!("highest cost {}", grouped(cost)));
        let cost = cost.unwrap_or_else(|| "none ended OK".into());
        let inputs = counted(way.inputs.into(), "input");
        let name = match way.kind() {
            SearchWayKind::Unspecified => "other",
            SearchWayKind::Random => "random",
            SearchWayKind::Vocabulary => "named patterns",
            SearchWayKind::Mutation => "mutation",
            SearchWayKind::Exhaustive => "all short rules",
            SearchWayKind::Adversary => "adversary",
        };
        let (seconds, records) = (way.seconds, counted(way.records.into(), "record"));
        format!("{name}: {inputs} in {seconds:.1} s, {cost}, {records}")
    };
    let several = worst.ways.len() > 1;
    several.then(|| worst.ways.iter().map(one).collect::<Vec<_>>().join("; "))
}

fn failures(failed: &FailedInputs) -> String {
    let text = format!(
        "{} did not end OK; the first, at n = {} ({}): {}",
        counted(failed.count.into(), "input"),
        failed.size,
        looks(&failed.looks),
        failed.ended
    );
    readable(&text)
}

/// Formats a number with its digits in groups: `1 234 567`.
fn grouped(number: u64) -> String {
    crate::report::grouped(number, ' ')
}
