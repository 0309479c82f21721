//! The curve of a growth class.

use profiler_proto::v1::GrowthCurve;

/// The curve's value at n; none of a class that this crate does not know, nor where it is not finite. "log" is the
/// binary logarithm.
pub(crate) fn at(curve: &GrowthCurve, n: f64) -> Option<f64> {
    let value = curve.constant + curve.coefficient * class(&curve.name, n)?;
    value.is_finite().then_some(value)
}

fn class(name: &str, n: f64) -> Option<f64> {
    let log = n.max(1.0).log2();
    Some(match name {
        "1" => 1.0,
        "log n" => log,
        "√n" => n.sqrt(),
        "n" => n,
        "n log n" => n * log,
        "n√n" => n * n.sqrt(),
        "n²" => n * n,
        "n² log n" => n * n * log,
        "n³" => n * n * n,
        "2ⁿ" => n.exp2(),
        "n!" => factorial(n),
        _ => n.powf(name.strip_prefix("n^")?.parse().ok()?),
    })
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

    fn value(name: &str, n: f64) -> Option<f64> {
        at(&GrowthCurve { name: name.into(), constant: 1.0, coefficient: 2.0 }, n)
    }

    #[test]
    fn every_class_has_its_function() {
        let quadratic = value("n²", 10.0).unwrap();
        assert!((quadratic - 201.0).abs() < 1e-9, "{quadratic}");
        let power = value("n^1.5", 4.0).unwrap();
        assert!((power - 17.0).abs() < 1e-9, "{power}");
        let factorial = value("n!", 5.0).unwrap();
        assert!((factorial - 241.0).abs() < 1e-9, "{factorial}");
        for name in ["1", "log n", "√n", "n", "n log n", "n√n", "n² log n", "n³", "2ⁿ"] {
            assert!(value(name, 8.0).unwrap() >= 3.0, "{name}");
        }
    }

    #[test]
    fn logarithms_are_binary() {
        assert_eq!(value("n log n", 8.0), Some(49.0));
    }

    #[test]
    fn what_has_no_value_is_absent() {
        assert_eq!(value("n^^", 2.0), None);
        assert_eq!(value("of its own", 2.0), None);
        assert_eq!(value("2ⁿ", 1e6), None);
        assert_eq!(value("n!", 1e9), None);
    }
}
