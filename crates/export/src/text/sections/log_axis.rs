//! A logarithmic axis that fits its values, with ticks at 1, 2 and 5 times powers of ten.

/// The factors of the ticks within a decade.
const FACTORS: [f64; 3] = [1.0, 2.0, 5.0];
/// Maximum width of an axis with fine ticks, in decades. A wider axis has ticks only at powers of
/// ten.
const MAX_FINE_DECADES: f64 = 1.5;
/// Tolerance of comparisons, so that 1000 does not begin another step.
const ROUNDING: f64 = 1e-9;
/// Prefixes of powers of a thousand, from 10^3.
const PREFIXES: [&str; 3] = ["k", "M", "G"];

/// A logarithmic axis. Its positions are decimal logarithms.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct LogAxis {
    low: Tick,
    high: Tick,
}

/// 1, 2 or 5 times a power of ten.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Tick {
    factor: usize,
    exponent: i32,
}

impl LogAxis {
    /// Returns the shortest axis that begins and ends at a tick and contains all logarithms. `None`
    /// without logarithms.
    pub(super) fn around(logarithms: impl Iterator<Item = f64> + Clone) -> Option<Self> {
        let lowest = logarithms.clone().reduce(f64::min)?;
        let highest = logarithms.reduce(f64::max)?;
        let mut low = Tick::decade(lowest);
        while low.next().logarithm() <= lowest + ROUNDING {
            low = low.next();
        }
        let mut high = low.next();
        while high.logarithm() < highest - ROUNDING {
            high = high.next();
        }
        Some(Self { low, high })
    }

    /// Both ends.
    pub(super) fn bounds(self) -> [f64; 2] {
        [self.low.logarithm(), self.high.logarithm()]
    }

    /// The position of a logarithm between both ends, from 0 to 1.
    pub(super) fn share(self, logarithm: f64) -> f64 {
        let [low, high] = self.bounds();
        (logarithm - low) / (high - low)
    }

    /// The ticks: all of them on a short axis, else the powers of ten.
    pub(super) fn ticks(self) -> impl Iterator<Item = Tick> {
        let [low, high] = self.bounds();
        let fine = high - low <= MAX_FINE_DECADES + ROUNDING;
        let all = std::iter::successors(Some(self.low), |tick| Some(tick.next()));
        all.take_while(move |tick| tick.logarithm() <= high + ROUNDING)
            .filter(move |tick| fine || tick.factor == 0)
    }
}

impl Tick {
    #[expect(clippy::cast_possible_truncation, reason = "the logarithm of an f64 is below 400")]
    fn decade(logarithm: f64) -> Self {
        Self { factor: 0, exponent: (logarithm + ROUNDING).floor() as i32 }
    }

    fn next(self) -> Self {
        match self.factor + 1 {
            factor if factor < FACTORS.len() => Self { factor, ..self },
            _ => Self { factor: 0, exponent: self.exponent + 1 },
        }
    }

    /// Its decimal logarithm.
    pub(super) fn logarithm(self) -> f64 {
        f64::from(self.exponent) + FACTORS[self.factor].log10()
    }

    /// The value, short enough for an axis: `0.02`, `500`, `10k`.
    pub(super) fn label(self) -> String {
        let factor = FACTORS[self.factor];
        let Ok(exponent) = usize::try_from(self.exponent) else {
            let digits = self.exponent.unsigned_abs() as usize;
            return format!("{:.digits$}", factor * 10f64.powi(self.exponent));
        };
        let (thousands, zeros) = (exponent / 3, exponent % 3);
        match thousands.checked_sub(1).map(|at| PREFIXES.get(at)) {
            None => format!("{factor}{:0<zeros$}", ""),
            Some(Some(prefix)) => format!("{factor}{:0<zeros$}{prefix}", ""),
            Some(None) => format!("{factor}e{exponent}"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn labels(values: &[f64]) -> Vec<String> {
        let axis = LogAxis::around(values.iter().map(|value| value.log10())).unwrap();
        axis.ticks().map(Tick::label).collect()
    }

    #[test]
    fn axis_fits_its_values() {
        assert_eq!(labels(&[1.4, 1.8]), ["1", "2"]);
        assert_eq!(labels(&[0.02, 0.3]), ["0.02", "0.05", "0.1", "0.2", "0.5"]);
        assert_eq!(labels(&[1000.0, 20_000.0]), ["1k", "2k", "5k", "10k", "20k"]);
        assert_eq!(labels(&[1000.0]), ["1k", "2k"]);
    }

    #[test]
    fn long_axis_has_powers_of_ten() {
        assert_eq!(labels(&[0.4, 120.0]), ["1", "10", "100"]);
        assert_eq!(labels(&[1.0, 1e12]).last().unwrap(), "1e12");
    }

    #[test]
    fn positions_are_shares_of_the_axis() {
        let axis = LogAxis::around([1.0, 3.0].into_iter()).unwrap();
        let shares = [1.0, 2.0, 3.0].map(|logarithm| format!("{:.3}", axis.share(logarithm)));
        assert_eq!(shares, ["0.000", "0.500", "1.000"]);
    }

    #[test]
    fn axis_is_absent_without_values() {
        assert_eq!(LogAxis::around(std::iter::empty()), None);
    }
}
