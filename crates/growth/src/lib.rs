//! How time and memory grow with n.
//!
//! Each signal is a series over n: the unloaded time, exact counts of instructions, of lines, the
//! peak of memory. For each class, `fitting` computes the probability of a series. It averages over
//! what is not known: the cost of a step, the start-up, linear work next to the class's own, noise
//! and drift. `verdict` multiplies what the signals say. A class is reported if its probability is
//! above a threshold; otherwise the report says why not, and what would decide.
//!
//! Pure mathematics: nothing here runs or reads anything.

#![forbid(unsafe_code)]

mod answer;
mod class;
mod constants;
mod fitting;
mod observation;
mod probability;
mod series;
mod shape;
mod verdict;

pub use answer::{Classification, Curve, Growth, Prediction, Signal};
pub use class::Class;
pub use observation::{Counts, Effort, Observed, SizeObservation};

/// How time and memory grow, from what was `observed`.
pub fn classify(observed: &Observed) -> Growth {
    let worst = observed.worst_by_size();
    Growth {
        time: verdict::time::time(observed, &worst),
        memory: verdict::memory::memory(observed, &worst),
        effort: observed.effort,
        spent_ms: observed.spent_ms,
    }
}

#[cfg(test)]
mod tests;
