//! Classes of growth: the wire's [`GrowthFunction`] and the [`Class`] of the growth library.

mod report;
mod statistics;

use crate::report::Word;
use crate::v1::{
    GrowthClass, GrowthClassification, GrowthCurve, GrowthFunction, GrowthRival, GrowthSignal,
};
use profiler_growth::Class;

impl From<Class> for GrowthFunction {
    fn from(class: Class) -> Self {
        let growth_class = GrowthClass::from_word(class.word()).unwrap_or_default();
        let exponent = if let Class::Power(exponent) = class { Some(exponent) } else { None };
        let base = if let Class::Base(base) = class { Some(base) } else { None };
        Self { growth_class: growth_class.into(), exponent, base }
    }
}

impl GrowthFunction {
    /// Returns the class; `None` if it is unknown, or a power without a finite exponent.
    pub fn class(&self) -> Option<Class> {
        let word = self.growth_class().word();
        let power = self.exponent.filter(|exponent| exponent.is_finite()).map(Class::Power);
        let base = self.base.and_then(Class::exponential);
        // An exponential with a base and 2ⁿ have the same word.
        base.into_iter().chain(Class::NAMED).chain(power).find(|class| class.word() == word)
    }
}

impl GrowthRival {
    /// Returns the class of the curve.
    pub fn class(&self) -> Option<Class> {
        self.curve.as_ref().and_then(GrowthCurve::class)
    }
}

impl GrowthClassification {
    /// Returns the class; `None` if it is undecided.
    pub fn class(&self) -> Option<Class> {
        self.function.as_ref().and_then(GrowthFunction::class)
    }

    /// Returns the second most likely class.
    pub fn runner_up_class(&self) -> Option<Class> {
        self.runner_up.as_ref().and_then(GrowthFunction::class)
    }
}

impl GrowthCurve {
    /// Returns the class of the curve.
    pub fn class(&self) -> Option<Class> {
        self.function.as_ref().and_then(GrowthFunction::class)
    }
}

impl GrowthSignal {
    /// Returns the class that the signal supports.
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
            let function = GrowthFunction { growth_class: number, exponent, base: None };
            let class = function.class().unwrap();
            assert_eq!(GrowthFunction::from(class), function, "{class:?}");
        }
    }

    /// Python's client computes with the declared shapes.
    #[cfg(feature = "json")]
    #[test]
    fn declared_shapes_are_those_of_the_classes() {
        let pool = crate::json::descriptors().unwrap();
        let classes = pool.get_enum_by_name("swiftsolve.profiler.v1.GrowthClass").unwrap();
        let extension = pool.get_extension_by_name("swiftsolve.profiler.v1.growth_shape").unwrap();
        for class in Class::NAMED {
            let number = GrowthFunction::from(class).growth_class;
            let options = classes.get_value(number).unwrap().options();
            let declared = options.get_extension(&extension);
            let shape = declared.as_message().unwrap();
            let number = |name| shape.get_field_by_name(name).unwrap().as_f64().unwrap();
            let is_factorial = shape.get_field_by_name("factorial").unwrap().as_bool().unwrap();
            let n = 7.0_f64;
            let steep = match number("base") {
                0.0 => 1.0,
                base => base.powf(n),
            } * if is_factorial { 5040.0 } else { 1.0 };
            let value = n.powf(number("power")) * n.log2().powf(number("logs")) * steep;
            assert!((value / class.value(n) - 1.0).abs() < 1e-9, "{class:?}: {value}");
        }
    }

    #[test]
    fn power_needs_an_exponent() {
        let growth_class = GrowthClass::Power.into();
        let power = GrowthFunction { growth_class, ..GrowthFunction::default() };
        assert_eq!(power.class(), None);
        assert_eq!(GrowthFunction::default().class(), None);
    }

    /// A client of version 0.2, which does not know the base, sees an exponential.
    #[test]
    fn exponential_has_its_base() {
        let function = GrowthFunction::from(Class::Base(3.7));
        assert_eq!((function.growth_class(), function.base), (GrowthClass::Exponential, Some(3.7)));
        assert_eq!(function.class(), Some(Class::Base(3.7)));
        for base in [0.5, f64::NAN, f64::INFINITY] {
            let two = GrowthFunction { base: Some(base), ..function };
            assert_eq!(two.class(), Some(Class::Exponential), "{base}");
        }
    }
}
