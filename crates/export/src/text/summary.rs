//! The summary of a report in one sentence.

use super::quantity;
use crate::report::{exceeded, first_failure, outcome_name, readable};
use profiler_growth::Class;
use profiler_proto::v1::{
    GrowthClassification, GrowthPrediction, LimitKind, ProfileReport, SizeResult,
};

/// Significant digits of a prediction.
const PREDICTION_DIGITS: i32 = 2;
/// Significant digits of a limit.
const LIMIT_DIGITS: i32 = 3;

/// Formats a figure in its unit, with this many significant digits.
type Format = fn(f64, i32) -> String;

/// "time grows like n log n (confidence 0.97); at n = 10⁶ about 1.9 s: over the limit of 1 s; line
/// 14 takes 81 %; at n = 50000 over 512 MiB", with the parts that the report has.
pub(super) fn text(report: &ProfileReport) -> String {
    let growth = report.growth.as_ref();
    let time = growth.and_then(|growth| growth.time.as_ref());
    let memory = growth.and_then(|growth| growth.memory.as_ref());
    let parts = [
        time.map(|class| clause("time", class)),
        time.and_then(|class| predicted(class.prediction.as_ref()?, quantity::time)),
        report
            .hotspot_lines
            .first()
            .map(|line| format!("line {} takes {:.0} %", line.line, line.self_share * 100.0)),
        memory.map(|class| clause("memory", class)),
        memory.and_then(|class| predicted(class.prediction.as_ref()?, quantity::memory)),
        first_failure(report).map(stopped),
    ];
    parts.into_iter().flatten().collect::<Vec<_>>().join("; ")
}

/// Where the program stopped working, and what stopped it.
fn stopped(size: &SizeResult) -> String {
    let what = match exceeded(size) {
        Some((LimitKind::Time | LimitKind::Wall | LimitKind::Cpu, limit)) => {
            format!("over {}", quantity::time(limit, LIMIT_DIGITS))
        }
        Some((LimitKind::Memory | LimitKind::Output, limit)) => {
            format!("over {}", quantity::memory(limit, LIMIT_DIGITS))
        }
        _ => outcome_name(size.outcome()).into(),
    };
    format!("at n = {} {what}", quantity::size(size.size))
}

/// How `what` grows, or why that is unknown.
fn clause(what: &str, class: &GrowthClassification) -> String {
    let confidence =
        class.confidence.map(|it| format!(" (confidence {it:.2})")).unwrap_or_default();
    match class.class() {
        None => {
            let why = if class.undecided.is_empty() {
                String::new()
            } else {
                format!(": {}", readable(&class.undecided))
            };
            format!("cannot tell how {what} grows{why}")
        }
        Some(Class::Constant) => format!("{what} does not grow with n{confidence}"),
        Some(class) => format!("{what} grows like {}{confidence}", class.name()),
    }
}

/// The prediction at the bound of n, with its interval if the limit lies within it.
fn predicted(prediction: &GrowthPrediction, format_unit: Format) -> Option<String> {
    if prediction.value.is_nan() {
        return None;
    }
    let at = format!(
        "at n = {} about {}",
        quantity::size(prediction.size),
        format_unit(prediction.value, PREDICTION_DIGITS)
    );
    let limit = format_unit(prediction.limit, LIMIT_DIGITS);
    Some(match (prediction.fits, &prediction.interval) {
        _ if prediction.limit <= 0.0 => at,
        (Some(true), _) => format!("{at}: within the limit of {limit}"),
        (Some(false), _) => format!("{at}: over the limit of {limit}"),
        (None, Some(between)) => format!(
            "{at}, between {} and {}: cannot tell whether within the limit of {limit}",
            format_unit(between.low, PREDICTION_DIGITS),
            format_unit(between.high, PREDICTION_DIGITS),
        ),
        (None, None) => format!("{at}: cannot tell whether within the limit of {limit}"),
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use profiler_growth::Class;
    use profiler_proto::v1::{Evidence, GrowthReport, Hotspot, Interval, Outcome};

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

    fn said(time: GrowthClassification, memory: Option<GrowthClassification>) -> String {
        let growth = GrowthReport { time: Some(time), memory, ..GrowthReport::default() };
        text(&ProfileReport { growth: Some(growth), ..ProfileReport::default() })
    }

    #[test]
    fn everything_known_is_one_sentence() {
        let time = class(Class::Linearithmic, prediction(1900.0, 1000.0, Some(false)));
        let growth = GrowthReport { time: Some(time), ..GrowthReport::default() };
        let line = Hotspot { line: 14, self_share: 0.812, ..Hotspot::default() };
        let report = ProfileReport {
            growth: Some(growth),
            hotspot_lines: vec![line],
            ..ProfileReport::default()
        };
        assert_eq!(
            text(&report),
            "time grows like n log n (confidence 0.97); at n = 10⁶ about 1.9 s: over the limit of \
             1 s; line 14 takes 81 %"
        );
    }

    #[test]
    fn what_stopped_the_program_comes_last() {
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
            text(&report(memory)),
            "time grows like n²; memory grows like n²; at n = 5·10⁴ over 512 MiB"
        );
        let time = size(2000, Outcome::TimeLimit, LimitKind::Wall, Some(4250.0));
        assert!(text(&report(time)).ends_with("; at n = 2000 over 4.25 s"));
        let crash = size(20, Outcome::RuntimeError, LimitKind::Unspecified, None);
        let name = outcome_name(Outcome::RuntimeError);
        assert!(text(&report(crash)).ends_with(&format!("; at n = 20 {name}")));
    }

    #[test]
    fn unknown_growth_has_its_reason() {
        let undecided = "n or n log n: give larger sizes".to_owned();
        let time = GrowthClassification { undecided, ..GrowthClassification::default() };
        let memory = class(Class::Constant, prediction(3.5, 512.0, Some(true)));
        assert_eq!(
            said(time, Some(memory)),
            "cannot tell how time grows: n or n log n: give larger sizes; memory does not grow with \
             n (confidence 0.97); at n = 10⁶ about 3.5 MiB: within the limit of 512 MiB"
        );
    }

    #[test]
    fn a_limit_within_the_interval_is_undecided() {
        assert_eq!(
            said(class(Class::Linear, prediction(1000.0, 1250.0, None)), None),
            "time grows like n (confidence 0.97); at n = 10⁶ about 1 s, between 500 ms and 2 s: \
             cannot tell whether within the limit of 1.25 s"
        );
    }

    #[test]
    fn an_empty_report_has_no_summary() {
        assert_eq!(text(&ProfileReport::default()), "");
    }
}
