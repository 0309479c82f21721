//! The answer: the growth of time and of memory.

use crate::class::Class;
use crate::observation::{Effort, Observed};
use profiler_statistics::Interval;

/// Growth of time and memory.
#[derive(Debug, Clone, PartialEq)]
pub struct Growth {
    /// Time over n.
    pub time: Classification,
    /// Memory over n.
    pub memory: Classification,
    /// Measurements that growth was classified from.
    pub effort: Effort,
    /// Time that was spent on growth alone, in milliseconds.
    pub spent_ms: f64,
    /// The observations, so that they can be classified again. Absent if nothing was classified.
    pub observed: Option<Observed>,
}

/// The classified growth of time or of memory.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Classification {
    /// The class; absent if it is undecided.
    pub class: Option<Class>,
    /// The probability of the most likely class, whether it is reported or not. Absent if nothing
    /// could be fitted.
    pub confidence: Option<f64>,
    /// Reason why the class is undecided, and what would decide it; empty if the class is reported.
    pub undecided: Undecided,
    /// All classes with their probabilities, the most likely first. The powers without a name are
    /// one class. Empty if nothing could be fitted.
    pub ranked: Vec<(Class, f64)>,
    /// The second most likely class with its probability; if the class is undecided, the most
    /// likely class.
    pub runner_up: Option<(Class, f64)>,
    /// d log(value) / d log n at the largest size, without the constant part.
    pub exponent: Option<f64>,
    /// The interval of the exponent.
    pub exponent_interval: Option<Interval>,
    /// The signals, with the class that each of them supports.
    pub signals: Vec<Signal>,
    /// The curve through the headline's values; absent if the class is undecided.
    pub curve: Option<Curve>,
    /// The predicted value at the bound of n.
    pub prediction: Option<Prediction>,
    /// The largest size within the limit. Absent unless a class that grows is reported, and absent
    /// if an end of the prediction's interval meets the limit at no size.
    pub reach: Option<Reach>,
    /// The most likely class, and the next one if it is at least a third as likely; empty unless
    /// the class is undecided.
    pub rivals: Vec<Rival>,
}

/// A change to a job that would decide a class.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Remedy {
    /// Measure larger sizes.
    LargerSizes,
    /// Measure smaller sizes.
    SmallerSizes,
    /// Measure more sizes.
    MoreSizes,
    /// Let the profiler choose the sizes.
    ChosenSizes,
    /// Count instructions, with [`Effort::Counted`].
    CountedGrowth,
    /// Measure everything that shows growth, with [`Effort::Full`].
    FullGrowth,
    /// Declare the input.
    InputSpec,
}

/// The reason why a class is undecided, and its remedies.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Undecided {
    /// A sentence without a full stop; empty if the class is reported.
    pub reason: String,
    /// Changes, each of which would decide the class. Empty if no such change is known.
    pub remedies: Vec<Remedy>,
}

impl Undecided {
    pub(crate) fn new(reason: impl Into<String>, remedies: impl Into<Vec<Remedy>>) -> Self {
        Self { reason: reason.into(), remedies: remedies.into() }
    }
}

/// One of the classes between which the values do not decide.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Rival {
    /// The curve of the class through the headline's values.
    pub curve: Curve,
    /// The probability of the class.
    pub confidence: f64,
}

/// One kind of value over n.
#[derive(Debug, Clone, PartialEq)]
pub struct Signal {
    /// The kind of value.
    pub kind: SignalKind,
    /// The class that the signal supports most.
    pub class: Option<Class>,
    /// The probability of this class, 0 to 1.
    pub confidence: f64,
    /// The values without the constant part: milliseconds, instructions or MiB.
    pub points: Vec<(u64, f64)>,
}

/// A kind of value that supports a class.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum SignalKind {
    /// The headline runtime, in milliseconds.
    Runtime,
    /// The instructions of the whole program.
    Instructions,
    /// The instructions of the program's own code, without libraries.
    OwnInstructions,
    /// The instructions of this line, and of the lines whose counts rise and fall with it.
    Line(u32),
    /// The peak resident set, in MiB.
    PeakMemory,
    /// Private writable mappings, in MiB.
    DataStack,
    /// The peak of all live malloc blocks, in MiB.
    HeapPeak,
}

/// constant + coefficient · f(n).
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Curve {
    /// Class whose function is f.
    pub class: Class,
    /// The constant part, in milliseconds or MiB.
    pub constant: f64,
    /// The factor of f.
    pub coefficient: f64,
}

/// The largest size whose value is predicted to be within a limit.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Reach {
    /// Size at which the median of the prediction meets the limit.
    pub size: u64,
    /// Size at which the upper end of the prediction's interval meets the limit.
    pub low: u64,
    /// Size at which the lower end of the prediction's interval meets the limit.
    pub high: u64,
    /// The limit, in milliseconds or MiB.
    pub limit: f64,
}

/// The predicted value at a size that was not measured.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Prediction {
    /// The size.
    pub size: u64,
    /// The median, in milliseconds or MiB.
    pub value: f64,
    /// The interval of the value.
    pub interval: Interval,
    /// The limit.
    pub limit: f64,
    /// Whether the value is below the limit; absent if the limit lies in the interval.
    pub fits: Option<bool>,
}
