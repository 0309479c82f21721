//! Classes of growth, and the facts about each class that are known before anything is measured.

use crate::constants::{
    BASE_MEMORY_PRIOR, BASE_PRIOR, BASE_STEP_BYTES, BASE_STEP_NS, FACTORIAL_FACTORS, LEAF_FACTORS,
    LOG_OFFSETS, MEMORY_POWER_DIVISOR, POWER_PRIOR_1_TO_2, POWER_PRIOR_ABOVE_2,
    POWER_PRIOR_BELOW_1, POWER_STEP_BYTES, POWER_STEP_NS, POWERS, ROUNDED, ROUNDED_LOG,
};
use crate::shape::{ONE, Shape};
use std::sync::LazyLock;

/// Prefix of the name of a power of n that has no name of its own; the exponent follows.
const POWER_PREFIX: &str = "n^";
/// φ = (1 + √5) / 2. The number of calls of a naive Fibonacci function grows with φⁿ.
const GOLDEN_RATIO: f64 = 1.618_033_988_749_895;
/// Suffix of the name of an exponential that has no name of its own; the base is before it.
const BASE_SUFFIX: &str = "ⁿ";
/// Rank of the steep classes: above every power.
const STEEP_RANK: f64 = 100.0;
/// Increase of the rank when the base of an exponential doubles.
const RANK_OF_DOUBLED_BASE: f64 = 0.1;
/// The base that stands for all bases in [`Class::all`].
const ANY_BASE: f64 = 2.5;
/// Maximum difference of the exponents of two powers that are near.
const NEAR_EXPONENT: f64 = 0.05;
/// Maximum difference of the bases of two exponentials that are near, as a share.
const NEAR_BASE: f64 = 0.05;

/// Growth of a value with n. "log" is the binary logarithm.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Class {
    /// 1
    Constant,
    /// log n
    Logarithmic,
    /// log² n
    LogSquared,
    /// √n
    Root,
    /// n
    Linear,
    /// n log n
    Linearithmic,
    /// n log² n
    LinearLogSquared,
    /// n√n
    RootCubed,
    /// n²
    Quadratic,
    /// n² log n
    QuadraticLog,
    /// n³
    Cubic,
    /// φⁿ, with the golden ratio φ: the number of calls of a naive Fibonacci function
    GoldenExponential,
    /// 2ⁿ
    Exponential,
    /// n·2ⁿ
    ExponentialTimesN,
    /// n²·2ⁿ
    ExponentialTimesNSquared,
    /// 3ⁿ
    TripleExponential,
    /// 4ⁿ
    QuadrupleExponential,
    /// n!
    Factorial,
    /// A power of n that has no name of its own, with its exponent.
    Power(f64),
    /// An exponential that has no name of its own, with its base.
    Base(f64),
}

/// Facts of a class.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Row {
    class: Class,
    /// Name in reports. For a power without a name of its own, the exponent follows; for such an
    /// exponential, the base is before it.
    name: &'static str,
    /// Name in identifiers.
    word: &'static str,
    /// Rank in the order of growth: the power of n, and a tenth for each logarithm. Steep classes
    /// rank above every power, by their bases.
    rank: f64,
    /// The curve that the class is named after.
    curve: Shape,
    /// Functions that the curve is combined with, each with its share of the class's probability.
    /// All these combinations count as the class.
    variants: &'static [(Shape, f64)],
    /// Prior probability that time grows with this class.
    pub(crate) time_prior: f64,
    /// Prior probability that memory grows with this class.
    pub(crate) memory_prior: f64,
    /// Nanoseconds that a step takes.
    pub(crate) step_ns: f64,
    /// Bytes of memory that a step takes.
    pub(crate) step_bytes: f64,
}

/// The variants of a class that has one curve.
const ALONE: [(Shape, f64); 1] = [(ONE, 1.0)];

/// The classes that have a name of their own, in ascending order of growth. Their figures were
/// chosen in the same way as the constants in `constants.rs`.
#[rustfmt::skip] // Keeps the figures of the classes in columns.
const TABLE: &[Row] = &[
    Row { class: Class::Constant, name: "1", word: "constant", rank: 0.0,
          curve: ONE, variants: &ALONE,
          time_prior: 0.2,   memory_prior: 0.32,  step_ns: 20.0, step_bytes: 16.0 },
    Row { class: Class::Logarithmic, name: "log n", word: "logarithmic", rank: 0.1,
          curve: Shape { logs: 1.0, ..ONE }, variants: &ALONE,
          time_prior: 0.03,  memory_prior: 0.03,  step_ns: 20.0, step_bytes: 48.0 },
    Row { class: Class::LogSquared, name: "log² n", word: "log_squared", rank: 0.2,
          curve: Shape { logs: 2.0, ..ONE }, variants: &ALONE,
          time_prior: 0.005, memory_prior: 0.001, step_ns: 8.0,  step_bytes: 48.0 },
    Row { class: Class::Root, name: "√n", word: "square_root", rank: 0.5,
          curve: Shape { power: 0.5, ..ONE }, variants: &ALONE,
          time_prior: 0.03,  memory_prior: 0.02,  step_ns: 8.0,  step_bytes: 48.0 },
    Row { class: Class::Linear, name: "n", word: "linear", rank: 1.0,
          curve: Shape { power: 1.0, ..ONE }, variants: &ALONE,
          time_prior: 0.25,  memory_prior: 0.44,  step_ns: 20.0, step_bytes: 16.0 },
    Row { class: Class::Linearithmic, name: "n log n", word: "linearithmic", rank: 1.1,
          curve: Shape { power: 1.0, logs: 1.0, ..ONE }, variants: &ALONE,
          time_prior: 0.2,   memory_prior: 0.04,  step_ns: 8.0,  step_bytes: 16.0 },
    Row { class: Class::LinearLogSquared, name: "n log² n", word: "linear_log_squared", rank: 1.2,
          curve: Shape { power: 1.0, logs: 2.0, ..ONE }, variants: &ALONE,
          time_prior: 0.02,  memory_prior: 0.002, step_ns: 4.0,  step_bytes: 16.0 },
    Row { class: Class::RootCubed, name: "n√n", word: "n_sqrt_n", rank: 1.5,
          curve: Shape { power: 1.5, ..ONE }, variants: &ALONE,
          time_prior: 0.04,  memory_prior: 0.02,  step_ns: 2.0,  step_bytes: 4.0 },
    Row { class: Class::Quadratic, name: "n²", word: "quadratic", rank: 2.0,
          curve: Shape { power: 2.0, ..ONE }, variants: &ALONE,
          time_prior: 0.13,  memory_prior: 0.08,  step_ns: 1.0,  step_bytes: 4.0 },
    Row { class: Class::QuadraticLog, name: "n² log n", word: "quadratic_log", rank: 2.1,
          curve: Shape { power: 2.0, logs: 1.0, ..ONE }, variants: &LOG_OFFSETS,
          time_prior: 0.03,  memory_prior: 0.01,  step_ns: 1.0,  step_bytes: 4.0 },
    Row { class: Class::Cubic, name: "n³", word: "cubic", rank: 3.0,
          curve: Shape { power: 3.0, ..ONE }, variants: &ALONE,
          time_prior: 0.07,  memory_prior: 0.01,  step_ns: 1.0,  step_bytes: 4.0 },
    Row { class: Class::GoldenExponential, name: "φⁿ", word: "golden_exponential", rank: 100.069,
          curve: Shape { base: GOLDEN_RATIO, ..ONE }, variants: &LEAF_FACTORS,
          time_prior: 0.008, memory_prior: 0.001, step_ns: 5.0,  step_bytes: 16.0 },
    Row { class: Class::Exponential, name: "2ⁿ", word: "exponential", rank: 100.1,
          curve: Shape { base: 2.0, ..ONE }, variants: &ALONE,
          time_prior: 0.016, memory_prior: 0.005, step_ns: 5.0,  step_bytes: 16.0 },
    Row { class: Class::ExponentialTimesN, name: "n·2ⁿ", word: "exponential_times_n", rank: 100.11,
          curve: Shape { base: 2.0, power: 1.0, ..ONE }, variants: &ALONE,
          time_prior: 0.009, memory_prior: 0.003, step_ns: 5.0,  step_bytes: 16.0 },
    Row { class: Class::ExponentialTimesNSquared, name: "n²·2ⁿ",
          word: "exponential_times_n_squared", rank: 100.12,
          curve: Shape { base: 2.0, power: 2.0, ..ONE }, variants: &ALONE,
          time_prior: 0.004, memory_prior: 0.001, step_ns: 2.0,  step_bytes: 16.0 },
    Row { class: Class::TripleExponential, name: "3ⁿ", word: "triple_exponential", rank: 100.158,
          curve: Shape { base: 3.0, ..ONE }, variants: &LEAF_FACTORS,
          time_prior: 0.006, memory_prior: 0.001, step_ns: 5.0,  step_bytes: 16.0 },
    Row { class: Class::QuadrupleExponential, name: "4ⁿ", word: "quadruple_exponential",
          rank: 100.2,
          curve: Shape { base: 4.0, ..ONE }, variants: &ALONE,
          time_prior: 0.003, memory_prior: 0.001, step_ns: 5.0,  step_bytes: 16.0 },
    Row { class: Class::Factorial, name: "n!", word: "factorial", rank: 101.0,
          curve: Shape { factorial: 1.0, ..ONE }, variants: &FACTORIAL_FACTORS,
          time_prior: 0.02,  memory_prior: 0.002, step_ns: 5.0,  step_bytes: 16.0 },
];

/// The exponents of [`POWERS`] that have no named class.
static OTHER_POWERS: LazyLock<Vec<f64>> = LazyLock::new(|| {
    POWERS.into_iter().filter(|&power| Class::product(power, 0.0).is_none()).collect()
});

impl Class {
    /// The classes that have a name of their own, in ascending order of growth.
    pub const NAMED: [Self; TABLE.len()] = {
        let mut named = [Self::Constant; TABLE.len()];
        let mut index = 0;
        while index < named.len() {
            named[index] = TABLE[index].class;
            index += 1;
        }
        named
    };

    /// Facts of the class.
    pub(crate) fn row(self) -> Row {
        let exponent = match self {
            Self::Power(exponent) => exponent,
            Self::Base(base) => return base_row(base),
            _ => return TABLE[self.index()],
        };
        let prior = power_prior(exponent);
        let [below_1, from_1] = POWER_STEP_NS;
        Row {
            class: self,
            name: POWER_PREFIX,
            word: "power",
            rank: exponent,
            curve: Shape { power: exponent, ..ONE },
            variants: &ALONE,
            time_prior: prior,
            memory_prior: prior / MEMORY_POWER_DIVISOR,
            step_ns: if exponent < 1.0 { below_1 } else { from_1 },
            step_bytes: POWER_STEP_BYTES,
        }
    }

    /// The name in reports. The exponent of a power without a name of its own is rounded to two
    /// decimal places, and so is the base of an exponential: `n^1.58`, `3.7ⁿ`.
    pub fn name(self) -> String {
        let name = self.row().name;
        match self {
            Self::Power(exponent) => format!("{name}{exponent:.2}"),
            Self::Base(base) => format!("{}{name}", (base * 100.0).round() / 100.0),
            _ => name.into(),
        }
    }

    /// The growth in a sentence, after "grows": "like n log n".
    pub fn manner(self) -> String {
        match self {
            Self::Base(base) => format!("exponentially, with a base of about {base:.1}"),
            _ => format!("like {}", self.name()),
        }
    }

    /// The name in identifiers, such as the values of the enum on the wire: `n_sqrt_n`.
    pub fn word(self) -> &'static str {
        self.row().word
    }

    /// The named class n^`power` · (log n)^`logs`, if there is one.
    pub fn product(power: f64, logs: f64) -> Option<Self> {
        let curve = Shape { power, logs, ..ONE };
        TABLE.iter().find(|row| row.curve == curve).map(|row| row.class)
    }

    /// The class with this name; `None` if no class has it.
    pub fn parse(name: &str) -> Option<Self> {
        if let Some(exponent) = name.strip_prefix(POWER_PREFIX) {
            let exponent: Option<f64> = exponent.parse().ok();
            return exponent.filter(|exponent| exponent.is_finite()).map(Self::Power);
        }
        let named = TABLE.iter().find(|row| row.name == name).map(|row| row.class);
        let base = || name.strip_suffix(BASE_SUFFIX)?.parse().ok().and_then(Self::exponential);
        named.or_else(base)
    }

    /// The exponential with this base, whether it has a name of its own or not; `None` unless the
    /// base is above 1.
    pub fn exponential(base: f64) -> Option<Self> {
        let curve = Shape { base, ..ONE };
        let named = TABLE.iter().find(|row| row.curve == curve).map(|row| row.class);
        (base > 1.0 && base.is_finite()).then(|| named.unwrap_or(Self::Base(base)))
    }

    /// Value of the class's function at `n`, which is 0 or more; infinite if it exceeds the range
    /// of an `f64`.
    ///
    /// n! is Γ(n + 1), which is also defined between whole numbers. Series are fitted with the same
    /// function.
    pub fn value(self, n: f64) -> f64 {
        self.curve().value(n)
    }

    /// Rank in the order of growth. Of two classes, the one with the larger rank grows faster.
    pub fn rank(self) -> f64 {
        self.row().rank
    }

    /// Whether measurements hardly tell the classes apart: they are equal, powers of n with near
    /// exponents, or exponentials with near bases.
    pub fn is_near(self, other: Self) -> bool {
        let exponents = self.exponent().zip(other.exponent());
        let bases = self.base().zip(other.base());
        self == other
            || exponents.is_some_and(|(one, other)| (one - other).abs() <= NEAR_EXPONENT)
            || bases.is_some_and(|(one, other)| one.max(other) / one.min(other) - 1.0 <= NEAR_BASE)
    }

    /// The exponent of a power of n, whether it has a name of its own or not.
    fn exponent(self) -> Option<f64> {
        let curve = self.curve();
        Some(curve.power).filter(|&power| power > 0.0 && curve == Shape { power, ..ONE })
    }

    /// The base of an exponential without other factors, whether it has a name of its own or not.
    fn base(self) -> Option<f64> {
        let curve = self.curve();
        Some(curve.base).filter(|&base| base > 1.0 && curve == Shape { base, ..ONE })
    }

    /// Probability that the work of a program of this class depends on n rounded up to a power of
    /// two.
    pub(crate) fn rounded(self) -> f64 {
        match self {
            Self::Constant => 0.0,
            Self::Logarithmic | Self::LogSquared => ROUNDED_LOG,
            _ if self.curve().is_steep() => 0.0,
            _ => ROUNDED,
        }
    }

    /// Index in [`Self::all`].
    pub(crate) fn index(self) -> usize {
        let class = if let Self::Base(_) = self { Self::Base(ANY_BASE) } else { self };
        Self::all().position(|other| other == class).unwrap_or(0)
    }

    /// All classes that series are compared with. The classes without a name of their own come
    /// last. All other bases are one class, because a series shows its base.
    pub(crate) fn all() -> impl Iterator<Item = Self> {
        let powers = OTHER_POWERS.iter().copied().map(Self::Power);
        Self::NAMED.into_iter().chain(powers).chain([Self::Base(ANY_BASE)])
    }

    /// The bases of the exponentials that have a name of their own.
    pub(crate) fn named_bases() -> impl Iterator<Item = f64> {
        Self::NAMED.into_iter().filter_map(Self::base)
    }

    /// The curve that the class is named after.
    pub(crate) fn curve(self) -> Shape {
        self.row().curve
    }

    /// The curves that count as the class, each with its share of the probability.
    pub(crate) fn shapes(self) -> Vec<(Shape, f64)> {
        let Row { curve, variants, .. } = self.row();
        variants.iter().map(|&(factor, share)| (curve.times(factor), share)).collect()
    }
}

/// Facts of an exponential without a name of its own.
fn base_row(base: f64) -> Row {
    Row {
        class: Class::Base(base),
        name: BASE_SUFFIX,
        word: Class::Exponential.word(),
        rank: STEEP_RANK + RANK_OF_DOUBLED_BASE * base.log2(),
        curve: Shape { base, ..ONE },
        variants: &ALONE,
        time_prior: BASE_PRIOR,
        memory_prior: BASE_MEMORY_PRIOR,
        step_ns: BASE_STEP_NS,
        step_bytes: BASE_STEP_BYTES,
    }
}

/// Prior probability of a power without a name of its own. The powers in a range of exponents share
/// the probability of the range.
fn power_prior(exponent: f64) -> f64 {
    let (probability, from, to) = match exponent {
        ..1.0 => (POWER_PRIOR_BELOW_1, 0.0, 1.0),
        1.0..2.0 => (POWER_PRIOR_1_TO_2, 1.0, 2.0),
        _ => (POWER_PRIOR_ABOVE_2, 2.0, f64::INFINITY),
    };
    let shared_by = OTHER_POWERS.iter().filter(|&&power| power > from && power < to).count();
    probability / shared_by as f64
}

#[cfg(test)]
mod tests;
