//! Any figures give a consistent answer.

use super::synthetic::{Program, Random};
use crate::fitting::model;
use crate::fitting::posterior::Posterior;
use crate::series::{Datum, Series};
use crate::{Classification, Observed, SizeObservation, classify};
use proptest::collection::vec;
use proptest::prelude::*;
use proptest::test_runner::RngSeed;

/// The same cases in every run.
fn config() -> ProptestConfig {
    ProptestConfig {
        cases: 64,
        failure_persistence: None,
        rng_seed: RngSeed::Fixed(7),
        ..ProptestConfig::default()
    }
}

fn figure() -> impl Strategy<Value = f64> {
    let odd = prop_oneof![Just(f64::INFINITY), Just(f64::NAN), Just(0.0), Just(-1.0), Just(1e300)];
    prop_oneof![4 => 0.01..1e4_f64, 1 => odd]
}

fn observation() -> impl Strategy<Value = SizeObservation> {
    let figures = (figure(), figure(), figure(), proptest::option::of(0..10_000_000_u64));
    (prop_oneof![0..200_u64, 0..1_000_000_000_u64], figures, any::<[bool; 3]>()).prop_map(
        |(size, (runtime, width, memory, bytes), [ok, over_time, over_memory])| SizeObservation {
            size,
            runtime_ms: ok.then_some(runtime),
            width_ms: width,
            peak_memory_mb: ok.then_some(memory),
            data_stack_mb: ok.then_some(memory / 2.0),
            input_bytes: bytes,
            over_time: !ok && over_time,
            over_memory: !ok && over_memory,
            ..SizeObservation::default()
        },
    )
}

fn is_sound(answer: &Classification) -> bool {
    let probability = |p: f64| (0.0..=1.0 + 1e-9).contains(&p);
    answer.confidence.is_none_or(probability)
        && answer.runner_up.is_none_or(|second| probability(second.1))
        && answer.class.is_none() != answer.undecided.reason.is_empty()
        && answer.exponent_interval.is_none_or(|i| i.low <= i.high)
        && answer.prediction.is_none_or(|p| p.interval.low <= p.value && p.value <= p.interval.high)
}

proptest! {
    #![proptest_config(config())]

    #[test]
    fn any_figures_have_a_sound_answer(sizes in vec(observation(), 0..9), reads: bool, n_max in proptest::option::of(0..2_000_000_000_u64)) {
        let observed = Observed { sizes, reads, n_max, ..Program::default().observed(&mut Random(1)) };
        let growth = classify(&observed);
        prop_assert!(is_sound(&growth.time), "{:?}", growth.time);
        prop_assert!(is_sound(&growth.memory), "{:?}", growth.memory);
    }

    #[test]
    fn order_of_sizes_does_not_matter(seed: u64, shuffled in Just((0..7_usize).collect::<Vec<_>>()).prop_shuffle()) {
        let mut random = Random(seed);
        let observed = Program { class: crate::Class::Linear, ..Program::default() }.observed(&mut random);
        let sizes = shuffled.iter().map(|&index| observed.sizes[index].clone()).collect();
        let [one, other] = [&observed, &Observed { sizes, ..observed.clone() }].map(classify);
        prop_assert_eq!((one.time, one.memory), (other.time, other.memory));
    }

    #[test]
    fn probabilities_add_up_to_one(values in vec(0.001..1e5_f64, 2..8), steps in vec(1..1000_u64, 8)) {
        let mut n = 0;
        let data = values.iter().zip(steps).map(|(&value, step)| {
            n += step;
            Datum { size: n, value, sigma: 0.01 * value }
        });
        let series = Series { data: data.collect(), ..Series::default() };
        if let Some(posterior) = Posterior::from_series(&series, &model::runtime(true)) {
            let sum: f64 = posterior.classes.iter().sum();
            prop_assert!((sum - 1.0).abs() < 1e-9, "{sum}");
        }
    }
}
