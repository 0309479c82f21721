//! Values over n, and what is known about them before a curve is fitted.

use crate::constants::{
    CERTAIN_SIZES, COUNT_SCATTER, COUNT_SCATTER_INSTRUCTIONS, DIGITS_EXPONENT, ELEMENT_BYTES,
    GROWN, LEAST_INPUT_EXPONENT, LEAST_LENGTH_SIZE, NEAR_EXPONENT,
};
use crate::observation::{Counts, SizeObservation};
use crate::shape::rounded_up;
use std::collections::BTreeMap;

/// A value at a size.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Datum {
    /// The size.
    pub(crate) size: u64,
    /// The value.
    pub(crate) value: f64,
    /// Standard deviation of the value's measurement.
    pub(crate) sigma: f64,
}

impl Datum {
    pub(crate) fn n(&self) -> f64 {
        self.size as f64
    }
}

/// Values over n.
#[derive(Debug, Clone, Default)]
pub(crate) struct Series {
    /// The measured values, one for each size, by rising size.
    pub(crate) data: Vec<Datum>,
    /// Sizes that exceeded the limit, and the limit.
    pub(crate) over_limit: Vec<(f64, f64)>,
    /// Approximate constant part, if it is known.
    pub(crate) floor: Option<f64>,
    /// The input that the program reads; absent if it reads none.
    pub(crate) input: Option<Input>,
}

/// Lengths of inputs.
#[derive(Debug, Clone)]
pub(crate) struct Input {
    /// Length in bytes, by size.
    lengths: BTreeMap<u64, f64>,
    /// Power of n with which the number of elements grows.
    pub(crate) power: f64,
}

impl Input {
    /// The inputs of these lengths in bytes, by size; `None` if they hardly grow.
    pub(crate) fn from_lengths(lengths: impl Iterator<Item = (u64, u64)>) -> Option<Self> {
        let lengths = lengths.filter(|length| length.1 > 0);
        let lengths: BTreeMap<_, _> = lengths.map(|(size, length)| (size, length as f64)).collect();
        let (last, first) = (lengths.last_key_value()?, lengths.range(LEAST_LENGTH_SIZE..).next()?);
        let power = (last.1 / first.1).ln() / (*last.0 as f64 / *first.0 as f64).ln();
        // Longer numbers make the input grow slightly faster than its number of elements.
        let halves = ((power - DIGITS_EXPONENT) * 2.0).round() / 2.0;
        let power = if (power - halves).abs() < NEAR_EXPONENT { halves } else { power };
        (power >= LEAST_INPUT_EXPONENT).then_some(Self { lengths, power })
    }
}

/// An input, relative to the input of the largest size.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Reading {
    elements: f64,
    bytes: f64,
}

/// The smallest value, the largest value and the constant part.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Range {
    pub(crate) least: f64,
    pub(crate) most: f64,
    pub(crate) floor: f64,
}

impl Series {
    /// The values of the sizes that ended OK, each with its standard deviation, and the sizes that
    /// are over `limit`.
    pub(crate) fn measured(
        worst: &[SizeObservation],
        value: impl Fn(&SizeObservation) -> Option<(f64, f64)>,
        is_over: fn(&SizeObservation) -> bool,
        limit: f64,
    ) -> Self {
        let ended_ok = worst.iter().filter(|size| !size.over_time && !size.over_memory);
        let data = ended_ok.filter_map(|observation| {
            let (value, sigma) = value(observation)?;
            Some(Datum { size: observation.size, value, sigma })
        });
        let over = worst.iter().filter(|observation| is_over(observation));
        Self {
            data: data.collect(),
            over_limit: over.map(|observation| (observation.size as f64, limit)).collect(),
            ..Self::default()
        }
    }

    /// The series of the counts that `pick` selects, for a program that reads `input`.
    pub(crate) fn counted(
        counts: &[Counts],
        pick: fn(&Counts) -> Option<u64>,
        least_scatter: f64,
        input: Option<&Input>,
    ) -> Self {
        let picked = counts.iter().filter_map(|counts| Some((counts.size, pick(counts)? as f64)));
        Self::exact(&picked.collect::<Vec<_>>(), least_scatter, input)
    }

    /// The series of exact counts. `least_scatter` is in instructions. Equal counts get a smaller
    /// scatter, so that no slow growth is fitted to them.
    pub(crate) fn exact(counts: &[(u64, f64)], least_scatter: f64, input: Option<&Input>) -> Self {
        let same = counts.windows(2).all(|pair| (pair[0].1 - pair[1].1).abs() < 1.0);
        let noise = |value: f64| {
            if same {
                COUNT_SCATTER_INSTRUCTIONS
            } else {
                (value * COUNT_SCATTER).hypot(least_scatter)
            }
        };
        let data = counts.iter().map(|&(size, value)| Datum { size, value, sigma: noise(value) });
        let mut data: Vec<_> = data.collect();
        data.sort_by_key(|datum| datum.size);
        Self { data, input: input.cloned(), ..Self::default() }
    }

    /// Whether the sizes show that the work depends on n rounded up to a power of two: enough of
    /// the rounded sizes differ from each other, and not all sizes are such powers.
    pub(crate) fn shows_rounding(&self) -> bool {
        let mut rounded: Vec<f64> = self.data.iter().map(|datum| rounded_up(datum.n())).collect();
        rounded.dedup();
        rounded.len() >= CERTAIN_SIZES
            && self.data.iter().any(|datum| datum.n() > 1.0 && rounded_up(datum.n()) > datum.n())
    }

    /// The range of the values. Without a known floor, the smallest value is taken for the constant
    /// part.
    pub(crate) fn range(&self) -> Range {
        let values = || self.data.iter().map(|datum| datum.value);
        let least = values().fold(f64::INFINITY, f64::min);
        let most = values().fold(0.0, f64::max);
        Range { least, most, floor: self.floor.unwrap_or(least).max(f64::MIN_POSITIVE) }
    }

    /// Number of sizes whose values are clearly above the floor, or above the smallest value.
    pub(crate) fn grown_sizes(&self) -> usize {
        let values = self.data.iter().map(|datum| datum.value);
        let least = values.fold(self.floor.unwrap_or(f64::INFINITY), f64::min);
        self.data.iter().filter(|datum| datum.value - least > GROWN * datum.sigma).count()
    }

    /// The largest size that has a value.
    pub(crate) fn largest(&self) -> f64 {
        self.data.last().map_or(0.0, Datum::n)
    }

    /// The length of the input at a size, if it is known.
    fn length(&self, at: &Datum) -> Option<f64> {
        self.input.as_ref()?.lengths.get(&at.size).copied()
    }

    /// The power of n with which the number of elements grows.
    pub(crate) fn power(&self) -> f64 {
        self.input.as_ref().map_or(1.0, |input| input.power)
    }

    /// The logarithm of the cost of reading the input at the largest size; `step` is the cost of an
    /// element.
    pub(crate) fn ln_reading(&self, step: f64) -> f64 {
        let longest = self.data.last().and_then(|last| self.length(last));
        let elements = longest.map(|length| length / ELEMENT_BYTES);
        (step * elements.unwrap_or_else(|| self.largest().powf(self.power()))).ln()
    }

    /// The input at a size, relative to the largest size. `ratio` is the ratio of the two sizes.
    pub(crate) fn reading(&self, datum: &Datum, ratio: f64) -> Reading {
        let elements = ratio.powf(self.power());
        let longest = self.data.last().and_then(|last| self.length(last));
        let lengths = self.length(datum).zip(longest).map(|(here, longest)| here / longest);
        Reading { elements, bytes: lengths.unwrap_or(elements) }
    }
}

impl Reading {
    /// The cost of reading. `bytes` is the share of the cost that depends on bytes; the rest
    /// depends on elements.
    pub(crate) fn cost(self, bytes: f64) -> f64 {
        (1.0 - bytes) * self.elements + bytes * self.bytes
    }
}
