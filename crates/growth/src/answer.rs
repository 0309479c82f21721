//! What growth is reported as.

use crate::class::Class;
use crate::observation::Effort;
use profiler_statistics::Interval;

/// How time and memory grow.
#[derive(Debug, Clone, PartialEq)]
pub struct Growth {
    /// Time over n.
    pub time: Classification,
    /// Memory over n.
    pub memory: Classification,
    /// What it was told from.
    pub effort: Effort,
    /// How long it took beyond the rest of the job, in milliseconds.
    pub spent_ms: f64,
}

/// One growth, as far as it can be told.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Classification {
    /// The class; absent where it cannot be told.
    pub class: Option<Class>,
    /// The probability of the most likely class, whether it is told or not; absent where nothing
    /// could be fitted.
    pub confidence: Option<f64>,
    /// Why it cannot be told, and what would decide it; empty where it is told.
    pub undecided: String,
    /// The class that is most likely after the one that is told, else the most likely one; with its
    /// probability.
    pub runner_up: Option<(Class, f64)>,
    /// d log(value) / d log n at the largest size, without what does not grow.
    pub exponent: Option<f64>,
    /// Where it lies.
    pub exponent_interval: Option<Interval>,
    /// What speaks for which class.
    pub signals: Vec<Signal>,
    /// The curve through the headline's figures; absent where the class is not told.
    pub curve: Option<Curve>,
    /// What is needed at the bound.
    pub prediction: Option<Prediction>,
}

/// One kind of figure.
#[derive(Debug, Clone, PartialEq)]
pub struct Signal {
    /// `runtime`, `instructions`, `own_instructions`, `line_12`, `peak_memory`, `data_stack` or
    /// `heap_peak`.
    pub name: String,
    /// The class it speaks for most.
    pub class: Option<Class>,
    /// How much, 0 to 1.
    pub confidence: f64,
    /// The figures without what does not grow: milliseconds, instructions or MiB.
    pub points: Vec<(u32, f64)>,
}

/// constant + coefficient · f(n).
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Curve {
    /// f.
    pub class: Class,
    /// The part that does not grow, in milliseconds or MiB.
    pub constant: f64,
    /// The factor of the part that does.
    pub coefficient: f64,
}

/// What is needed at a size that was not measured.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Prediction {
    /// The size.
    pub size: u32,
    /// The median, in milliseconds or MiB.
    pub value: f64,
    /// Where it lies.
    pub interval: Interval,
    /// The limit.
    pub limit: f64,
    /// Whether it fits; absent where the limit lies in the interval.
    pub fits: Option<bool>,
}
