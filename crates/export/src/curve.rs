//! The curve of a growth class.

use profiler_growth::Class;
use profiler_proto::v1::GrowthCurve;

/// The curve's value at n; none of a class that this crate does not know, nor where it is not finite. "log" is the
/// binary logarithm.
pub(crate) fn at(curve: &GrowthCurve, n: f64) -> Option<f64> {
    let value = curve.constant + curve.coefficient * value(curve.class()?, n);
    value.is_finite().then_some(value)
}

fn value(class: Class, n: f64) -> f64 {
    let log = n.max(1.0).log2();
    match class {
        Class::Constant => 1.0,
        Class::Logarithmic => log,
        Class::Root => n.sqrt(),
        Class::Linear => n,
        Class::Linearithmic => n * log,
        Class::RootCubed => n * n.sqrt(),
        Class::Quadratic => n * n,
        Class::QuadraticLog => n * n * log,
        Class::Cubic => n * n * n,
        Class::Exponential => n.exp2(),
        Class::Factorial => factorial(n),
        Class::Power(exponent) => n.powf(exponent),
    }
}

/// By whole steps, and a straight line in the logarithm between two of them. Infinite beyond what an `f64` holds.
fn factorial(n: f64) -> f64 {
    const LARGEST: u32 = 170;
    let factors = (1..=LARGEST + 1).map(f64::from).take_while(|&factor| factor <= n);
    factors.product::<f64>() * (n.floor() + 1.0).powf(n.fract())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn value(class: Class, n: f64) -> Option<f64> {
        let function = Some(class.into());
        at(&GrowthCurve { function, constant: 1.0, coefficient: 2.0 }, n)
    }

    #[test]
    fn a_curve_has_a_constant_and_a_coefficient() {
        let quadratic = value(Class::Quadratic, 10.0).unwrap();
        assert!((quadratic - 201.0).abs() < 1e-9, "{quadratic}");
        let power = value(Class::Power(1.5), 4.0).unwrap();
        assert!((power - 17.0).abs() < 1e-9, "{power}");
        let factorial = value(Class::Factorial, 5.0).unwrap();
        assert!((factorial - 241.0).abs() < 1e-6, "{factorial}");
    }

    #[test]
    fn logarithms_are_binary() {
        let linearithmic = value(Class::Linearithmic, 8.0).unwrap();
        assert!((linearithmic - 49.0).abs() < 1e-9, "{linearithmic}");
    }

    #[test]
    fn what_has_no_value_is_absent() {
        assert_eq!(at(&GrowthCurve::default(), 2.0), None);
        assert_eq!(value(Class::Exponential, 1e6), None);
        assert_eq!(value(Class::Factorial, 1e9), None);
    }
}
