//! The curve of a growth class.

use profiler_proto::v1::GrowthCurve;

/// The curve's value at n. `None` for a class that this version does not know, and where the value
/// is not finite.
pub(crate) fn at(curve: &GrowthCurve, n: f64) -> Option<f64> {
    let value = curve.constant + curve.coefficient * curve.class()?.value(n);
    value.is_finite().then_some(value)
}

#[cfg(test)]
mod tests {
    use super::*;
    use profiler_growth::Class;

    fn value(class: Class, n: f64) -> Option<f64> {
        let function = Some(class.into());
        at(&GrowthCurve { function, constant: 1.0, coefficient: 2.0 }, n)
    }

    #[test]
    fn value_is_the_constant_and_the_grown_part() {
        assert_eq!(value(Class::Quadratic, 10.0), Some(201.0));
        assert_eq!(value(Class::Linearithmic, 8.0), Some(49.0));
    }

    #[test]
    fn curve_without_a_value_is_absent() {
        assert_eq!(at(&GrowthCurve::default(), 2.0), None);
        assert_eq!(value(Class::Exponential, 1e6), None);
        assert_eq!(value(Class::Factorial, 1e9), None);
    }
}
