//! Figures as text.

use profiler_proto::v1::Statistics;
use std::fmt::Display;

pub(super) fn statistics_words(statistics: &Statistics) -> String {
    let Statistics { min, max, median, mean, stddev, count, mad, outliers, interval } = statistics;
    let interval = interval.map_or("none".into(), |interval| {
        format!("{}..{} at {}", rounded(interval.low), rounded(interval.high), interval.level)
    });
    format!(
        "{}..{} median {} mean {} stddev {} mad {} of {count}, {outliers} outliers, interval {interval}",
        rounded(*min),
        rounded(*max),
        rounded(*median),
        rounded(*mean),
        stddev.map_or("none".into(), rounded),
        rounded(*mad),
    )
}

/// Four decimals, without the zeros at the end.
pub(super) fn rounded(value: f64) -> String {
    ((value * 1e4).round() / 1e4).to_string()
}

pub(super) fn or_none(value: Option<impl Display>) -> String {
    value.map_or("none".into(), |value| value.to_string())
}
