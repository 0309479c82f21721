//! The classes of growth: their names, their order and their functions.

use crate::constants::{EXPONENTIAL_BASES, FACTORIAL_FACTORS, LEAF_FACTORS, LOG_OFFSETS, POWERS};
use crate::shape::{Shape, ln_factorial};
use std::f64::consts::LN_2;

/// Prefix of the name of another power; its exponent follows.
const POWER_PREFIX: &str = "n^";
/// φ, the base with which the calls of naive Fibonacci numbers grow: (1 + √5) / 2.
const GOLDEN_RATIO: f64 = 1.618_033_988_749_895;
/// A rank above that of every power, so that the steep classes come last.
const EXPONENTIAL_RANK: f64 = 100.0;
const FACTORIAL_RANK: f64 = 101.0;
/// Contribution of a factor of a logarithm to a rank.
const LOG_RANK: f64 = 0.1;

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
    /// φⁿ, with the golden ratio φ: the calls of naive Fibonacci numbers
    GoldenExponential,
    /// 2ⁿ, and every other base above 1 that is neither φ nor 3
    Exponential,
    /// n·2ⁿ, and 2ⁿ times another power of n
    ExponentialTimesN,
    /// 3ⁿ
    TripleExponential,
    /// n!
    Factorial,
    /// Another power of n, with its exponent.
    Power(f64),
}

impl Class {
    /// The classes that have a name of their own, from the slowest to the fastest.
    pub const NAMED: [Self; 16] = [
        Self::Constant,
        Self::Logarithmic,
        Self::LogSquared,
        Self::Root,
        Self::Linear,
        Self::Linearithmic,
        Self::LinearLogSquared,
        Self::RootCubed,
        Self::Quadratic,
        Self::QuadraticLog,
        Self::Cubic,
        Self::GoldenExponential,
        Self::Exponential,
        Self::ExponentialTimesN,
        Self::TripleExponential,
        Self::Factorial,
    ];

    /// The name in reports. The exponent of another power is rounded to two digits: `n^1.58`.
    pub fn name(self) -> String {
        match self {
            Self::Constant => "1".into(),
            Self::Logarithmic => "log n".into(),
            Self::LogSquared => "log² n".into(),
            Self::Root => "√n".into(),
            Self::Linear => "n".into(),
            Self::Linearithmic => "n log n".into(),
            Self::LinearLogSquared => "n log² n".into(),
            Self::RootCubed => "n√n".into(),
            Self::Quadratic => "n²".into(),
            Self::QuadraticLog => "n² log n".into(),
            Self::Cubic => "n³".into(),
            Self::GoldenExponential => "φⁿ".into(),
            Self::Exponential => "2ⁿ".into(),
            Self::ExponentialTimesN => "n·2ⁿ".into(),
            Self::TripleExponential => "3ⁿ".into(),
            Self::Factorial => "n!".into(),
            Self::Power(exponent) => format!("{POWER_PREFIX}{exponent:.2}"),
        }
    }

    /// The class with this name; `None` if no class has it.
    pub fn parse(name: &str) -> Option<Self> {
        if let Some(exponent) = name.strip_prefix(POWER_PREFIX) {
            let exponent: Option<f64> = exponent.parse().ok();
            return exponent.filter(|exponent| exponent.is_finite()).map(Self::Power);
        }
        Self::NAMED.into_iter().find(|class| class.name() == name)
    }

    /// The class's function at `n`, which is 0 or more. It is infinite if an `f64` cannot hold it.
    ///
    /// n! is Γ(n + 1), also between whole numbers: the same function that series are fitted with.
    pub fn value(self, n: f64) -> f64 {
        let log = n.max(1.0).log2();
        match self {
            Self::Constant => 1.0,
            Self::Logarithmic => log,
            Self::LogSquared => log * log,
            Self::Root => n.sqrt(),
            Self::Linear => n,
            Self::Linearithmic => n * log,
            Self::LinearLogSquared => n * log * log,
            Self::RootCubed => n * n.sqrt(),
            Self::Quadratic => n * n,
            Self::QuadraticLog => n * n * log,
            Self::Cubic => n * n * n,
            Self::GoldenExponential => GOLDEN_RATIO.powf(n),
            Self::Exponential => n.exp2(),
            Self::ExponentialTimesN => n * n.exp2(),
            Self::TripleExponential => 3_f64.powf(n),
            Self::Factorial => ln_factorial(n.max(0.0)).exp(),
            Self::Power(exponent) => n.powf(exponent),
        }
    }

    /// Rank in the order of growth. Of two classes, the one with the larger rank grows faster.
    pub fn rank(self) -> f64 {
        match self {
            Self::Constant => 0.0,
            Self::Logarithmic => LOG_RANK,
            Self::LogSquared => 2.0 * LOG_RANK,
            Self::Root => 0.5,
            Self::Linear => 1.0,
            Self::Linearithmic => 1.0 + LOG_RANK,
            Self::LinearLogSquared => 1.0 + 2.0 * LOG_RANK,
            Self::RootCubed => 1.5,
            Self::Quadratic => 2.0,
            Self::QuadraticLog => 2.0 + LOG_RANK,
            Self::Cubic => 3.0,
            Self::GoldenExponential => EXPONENTIAL_RANK,
            Self::Exponential => EXPONENTIAL_RANK + 0.1,
            Self::ExponentialTimesN => EXPONENTIAL_RANK + 0.2,
            Self::TripleExponential => EXPONENTIAL_RANK + 0.3,
            Self::Factorial => FACTORIAL_RANK,
            Self::Power(exponent) => exponent,
        }
    }

    /// Index in a table of all classes. The other powers come last.
    pub(crate) fn index(self) -> usize {
        match self {
            Self::Power(exponent) => {
                let nearest = POWERS
                    .iter()
                    .enumerate()
                    .min_by(|a, b| (a.1 - exponent).abs().total_cmp(&(b.1 - exponent).abs()));
                Self::NAMED.len() + nearest.map_or(0, |(index, _)| index)
            }
            named => Self::NAMED.iter().position(|&class| class == named).unwrap_or(0),
        }
    }

    /// All classes that series are compared with, in the order of [`Self::index`].
    pub(crate) fn all() -> impl Iterator<Item = Self> {
        Self::NAMED.into_iter().chain(POWERS.map(Self::Power))
    }

    /// The curve that the class is named after.
    pub(crate) fn curve(self) -> Shape {
        let power = |power| Shape { power, ..Shape::default() };
        let base = |ln_base| Shape { ln_base, ..Shape::default() };
        match self {
            Self::Constant => Shape::default(),
            Self::Logarithmic => Shape { logs: 1.0, ..Shape::default() },
            Self::LogSquared => Shape { logs: 2.0, ..Shape::default() },
            Self::Root => power(0.5),
            Self::Linear => power(1.0),
            Self::Linearithmic => Shape { logs: 1.0, ..power(1.0) },
            Self::LinearLogSquared => Shape { logs: 2.0, ..power(1.0) },
            Self::RootCubed => power(1.5),
            Self::Quadratic => power(2.0),
            Self::QuadraticLog => Shape { logs: 1.0, ..power(2.0) },
            Self::Cubic => power(3.0),
            Self::GoldenExponential => base(GOLDEN_RATIO.ln()),
            Self::Exponential => base(LN_2),
            Self::ExponentialTimesN => Shape { power: 1.0, ..base(LN_2) },
            Self::TripleExponential => base(3_f64.ln()),
            Self::Factorial => Shape { factorial: 1.0, ..Shape::default() },
            Self::Power(exponent) => power(exponent),
        }
    }

    /// The curves that count as the class, each with its share of the class's probability.
    pub(crate) fn shapes(self) -> Vec<(Shape, f64)> {
        let curve = self.curve();
        let with_factors = |shape: Shape, factors: &[(f64, f64)]| {
            let scaled = |&(power, share)| (Shape { power: shape.power + power, ..shape }, share);
            factors.iter().map(scaled).collect()
        };
        match self {
            Self::Exponential => EXPONENTIAL_BASES
                .map(|(base, share)| (Shape { ln_base: f64::ln(base), ..curve }, share))
                .into(),
            Self::GoldenExponential | Self::TripleExponential | Self::ExponentialTimesN => {
                with_factors(curve, &LEAF_FACTORS)
            }
            Self::QuadraticLog => {
                LOG_OFFSETS.map(|(offset, share)| (Shape { offset, ..curve }, share)).into()
            }
            Self::Factorial => with_factors(curve, &FACTORIAL_FACTORS),
            _ => vec![(curve, 1.0)],
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_the_contracts() {
        let names: Vec<_> = Class::NAMED.into_iter().map(Class::name).collect();
        let known = [
            "1",
            "log n",
            "log² n",
            "√n",
            "n",
            "n log n",
            "n log² n",
            "n√n",
            "n²",
            "n² log n",
            "n³",
            "φⁿ",
            "2ⁿ",
            "n·2ⁿ",
            "3ⁿ",
            "n!",
        ];
        assert_eq!(names, known);
        assert_eq!(Class::Power(1.5849).name(), "n^1.58");
    }

    #[test]
    fn every_name_is_parsed_back() {
        for class in Class::NAMED.into_iter().chain([Class::Power(1.58)]) {
            assert_eq!(Class::parse(&class.name()), Some(class));
        }
        for name in ["", "n^", "n^x", "n^inf", "n^NaN", "O(n)", "n log³ n"] {
            assert_eq!(Class::parse(name), None, "{name:?}");
        }
    }

    /// The drawn curve is the fitted one, also between whole numbers.
    #[test]
    fn values_are_those_of_the_fitted_curves() {
        for class in Class::NAMED.into_iter().chain([Class::Power(1.58)]) {
            for n in [1.0, 2.5, 5.0, 8.25, 12.0, 40.5] {
                let (value, fitted) = (class.value(n), class.curve().ln(n).exp());
                assert!(
                    (value - fitted).abs() <= 1e-9 * value,
                    "{class:?} at {n}: {value} {fitted}"
                );
            }
        }
    }

    #[test]
    fn values_are_known_at_eight() {
        let values = Class::NAMED.map(|class| class.value(8.0));
        let known = [
            1.0,
            3.0,
            9.0,
            8_f64.sqrt(),
            8.0,
            24.0,
            72.0,
            512_f64.sqrt(),
            64.0,
            192.0,
            512.0,
            GOLDEN_RATIO.powi(8),
            256.0,
            2048.0,
            6561.0,
            40_320.0,
        ];
        for ((class, value), known) in Class::NAMED.iter().zip(values).zip(known) {
            assert!((value / known - 1.0).abs() < 1e-9, "{class:?}: {value}");
        }
    }

    #[test]
    fn factorials_are_those_of_whole_numbers_and_infinite_beyond() {
        for (n, factorial) in [(0.0, 1.0), (1.0, 1.0), (5.0, 120.0), (12.0, 479_001_600.0)] {
            let value = Class::Factorial.value(n);
            assert!((value / factorial - 1.0).abs() < 1e-9, "{n}: {value}");
        }
        assert!(Class::Factorial.value(170.0).is_finite());
        assert!(Class::Factorial.value(1e9).is_infinite());
    }

    #[test]
    fn curves_rise_in_the_order_of_their_classes() {
        for pair in Class::NAMED.windows(2) {
            let [slower, faster] = [pair[0], pair[1]];
            assert!(slower.curve().ln(1e9) < faster.curve().ln(1e9), "{slower:?} {faster:?}");
            assert!(slower.rank() < faster.rank());
        }
    }
}
