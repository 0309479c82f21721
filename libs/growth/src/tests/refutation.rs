//! Classes that do not predict the largest size from the smaller ones.

use super::synthetic::Random;
use super::timed;
use crate::constants::GROSS;
use crate::fitting::model;
use crate::series::{Datum, Series};
use crate::verdict::refutation::{Refutes, Witness};
use crate::{Class, Counts, Effort, Observed, classify};

const SIZES: [u64; 5] = [1000, 5000, 10_000, 20_000, 50_000];

fn series(values: impl Iterator<Item = (u64, f64)>) -> Series {
    let datum = |(size, value)| Datum { size, value, sigma: 0.01 * value };
    Series { data: values.map(datum).collect(), floor: Some(0.8), ..Series::default() }
}

/// The reason why these times refute `class`.
fn refuted(times: &Series, class: Class, refutes: Refutes) -> Option<String> {
    let model = model::runtime(false);
    let witness = Witness { series: times, model: &model, told: "it took", refutes };
    witness.refute(class).map(|undecided| undecided.reason)
}

/// Times of n log n, except that the largest takes `times` as long.
fn last_is(times: f64) -> Series {
    let last = SIZES[SIZES.len() - 1];
    series(SIZES.into_iter().map(|size| {
        let ms = 0.8 + 1e-5 * Class::Linearithmic.value(size as f64);
        (size, if size == last { times * ms } else { ms })
    }))
}

#[test]
fn largest_size_outside_its_prediction_refutes_the_class() {
    let reason = |times| refuted(&last_is(times), Class::Linearithmic, Refutes::Outside);
    assert_eq!(reason(1.0), None);
    assert_eq!(reason(1.3), None, "shared machines are slower at times");
    let slower = "at n = 50000, it took 3.2 times what n log n predicts from the smaller sizes";
    assert_eq!(reason(3.2).as_deref(), Some(slower));
    let faster = reason(0.3).unwrap();
    assert!(faster.contains("it took 0.3"), "{faster}");
    let few = Series { data: last_is(3.2).data[3..].to_vec(), ..last_is(3.2) };
    assert_eq!(refuted(&few, Class::Linearithmic, Refutes::Outside), None);
}

#[test]
fn small_factor_has_two_decimal_places() {
    let reason = refuted(&last_is(1.5), Class::Linearithmic, Refutes::Above(0.0)).unwrap();
    assert_eq!(reason.split(' ').nth(6).map(str::len), Some(4), "{reason}");
}

#[test]
fn class_1_is_called_a_constant() {
    let times = [1.0, 1.0, 1.0, 1.0, 20.0];
    let reason = refuted(&series(SIZES.into_iter().zip(times)), Class::Constant, Refutes::Outside);
    let reason = reason.unwrap();
    assert!(reason.ends_with(" times what a constant predicts from the smaller sizes"), "{reason}");
}

/// Data that no longer fits in a cache slows a step that counts show to be the same.
#[test]
fn time_refutes_counts_only_if_it_is_gross() {
    let reason = |times| refuted(&last_is(times), Class::Linearithmic, Refutes::Above(GROSS));
    assert_eq!(reason(0.3), None);
    assert_eq!(reason(3.2), None);
    assert!(reason(20.0).is_some());
}

#[test]
fn own_points_rarely_refute_the_right_class() {
    let mut random = Random(3);
    let (mut refuted, mut all) = (0, 0);
    for class in Class::NAMED {
        let linear = if class.rank() < 1.0 { 0.0 } else { 3.0 };
        let steep = class.curve().is_steep();
        let sizes: &[u64] =
            if steep { &[4, 6, 8, 10, 11, 12] } else { &[100, 500, 1000, 2000, 5000] };
        for _ in 0..8 {
            let counts = sizes.iter().map(|&size| {
                let grown = 20.0 * class.value(size as f64) * (1.0 + 0.05 * random.normal());
                (size, (500.0 + linear * size as f64 + grown).round())
            });
            let series = Series::exact(&counts.collect::<Vec<_>>(), 3.0, None);
            let (model, told) = (model::line(), "it took");
            let witness =
                Witness { series: &series, model: &model, told, refutes: Refutes::Outside };
            refuted += u32::from(witness.refute(class).is_some());
            all += 1;
        }
    }
    assert!(refuted * 50 <= all, "{refuted} of {all}");
}

/// The times of placing n queens. A drift that turned √n into another class explained them.
#[test]
fn curve_that_misses_its_largest_point_is_not_named() {
    let times = [(1, 0.9998), (10, 3.4365), (14, 453.9)];
    let time = classify(&Observed { effort: Effort::Counted, ..timed(&times) }).time;
    assert_eq!(time.class, None, "{time:?}");
}

/// The own instructions of a program that ends early at some inputs.
#[test]
fn counts_refute_a_class_whatever_their_times() {
    let counts = [(1000, 1.0), (5000, 1.0), (10_000, 1.0), (50_000, 1.0), (100_000, 0.1)];
    let counts = counts.map(|(size, share): (u64, f64)| {
        let own = super::synthetic::whole(30.0 * size as f64 * share);
        Counts {
            size,
            instructions: Some(own + 1_700_000),
            own: Some(own),
            lines: [(4, own)].into(),
        }
    });
    let times = counts.iter().map(|it| (it.size, 1.0 + 1e-6 * it.size as f64));
    let observed = timed(&times.collect::<Vec<_>>());
    let time = classify(&Observed { counts: counts.to_vec(), ..observed }).time;
    assert_eq!(time.class, None, "{time:?}");
}

/// n = 1 shows the start-up. With the other two, 4ⁿ and every other steep class fit.
#[test]
fn two_sizes_above_1_are_no_class_that_grows() {
    for at_10 in [3.0, 3.5, 4.0] {
        let time = classify(&timed(&[(1, 0.9), (10, at_10), (14, 454.0)])).time;
        assert_eq!(time.class, None, "{time:?}");
    }
}
