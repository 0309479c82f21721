//! Constants of the verdict: trust in signals, lines, and thresholds.

// Trust in each signal.

/// Trust in a signal: its evidence is raised to `power`, and the share `doubt` of the evidence is
/// replaced by the prior.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Trust {
    pub(crate) power: f64,
    pub(crate) doubt: f64,
}

/// A signal that is shown, but is not used as evidence.
pub(crate) const TRUST_NONE: Trust = Trust { power: 0.0, doubt: 1.0 };
/// Time, if nothing was counted.
pub(crate) const TRUST_TIME_ALONE: Trust = Trust { power: 0.9, doubt: 0.03 };
/// Time, in addition to counts: time includes work that counts cannot show.
pub(crate) const TRUST_TIME_WITH_COUNTS: Trust = Trust { power: 0.4, doubt: 0.01 };
/// Instructions of the whole run.
pub(crate) const TRUST_INSTRUCTIONS: Trust = Trust { power: 0.6, doubt: 0.03 };
/// Instructions of the whole run, in addition to the instructions of lines.
pub(crate) const TRUST_INSTRUCTIONS_WITH_LINES: Trust = Trust { power: 0.2, doubt: 0.05 };
/// Instructions of the program's own code.
pub(crate) const TRUST_OWN: Trust = Trust { power: 0.3, doubt: 0.05 };
/// Instructions of lines.
pub(crate) const TRUST_LINES: Trust = Trust { power: 0.8, doubt: 0.02 };
/// Peak resident set.
pub(crate) const TRUST_RESIDENT: Trust = Trust { power: 0.9, doubt: 0.02 };
/// Mapped memory, if it grows as well.
pub(crate) const TRUST_MAPPED: Trust = Trust { power: 0.4, doubt: 0.05 };
/// Peak of the live heap, if the heap explains the resident memory.
pub(crate) const TRUST_HEAP: Trust = Trust { power: 0.9, doubt: 0.02 };
/// Probability that counts miss the work that takes the time. The kernel's work is not counted, and
/// `rep movs` is one instruction for all its bytes.
pub(crate) const COUNTS_MISS: f64 = 0.05;
/// The same probability if time clearly grows faster than the program's own instructions, which
/// have a class for certain, and caches can explain it. It names neither class.
pub(crate) const CACHES_OR_MISSED: f64 = 0.5;
/// Probability that time clearly grows faster from which it does so. Recorded programs that wait
/// for memory reach 0.08, and those that copy by `rep movsb` 0.6 to 0.9.
pub(crate) const OUTGROWN: f64 = 0.5;
/// Nanoseconds for each instruction up to which the counted instructions take all the time. One
/// that never waits takes 0.1 to 0.5; the rest allows for a slow host.
pub(crate) const PACE_WITHOUT_WAITING_NS: f64 = 2.0;
/// Nanoseconds for each instruction that caches explain: a load from memory takes about 100, and so
/// do the few instructions around it.
pub(crate) const PACE_OF_MISSES_NS: f64 = 25.0;
/// Probability of the class of the program's own instructions from which it is certain.
pub(crate) const CERTAINLY: f64 = 0.99;
/// Smallest number of sizes at which such a class is certain.
pub(crate) const CERTAIN_SIZES: usize = 4;
/// Share of the program's own instructions from which they show the work. Below it, libraries do
/// the work.
pub(crate) const OWN_SHARE: f64 = 0.25;
/// Probability that counts miss the work from which time decides instead of counts.
pub(crate) const MOSTLY_MISSED: f64 = 0.5;
/// Share of the processor time at the largest size from which the kernel's work can decide the
/// class. Counts then say nothing about it.
pub(crate) const KERNEL_SHARE: f64 = 0.25;
/// Drift cannot turn a class into another whose rank is higher by this much.
pub(crate) const CLEARLY_FASTER: f64 = 0.8;

// Lines.

/// A line is ignored if its share of the instructions of all lines, at the largest size, is below
/// this.
pub(crate) const LEAST_SHARE: f64 = 0.002;
/// Factor by which the ratio of a line to the largest line must have risen since the smallest size.
/// A line of a faster class rises; other lines only add noise.
pub(crate) const RISEN: f64 = 1.1;
/// Lines are one group if the ratio of their counts is the same at all sizes, within this share.
pub(crate) const SAME_RATIO: f64 = 0.002;
/// Maximum number of groups of lines that are compared, the largest first.
pub(crate) const MAX_GROUPS: usize = 8;

// The verdict.

/// Power for time with the effort `Counted`. Each trust above allows for the worst of its signals,
/// so the combined probabilities are too low. Raised to this power, they are calibrated
/// (temperature scaling: Guo et al., "On Calibration of Modern Neural Networks", ICML 2017). It was
/// fitted to all programs of `bench/growth`, whether their class is reported or not. It does not
/// hold without counts, or if nothing but the counts of libraries shows the work.
pub(crate) const SHARPNESS_COUNTED: f64 = 1.5;
/// Power for time otherwise. `Timed` has one signal, and the probabilities of `Full` need no
/// calibration.
pub(crate) const SHARPNESS_OTHERS: f64 = 1.0;
/// Factor by which all signals together can raise the odds that the surest of them alone gives a
/// class. Exact counts have no noise of their own to average: if no class explains one of them
/// well, no class explains the others well, for the same reason.
pub(crate) const SURER: f64 = 2.0;
/// Power for memory.
pub(crate) const SHARPNESS_MEMORY: f64 = 1.7;
/// Largest probability of a class if no more than [`LEAST_SIZES`] sizes are above 1. Few curves
/// fail to fit so few sizes.
pub(crate) const FEW_SIZES_AT_MOST: f64 = 0.9;
/// Minimum probability of a reported class. Below it, classes are wrong too often to act on.
pub(crate) const CONFIDENT: f64 = 0.82;
/// Minimum number of sizes. Every curve can be fitted through two.
pub const LEAST_SIZES: usize = 3;
/// A value has fallen if it is below an earlier one by more than this many standard deviations. No
/// class falls.
pub(crate) const FALLEN: f64 = 3.0;
/// A value has fallen only if it is also below the earlier one by more than this share of the
/// earlier one, because shared machines are slower by a third at times.
pub(crate) const FALLEN_SHARE: f64 = 0.5;
/// A value has grown if it is above the floor, or above the smallest value, by more than this many
/// standard deviations.
pub(crate) const GROWN: f64 = 5.0;
/// Minimum factor by which counts that level off have grown. A logarithm still grows there.
pub(crate) const LEVEL_GROWTH: f64 = 1.5;
/// Share of this growth by which the last counts can differ and still be level.
pub(crate) const LEVEL_SHARE: f64 = 1e-3;
/// Minimum factor between the sizes of the first and the last level count. Work that grows at
/// powers of two still grows within this factor.
pub(crate) const LEVEL_RANGE: f64 = 8.0;
/// Distance from which a value is outside the interval of its prediction, in standard deviations:
/// the quantile of 97.5 % of Student's t with [`super::FREEDOM`] degrees of freedom.
pub(crate) const OUTSIDE: f64 = 2.571;
/// Factor of the prediction from which time refutes a class that exact counts confirm. A step costs
/// up to about this much more once its data no longer fits in a cache.
pub(crate) const GROSS: f64 = 5.0;
/// Factor from which the work at two neighboring sizes differs by more than their distance
/// explains.
pub(crate) const OTHER_WORK: f64 = 1.5;
/// Number of sizes with grown values. With fewer, larger sizes are recommended.
pub(crate) const ENOUGH_GROWN: usize = 3;

// Memory.

/// Resident sets that differ by at most this many MiB count as equal: a batch of pages on each of
/// two cores.
pub(crate) const UNSEEN_MB: f64 = 0.25;
/// The growth of the heap explains the growth of the resident set if they differ by at most this
/// share of the larger one, because blocks have headers, and pages are whole.
pub(crate) const UNEXPLAINED: f64 = 0.5;
/// Minimum probability of constant memory at which mapped memory is ignored.
pub(crate) const PROBABLY_CONSTANT: f64 = 0.5;
