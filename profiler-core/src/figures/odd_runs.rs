//! How many runs of a size the host may have disturbed, whatever the program does.

/// Of this many runs, one may be odd.
const ODD_SHARE: usize = 10;

/// How many of `runs` may be odd: one, or one in [`ODD_SHARE`].
pub(super) fn odd_runs(runs: usize) -> usize {
    (runs / ODD_SHARE).max(1)
}
