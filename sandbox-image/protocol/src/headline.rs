//! The headline of a size: one figure for its repetitions, and how well it is known. The runner stops
//! repeating by it and the host reports it, so it stands here, once.

/// The headline figure of some repetitions, in nanoseconds.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Headline {
    /// The figure.
    pub ns: f64,
    /// Lower end of its confidence interval.
    pub low_ns: f64,
    /// Upper end.
    pub high_ns: f64,
    /// The interval's coverage, 0 to 1.
    pub level: f64,
}

impl Headline {
    /// The headline of repetitions that took `sorted` nanoseconds, rising; `None` without any.
    pub fn of(sorted: &[u64]) -> Option<Self> {
        let (&first, &last) = (sorted.first()?, sorted.last()?);
        let [low_ns, high_ns] = [first, last].map(|ns| ns as f64);
        Some(Self { ns: low_ns, low_ns, high_ns, level: 0.0 })
    }

    /// Half the width of the interval.
    pub fn half_width_ns(&self) -> f64 {
        (self.high_ns - self.low_ns) / 2.0
    }

    /// Whether it is known well enough: to 1 % or 50 µs, whichever is more.
    pub fn is_known(&self) -> bool {
        self.half_width_ns() <= (self.ns * KNOWN_SHARE).max(KNOWN_NS)
    }
}

/// See [`Headline::is_known`].
const KNOWN_SHARE: f64 = 0.01;
/// See [`Headline::is_known`].
const KNOWN_NS: f64 = 50_000.0;
