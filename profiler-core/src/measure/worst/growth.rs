//! Growth classes on random inputs and on the worst inputs.

use super::costs::{RunCost, SizeCosts};
use crate::job::WorstGoal;
use crate::limits::MIB;
use profiler_growth::{
    Classification, Counts, Observed, SizeObservation, classify, classify_counts,
};

/// Returns the growth class on random inputs, by their medians, and the class on the worst inputs.
/// `None` if a cost is missing at some size.
pub(super) fn classes(goal: WorstGoal, points: &[SizeCosts]) -> Option<[Classification; 2]> {
    let of = |pick: fn(&SizeCosts) -> Option<RunCost>| {
        let costs: Option<Vec<RunCost>> = points.iter().map(pick).collect();
        let costs: Vec<_> = points.iter().zip(costs?).collect();
        Some(if goal == WorstGoal::Memory { memory(&costs) } else { counts(goal, &costs) })
    };
    Some([of(SizeCosts::median)?, of(|point| point.worst)?])
}

fn counts(goal: WorstGoal, costs: &[(&SizeCosts, RunCost)]) -> Classification {
    let counts = costs.iter().map(|(point, RunCost { all, own })| Counts {
        size: point.n,
        instructions: Some(*all),
        // Allocations and the instructions of a line are all the program's own.
        own: if goal == WorstGoal::Instructions { *own } else { Some(*all) },
        ..Counts::default()
    });
    let lengths = costs.iter().map(|(point, _)| (point.n, point.input_bytes)).collect();
    classify_counts(counts.collect(), &lengths)
}

fn memory(costs: &[(&SizeCosts, RunCost)]) -> Classification {
    let sizes = costs.iter().map(|(point, cost)| {
        let held = Some(cost.all as f64 / MIB as f64);
        SizeObservation {
            size: point.n,
            peak_memory_mb: held,
            anonymous_mb: held,
            input_bytes: Some(point.input_bytes),
            ..SizeObservation::default()
        }
    });
    classify(&Observed::without_times(sizes.collect())).memory
}
