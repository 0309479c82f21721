//! Spread of values.

/// Values in rising order.
#[derive(Debug, Default)]
pub(crate) struct Spread(Vec<f64>);

impl FromIterator<f64> for Spread {
    fn from_iter<I: IntoIterator<Item = f64>>(values: I) -> Self {
        let mut sorted: Vec<f64> = values.into_iter().collect();
        sorted.sort_by(f64::total_cmp);
        Self(sorted)
    }
}

impl Spread {
    /// The quantile of `rank` thousandths, by nearest rank. NaN without values.
    pub(crate) fn permille(&self, rank: usize) -> f64 {
        let last = self.0.len().saturating_sub(1);
        self.0.get((last * rank + 500) / 1000).copied().unwrap_or(f64::NAN)
    }

    pub(crate) fn median(&self) -> f64 {
        self.permille(500)
    }

    pub(crate) fn max(&self) -> f64 {
        self.permille(1000)
    }

    /// Number of values below `limit`.
    pub(crate) fn below(&self, limit: f64) -> usize {
        self.0.partition_point(|value| *value < limit)
    }

    pub(crate) fn count(&self) -> usize {
        self.0.len()
    }
}

/// Relative difference of two figures, as a share of the smaller one.
pub(crate) fn difference(one: f64, other: f64) -> f64 {
    (one - other).abs() / one.min(other)
}
