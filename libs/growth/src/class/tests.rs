//! Names, ranks and values of the classes.

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
        "n²·2ⁿ",
        "3ⁿ",
        "4ⁿ",
        "n!",
    ];
    assert_eq!(names, known);
    assert_eq!(Class::Power(1.5849).name(), "n^1.58");
    assert_eq!(Class::Base(3.7012).name(), "3.7ⁿ");
    assert_eq!(Class::Base(3.7012).manner(), "exponentially, with a base of about 3.7");
}

/// A variant without a row would be taken for the first one.
#[test]
fn every_variant_has_its_row() {
    for class in Class::all() {
        assert_eq!(class.row().class, class);
        // A new variant does not compile here: add it to the table.
        match class {
            Class::Constant
            | Class::Logarithmic
            | Class::Root
            | Class::Linear
            | Class::Linearithmic
            | Class::RootCubed
            | Class::Quadratic
            | Class::QuadraticLog
            | Class::Cubic
            | Class::Exponential
            | Class::Factorial
            | Class::LogSquared
            | Class::LinearLogSquared
            | Class::GoldenExponential
            | Class::ExponentialTimesN
            | Class::ExponentialTimesNSquared
            | Class::TripleExponential
            | Class::QuadrupleExponential
            | Class::Power(_)
            | Class::Base(_) => {}
        }
    }
}

#[test]
fn every_name_is_parsed_back() {
    for class in Class::NAMED.into_iter().chain([Class::Power(1.58), Class::Base(3.7)]) {
        assert_eq!(Class::parse(&class.name()), Some(class));
    }
    for name in ["", "n^", "n^x", "n^inf", "n^NaN", "O(n)", "n log³ n", "ⁿ", "1ⁿ", "xⁿ", "infⁿ"]
    {
        assert_eq!(Class::parse(name), None, "{name:?}");
    }
}

/// The drawn curve is the fitted one, also between whole numbers.
#[test]
fn values_are_those_of_the_fitted_curves() {
    for class in Class::NAMED.into_iter().chain([Class::Power(1.58)]) {
        for n in [1.0, 2.5, 5.0, 8.25, 12.0, 40.5] {
            let (value, fitted) = (class.value(n), class.curve().ln(n).exp());
            assert!((value - fitted).abs() <= 1e-9 * value, "{class:?} at {n}: {value} {fitted}");
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
        16_384.0,
        6561.0,
        65_536.0,
        40_320.0,
    ];
    for ((class, value), known) in Class::NAMED.iter().zip(values).zip(known) {
        assert!((value / known - 1.0).abs() < 1e-9, "{class:?}: {value}");
    }
}

#[test]
fn exponentials_are_ranked_by_their_bases() {
    let bases = [1.3, GOLDEN_RATIO, 1.8, 2.0, 2.9, 3.0, 3.7, 4.0, 9.0];
    let ranks = bases.map(|base| Class::exponential(base).unwrap().rank());
    assert!(ranks.is_sorted(), "{ranks:?}");
    assert!(ranks[0] > Class::Cubic.rank() && ranks[8] < Class::Factorial.rank());
    assert_eq!(Class::exponential(4.0), Some(Class::QuadrupleExponential));
    assert_eq!(Class::exponential(1.0), None);
    let named: Vec<f64> = Class::named_bases().collect();
    assert_eq!(named, [GOLDEN_RATIO, 2.0, 3.0, 4.0]);
}

#[test]
fn near_classes_differ_by_a_few_percent() {
    let base = |base| Class::exponential(base).unwrap();
    for (one, other, expected) in [
        (Class::Linearithmic, Class::Linearithmic, true),
        (Class::Linearithmic, Class::Linear, false),
        (Class::Power(1.58), Class::Power(1.59), true),
        (Class::RootCubed, Class::Power(1.54), true),
        (Class::RootCubed, Class::Power(1.58), false),
        (Class::Quadratic, Class::QuadraticLog, false),
        (base(3.7), base(3.72), true),
        (base(1.6), Class::GoldenExponential, true),
        (base(2.09), Class::Exponential, true),
        (base(2.2), Class::Exponential, false),
        (Class::ExponentialTimesN, Class::Exponential, false),
        (Class::Constant, Class::Power(0.04), false),
    ] {
        assert_eq!(one.is_near(other), expected, "{one:?} {other:?}");
        assert_eq!(other.is_near(one), expected, "{other:?} {one:?}");
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
