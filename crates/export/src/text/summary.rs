//! The summary of a report: one sentence, and one more for each class that is undecided.

use super::quantity;
use super::remedies::{Wording, why_undecided};
use super::sections::failures::explain_outcome;
use super::sections::{allocations, worst};
use crate::report::found::stress_sentence;
use crate::report::{
    ZERO_QUESTION, counted, failure_at_zero, first_failure, hottest, line_name, readable, share_of,
    why_stopped,
};
use profiler_growth::Class;
use profiler_proto::v1::{
    GrowthClassification, GrowthReach, LimitKind, Outcome, ProfileReport, SizeResult,
};

/// Significant digits of a prediction.
const PREDICTION_DIGITS: i32 = 2;
/// Significant digits of a limit.
const LIMIT_DIGITS: i32 = 3;
/// Ratio of the ends of an interval. Above it, the sentence names both ends instead of the middle.
const VAGUE: f64 = 1.5;

/// Formats a figure in its unit, with this many significant digits.
type Format = fn(f64, i32) -> String;

/// Renders the parts that the report has of "time grows like n log n (confidence 0.97); at n =
/// 1000000 about 1.9 s: over the limit of 1 s; line 14 takes 81 % of the instructions; n = 50000
/// took over 512 MiB".
pub(super) fn text(report: &ProfileReport, wording: Wording) -> String {
    if let Some(stress) = &report.stress {
        return stress_sentence(stress);
    }
    let growth = report.growth.as_ref();
    let time = growth.and_then(|growth| growth.time.as_ref());
    let memory = growth.and_then(|growth| growth.memory.as_ref());
    let hottest = hottest(report).map(|line| {
        let place = line_name(&line.file, line.line);
        format!("{} takes {}", readable(&place), share_of(report, line))
    });
    let hottest = Some(hottest.collect::<Vec<_>>().join("; ")).filter(|said| !said.is_empty());
    let stopped = first_failure(report).map(stopped);
    let worst = report.worst.as_deref().and_then(|found| {
        let classes = || Some(format!("instructions: {}", worst::classes(found)?));
        worst::nothing_worse(found).or_else(classes)
    });
    let (largest, lost) = (largest_size(report), lost(report));
    let asked = questions(report);
    let parts = match (time, memory) {
        (Some(time), Some(memory)) if is_same_reason(time, memory) => {
            let both = unknown("time and memory grow", time, wording);
            vec![Some(both), largest, hottest, lost, asked, worst, stopped]
        }
        _ => vec![
            time.map(|class| clause("time", class, wording)),
            time.and_then(|class| predicted("time", class, quantity::time)),
            largest,
            hottest,
            memory.map(|class| clause("memory", class, wording)),
            memory.and_then(|class| predicted("memory", class, quantity::memory)),
            lost,
            asked,
            worst,
            stopped,
        ],
    };
    let parts = parts.into_iter().flatten();
    let said = parts.fold(String::new(), |said, part| match said.chars().next_back() {
        None => part,
        Some('.') => said + "\n" + &part,
        Some(_) => said + "; " + &part,
    });
    let lines = [Some(said).filter(|said| !said.is_empty()), question_of_zero(report)];
    lines.into_iter().flatten().collect::<Vec<_>>().join("\n")
}

/// Asks about n = 0 if the program fails there alone.
pub(crate) fn question_of_zero(report: &ProfileReport) -> Option<String> {
    let zero = failure_at_zero(report)?;
    let ending = explain_outcome(zero.outcome(), zero.evidence.as_ref(), "");
    let only = if first_failure(report).is_none() { "only " } else { "" };
    Some(format!("{ZERO_QUESTION} The program fails {only}there: {ending}."))
}

/// Whether both classes are undecided for the same reason, which the summary then gives once.
fn is_same_reason(time: &GrowthClassification, memory: &GrowthClassification) -> bool {
    time.class().is_none()
        && memory.class().is_none()
        && time.undecided == memory.undecided
        && time.prediction.is_none()
        && memory.prediction.is_none()
}

/// Names the point where the program stopped working, and the cause.
pub(super) fn stopped(size: &SizeResult) -> String {
    let time = |limit| quantity::time(limit, LIMIT_DIGITS);
    let why = why_stopped(size, time, |limit| quantity::memory(limit, LIMIT_DIGITS));
    format!("n = {} {why}", size.size)
}

/// Says how `what` grows, or why that is unknown.
fn clause(what: &str, class: &GrowthClassification, wording: Wording) -> String {
    let confidence =
        class.confidence.map(|it| format!(" (confidence {it:.2})")).unwrap_or_default();
    match class.class() {
        None => unknown(&format!("{what} grows"), class, wording),
        Some(Class::Constant) => format!("{what} does not grow with n{confidence}"),
        Some(class) => format!("{what} grows {}{confidence}", class.manner()),
    }
}

/// Explains why it is unknown how something grows, and how to find out.
fn unknown(what_grows: &str, class: &GrowthClassification, wording: Wording) -> String {
    let why = why_undecided(class, wording);
    let why = if why.is_empty() { why } else { format!(": {why}") };
    format!("cannot tell how {what_grows}{why}.")
}

/// Names the largest size within the time limit. If the class of time is undecided, names the
/// measured sizes on both sides of the limit. `None` if the bound of n is within the limit too.
pub(crate) fn largest_size(report: &ProfileReport) -> Option<String> {
    let time = report.growth.as_ref()?.time.as_ref()?;
    let is_bound_within = time.prediction.as_ref().is_some_and(|it| it.fits == Some(true));
    let GrowthReach { size, low, high, limit } = match time.reach {
        _ if is_bound_within => return None,
        None if time.class().is_none() => bracket(report, time)?,
        reach => reach?,
    };
    let [shown_low, size, shown_high] = [low, size, high].map(quantity::count);
    let size = if high as f64 > VAGUE * low as f64 {
        format!("between {shown_low} and {shown_high}")
    } else {
        format!("about {size}")
    };
    Some(format!("largest n within {}: {size}", quantity::time(limit, LIMIT_DIGITS)))
}

/// Returns the measured sizes between which the time exceeds its limit.
fn bracket(report: &ProfileReport, time: &GrowthClassification) -> Option<GrowthReach> {
    let predicted = time.prediction.as_ref().map(|it| it.limit).filter(|limit| *limit > 0.0);
    let exceeded = || report.sizes.iter().filter_map(|size| size.evidence.as_ref());
    let met = || {
        let evidence = exceeded().find(|it| it.limit() == LimitKind::Time)?;
        Some(evidence.limit_value? - evidence.grace.unwrap_or(0.0))
    };
    let limit = predicted.or_else(met)?;
    let is_ok = |size: &SizeResult| size.outcome() == Outcome::Ok;
    let is_over = |size: &SizeResult| {
        let takes_longer = size.runtime_ms.is_some_and(|ms| ms > limit);
        size.outcome() == Outcome::TimeLimit || (is_ok(size) && takes_longer)
    };
    let sizes = || report.sizes.iter();
    let high = sizes().filter(|size| is_over(size)).map(|size| size.size).min()?;
    let below = sizes().filter(|size| is_ok(size) && size.size < high);
    let low = below.map(|size| size.size).max()?;
    Some(GrowthReach { size: low, low, high, limit })
}

/// Names the blocks that the program lost, if allocations were recorded.
pub(crate) fn lost(report: &ProfileReport) -> Option<String> {
    allocations::lost_blocks(report.allocations.as_ref()?)
}

/// Tells the number of questions to the interactor at the largest size at which they were counted,
/// and of its candidates the largest number.
pub(crate) fn questions(report: &ProfileReport) -> Option<String> {
    let asked = report.sizes.iter().filter_map(|size| Some((size.size, size.questions?)));
    let (n, count) = asked.max()?;
    Some(format!("asks {} at n = {n}", counted(count, "question")))
}

/// Renders the prediction at the bound of n, with its interval if the limit lies within it. It
/// begins a sentence after an undecided class.
fn predicted(what: &str, class: &GrowthClassification, format_unit: Format) -> Option<String> {
    let prediction = class.prediction.as_ref().filter(|prediction| !prediction.value.is_nan())?;
    let what = if class.class().is_none() { format!("{what} ") } else { String::new() };
    let at = format!(
        "{what}at n = {} about {}",
        prediction.size,
        format_unit(prediction.value, PREDICTION_DIGITS)
    );
    let limit = format_unit(prediction.limit, LIMIT_DIGITS);
    Some(match (prediction.fits, &prediction.interval) {
        _ if prediction.limit <= 0.0 => at,
        (Some(true), _) => format!("{at}: within the limit of {limit}"),
        (Some(false), _) => format!("{at}: over the limit of {limit}"),
        (None, Some(between)) => format!(
            "{at}, between {} and {}: cannot tell whether it is within the limit of {limit}",
            format_unit(between.low, PREDICTION_DIGITS),
            format_unit(between.high, PREDICTION_DIGITS),
        ),
        (None, None) => format!("{at}: cannot tell whether it is within the limit of {limit}"),
    })
}
