//! Recorded programs whose counts look like those of another class: programs that pad n to a power
//! of two, or take a step for each digit of n, and programs that grow faster than every power of n
//! but like no exponential.

use super::timed;
use crate::{Class, Classification, Counts, Observed, classify};

/// Size, instructions of the run, instructions of the program's own code, and those of its lines.
type Counted = (u64, u64, u64, &'static [(u32, u64)]);

/// The class of time of a program with these counts and times.
fn recorded(counts: &[Counted], times: &[(u64, f64)]) -> Classification {
    let counts = counts.iter().map(|&(size, instructions, own, lines)| Counts {
        size,
        instructions: Some(instructions),
        own: Some(own),
        lines: lines.iter().copied().collect(),
    });
    let start_up_ms = times.iter().map(|it| it.1).reduce(f64::min);
    classify(&Observed { counts: counts.collect(), start_up_ms, ..timed(times) }).time
}

/// A product of polynomials by a transform of a power of two of numbers.
#[test]
fn padded_transform_is_n_log_n() {
    let counts: &[Counted] = &[
        (1000, 3_594_317, 1_845_909, &[(13, 1_545_699), (11, 112_662), (18, 67_601)]),
        (5000, 19_750_761, 18_001_392, &[(13, 15_680_106), (11, 907_410), (18, 540_689)]),
        (10_000, 39_963_274, 38_213_329, &[(13, 33_571_479), (11, 1_814_982), (18, 1_081_361)]),
        (50_000, 172_571_437, 170_820_771, &[(13, 151_978_737), (11, 7_267_374), (18, 4_325_393)]),
        (
            100_000,
            361_092_902,
            359_341_660,
            &[(13, 321_651_486), (11, 14_541_858), (18, 8_650_769)],
        ),
    ];
    let times = [
        (0, 1.348),
        (1, 1.113),
        (1000, 1.767),
        (5000, 3.696),
        (10_000, 6.368),
        (50_000, 20.619),
        (100_000, 43.678),
    ];
    let time = recorded(counts, &times);
    assert_eq!(time.class, Some(Class::Linearithmic), "{time:?}");
}

/// A product of matrices by Strassen's method, of n rounded up to a power of two. At n = 160 and
/// n = 250, the work is the same.
#[test]
fn padded_product_is_not_cubic() {
    let counts: &[Counted] = &[
        (10, 1_771_019, 34_517, &[(13, 31_452)]),
        (23, 1_990_123, 252_428, &[(13, 239_543)]),
        (40, 3_608_426, 1_846_210, &[(13, 1_676_843), (11, 48_584), (9, 41_139), (10, 27_308)]),
        (
            160,
            97_852_239,
            94_289_384,
            &[(13, 82_206_124), (11, 4_467_288), (9, 3_812_348), (10, 2_523_812)],
        ),
        (250, 98_185_310, 94_622_474, &[]),
    ];
    let times = [
        (0, 0.940),
        (1, 0.931),
        (1000, 351.070),
        (10, 0.975),
        (11, 0.950),
        (17, 0.969),
        (23, 0.972),
        (29, 0.992),
        (35, 1.248),
        (40, 1.219),
        (160, 8.895),
        (250, 8.962),
    ];
    let time = recorded(counts, &times);
    assert!(matches!(time.class, None | Some(Class::Power(2.7..2.9))), "{time:?}");
}

/// Two nested loops that double their counters.
#[test]
fn steps_at_digits_are_not_log_n() {
    let counts: &[Counted] = &[
        (1000, 1_727_136, 1574, &[(8, 114_157)]),
        (5000, 1_728_117, 2555, &[(8, 115_138)]),
        (10_000, 1_728_704, 2938, &[(8, 115_725)]),
        (50_000, 1_729_573, 3788, &[(8, 116_594)]),
        (100_000, 1_730_263, 4255, &[(8, 117_284)]),
    ];
    let times = [
        (0, 0.933),
        (1, 0.945),
        (1000, 0.922),
        (5000, 0.941),
        (10_000, 0.971),
        (50_000, 0.988),
        (100_000, 0.947),
    ];
    let time = recorded(counts, &times);
    assert_ne!(time.class, Some(Class::Logarithmic), "{time:?}");
    let best = time.ranked.first().map(|best| best.0);
    assert_eq!(best, Some(Class::LogSquared), "{time:?}");
}

/// All partitions of n. Their number is about e^(2.57 √n) / 6.9 n.
#[test]
fn falling_base_is_no_exponential() {
    let counts: &[Counted] = &[
        (17, 1_751_669, 23_796, &[(9, 23_664)]),
        (23, 1_841_497, 113_619, &[(9, 113_487)]),
        (29, 2_184_146, 456_261, &[(9, 456_129)]),
        (35, 3_343_008, 1_615_104, &[(9, 1_614_972)]),
        (40, 6_025_470, 4_297_566, &[(9, 4_297_434)]),
        (50, 27_718_091, 25_990_161, &[(9, 25_990_029)]),
        (63, 214_591_763, 212_863_821, &[(9, 212_863_689)]),
    ];
    let times = [
        (0, 1.717),
        (1, 1.704),
        (10, 1.240),
        (11, 1.394),
        (17, 1.344),
        (23, 1.084),
        (29, 1.141),
        (35, 1.179),
        (40, 1.467),
        (50, 3.138),
        (63, 15.839),
    ];
    let time = recorded(counts, &times);
    assert_eq!(time.class, None, "{time:?}");
    let reason = &time.undecided.reason;
    assert!(reason.contains("like no class: a further n multiplies"), "{reason}");
}

/// Placing n queens, at too few sizes to see that the base rises. Each signal is unsure, so all of
/// them together are unsure too.
#[test]
fn unsure_signals_are_unsure_together() {
    let counts: &[Counted] = &[
        (10, 6_498_796, 4_775_791, &[(11, 3_649_314), (9, 313_335), (16, 278_520), (14, 248_766)]),
        (
            11,
            25_604_682,
            23_881_658,
            &[(11, 18_580_137), (9, 1_478_214), (16, 1_313_968), (14, 1_168_475)],
        ),
        (
            12,
            130_949_751,
            129_226_708,
            &[(11, 102_041_571), (9, 7_577_901), (16, 6_735_912), (14, 5_993_316)],
        ),
    ];
    let times = [(0, 0.927), (1, 0.940), (10, 2.471), (11, 7.912), (12, 36.883)];
    let time = recorded(counts, &times);
    assert_eq!(time.class, None, "{time:?}");
    assert!(time.confidence.is_some_and(|confidence| confidence < 0.8), "{time:?}");
}

/// A loop over 1 << n masks, each with n steps. From n = 32 on, the shift wraps around.
#[test]
fn largest_n_is_not_told_if_larger_ones_are_faster() {
    let counts: &[Counted] = &[
        (10, 1_801_252, 71_076, &[(15, 62_466)]),
        (11, 1_883_317, 153_122, &[(15, 136_194)]),
        (16, 8_422_970, 6_692_756, &[(15, 6_160_386)]),
        (20, 131_877_457, 130_147_224, &[(15, 121_634_818)]),
    ];
    let times = [
        (0, 0.989),
        (1, 0.945),
        (1000, 1.155),
        (5000, 1.764),
        (10_000, 361.497),
        (10, 1.019),
        (11, 1.137),
        (16, 3.532),
        (20, 47.509),
    ];
    let time = recorded(counts, &times);
    assert_eq!(time.class, Some(Class::ExponentialTimesN), "{time:?}");
    assert_eq!(time.reach, None);
    let within = recorded(counts, &times.map(|(n, ms)| if n > 20 { (21, 100.0) } else { (n, ms) }));
    assert!(within.reach.is_some_and(|reach| reach.low >= 21), "{within:?}");
}

/// Appends to a list that `rep movsb` copies each time: one instruction for n bytes.
#[test]
fn time_that_clearly_outgrows_certain_counts_leaves_no_class() {
    let counts: &[Counted] = &[
        (4000, 2_503_553, 880_219, &[]),
        (8000, 3_387_186, 1_760_219, &[]),
        (16_000, 5_154_276, 3_520_219, &[]),
        (32_000, 8_688_249, 7_040_219, &[]),
        (64_000, 15_756_155, 14_080_219, &[]),
    ];
    for times in [
        [1.763, 3.310, 11.147, 40.842, 150.253],
        [1.810, 3.838, 11.158, 40.748, 147.333],
        [1.800, 3.600, 11.200, 40.700, 146.000],
    ] {
        let times = [4000, 8000, 16_000, 32_000, 64_000].into_iter().zip(times);
        let time = recorded(counts, &[(1, 0.551)].into_iter().chain(times).collect::<Vec<_>>());
        assert!(matches!(time.class, None | Some(Class::Quadratic)), "{time:?}");
    }
}

/// Follows a random cycle through n numbers: an instruction takes 10 times as long from memory as
/// from the nearest cache.
#[test]
fn time_that_caches_bend_leaves_the_class_of_certain_counts() {
    let counts: &[Counted] = &[
        (16_000, 2_538_160, 912_131, &[]),
        (64_000, 5_295_042, 3_648_131, &[]),
        (250_000, 15_978_467, 14_250_131, &[]),
        (1_000_000, 59_056_642, 57_000_131, &[]),
        (2_000_000, 116_494_142, 114_000_131, &[]),
    ];
    let times = [
        (1, 0.516),
        (16_000, 1.666),
        (64_000, 4.283),
        (250_000, 29.844),
        (1_000_000, 196.542),
        (2_000_000, 1210.752),
    ];
    let time = recorded(counts, &times);
    assert_eq!(time.class, Some(Class::Linear), "{time:?}");
    assert!(time.confidence > Some(0.9), "{time:?}");
}
