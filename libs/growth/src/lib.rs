//! Growth of time and memory with n.
//!
//! Each signal is a series over n: the unloaded time, exact counts of instructions and of lines,
//! and the peak of memory. For each class, `fitting` computes its probability given a series. It
//! averages over the unknown parameters: the cost of a step, the start-up, linear work in addition
//! to the class's own work, noise and drift. `verdict` combines the signals. A class is reported if
//! its probability is above a threshold. Otherwise the report says why no class is reported, and
//! what would decide the class.
//!
//! Pure mathematics: nothing here runs or reads anything.

#![forbid(unsafe_code)]

mod class;
mod classification;
mod constants;
mod counted;
mod fitting;
mod observation;
mod probability;
mod series;
mod shape;
mod tuning;
mod verdict;

pub use class::Class;
pub use classification::{
    Classification, Curve, Growth, Prediction, Reach, Remedy, Rival, Signal, SignalKind, Undecided,
};
pub use constants::LEAST_SIZES;
pub use counted::classify_counts;
pub use observation::{Counts, Effort, Observed, SizeObservation};
pub use tuning::Tuning;

/// Classifies how time and memory grow, given what was `observed`.
pub fn classify(observed: &Observed) -> Growth {
    classify_tuned(observed, &Tuning::IN_USE)
}

/// Classifies with constants that are multiplied by `tuning`.
pub fn classify_tuned(observed: &Observed, tuning: &Tuning) -> Growth {
    let worst = observed.worst_by_size();
    Growth {
        time: verdict::time::time(observed, &worst, tuning),
        memory: verdict::memory::memory(observed, &worst, tuning),
        effort: observed.effort,
        spent_ms: observed.spent_ms,
        observed: Some(observed.clone()),
    }
}

#[cfg(test)]
mod tests;
