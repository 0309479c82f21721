//! The classes of random inputs and of the worst inputs.

use crate::report::{CountedRun, SizeCounts};
use profiler_growth::{Classification, Counts, classify_counts};

/// The class of random inputs, by their medians, and that of the worst inputs. `None` if a size has
/// no count.
pub(super) fn classes(points: &[SizeCounts]) -> Option<[Classification; 2]> {
    let of = |pick: fn(&SizeCounts) -> Option<CountedRun>| {
        let counts = points.iter().map(|point| {
            let CountedRun { all, own } = pick(point)?;
            Some(Counts { size: point.n, instructions: Some(all), own, ..Counts::default() })
        });
        let lengths = points.iter().map(|point| (point.n, point.input_bytes)).collect();
        Some(classify_counts(counts.collect::<Option<_>>()?, &lengths))
    };
    Some([of(SizeCounts::median)?, of(|point| point.worst)?])
}
