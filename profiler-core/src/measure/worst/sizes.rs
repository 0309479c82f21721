//! The sizes of a search for the worst input: one at which inputs are searched, and those at which
//! the result is measured.

use profiler_search::{Genome, Space};

/// Divisors of n that give the measured sizes. The sizes span a factor of 16, and the largest is
/// not searched.
const DIVISORS: [u64; 5] = [16, 8, 4, 2, 1];
/// Index of the searched size. It is not the smallest, because too little depends on the input
/// there.
const SEARCHED: usize = 1;
/// Smallest size that is worth searching. If the searched size would be smaller, n is searched
/// instead.
const LEAST_SEARCHED: u64 = 8;

/// Sizes, rising.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Sizes {
    /// The size at which inputs are searched.
    pub(super) searched: u64,
    /// The sizes at which the worst input is measured. There is only one if the input cannot be
    /// scaled.
    pub(super) measured: Vec<u64>,
}

impl Sizes {
    /// Returns the sizes up to `n`. The only size is `n` itself if `n` is small, or if the first
    /// candidate has no input of one of the sizes.
    pub(super) fn up_to(n: u64, space: &Space, seed: u32) -> Self {
        let measured: Vec<u64> = DIVISORS.iter().map(|divisor| n / divisor).collect();
        let searched = measured[SEARCHED];
        let declared = Genome::declared(0, seed);
        let has_input = |size: &u64| space.input(&declared, *size).is_some();
        if searched < LEAST_SEARCHED || !measured.iter().all(has_input) {
            return Self::only(n);
        }
        Self { searched, measured }
    }

    /// Returns `n` as the only size.
    pub(super) fn only(n: u64) -> Self {
        Self { searched: n, measured: vec![n] }
    }

    /// The sizes above the searched one, without the largest.
    pub(super) fn between(&self) -> Vec<u64> {
        let above = self.measured.iter().copied().filter(|size| *size > self.searched);
        above.filter(|size| self.measured.last() != Some(size)).collect()
    }

    /// Whether growth can be classified, because the pattern is measured at several sizes.
    pub(super) fn scale(&self) -> bool {
        self.measured.len() == DIVISORS.len()
    }
}

#[cfg(test)]
mod tests {
    use super::super::tests::space;
    use super::*;

    #[test]
    fn sizes_span_a_factor_of_sixteen() {
        let sizes = Sizes::up_to(1000, &space("n"), 0);
        assert_eq!((sizes.searched, sizes.scale()), (125, true));
        assert_eq!(sizes.measured, [62, 125, 250, 500, 1000]);
        assert_eq!(sizes.between(), [250, 500]);
    }

    #[test]
    fn space_without_smaller_inputs_is_searched_at_its_size() {
        let only = Sizes::only;
        assert_eq!(Sizes::up_to(60, &space("n"), 0), only(60));
        assert_eq!(only(60).between(), [0; 0]);
        // Below 500 the length divides by zero.
        let from_500 = space("n / (n / 500)");
        assert_eq!(Sizes::up_to(1000, &from_500, 0), only(1000));
        assert!(!only(1000).scale());
    }
}
