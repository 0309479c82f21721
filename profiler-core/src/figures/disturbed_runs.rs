//! Number of runs of a size that the host may have disturbed, whatever the program does.

/// Number of runs among which the host may have disturbed one.
const ODD_SHARE: usize = 10;

/// Returns how many of `runs` the host may have disturbed: one in [`ODD_SHARE`], but at least one.
pub(super) fn odd_runs(runs: usize) -> usize {
    (runs / ODD_SHARE).max(1)
}
