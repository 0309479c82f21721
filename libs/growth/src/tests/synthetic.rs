//! Synthetic programs: a formula with noise.

use crate::Effort;
use crate::class::Class;
use crate::{Observed, SizeObservation};

/// Start-up time, in milliseconds.
const START_UP_MS: f64 = 0.75;
const TIMEOUT_MS: f64 = 2000.0;

/// `SplitMix64` of Steele, Lea and Flood: the same programs in every run.
pub(crate) struct Random(pub(crate) u64);

impl Random {
    pub(crate) fn uniform(&mut self) -> f64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut mixed = self.0;
        mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        ((mixed ^ (mixed >> 31)) >> 11) as f64 / (1_u64 << 53) as f64
    }

    /// Standard normal, by Box and Muller.
    pub(crate) fn normal(&mut self) -> f64 {
        let radius = (-2.0 * (1.0 - self.uniform()).ln()).sqrt();
        radius * (2.0 * std::f64::consts::PI * self.uniform()).cos()
    }
}

/// The whole number below a size.
#[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "sizes are small")]
pub(crate) fn whole(size: f64) -> u64 {
    size as u64
}

/// A program of a known class.
pub(crate) struct Program {
    pub(crate) class: Class,
    /// Nanoseconds of a step.
    pub(crate) ns: f64,
    /// Nanoseconds to read an element.
    pub(crate) reading_ns: f64,
    pub(crate) reads: bool,
    /// Power of n with which the cost of a step grows.
    pub(crate) drift: f64,
    /// Standard deviation of a time, as a share of it.
    pub(crate) noise: f64,
    pub(crate) sizes: Vec<u64>,
}

impl Default for Program {
    fn default() -> Self {
        Self {
            class: Class::Constant,
            ns: 5.0,
            reading_ns: 0.0,
            reads: false,
            drift: 0.0,
            noise: 0.005,
            sizes: vec![0, 1, 1000, 5000, 10_000, 50_000, 100_000],
        }
    }
}

impl Program {
    /// A random program of a typical class, at suitable sizes.
    pub(crate) fn any(random: &mut Random) -> Self {
        let (class, ns, hundred_ms) = match random.uniform() {
            ..0.1 => (Class::Constant, 100.0, 1e9),
            ..0.15 => (Class::Root, 5.0, 1e9),
            ..0.45 => (Class::Linear, 15.0, 1e6),
            ..0.7 => (Class::Linearithmic, 5.0, 1e6),
            ..0.85 => (Class::Quadratic, 1.0, 1e4),
            ..0.9 => (Class::Cubic, 1.0, 400.0),
            ..0.95 => (Class::RootCubed, 2.0, 1e5),
            _ => (Class::Exponential, 5.0, 24.0),
        };
        let reads = random.uniform() < 0.5 && class.rank() >= 1.0 && class != Class::Exponential;
        let top = hundred_ms * (0.5 * random.normal()).exp().clamp(0.5, 1.2);
        let ratios = [0.01, 0.03, 0.1, 0.2, 0.5, 1.0].map(|share: f64| {
            if class == Class::Exponential { top - 6.0 * (1.0 - share) } else { top * share }
        });
        let mut sizes = vec![0, 1];
        sizes.extend(ratios.into_iter().map(whole).filter(|&n| n > 1));
        sizes.dedup();
        Self {
            class,
            ns: ns * (0.8 * random.normal()).exp(),
            reading_ns: if reads { 80.0 * (0.4 * random.normal()).exp() } else { 0.0 },
            reads,
            drift: 0.03 + 0.04 * random.normal(),
            noise: 0.01 + 0.01 * random.uniform(),
            sizes,
        }
    }

    /// The time without noise, in milliseconds.
    pub(crate) fn truth_ms(&self, n: f64) -> f64 {
        let own = self.ns * self.class.curve().ln(n).exp() * (n.max(1.0) / 1e4).powf(self.drift);
        START_UP_MS + (own + self.reading_ns * n) * 1e-6
    }

    pub(crate) fn observed(&self, random: &mut Random) -> Observed {
        let observation = |&size: &u64| {
            let ms = self.truth_ms(size as f64) * (1.0 + self.noise * random.normal());
            let ok = ms < TIMEOUT_MS;
            SizeObservation {
                size,
                runtime_ms: ok.then_some(ms),
                width_ms: ms * self.noise,
                peak_memory_mb: ok.then_some(3.4),
                input_bytes: self.reads.then(|| size * 10 + 2),
                over_time: !ok,
                ..SizeObservation::default()
            }
        };
        Observed {
            effort: Effort::Timed,
            sizes: self.sizes.iter().map(observation).collect(),
            counts: Vec::new(),
            primes: Vec::new(),
            lacks_primes: false,
            uncountable: None,
            heaps: Vec::new(),
            start_up_ms: Some(START_UP_MS),
            start_up_mb: Some(3.2),
            processors: None,
            reads: self.reads,
            n_max: None,
            time_limit_ms: TIMEOUT_MS,
            timeout_ms: TIMEOUT_MS,
            memory_limit_mb: 512.0,
            spent_ms: 0.0,
        }
    }
}
