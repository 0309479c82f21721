//! Values over n, with what is known before a curve is fitted.

use crate::constants::ELEMENT_BYTES;

/// A value at a size.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Datum {
    /// The size.
    pub(crate) size: u64,
    /// The value.
    pub(crate) value: f64,
    /// Standard deviation of its measurement.
    pub(crate) sigma: f64,
}

impl Datum {
    /// The size.
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
    /// The input that is read; absent if there is none.
    pub(crate) input: Option<Input>,
}

/// Lengths of inputs.
#[derive(Debug, Clone)]
pub(crate) struct Input {
    /// Length in bytes, by size.
    pub(crate) lengths: Vec<(u64, f64)>,
    /// The number of elements grows like n to this power.
    pub(crate) power: f64,
}

impl Input {
    /// The length at a size, if it is known.
    fn length(&self, size: u64) -> Option<f64> {
        self.lengths.iter().find(|length| length.0 == size).map(|length| length.1)
    }
}

impl Series {
    /// The largest size that has a value.
    pub(crate) fn largest(&self) -> f64 {
        self.data.last().map_or(0.0, Datum::n)
    }

    /// The length of the input at the largest size, if it is known.
    fn longest(&self) -> Option<f64> {
        self.input.as_ref()?.length(self.data.last()?.size)
    }

    /// The power of n with which the number of elements grows.
    pub(crate) fn power(&self) -> f64 {
        self.input.as_ref().map_or(1.0, |input| input.power)
    }

    /// The logarithm of the cost of reading at the largest size; `step` is the cost of an element.
    pub(crate) fn ln_reading(&self, step: f64) -> f64 {
        let elements = self.longest().map(|length| length / ELEMENT_BYTES);
        (step * elements.unwrap_or_else(|| self.largest().powf(self.power()))).ln()
    }

    /// The cost of reading at a size, relative to the largest size. `bytes` is the share that
    /// depends on bytes; the rest depends on elements.
    pub(crate) fn reading(&self, datum: &Datum, bytes: f64) -> f64 {
        let elements = (datum.n() / self.largest()).powf(self.power());
        let length = self.input.as_ref().and_then(|input| input.length(datum.size));
        let lengths = length.zip(self.longest()).map(|(here, longest)| here / longest);
        (1.0 - bytes) * elements + bytes * lengths.unwrap_or(elements)
    }
}
