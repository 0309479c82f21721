//! What is known of a kind of figure before it is measured: what a step costs, how values scatter, which
//! classes programs have. Chosen on synthetic series and on the programs in `bench/growth/choose`.

use super::class::{Class, POWERS};

/// A kind of figure.
#[derive(Debug, Clone, Copy)]
pub(super) struct Model {
    /// Standard deviations of the error, as a share of what has grown, with their probabilities; the widest first.
    pub(super) errors: &'static [(f64, f64)],
    /// Standard deviations of drift, with their probabilities; the widest first.
    pub(super) drifts: &'static [(f64, f64)],
    /// Sizes, as parts of the largest, around which work of a lower order, that is saved as well as done, is as
    /// much as the class's own; with their probabilities. A loop that begins at an item's weight is of this kind.
    pub(super) lower: &'static [(f64, f64)],
    /// Whether what does not grow may be less than nothing, for the same reason.
    pub(super) saves: bool,
    /// What a step of the class costs, in the figure's unit.
    pub(super) step: fn(Class) -> f64,
    /// How far that may be off, as a standard deviation of its logarithm.
    pub(super) spread: f64,
    /// What is done once for each element, beside what makes the class; absent where nothing is.
    pub(super) beside: Option<Beside>,
    /// Probability of a class.
    pub(super) prior: fn(Class) -> f64,
}

/// Work of first order in a program of a higher one: reading its input.
#[derive(Debug, Clone, Copy)]
pub(super) struct Beside {
    /// What an element costs, in the figure's unit.
    pub(super) step: f64,
    /// Standard deviation of its logarithm.
    pub(super) spread: f64,
    /// How likely there is none.
    pub(super) absent: f64,
}

/// Of counts, which show work of every order.
const LOWER: &[(f64, f64)] =
    &[(0.03, 0.05), (0.005, 0.06), (7e-4, 0.06), (1e-4, 0.05), (0.0, 0.78)];
/// Milliseconds of a nanosecond.
const NS: f64 = 1e-6;
/// Instructions in a nanosecond, about.
const INSTRUCTIONS: f64 = 3.0;
/// MiB of a byte.
const BYTE: f64 = 1.0 / 1_048_576.0;

/// What a step takes, in nanoseconds.
fn step_ns(class: Class) -> f64 {
    match class {
        Class::Constant | Class::Logarithmic | Class::Linear => 20.0,
        Class::Root | Class::Linearithmic => 8.0,
        Class::Quadratic | Class::QuadraticLog | Class::Cubic => 1.0,
        Class::Exponential | Class::Factorial => 5.0,
        Class::Power(exponent) if exponent < 1.0 => 8.0,
        Class::RootCubed | Class::Power(_) => 2.0,
    }
}

/// How often programs have a class.
fn time_prior(class: Class) -> f64 {
    match class {
        Class::Constant => 0.2,
        Class::Linear => 0.25,
        Class::Linearithmic => 0.22,
        Class::RootCubed | Class::Exponential => 0.04,
        Class::Quadratic => 0.13,
        Class::Logarithmic | Class::Root | Class::QuadraticLog => 0.03,
        Class::Cubic => 0.07,
        Class::Factorial => 0.02,
        Class::Power(exponent) => power_prior(exponent),
    }
}

/// How often programs have another power: of the ones below n there are next to none.
fn power_prior(exponent: f64) -> f64 {
    let (share, from, to) = match exponent {
        ..1.0 => (0.003, 0.0, 1.0),
        1.0..2.0 => (0.016, 1.0, 2.0),
        _ => (0.01, 2.0, f64::INFINITY),
    };
    share / POWERS.iter().filter(|&&power| power > from && power < to).count() as f64
}

/// How often programs have a class of memory.
fn memory_prior(class: Class) -> f64 {
    match class {
        Class::Constant => 0.32,
        Class::Logarithmic => 0.03,
        Class::Linear => 0.44,
        Class::Linearithmic => 0.04,
        Class::Root | Class::RootCubed => 0.02,
        Class::Quadratic => 0.08,
        Class::QuadraticLog | Class::Cubic | Class::Exponential => 0.01,
        Class::Factorial => 0.002,
        Class::Power(exponent) => power_prior(exponent) / 2.0,
    }
}

/// What a step of memory takes, in bytes.
fn step_bytes(class: Class) -> f64 {
    match class {
        Class::Logarithmic | Class::Root => 48.0,
        Class::Quadratic | Class::QuadraticLog | Class::Cubic | Class::RootCubed => 4.0,
        _ => 16.0,
    }
}

/// The headline runtime, in milliseconds; `reads` says whether there is an input to be read.
pub(super) fn runtime(reads: bool) -> Model {
    Model {
        errors: &[(0.15, 0.25), (0.04, 0.35), (0.01, 0.4)],
        drifts: &[(0.25, 0.2), (0.08, 0.35), (0.02, 0.45)],
        lower: &[(0.0, 1.0)],
        saves: false,
        step: |class| step_ns(class) * NS,
        spread: 1.8,
        beside: Some(beside(reads, NS)),
        prior: time_prior,
    }
}

/// Instructions of the whole program.
pub(super) fn instructions(reads: bool) -> Model {
    Model {
        errors: &[(0.1, 0.3), (0.01, 0.4), (0.001, 0.3)],
        drifts: &[(0.03, 0.3), (0.0, 0.7)],
        lower: LOWER,
        saves: true,
        step: |class| step_ns(class) * INSTRUCTIONS,
        spread: 1.8,
        beside: Some(beside(reads, INSTRUCTIONS)),
        prior: time_prior,
    }
}

fn beside(reads: bool, ns: f64) -> Beside {
    if reads {
        Beside { step: 80.0 * ns, spread: 1.0, absent: 0.1 }
    } else {
        Beside { step: 4.0 * ns, spread: 1.5, absent: 0.5 }
    }
}

/// Instructions of one line, or of the program's own code.
pub(super) fn line() -> Model {
    Model {
        errors: &[(0.1, 0.3), (0.01, 0.35), (0.001, 0.35)],
        drifts: &[(0.03, 0.2), (0.0, 0.8)],
        lower: LOWER,
        saves: true,
        step: |class| step_ns(class) * INSTRUCTIONS,
        spread: 2.0,
        beside: Some(Beside { step: 8.0 * INSTRUCTIONS, spread: 2.0, absent: 0.7 }),
        prior: time_prior,
    }
}

/// The peak resident set and the mapped data, in MiB. Vectors double: a value may be off by up to two.
pub(super) fn memory() -> Model {
    Model {
        errors: &[(0.3, 0.35), (0.06, 0.3), (0.01, 0.35)],
        drifts: &[(0.0, 1.0)],
        lower: &[(0.0, 1.0)],
        saves: false,
        step: |class| step_bytes(class) * BYTE,
        spread: 1.3,
        beside: Some(Beside { step: 8.0 * BYTE, spread: 1.0, absent: 0.4 }),
        prior: memory_prior,
    }
}
