//! An axis: positions of values, and ticks.

use std::ops::RangeInclusive;

/// Minimum factor by which a logarithmic axis extends beyond its values.
const MIN_MARGIN: f64 = 1.3;
/// Margin as a share of the axis: on each side of a logarithmic axis, at the end of a linear one.
const MARGIN_SHARE: f64 = 0.05;
/// The space for 0 at the beginning of a logarithmic axis, in units of the picture.
const ZERO_ROOM: f64 = 46.0;
/// The range that an axis shows. No program has a figure outside of it.
const SHOWN: RangeInclusive<f64> = 1e-12..=1e18;
/// The space that a tick needs on a horizontal axis, in units of the picture.
const TICK_WIDTH: f64 = 56.0;
/// The space that a tick needs on a vertical axis, in units of the picture.
const TICK_HEIGHT: f64 = 30.0;
/// Minimum number of ticks that show the scale of an axis.
const ENOUGH_TICKS: usize = 3;
/// The approximate number of ticks on a linear axis.
const LINEAR_TICKS: f64 = 5.0;

#[derive(Clone, Copy, PartialEq, Eq)]
pub(in crate::html) enum Scale {
    Log,
    Linear,
}

pub(super) struct Axis {
    scale: Scale,
    low: f64,
    high: f64,
    from: f64,
    to: f64,
    /// The position of 0, if a logarithmic axis shows it.
    zero: Option<f64>,
}

impl Axis {
    /// Makes an axis for all of these values, between two positions of the picture. With
    /// `shows_zero`, a logarithmic axis has a separate position for 0. `None` without a positive,
    /// finite value.
    pub(super) fn through(
        scale: Scale,
        values: &[f64],
        from: f64,
        to: f64,
        shows_zero: bool,
    ) -> Option<Self> {
        let positive = values.iter().copied().filter(|value| SHOWN.contains(value));
        let high = positive.clone().fold(0.0, f64::max);
        let low = positive.fold(high, f64::min);
        if high <= 0.0 {
            return None;
        }
        if scale == Scale::Linear {
            return Some(Self {
                scale,
                low: 0.0,
                high: high * (1.0 + MARGIN_SHARE),
                from,
                to,
                zero: None,
            });
        }
        let margin = (high / low).powf(MARGIN_SHARE).max(MIN_MARGIN);
        let zero = (shows_zero && values.contains(&0.0))
            .then_some(from + ZERO_ROOM.copysign(to - from) / 2.0);
        let from = if zero.is_some() { from + ZERO_ROOM.copysign(to - from) } else { from };
        Some(Self { scale, low: low / margin, high: high * margin, from, to, zero })
    }

    /// The position of a value; `None` if the axis cannot show it.
    pub(super) fn at(&self, value: f64) -> Option<f64> {
        if self.scale == Scale::Log && value == 0.0 {
            return self.zero;
        }
        let along = match self.scale {
            Scale::Log if value > 0.0 => (value / self.low).ln() / (self.high / self.low).ln(),
            Scale::Log => return None,
            Scale::Linear => value / self.high,
        };
        (-1e-9..=1.0 + 1e-9).contains(&along).then_some(self.from + along * (self.to - self.from))
    }

    /// The position of a value, or else the nearer end of the axis.
    pub(super) fn near(&self, value: f64) -> f64 {
        self.at(value).unwrap_or(if value > self.high { self.to } else { self.from })
    }

    /// The values of the ticks.
    pub(super) fn ticks(&self) -> Vec<f64> {
        match self.scale {
            Scale::Linear => self.steps(nice(self.high / LINEAR_TICKS)),
            Scale::Log => {
                let mut ticks = self.logarithmic_ticks();
                if self.zero.is_some() {
                    ticks.insert(0, 0.0);
                }
                ticks
            }
        }
    }

    /// The multiples of `step` from the beginning of the axis.
    fn steps(&self, step: f64) -> Vec<f64> {
        let first = if self.scale == Scale::Log { (self.low / step).ceil() } else { 0.0 };
        let multiples = (0..=20u8).map(|at| (first + f64::from(at)) * step);
        multiples.take_while(|value| *value <= self.high).collect()
    }

    /// Returns the ticks of a logarithmic axis: powers of ten, also 1, 2 and 5 times these on a
    /// short axis, and equal steps on an even shorter one.
    fn logarithmic_ticks(&self) -> Vec<f64> {
        let (from, to) = (self.low.log10().floor() as i32, self.high.log10().ceil() as i32);
        let within = |value: &f64| (self.low..=self.high).contains(value);
        let of = |factors: &[f64]| -> Vec<f64> {
            let powers = (from..=to).map(|power| 10f64.powi(power));
            powers
                .flat_map(|power| factors.iter().map(move |factor| factor * power))
                .filter(within)
                .collect()
        };
        let room = if self.to > self.from { TICK_WIDTH } else { TICK_HEIGHT };
        let most = ((self.to - self.from).abs() / room).max(2.0) as usize;
        let decades = of(&[1.0]);
        if decades.len() >= ENOUGH_TICKS {
            return decades.iter().copied().step_by(decades.len().div_ceil(most)).collect();
        }
        let fine = of(&[1.0, 2.0, 5.0]);
        if (ENOUGH_TICKS..=most).contains(&fine.len()) {
            return fine;
        }
        if fine.len() > most {
            return of(&[1.0, 3.0]).into_iter().take(most).collect();
        }
        self.steps(nice((self.high - self.low) / LINEAR_TICKS.min(most as f64)))
    }
}

/// Rounds a value up to 1, 2 or 5 times a power of ten.
fn nice(value: f64) -> f64 {
    let power = 10f64.powf(value.log10().floor());
    let factor = [1.0, 2.0, 5.0].into_iter().find(|factor| factor * power >= value * 0.999);
    factor.unwrap_or(10.0) * power
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn logarithmic_axis_has_ticks_at_decades_and_zero() {
        let axis = Axis::through(Scale::Log, &[0.0, 1.0, 1e5], 0.0, 500.0, true).unwrap();
        assert_eq!(axis.ticks(), [0.0, 1.0, 10.0, 100.0, 1e3, 1e4, 1e5]);
        let places: Vec<_> = axis.ticks().into_iter().map(|tick| axis.at(tick).unwrap()).collect();
        assert!(places.is_sorted() && places[0] > 0.0 && places[6] < 500.0);
        assert_eq!(axis.at(-1.0), None);
        assert_eq!(axis.at(f64::INFINITY), None);
    }

    #[test]
    fn short_axis_has_ticks_between_decades() {
        let axis = Axis::through(Scale::Log, &[1.4, 30.0], 0.0, 500.0, false).unwrap();
        assert_eq!(axis.ticks(), [2.0, 5.0, 10.0, 20.0]);
        let axis = Axis::through(Scale::Log, &[3.3, 3.6], 0.0, 500.0, false).unwrap();
        assert_eq!(axis.ticks(), [3.0, 3.5, 4.0, 4.5]);
        let axis = Axis::through(Scale::Linear, &[1.0, 9.4], 0.0, 1.0, false).unwrap();
        assert_eq!(axis.ticks(), [0.0, 2.0, 4.0, 6.0, 8.0]);
    }

    #[test]
    fn axis_is_absent_without_values() {
        for value in [0.0, -1.0, f64::NAN, f64::INFINITY] {
            assert!(Axis::through(Scale::Log, &[value], 0.0, 1.0, true).is_none());
        }
    }
}
