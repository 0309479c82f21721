//! Synthetic programs whose classes are known, with the noise of real runs, and properties.

mod counts;
mod factors;
mod memory;
mod properties;
mod recorded;
mod refutation;
mod synthetic;

use super::fitting::model;
use super::fitting::posterior::Posterior;
use super::series::{Datum, Series};
use super::{Class, Effort, Observed, Remedy, SizeObservation, classify};
use synthetic::{Program, Random};

#[test]
fn time_tells_powers_that_are_far_apart() {
    for (class, ns) in [(Class::Linear, 80.0), (Class::Quadratic, 0.1)] {
        let growth =
            classify(&Program { class, ns, ..Program::default() }.observed(&mut Random(7)));
        assert_eq!(growth.time.class, Some(class), "{:?}", growth.time);
        assert!(growth.time.undecided.reason.is_empty());
    }
}

#[test]
fn time_alone_does_not_guess_what_reading_hides() {
    let sorting = Program {
        class: Class::Linearithmic,
        ns: 2.0,
        reading_ns: 100.0,
        reads: true,
        ..Program::default()
    };
    let answer = classify(&sorting.observed(&mut Random(1))).time;
    assert_eq!(answer.class, None);
    assert!(answer.undecided.remedies.contains(&Remedy::CountedGrowth), "{answer:?}");
    let best = answer.runner_up.map(|second| second.0);
    assert!(matches!(best, Some(Class::Linear | Class::Linearithmic)), "{best:?}");
}

/// The prior of the constant part is near the start-up time. This program's is far above it.
#[test]
fn same_work_at_every_size_is_no_growth() {
    let wobble = [0.3, -0.8, 0.5, -0.2, 0.9, -0.6];
    let sizes = [0, 1000, 5000, 10_000, 50_000, 100_000].into_iter().zip(wobble);
    let observation = |(size, wobble)| SizeObservation {
        size,
        runtime_ms: Some(120.0 + wobble),
        width_ms: 2.0,
        peak_memory_mb: Some(200.0 + wobble / 20.0),
        ..SizeObservation::default()
    };
    let sizes = sizes.map(observation).collect();
    let growth = classify(&Observed { sizes, ..Program::default().observed(&mut Random(1)) });
    for found in [growth.time, growth.memory] {
        let best = found.class.or(found.runner_up.map(|second| second.0));
        assert_eq!(best, Some(Class::Constant), "{found:?}");
    }
}

#[test]
fn size_over_the_limit_speaks_against_slow_growth() {
    let odds = |over_limit: Vec<(f64, f64)>| {
        let data = [(0, 0.8), (1, 0.8), (1000, 1.8), (2000, 3.6)];
        let data =
            data.map(|(size, value)| Datum { size, value, sigma: 0.4 * (value - 0.75) }).into();
        let series = Series { data, over_limit, floor: Some(0.75), input: None };
        let classes = Posterior::from_series(&series, &model::runtime(false)).unwrap().classes;
        classes[Class::Quadratic.index()] / classes[Class::Linear.index()]
    };
    let (without, with) = (odds(Vec::new()), odds(vec![(100_000.0, 2000.0)]));
    assert!(with > 3.0 * without, "{with} {without}");
}

#[test]
fn memory_has_its_own_floor_and_noise() {
    let answer = |mib_per_n: f64| {
        let observation = |size: u64| {
            // The kernel counts in batches of 32 pages: 0.125 MiB.
            let wobble = if size.is_multiple_of(3) { 0.06 } else { -0.06 };
            let peak = 3.4 + wobble + mib_per_n * size as f64;
            SizeObservation {
                size,
                peak_memory_mb: Some(peak),
                runtime_ms: Some(1.0),
                ..SizeObservation::default()
            }
        };
        let sizes = [0, 1, 1000, 10_000, 100_000, 1_000_000].map(observation).into();
        classify(&Observed { sizes, ..Program::default().observed(&mut Random(1)) }).memory
    };
    let flat = answer(0.0);
    assert_eq!(flat.class, Some(Class::Constant), "{flat:?}");
    assert_eq!(answer(8.0 / 1_048_576.0).class, Some(Class::Linear));
}

/// The memory of a program whose heap holds `given(n)` bytes, and whose resident set grows by
/// `touched` bytes for each of n.
fn on_the_heap(given: fn(f64) -> f64, touched: f64) -> super::Classification {
    const MIB: f64 = 1_048_576.0;
    let sizes = [1000, 3000, 10_000, 30_000, 100_000];
    let observation = |size: u64| {
        let peak_memory_mb = Some(3.4 + touched * size as f64 / MIB);
        SizeObservation {
            size,
            peak_memory_mb,
            runtime_ms: Some(1.0),
            ..SizeObservation::default()
        }
    };
    let heaps = sizes.map(|size| (size, 0.07 + given(size as f64) / MIB)).into();
    let sizes = sizes.map(observation).into();
    classify(&Observed { sizes, heaps, ..Program::default().observed(&mut Random(1)) }).memory
}

#[test]
fn heap_tells_what_the_peak_is_too_coarse_for() {
    assert_eq!(on_the_heap(|n| 0.5 * n, 0.0).class, Some(Class::Linear));
    assert_eq!(on_the_heap(|n| 8.0 * n, 8.0).class, Some(Class::Linear));
    let untouched = on_the_heap(|n| 4000.0 * n, 0.0);
    assert_eq!(untouched.ranked[0].0, Class::Constant, "{untouched:?}");
    let [elsewhere, both] = [on_the_heap(|_| 0.0, 8.0), on_the_heap(|n| 40.0 * n.ln(), 5.0)];
    assert_eq!(elsewhere.class, Some(Class::Linear), "{elsewhere:?}");
    assert_eq!(both.class, Some(Class::Linear), "{both:?}");
}

#[test]
fn times_of_an_empty_program_are_no_class() {
    for most in [10_000, 1_000_000_000] {
        let sizes = vec![0, 1, most / 100, most / 50, most / 10, most / 2, most];
        let empty = Program { ns: 0.0, noise: 0.001, sizes, ..Program::default() };
        let unseen = classify(&empty.observed(&mut Random(3))).time;
        assert_eq!(unseen.class, None, "{unseen:?}");
        assert!(unseen.undecided.reason.starts_with("no size takes longer"), "{unseen:?}");
    }
}

/// A loop of √n steps, in a program whose libraries take longer to start than an empty program's.
#[test]
fn start_of_libraries_is_no_growth() {
    let divisors =
        [0, 1, 1000, 5000, 10_000, 50_000, 100_000].map(|n| (n, 1.5 + 1e-6 * (n as f64).sqrt()));
    let unseen = classify(&timed(&divisors)).time;
    assert_eq!(unseen.class, None, "{unseen:?}");
    assert!(unseen.undecided.reason.starts_with("no size takes longer than n = 0"), "{unseen:?}");
    assert!(unseen.undecided.remedies.contains(&Remedy::LargerSizes), "{unseen:?}");
}

#[test]
fn single_size_has_no_class() {
    let mut observed = Program::default().observed(&mut Random(1));
    observed.sizes.truncate(1);
    let answer = classify(&observed).time;
    assert_eq!((answer.class, answer.confidence, answer.prediction), (None, None, None));
    assert!(!answer.undecided.reason.is_empty());
}

/// A program with these times and no other figures.
fn timed(times: &[(u64, f64)]) -> Observed {
    let observation = |&(size, ms): &(u64, f64)| SizeObservation {
        size,
        runtime_ms: Some(ms),
        width_ms: 0.01 * ms,
        ..SizeObservation::default()
    };
    Observed {
        sizes: times.iter().map(observation).collect(),
        ..Program::default().observed(&mut Random(1))
    }
}

#[test]
fn falling_times_have_no_class() {
    let falls = classify(&timed(&[(1, 8.0), (10, 4.0), (100, 2.0), (1000, 1.0)])).time;
    assert_eq!((falls.class, falls.confidence), (None, None));
    assert!(falls.undecided.reason.contains("falls to less than half"), "{falls:?}");
    let two = classify(&timed(&[(1, 1.0), (1000, 1.0)])).time;
    assert_eq!(two.class, None, "{two:?}");
    let slower_for_a_while = classify(&timed(&[(1, 1.0), (10, 1.3), (100, 1.3), (1000, 1.0)])).time;
    assert!(slower_for_a_while.confidence.is_some(), "{slower_for_a_while:?}");
}

#[test]
fn program_that_cannot_be_counted_is_told_what_helps() {
    let times = timed(&[(1000, 1.0), (5000, 1.02), (10_000, 1.05), (50_000, 1.0)]);
    let counted = Observed { effort: Effort::Counted, ..times };
    let hint = |observed| classify(&observed).time.undecided;
    let other = hint(counted.clone());
    assert_eq!(other.remedies, [Remedy::LargerSizes, Remedy::FullGrowth], "{other:?}");
    let with_threads = Observed { uncountable: Some("it starts a thread".into()), ..counted };
    let hint = hint(with_threads);
    assert!(hint.reason.ends_with("counted: it starts a thread"), "{hint:?}");
    assert_eq!(hint.remedies, [Remedy::LargerSizes]);
}

/// Larger sizes help neither a program that hangs from n = 1000 on, nor one that crashes at n = 0,
/// nor a job that measured the task's bound.
#[test]
fn larger_sizes_are_named_only_where_they_can_help() {
    let remedies = |observed: &Observed| {
        let growth = classify(observed);
        [growth.time, growth.memory].map(|it| it.undecided.remedies)
    };
    let mut hanging = timed(&[(0, 1.0), (1, 1.0), (1000, 1.0)]);
    (hanging.sizes[2].runtime_ms, hanging.sizes[2].over_time) = (None, true);
    for size in &mut hanging.sizes[..2] {
        size.peak_memory_mb = Some(3.5);
    }
    assert_eq!(remedies(&hanging), [[Remedy::SmallerSizes]; 2]);
    let reason = classify(&hanging).time.undecided.reason;
    assert_eq!(reason, "no size above 1 ended OK");
    for size in &mut hanging.sizes {
        (size.runtime_ms, size.peak_memory_mb) = (None, None);
    }
    assert!(remedies(&hanging).iter().all(Vec::is_empty), "it fails at n = 0");
    let blind = timed(&[(0, 1.5), (10, 1.5), (100, 1.5), (1000, 1.5)]);
    let at_bound = Observed { n_max: Some(1000), effort: Effort::Counted, ..blind.clone() };
    let [time, _] = remedies(&at_bound);
    assert_eq!(time, [Remedy::FullGrowth]);
    let [time, _] = remedies(&Observed { n_max: Some(2000), ..at_bound });
    assert_eq!(time, [Remedy::LargerSizes, Remedy::FullGrowth]);
}

/// d log n! / d log n is about 2.5 n at these sizes.
#[test]
fn exponent_is_no_more_than_the_classes_own() {
    for hidden_ms in [1.0, 30.0, 1000.0] {
        let times = [4_u32, 5, 6, 7, 8, 9, 10].map(|n| {
            let factorial = (1..=n).map(f64::from).product::<f64>();
            (n.into(), hidden_ms + 1e-5 * factorial)
        });
        let time = classify(&timed(&times)).time;
        let is_possible = |exponent| (0.0..30.0).contains(&exponent);
        assert!(time.exponent.is_none_or(is_possible), "{time:?} over {hidden_ms} ms");
    }
}

#[test]
fn confidence_is_calibrated() {
    let mut random = Random(11);
    let (mut reported, mut right, mut confidence) = (0.0, 0.0, 0.0);
    let (mut all, mut promised) = (0.0, 0.0);
    for _ in 0..150 {
        let program = Program::any(&mut random);
        let found = classify(&program.observed(&mut random)).time;
        let (best, p) = match found.class {
            Some(class) => (class, found.confidence.unwrap()),
            None => found.runner_up.unwrap(),
        };
        let hit = f64::from(u8::from(best == program.class));
        all += hit;
        promised += p;
        if found.class.is_some() {
            reported += 1.0;
            right += hit;
            confidence += p;
        }
    }
    assert!(reported > 40.0, "{reported} of 150 were reported");
    assert!(right / reported > 0.85, "{right} of {reported}");
    // Real programs are less regular than these. So confidence may be too low here, but not too
    // high.
    assert!(confidence - right < 0.05 * reported, "{right} {confidence} of {reported}");
    assert!(right - confidence < 0.15 * reported, "{right} {confidence} of {reported}");
    assert!((all - promised).abs() / 150.0 < 0.12, "{all} right, {promised} promised");
}

#[test]
fn predictions_cover() {
    let mut random = Random(5);
    let (mut within, mut count) = (0, 0);
    for _ in 0..80 {
        let program = Program::any(&mut random);
        let n_max = program.sizes.last().unwrap() * 3;
        let observed = Observed { n_max: Some(n_max), ..program.observed(&mut random) };
        let truth = program.truth_ms(n_max as f64);
        let Some(prediction) = classify(&observed).time.prediction else { continue };
        if program.class.curve().is_steep() {
            continue;
        }
        assert_eq!(prediction.size, n_max);
        count += 1;
        within += u32::from(prediction.interval.low <= truth && truth <= prediction.interval.high);
    }
    assert!(count > 40, "{count}");
    assert!(f64::from(within) / f64::from(count) > 0.85, "{within} of {count}");
}

#[test]
fn reach_is_where_the_limit_is_met() {
    let mut random = Random(5);
    let (mut within, mut count) = (0, 0);
    for _ in 0..80 {
        let program = Program::any(&mut random);
        let observed = program.observed(&mut random);
        let time = classify(&observed).time;
        let Some(reach) = time.reach else { continue };
        assert!(time.class.is_some_and(|class| class != Class::Constant), "{time:?}");
        assert!(reach.low <= reach.size && reach.size <= reach.high, "{reach:?}");
        count += 1;
        let is_over = |size: u64| program.truth_ms(size as f64) > observed.time_limit_ms;
        within += u32::from(!is_over(reach.low) && is_over(reach.high + 1));
    }
    assert!(count > 30, "{count}");
    assert!(f64::from(within) / f64::from(count) > 0.85, "{within} of {count}");
}

#[test]
fn reach_is_between_measured_sizes() {
    let program = Program { class: Class::Quadratic, ns: 0.05, ..Program::default() };
    let mut observed = program.observed(&mut Random(2));
    let reach = |observed: &Observed| classify(observed).time.reach.unwrap();
    let free = reach(&observed);
    assert!(free.low > 150_000 && free.high >= 190_000, "{free:?}");
    observed.sizes.push(SizeObservation {
        size: 190_000,
        over_time: true,
        ..SizeObservation::default()
    });
    let bounded = reach(&observed);
    assert!(bounded.low >= 100_000 && bounded.high < 190_000, "{bounded:?}");
}

#[test]
fn program_surely_over_the_limit_does_not_fit() {
    let program = Program { class: Class::Quadratic, ns: 0.05, ..Program::default() };
    let fits = |n_max| {
        let observed = Observed { n_max: Some(n_max), ..program.observed(&mut Random(2)) };
        classify(&observed).time.prediction.map(|prediction| prediction.fits)
    };
    assert_eq!(fits(10_000_000), Some(Some(false)));
    assert_eq!(fits(110_000), Some(Some(true)));
    assert_eq!(fits(100_000), None, "it was measured");
    let mut observed = Observed { n_max: Some(100_000), ..program.observed(&mut Random(2)) };
    let mut failed = observed.clone();
    let last = failed.sizes.last_mut().unwrap();
    (last.runtime_ms, last.peak_memory_mb) = (None, None);
    assert!(classify(&failed).time.prediction.is_some(), "it was not measured");
    observed.sizes.last_mut().unwrap().extra = true;
    let prediction = classify(&observed).time.prediction;
    assert_eq!(
        prediction.map(|prediction| prediction.fits),
        Some(Some(true)),
        "it was measured for growth alone"
    );
}
