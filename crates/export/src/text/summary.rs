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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::text::remedies::flag;
    use profiler_growth::Class;
    use profiler_proto::v1::{
        Evidence, GrowthPrediction, GrowthReport, Hotspot, HotspotsMethod, Interval, RemedyKind,
    };

    fn class(class: Class, prediction: GrowthPrediction) -> GrowthClassification {
        GrowthClassification {
            function: Some(class.into()),
            confidence: Some(0.97),
            prediction: Some(prediction),
            ..GrowthClassification::default()
        }
    }

    fn prediction(value: f64, limit: f64, fits: Option<bool>) -> GrowthPrediction {
        let interval = Some(Interval { low: value * 0.5, high: value * 2.0, level: 0.95 });
        GrowthPrediction { size: 1_000_000, value, interval, limit, fits }
    }

    fn in_flags(report: &ProfileReport) -> String {
        text(report, flag)
    }

    fn said(time: GrowthClassification, memory: Option<GrowthClassification>) -> String {
        let growth = GrowthReport { time: Some(time), memory, ..GrowthReport::default() };
        in_flags(&ProfileReport { growth: Some(growth), ..ProfileReport::default() })
    }

    #[test]
    fn everything_known_is_one_sentence() {
        let time = class(Class::Linearithmic, prediction(1900.0, 1000.0, Some(false)));
        let growth = GrowthReport { time: Some(time), ..GrowthReport::default() };
        let line = Hotspot { line: 14, self_share: 0.812, ..Hotspot::default() };
        let report = ProfileReport {
            growth: Some(growth),
            hotspots_method: HotspotsMethod::Instructions.into(),
            hotspot_lines: vec![line],
            ..ProfileReport::default()
        };
        assert_eq!(
            in_flags(&report),
            "time grows like n log n (confidence 0.97); at n = 1000000 about 1.9 s: over the limit of \
             1 s; line 14 takes 81 % of the instructions"
        );
    }

    #[test]
    fn largest_size_is_told_unless_the_bound_is_within() {
        let reach = |low, high| GrowthReach { size: 20_749, low, high, limit: 2000.0 };
        let within = |reach, fits| {
            let prediction =
                GrowthPrediction { limit: 2000.0, fits, ..GrowthPrediction::default() };
            let time = GrowthClassification {
                reach: Some(reach),
                prediction: Some(prediction),
                ..GrowthClassification::default()
            };
            let growth = GrowthReport { time: Some(time), ..GrowthReport::default() };
            largest_size(&ProfileReport { growth: Some(growth), ..ProfileReport::default() })
        };
        let said = within(reach(20_100, 21_300), Some(false)).unwrap();
        assert_eq!(said, "largest n within 2 s: about 20700");
        let said = within(reach(10_000, 41_000), None).unwrap();
        assert_eq!(said, "largest n within 2 s: between 10000 and 41000");
        assert_eq!(within(reach(20_100, 21_300), Some(true)), None);
    }

    #[test]
    fn failed_size_comes_last() {
        let size = |n, outcome: Outcome, limit: LimitKind, value| SizeResult {
            size: n,
            outcome: outcome.into(),
            evidence: Some(Evidence {
                limit: limit.into(),
                limit_value: value,
                ..Evidence::default()
            }),
            ..SizeResult::default()
        };
        let growth = |class: Class| GrowthClassification {
            function: Some(class.into()),
            ..GrowthClassification::default()
        };
        let report = |failed| ProfileReport {
            growth: Some(GrowthReport {
                time: Some(growth(Class::Quadratic)),
                memory: Some(growth(Class::Quadratic)),
                ..GrowthReport::default()
            }),
            sizes: vec![size(10, Outcome::Ok, LimitKind::Unspecified, None), failed],
            ..ProfileReport::default()
        };
        let memory = size(50_000, Outcome::MemoryLimit, LimitKind::Memory, Some(512.0));
        assert_eq!(
            in_flags(&report(memory)),
            "time grows like n²; memory grows like n²; n = 50000 took over 512 MiB"
        );
        let time = size(2000, Outcome::TimeLimit, LimitKind::Wall, Some(4250.0));
        let said = in_flags(&report(time));
        let wall = "; n = 2000 took over 4.25 s of wall clock time, more than twice the time limit";
        assert!(said.ends_with(wall), "{said}");
        let time = size(2000, Outcome::TimeLimit, LimitKind::Time, Some(2000.0));
        let mut slow = report(time);
        assert!(in_flags(&slow).ends_with("; n = 2000 took over 2 s"));
        let unknown = Some(GrowthClassification::default());
        slow.growth = Some(GrowthReport {
            time: unknown.clone(),
            memory: unknown,
            ..GrowthReport::default()
        });
        assert_eq!(
            in_flags(&slow),
            "cannot tell how time and memory grow.\nlargest n within 2 s: between 10 and 2000; \
             n = 2000 took over 2 s",
            "it is a sentence of its own"
        );
        let crash = size(20, Outcome::RuntimeError, LimitKind::Unspecified, None);
        let name = Outcome::RuntimeError.name();
        assert!(in_flags(&report(crash)).ends_with(&format!("; n = 20 has the outcome {name}")));
    }

    #[test]
    fn questions_at_the_largest_size_are_told() {
        let size = |size, candidate, questions| SizeResult {
            size,
            candidate,
            questions,
            ..SizeResult::default()
        };
        let sizes = vec![size(10, 0, Some(99)), size(1000, 0, Some(17)), size(1000, 1, Some(12))];
        let mut report = ProfileReport { sizes, ..ProfileReport::default() };
        assert_eq!(in_flags(&report), "asks 17 questions at n = 1000");
        report.sizes.push(size(5000, 0, None));
        assert_eq!(in_flags(&report), "asks 17 questions at n = 1000");
        report.sizes.truncate(1);
        report.sizes[0].questions = Some(1);
        assert_eq!(in_flags(&report), "asks 1 question at n = 10");
    }

    #[test]
    fn failure_at_zero_alone_is_a_question() {
        let size = |n, outcome: Outcome| SizeResult {
            size: n,
            outcome: outcome.into(),
            ..SizeResult::default()
        };
        let zero = SizeResult {
            evidence: Some(Evidence { exit_code: Some(3), ..Evidence::default() }),
            stderr_tail: "assertion".into(),
            ..size(0, Outcome::RuntimeError)
        };
        let mut report =
            ProfileReport { sizes: vec![zero, size(1, Outcome::Ok)], ..ProfileReport::default() };
        let question =
            "Does the task allow n = 0? The program fails only there: RUNTIME_ERROR, exit code 3.";
        assert_eq!(in_flags(&report), question);
        report.sizes.push(size(9, Outcome::RuntimeError));
        let question = question.replace("fails only there", "fails there");
        let expected = format!("n = 9 has the outcome RUNTIME_ERROR\n{question}");
        assert_eq!(in_flags(&report), expected);
        report.sizes[1] = size(1, Outcome::RuntimeError);
        assert_eq!(in_flags(&report), "n = 0 has the outcome RUNTIME_ERROR");
    }

    #[test]
    fn unknown_growth_has_its_reason() {
        let time = GrowthClassification {
            undecided_reason: "n (0.50) or n log n (0.40)".into(),
            remedies: vec![RemedyKind::FullGrowth.into()],
            ..GrowthClassification::default()
        };
        let memory = class(Class::Constant, prediction(3.5, 512.0, Some(true)));
        assert_eq!(
            said(time.clone(), Some(memory)),
            "cannot tell how time grows: n (0.50) or n log n (0.40). To decide, use --growth full.\n\
             memory does not grow with n (confidence 0.97); at n = 1000000 about 3.5 MiB: within \
             the limit of 512 MiB"
        );
        let prediction = Some(prediction(1900.0, 1000.0, Some(false)));
        assert!(
            said(GrowthClassification { prediction, ..time }, None)
                .ends_with(".\ntime at n = 1000000 about 1.9 s: over the limit of 1 s")
        );
    }

    #[test]
    fn one_reason_is_said_once() {
        let undecided_reason = "the program lacked input".to_owned();
        let unknown = GrowthClassification { undecided_reason, ..GrowthClassification::default() };
        assert_eq!(
            said(unknown.clone(), Some(unknown)),
            "cannot tell how time and memory grow: the program lacked input."
        );
    }

    #[test]
    fn limit_within_the_interval_is_undecided() {
        assert_eq!(
            said(class(Class::Linear, prediction(1000.0, 1250.0, None)), None),
            "time grows like n (confidence 0.97); at n = 1000000 about 1 s, between 500 ms and 2 s: \
             cannot tell whether it is within the limit of 1.25 s"
        );
    }

    #[test]
    fn empty_report_has_no_summary() {
        assert_eq!(in_flags(&ProfileReport::default()), "");
    }
}
