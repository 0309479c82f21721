//! Converts the statistics of `profiler-statistics` to messages.

use crate::v1;
use profiler_statistics::{Interval, Statistics};

impl From<Interval> for v1::Interval {
    fn from(Interval { low, high, level }: Interval) -> Self {
        Self { low, high, level }
    }
}

impl From<Statistics> for v1::Statistics {
    fn from(of: Statistics) -> Self {
        Self {
            min: of.min,
            max: of.max,
            median: of.median,
            mean: of.mean,
            stddev: of.stddev,
            count: of.count,
            interval: of.interval.map(Into::into),
            mad: of.mad,
            outliers: of.outliers,
        }
    }
}
