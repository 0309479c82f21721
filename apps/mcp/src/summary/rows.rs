//! The table of sizes.

use crate::tool_result::{clipped, object};
use profiler_export::{explain_outcome, has_largest_process_only};
use profiler_proto::v1::{Outcome, SizeResult};
use serde_json::{Value, json};

/// Maximum number of sizes, and of test cases, in an answer.
pub(crate) const MAX_ROWS: usize = 20;
/// Maximum length of the reason why a size failed, in bytes.
const MAX_REASON_BYTES: usize = 240;
const PERCENT: f64 = 100.0;

/// Returns the sizes as rows. If there are more than `most`, each size has only its slowest
/// candidate. If there are still more, the rows are an even selection that includes the first and
/// the last.
pub(crate) fn rows(sizes: &[SizeResult], candidates: &[String], most: usize) -> Vec<Value> {
    let mut shown: Vec<&SizeResult> = sizes.iter().collect();
    if shown.len() > most {
        shown = slowest(&shown);
    }
    if shown.len() > most {
        let last = shown.len() - 1;
        shown = (0..most).map(|at| shown[at * last / (most - 1)]).collect();
    }
    shown.into_iter().map(|size| row(size, candidates)).collect()
}

/// Returns the slowest candidate of each size. A candidate that failed is slower than all others.
fn slowest<'s>(sizes: &[&'s SizeResult]) -> Vec<&'s SizeResult> {
    let mut shown: Vec<&SizeResult> = Vec::new();
    for size in sizes {
        match shown.iter_mut().find(|other| other.size == size.size) {
            Some(other) if time(size) > time(other) => *other = size,
            Some(_) => {}
            None => shown.push(size),
        }
    }
    shown
}

fn time(size: &SizeResult) -> f64 {
    let ok = size.outcome() == Outcome::Ok;
    size.runtime_ms.filter(|_| ok).unwrap_or(f64::INFINITY)
}

fn row(size: &SizeResult, candidates: &[String]) -> Value {
    let outcome = size.outcome();
    let mut row = object(json!({
        "n": size.size,
        "candidate": candidates.get(size.candidate as usize).filter(|_| candidates.len() > 1),
        "outcome": outcome.name(),
    }));
    if outcome == Outcome::Ok {
        row.extend(object(json!({
            "runtime_ms": rounded(size.runtime_ms, 3),
            "plus_minus_percent": rounded(half_width(size), 1),
            "peak_mib": rounded(size.peak_memory_mb, 2),
            "peak_is_lower_bound": has_largest_process_only(size).then_some(true),
            "instructions": size.instructions,
            "questions": size.questions,
        })));
    } else if outcome != Outcome::NotRun {
        let why = explain_outcome(outcome, size.evidence.as_ref(), &size.stderr_tail);
        row.insert("why".into(), clipped(&why, MAX_REASON_BYTES).into());
    }
    row.retain(|_, value| !value.is_null());
    row.into()
}

/// Half the width of the interval of the time, in percent of the time.
fn half_width(size: &SizeResult) -> Option<f64> {
    let headline = size.figures?.headline?;
    Some(headline.interval?.width() / 2.0 / headline.ms * PERCENT)
}

/// Rounds a figure to this many decimal places; `null` if it is missing or not finite.
pub(crate) fn rounded(value: Option<f64>, digits: i32) -> Value {
    let Some(value) = value.filter(|value| value.is_finite()) else { return Value::Null };
    let unit = 10_f64.powi(digits);
    Value::from((value * unit).round() / unit)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn size(n: u64, candidate: u32, ms: f64) -> SizeResult {
        let outcome = if ms.is_finite() { Outcome::Ok } else { Outcome::TimeLimit };
        SizeResult {
            size: n,
            candidate,
            outcome: outcome.into(),
            runtime_ms: Some(ms),
            ..SizeResult::default()
        }
    }

    fn column(rows: &[Value]) -> Vec<u64> {
        rows.iter().filter_map(|row| row["n"].as_u64()).collect()
    }

    #[test]
    fn many_sizes_are_spread_from_the_first_to_the_last() {
        let sizes: Vec<_> = (1..=64).map(|n| size(n, 0, 1.0)).collect();
        let shown = column(&rows(&sizes, &[], 20));
        assert_eq!((shown.len(), shown.first(), shown.last()), (20, Some(&1), Some(&64)));
        assert!(shown.is_sorted_by(|a, b| a < b));
    }

    #[test]
    fn slowest_of_many_candidates_is_shown() {
        let names = ["random".to_owned(), "sorted".into()];
        let sizes: Vec<_> = (1..=15)
            .flat_map(|n| [size(n, 0, 1.0), size(n, 1, if n < 15 { 2.0 } else { f64::INFINITY })])
            .collect();
        let rows = rows(&sizes, &names, 20);
        assert_eq!(rows.len(), 15);
        assert!(rows.iter().all(|row| row["candidate"] == "sorted"));
        assert_eq!(rows[14]["outcome"], "TIME_LIMIT");
        assert_eq!(rows[14].get("runtime_ms"), None);
    }

    #[test]
    fn figure_that_is_none_is_null() {
        assert_eq!(rounded(Some(1.23456), 3), 1.235);
        assert_eq!(rounded(Some(f64::INFINITY), 3), Value::Null);
        assert_eq!(rounded(None, 3), Value::Null);
    }
}
