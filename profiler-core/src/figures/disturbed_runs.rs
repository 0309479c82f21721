//! Number of runs of a size that the host may have disturbed, whatever the program does.

/// Number of runs of which one may be odd.
const ODD_SHARE: usize = 10;

/// Returns the number of `runs` that may be odd: one, or one in [`ODD_SHARE`].
pub(super) fn odd_runs(runs: usize) -> usize {
    (runs / ODD_SHARE).max(1)
}
