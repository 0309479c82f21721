//! Verdicts from counts of instructions.

use super::synthetic::{Program, Random, whole};
use super::timed;
use crate::fitting::model;
use crate::fitting::posterior::Posterior;
use crate::series::{Datum, Series};
use crate::verdict::lines::Lines;
use crate::verdict::time::kernel_share;
use crate::{
    Class, Classification, Counts, Effort, Observed, Remedy, SignalKind, Tuning, Undecided,
    classify,
};

#[test]
fn fastest_noticeable_line_is_the_programs() {
    let sizes = [1000, 3000, 10_000, 30_000, 100_000];
    let lines = |n: u64| {
        let log = (n as f64).log2();
        let per_element = [(10, 700.0), (11, 8.0), (12, 9.0 * log - 7.0), (14, 0.001 * log)];
        per_element.map(|(line, each)| (line, whole(n as f64 * each))).into()
    };
    let counts = sizes.map(|size| Counts { size, lines: lines(size), ..Counts::default() });
    let program =
        Program { class: Class::Linear, ns: 0.0, reading_ns: 100.0, ..Program::default() };
    let observed = Observed { counts: counts.into(), ..program.observed(&mut Random(3)) };
    let answer = classify(&observed).time;
    assert_eq!(answer.class, Some(Class::Linearithmic), "{answer:?}");
    let speaks = |line| {
        answer.signals.iter().find(|s| s.kind == SignalKind::Line(line)).and_then(|s| s.class)
    };
    assert_eq!(speaks(10), Some(Class::Linear));
    assert_eq!(speaks(12), Some(Class::Linearithmic));
    assert_eq!(speaks(14), None, "its share is too small");
}

/// The counts of a line that puts the differences of n numbers into a tree: each allocates a node.
#[test]
fn step_may_cost_more_once_than_at_its_levels() {
    let tree = [
        (50, 436_753.0),
        (100, 1_845_391.0),
        (200, 7_732_110.0),
        (400, 32_313_771.0),
        (700, 102_247_210.0),
        (1000, 212_841_433.0),
    ];
    let probability = |counts: &[(u64, f64)], class: Class| {
        let posterior = Posterior::from_series(&Series::exact(counts, 0.0, None), &model::line());
        posterior.unwrap().classes[class.index()]
    };
    assert!(probability(&tree, Class::QuadraticLog) > 0.9);
    let pairs = tree.map(|(size, _)| (size, (350 * size * (size - 1) + 40 * size) as f64));
    assert!(probability(&pairs, Class::Quadratic) > 0.9);
}

/// The time of a program whose own instructions at n = 6, 7, and so on are these.
fn counted_from_6(own: &[f64]) -> Classification {
    let counts = (6..).zip(own.iter().copied().map(whole)).map(|(size, own)| {
        let lines = [(2, own)].into();
        Counts { size, instructions: Some(own + 1_700_000), own: Some(own), lines }
    });
    let times: Vec<_> = (6..).zip(own.iter().map(|own| 1.0 + 1e-6 * own)).collect();
    classify(&Observed { counts: counts.collect(), ..timed(&times) }).time
}

#[test]
fn exponentials_are_told_apart() {
    let sizes = [6, 7, 8, 9, 10, 11, 12].map(f64::from);
    for class in [
        Class::Exponential,
        Class::ExponentialTimesN,
        Class::ExponentialTimesNSquared,
        Class::TripleExponential,
        Class::QuadrupleExponential,
    ] {
        let time = counted_from_6(&sizes.map(|n| 30.0 * class.value(n)));
        assert_eq!(time.class, Some(class), "{time:?}");
    }
}

#[test]
fn base_is_free() {
    let sizes = [6, 7, 8, 9, 10, 11, 12].map(f64::from);
    for base in [2.5, 3.7, 5.5] {
        let time = counted_from_6(&sizes.map(|n| 300.0 + 100.0 * f64::powf(base, n)));
        let found = time.class;
        let is_near = |found: f64| (found / base - 1.0).abs() < 0.02;
        assert!(matches!(found, Some(Class::Base(found)) if is_near(found)), "{time:?}");
        assert!(time.curve.is_some_and(|curve| Some(curve.class) == found), "{time:?}");
    }
}

/// The counts of placing n queens grow 3.6-fold to 5.1-fold from one size to the next, so no base
/// is right.
#[test]
fn rising_base_is_no_exponential() {
    let queens = [7134, 25_527, 95_742, 390_981, 1_663_076, 7_818_705, 40_098_866].map(f64::from);
    for count in 5..=queens.len() {
        let time = counted_from_6(&queens[..count]);
        assert_eq!(time.class, None, "{time:?}");
    }
}

/// The time of a program whose counts are linear in n, and whose kernel takes a share of the time.
fn counted_linear(times: Observed, kernel_share: Option<f64>) -> Classification {
    let counts = [1000, 3000, 10_000, 30_000, 100_000].map(|size| {
        let all = 40 * size + 500;
        let lines = [(7, 36 * size)].into();
        Counts { size, instructions: Some(all + 1_700_000), own: Some(all), lines }
    });
    let mut observed = Observed { counts: counts.into(), ..times };
    for size in &mut observed.sizes {
        size.kernel_share = kernel_share;
    }
    classify(&observed).time
}

#[test]
fn time_overrules_counts_only_where_it_clearly_grows_faster() {
    let copying = Program { class: Class::Quadratic, ns: 0.05, ..Program::default() };
    let class = |program: Program| counted_linear(program.observed(&mut Random(5)), None).class;
    assert_eq!(class(copying), Some(Class::Quadratic));
    let missing_caches =
        Program { class: Class::Linear, ns: 50.0, drift: 0.2, ..Program::default() };
    assert_eq!(class(missing_caches), Some(Class::Linear));
}

/// A program whose kernel may do the work that grows faster than the counts, but not clearly so.
#[test]
fn time_alone_decides_if_the_kernel_takes_a_quarter_of_it() {
    let program = Program { class: Class::RootCubed, ns: 2.0, ..Program::default() };
    let times = || program.observed(&mut Random(5));
    let [little, much] = [0.24, 0.25].map(|share| counted_linear(times(), Some(share)));
    let (alone, counted) = (classify(&times()).time, counted_linear(times(), None));
    assert_eq!(little.ranked, counted.ranked);
    let is_alone = |time: &Classification| {
        let ((class, p), (of_alone, p_alone)) = (time.ranked[0], alone.ranked[0]);
        class == of_alone && (p - p_alone).abs() < 0.05
    };
    assert!(is_alone(&much), "{:?} {:?}", much.ranked, alone.ranked);
    assert!(!is_alone(&little), "{:?}", little.ranked);
}

/// The share of a smaller size, or of a size that failed, says nothing about the largest.
#[test]
fn kernel_share_is_that_of_the_largest_size() {
    let program = Program { class: Class::RootCubed, ns: 2.0, ..Program::default() };
    let mut observed = program.observed(&mut Random(5));
    let largest = observed.sizes.len() - 1;
    observed.sizes[largest - 1].kernel_share = Some(0.9);
    assert_eq!(kernel_share(&observed.worst_by_size()), None);
    observed.sizes[largest].runtime_ms = None;
    assert_eq!(kernel_share(&observed.worst_by_size()), Some(0.9));
}

/// Counting more does not help, because counts do not include the kernel's work.
#[test]
fn undecided_time_of_the_kernel_needs_larger_sizes() {
    let sorting = Program {
        class: Class::Linearithmic,
        ns: 2.0,
        reading_ns: 100.0,
        reads: true,
        ..Program::default()
    };
    let time = counted_linear(sorting.observed(&mut Random(1)), Some(0.614));
    assert_eq!(time.class, None, "{time:?}");
    let Undecided { reason, remedies } = time.undecided;
    let said = "; the kernel takes 61 % of the processor time, and its work is not counted";
    assert!(reason.ends_with(said), "{reason}");
    assert_eq!(remedies, [Remedy::LargerSizes]);
}

/// Below a threshold, a line is rarely executed: its few sizes fit more than one class.
#[test]
fn small_line_whose_share_does_not_rise_decides_nothing() {
    let counts = [40, 160, 1000, 2500, 10_000, 50_000].map(|size| {
        let n = size as f64;
        let wobble = if size < 1000 { n.powf(3.0) / 4000.0 } else { 0.4 * n.powf(1.5) };
        let lines = [(3, whole(20.0 * n.powf(1.5))), (8, whole(wobble))].into();
        Counts { size, lines, ..Counts::default() }
    });
    let lines = Lines::from_counts(&counts, None, &Tuning::IN_USE).unwrap();
    assert!(lines.classes[Class::RootCubed.index()] > 0.95, "{:?}", lines.classes);
}

#[test]
fn exact_counts_show_a_logarithm_beside_linear_work() {
    for (log_steps, class) in [(9.0, Class::Linearithmic), (0.0, Class::Linear)] {
        let count = |n: f64| 40_000.0 + n * (30.0 + log_steps * n.log2());
        let data = [1000, 5000, 10_000, 50_000, 100_000].map(|size| {
            let value = count(size as f64).round();
            Datum { size, value, sigma: 1e-4 * value }
        });
        let series = Series { data: data.into(), ..Series::default() };
        let found = Posterior::from_series(&series, &model::line()).unwrap();
        assert!(found.classes[class.index()] > 0.85, "{class:?}: {:?}", found.classes);
    }
}

/// Numbers up to n have more digits as n grows, but reading them is not n log n.
#[test]
fn reading_longer_numbers_is_linear() {
    let bytes = |n: u64| n * u64::from(n.ilog10()) + n + 5;
    let sizes = [0, 1, 1000, 3000, 10_000, 30_000, 100_000, 300_000];
    let counts = sizes[2..].iter().map(|&size| {
        let elements = size;
        let reading = 650 * elements + 45 * bytes(size);
        let lines = [(4, reading), (5, 6 * elements)].into();
        Counts { size, instructions: Some(reading + 6 * elements + 1_700_000), own: None, lines }
    });
    let program =
        Program { class: Class::Linear, ns: 120.0, sizes: sizes.into(), ..Program::default() };
    let mut observed = Observed { reads: true, ..program.observed(&mut Random(4)) };
    observed.counts = counts.collect();
    for observation in &mut observed.sizes {
        observation.input_bytes =
            Some(if observation.size == 0 { 2 } else { bytes(observation.size) });
    }
    let answer = classify(&observed).time;
    assert_eq!(answer.class, Some(Class::Linear), "{answer:?}");
}

#[test]
fn lines_that_go_together_are_one() {
    let count = |n: u64| [(5, n * 3), (6, n * 7), (9, 1000)].into();
    let counts = [10, 100, 1000, 10_000];
    let counts = counts.map(|size| Counts { size, lines: count(size), ..Counts::default() });
    let lines = Lines::from_counts(&counts, None, &Tuning::IN_USE).unwrap();
    let groups: Vec<_> =
        lines.groups.iter().map(|(group, _)| (group.line, group.counts[0].1)).collect();
    assert_eq!(groups, [(6, 100.0)]);
}

#[test]
fn counts_that_level_off_are_no_class() {
    let counted = |most: u64| {
        let count = |size: u64| Counts {
            size,
            instructions: Some(2_000_000 + 500 * size.min(most)),
            ..Counts::default()
        };
        let counts = [600, 5000, 20_000, 50_000, 200_000, 1_000_000].map(count).into();
        let program = Program { reads: false, ..Program::default() };
        classify(&Observed { counts, effort: Effort::Full, ..program.observed(&mut Random(2)) })
            .time
    };
    let level = counted(20_000);
    assert_eq!(level.class, None, "{level:?}");
    assert!(level.undecided.reason.starts_with("from n = 20000 on"), "{level:?}");
    let grows = counted(u64::MAX);
    assert!(!grows.undecided.reason.starts_with("from n"), "{grows:?}");
}

#[test]
fn counts_that_are_all_the_same_are_constant() {
    let constant = Program { noise: 0.02, ..Program::default() };
    // The counts are so large that one iteration more or less would hide log n.
    let count = |size| Counts {
        size,
        instructions: Some(21_543_795),
        own: Some(19_802_405),
        lines: [(3, 19_802_405)].into(),
    };
    let counts = [1000, 5000, 10_000, 50_000].map(count).into();
    let answer =
        classify(&Observed { counts, effort: Effort::Full, ..constant.observed(&mut Random(2)) });
    assert!(answer.time.class == Some(Class::Constant), "{:?}", answer.time);
    assert!(answer.time.confidence > Some(0.97), "{:?}", answer.time);
}

/// A doubling loop in a program that libraries take 110,000 instructions to start.
#[test]
fn own_code_that_grows_is_not_constant() {
    let answer = |steps: [u64; 5]| {
        let count = |(at, size)| Counts {
            size,
            // Writing a result of more digits takes the rest.
            instructions: Some(111_000 + 10 * steps[at] + 40 * at as u64),
            own: Some(30 + 4 * steps[at]),
            lines: [].into(),
        };
        let sizes = [1000, 5000, 10_000, 50_000, 100_000];
        let counts = sizes.into_iter().enumerate().map(count).collect();
        let times = [0, 1, 1000, 5000, 10_000, 50_000, 100_000].map(|n| (n, 0.5));
        classify(&Observed { counts, effort: Effort::Counted, ..timed(&times) }).time
    };
    assert_eq!(answer([10; 5]).class, Some(Class::Constant));
    let doubling = answer([10, 13, 14, 16, 17]);
    assert_ne!(doubling.class, Some(Class::Constant), "{doubling:?}");
}

/// Classifies n² steps whose time drifts with the cache by a power of n. `own` of the instructions
/// are the program's, and at the largest size an instruction takes `pace_ns`.
fn drifting(own: f64, pace_ns: f64, power: f64) -> Classification {
    let sizes = [100, 200, 400, 700, 1000];
    let grown = |n: u64| 20.0 * (n * n) as f64;
    let counts = sizes.map(|size| {
        let instructions = Some(whole(grown(size)) + 1_700_000);
        Counts { size, instructions, own: Some(whole(own * grown(size))), ..Counts::default() }
    });
    let ms = |n: u64| 1e-6 * pace_ns * grown(n) * (n as f64 / 1000.0).powf(power);
    let times: Vec<_> = sizes.map(|n| (n, 0.75 + ms(n))).into();
    let observed = Observed { counts: counts.into(), ..timed(&times) };
    classify(&Observed { effort: Effort::Counted, ..observed }).time
}

#[test]
fn time_that_drifts_has_no_say_where_own_instructions_are_certain() {
    for time in [drifting(0.9, 5.0, 0.5), drifting(0.9, 1.5, 1.0)] {
        assert_eq!(time.class, Some(Class::Quadratic), "{time:?}");
        assert!(time.confidence > Some(0.99), "{time:?}");
    }
    let time = drifting(0.9, 5.0, 1.0);
    assert_eq!(time.class, None, "caches seldom slow an instruction down with n: {time:?}");
    // An instruction takes longer than caches explain, or libraries do the work.
    for time in [drifting(0.9, 300.0, 1.0), drifting(0.05, 5.0, 1.0)] {
        assert!(time.class != Some(Class::Quadratic), "{time:?}");
    }
}

#[test]
fn counts_miss_nothing_where_their_instructions_take_all_the_time() {
    let time = drifting(0.05, 0.5, 1.0);
    assert!(time.ranked[0].0 == Class::Quadratic, "{time:?}");
}

#[test]
fn few_sizes_are_never_nearly_certain() {
    let class = |sizes: &[u64]| {
        let own = |n: u64| 50.0 * (n * n) as f64;
        let counts = sizes.iter().map(|&size| {
            let own = whole(own(size));
            let lines = [(3, own)].into();
            Counts { size, instructions: Some(own + 1_700_000), own: Some(own), lines }
        });
        let times: Vec<_> = sizes.iter().map(|&n| (n, 0.75 + 1e-6 * own(n))).collect();
        let observed = Observed { counts: counts.collect(), ..timed(&times) };
        let time = classify(&Observed { effort: Effort::Counted, ..observed }).time;
        assert_eq!(time.class, Some(Class::Quadratic), "{time:?}");
        time.confidence
    };
    assert!(class(&[100, 1000, 5000]) < Some(0.901));
    assert!(class(&[100, 500, 1000, 5000]) > Some(0.95));
}
