//! Classes of growth: the wire's [`GrowthFunction`] and the [`Class`] of the growth library.

mod report;
mod statistics;

use crate::v1::{
    GrowthClass, GrowthClassification, GrowthCurve, GrowthFunction, GrowthRival, GrowthSignal,
};
use profiler_growth::Class;

impl From<Class> for GrowthFunction {
    fn from(class: Class) -> Self {
        let (class, exponent) = match class {
            Class::Constant => (GrowthClass::Constant, None),
            Class::Logarithmic => (GrowthClass::Logarithmic, None),
            Class::Root => (GrowthClass::SquareRoot, None),
            Class::Linear => (GrowthClass::Linear, None),
            Class::Linearithmic => (GrowthClass::Linearithmic, None),
            Class::RootCubed => (GrowthClass::NSqrtN, None),
            Class::Quadratic => (GrowthClass::Quadratic, None),
            Class::QuadraticLog => (GrowthClass::QuadraticLog, None),
            Class::Cubic => (GrowthClass::Cubic, None),
            Class::Exponential => (GrowthClass::Exponential, None),
            Class::Factorial => (GrowthClass::Factorial, None),
            Class::LogSquared => (GrowthClass::LogSquared, None),
            Class::LinearLogSquared => (GrowthClass::LinearLogSquared, None),
            Class::GoldenExponential => (GrowthClass::GoldenExponential, None),
            Class::ExponentialTimesN => (GrowthClass::ExponentialTimesN, None),
            Class::TripleExponential => (GrowthClass::TripleExponential, None),
            Class::Power(exponent) => (GrowthClass::Power, Some(exponent)),
        };
        Self { growth_class: class.into(), exponent }
    }
}

impl GrowthFunction {
    /// The class; none if it is unknown, or a power without a finite exponent.
    pub fn class(&self) -> Option<Class> {
        Some(match self.growth_class() {
            GrowthClass::Unspecified => return None,
            GrowthClass::Constant => Class::Constant,
            GrowthClass::Logarithmic => Class::Logarithmic,
            GrowthClass::SquareRoot => Class::Root,
            GrowthClass::Linear => Class::Linear,
            GrowthClass::Linearithmic => Class::Linearithmic,
            GrowthClass::NSqrtN => Class::RootCubed,
            GrowthClass::Quadratic => Class::Quadratic,
            GrowthClass::QuadraticLog => Class::QuadraticLog,
            GrowthClass::Cubic => Class::Cubic,
            GrowthClass::Exponential => Class::Exponential,
            GrowthClass::Factorial => Class::Factorial,
            GrowthClass::LogSquared => Class::LogSquared,
            GrowthClass::LinearLogSquared => Class::LinearLogSquared,
            GrowthClass::GoldenExponential => Class::GoldenExponential,
            GrowthClass::ExponentialTimesN => Class::ExponentialTimesN,
            GrowthClass::TripleExponential => Class::TripleExponential,
            GrowthClass::Power => {
                Class::Power(self.exponent.filter(|exponent| exponent.is_finite())?)
            }
        })
    }
}

impl GrowthRival {
    /// The class of the curve.
    pub fn class(&self) -> Option<Class> {
        self.curve.as_ref().and_then(GrowthCurve::class)
    }
}

impl GrowthClassification {
    /// The class; none if it is undecided.
    pub fn class(&self) -> Option<Class> {
        self.function.as_ref().and_then(GrowthFunction::class)
    }

    /// The second most likely class.
    pub fn runner_up_class(&self) -> Option<Class> {
        self.runner_up.as_ref().and_then(GrowthFunction::class)
    }
}

impl GrowthCurve {
    /// The class of the curve.
    pub fn class(&self) -> Option<Class> {
        self.function.as_ref().and_then(GrowthFunction::class)
    }
}

impl GrowthSignal {
    /// The class that this figure supports.
    pub fn class(&self) -> Option<Class> {
        self.function.as_ref().and_then(GrowthFunction::class)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_class_comes_back() {
        for number in 1.. {
            let Ok(growth_class) = GrowthClass::try_from(number) else { break };
            let exponent = (growth_class == GrowthClass::Power).then_some(1.58);
            let function = GrowthFunction { growth_class: number, exponent };
            let class = function.class().unwrap();
            assert_eq!(GrowthFunction::from(class), function, "{class:?}");
        }
    }

    #[test]
    fn power_needs_an_exponent() {
        let power = GrowthFunction { growth_class: GrowthClass::Power.into(), exponent: None };
        assert_eq!(power.class(), None);
        assert_eq!(GrowthFunction::default().class(), None);
    }
}
