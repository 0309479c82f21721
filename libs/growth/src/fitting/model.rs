//! Prior knowledge of a kind of value: the cost of a step, the scatter of values, and the frequency
//! of each class.

use crate::class::Class;
use crate::constants::{
    BYTE, COUNT_ERRORS, COUNT_LOWER, FILLING, INSTRUCTIONS_PER_NS, LINE_DRIFTS, LINE_ERRORS,
    LINE_LINEAR, LINE_STEP_SPREAD, LinearWork, MEMORY_ERRORS, MEMORY_LINEAR, MEMORY_STEP_SPREAD,
    NO_DRIFT, NO_LOWER, NS, READING, STEP_SPREAD, TIME_DRIFTS, TIME_ERRORS,
};
use crate::tuning::Tuning;

/// The model of one kind of value.
#[derive(Debug, Clone, Copy)]
pub(crate) struct FigureModel {
    /// Standard deviations of the error, as a share of the grown part, with their probabilities;
    /// the widest first.
    pub(crate) errors: &'static [(f64, f64)],
    /// Standard deviations of drift, with their probabilities; the widest first.
    pub(crate) drifts: &'static [(f64, f64)],
    /// Sizes, as shares of the largest, where work of a lower order equals the class's own work,
    /// with their probabilities. This work can be saved instead of done: for example, a loop that
    /// begins at an item's weight saves work.
    pub(crate) lower: &'static [(f64, f64)],
    /// Whether the constant part can be negative, because of saved work.
    pub(crate) saves: bool,
    /// Whether values are exact counts, which show whether a program rounds n up.
    pub(crate) exact: bool,
    /// Cost of a step of the class, in the value's unit.
    pub(crate) step: fn(Class) -> f64,
    /// Scale of the logarithm of a step's cost, before tuning.
    pub(crate) spread: f64,
    /// Factors of `spread`, of `errors`, and of the trust in this kind of value.
    pub(crate) tuning: Tuning,
    /// Linear work in a program of a faster class, such as reading its input, in the value's unit.
    pub(crate) linear_work: LinearWork,
    /// Prior probability of a class.
    pub(crate) prior: fn(Class) -> f64,
}

impl FigureModel {
    /// The model with `tuning`.
    pub(crate) fn tuned(self, tuning: &Tuning) -> Self {
        Self { tuning: *tuning, ..self }
    }

    /// The scale of the logarithm of a step's cost.
    pub(crate) fn step_spread(&self) -> f64 {
        self.spread * self.tuning.step_spread
    }
}

/// The model of the headline runtime, in milliseconds. `reads` says whether the program has input
/// to read.
pub(crate) fn runtime(reads: bool) -> FigureModel {
    FigureModel {
        errors: TIME_ERRORS,
        drifts: TIME_DRIFTS,
        lower: NO_LOWER,
        saves: false,
        exact: false,
        step: |class| class.row().step_ns * NS,
        spread: STEP_SPREAD,
        tuning: Tuning::IN_USE,
        linear_work: linear_work(reads, NS),
        prior: |class| class.row().time_prior,
    }
}

/// The model of the instructions of the whole program.
pub(crate) fn instructions(reads: bool) -> FigureModel {
    FigureModel {
        errors: COUNT_ERRORS,
        drifts: NO_DRIFT,
        lower: COUNT_LOWER,
        saves: true,
        exact: true,
        step: |class| class.row().step_ns * INSTRUCTIONS_PER_NS,
        linear_work: linear_work(reads, INSTRUCTIONS_PER_NS),
        ..runtime(reads)
    }
}

/// Linear work of a whole program. `unit` is a nanosecond in the unit of the value.
fn linear_work(reads: bool, unit: f64) -> LinearWork {
    scaled(if reads { READING } else { FILLING }, unit)
}

fn scaled(work: LinearWork, unit: f64) -> LinearWork {
    LinearWork { step: work.step * unit, ..work }
}

/// The model of the instructions of one line, or of the program's own code.
pub(crate) fn line() -> FigureModel {
    FigureModel {
        errors: LINE_ERRORS,
        drifts: LINE_DRIFTS,
        spread: LINE_STEP_SPREAD,
        linear_work: scaled(LINE_LINEAR, INSTRUCTIONS_PER_NS),
        ..instructions(false)
    }
}

/// The model of the peak resident set, the mapped memory and the heap's peak, in MiB.
pub(crate) fn memory() -> FigureModel {
    FigureModel {
        errors: MEMORY_ERRORS,
        drifts: NO_DRIFT,
        lower: NO_LOWER,
        saves: false,
        exact: false,
        step: |class| class.row().step_bytes * BYTE,
        spread: MEMORY_STEP_SPREAD,
        tuning: Tuning::IN_USE,
        linear_work: scaled(MEMORY_LINEAR, BYTE),
        prior: |class| class.row().memory_prior,
    }
}
