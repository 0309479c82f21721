//! Every constant of the classifier: name, value, unit, and the reason for it.
//!
//! An "other power" is a power of n without a name of its own. The "grown part" of a value is the
//! value without its constant part. Values were chosen on synthetic series and on the programs in
//! `bench/growth/choose`, unless an entry names another reason. Probabilities and shares are
//! between 0 and 1. Pairs are (value, probability), the widest value first. The priors and costs of
//! a named class are in its row in `class.rs`.

mod verdict;

use crate::shape::{ONE, Shape};
pub use verdict::LEAST_SIZES;
pub(crate) use verdict::*;

// The curves of the classes.

/// Exponents of n that series are compared with. Those without a named class are the other powers.
/// So a class that gets a name needs no change here. Drift covers the exponents in between.
pub(crate) const POWERS: [f64; 17] = [
    0.25, 0.33, 0.41, 0.6, 0.67, 0.75, 1.25, 1.33, 1.41, 1.585, 1.67, 1.75, 2.33, 2.5, 2.67, 2.807,
    4.0,
];
/// Smallest and largest base of an exponential without a name of its own.
pub(crate) const BASES: [f64; 2] = [1.2, 8.0];
/// Smallest and largest base of an exponential that is multiplied by one of [`BENDS`].
pub(crate) const BENT_BASES: [f64; 2] = [1.02, 20.0];
/// Powers of n that no class multiplies an exponential by. If counts support an exponential with
/// one of them, its base changes with n: e^√n has a falling base, and n!/2ⁿ has a rising one.
pub(crate) const BENDS: [f64; 4] = [-8.0, -4.0, 4.0, 8.0];
/// Logarithm of the ratio of the evidence from which such an exponential refutes a class. The
/// evidence of each is that of its best base.
pub(crate) const BENT: f64 = 7.0;
/// Logarithm of the factor by which the last count must differ from what a steep class predicts
/// from the count before, for each n between them, to refute the class.
pub(crate) const DIVERGING: f64 = 0.15;
/// Number of bases, equally far apart on a logarithmic scale, that the search for the base begins
/// with.
pub(crate) const BASE_STEPS: u32 = 13;
/// Bases whose ratio to the base of a named class is this close to 1 are taken for that base.
pub(crate) const NEAR_BASE: f64 = 0.03;
/// (Factor, probability) of φⁿ and 3ⁿ. The factor is the work at each leaf of the recursion.
pub(crate) const LEAF_FACTORS: [(Shape, f64); 2] = [(ONE, 0.75), (power(1.0), 0.25)];
/// (Factor, probability) of n!.
pub(crate) const FACTORIAL_FACTORS: [(Shape, f64); 3] =
    [(ONE, 0.5), (power(1.0), 0.3), (power(-1.0), 0.2)];
/// (Offset, probability) of n² · (log₂ n + offset). A step of n² log n has a cost at every level of
/// its tree and a single cost, such as allocating a node. For n log n, the single cost is linear
/// work.
pub(crate) const LOG_OFFSETS: [(Shape, f64); 3] =
    [(ONE, 0.6), (Shape { offset: 4.0, ..ONE }, 0.2), (Shape { offset: 16.0, ..ONE }, 0.2)];

const fn power(power: f64) -> Shape {
    Shape { power, ..ONE }
}

// How often programs have a class, before anything is measured.

/// Probability of all other powers below n together. They are very rare.
pub(crate) const POWER_PRIOR_BELOW_1: f64 = 0.003;
/// Probability of all other powers between n and n² together.
pub(crate) const POWER_PRIOR_1_TO_2: f64 = 0.016;
/// Probability of all other powers above n² together.
pub(crate) const POWER_PRIOR_ABOVE_2: f64 = 0.01;
/// Probability of all exponentials without a name of their own together, for time.
pub(crate) const BASE_PRIOR: f64 = 0.004;
/// Counterpart of [`BASE_PRIOR`] for memory.
pub(crate) const BASE_MEMORY_PRIOR: f64 = 0.001;
/// Probability that a program pads n to a power of two, as one with a transform or a full tree
/// does, so that its work grows in steps. Exact counts show the steps.
pub(crate) const ROUNDED: f64 = 0.03;
/// Counterpart of [`ROUNDED`] for log n and log² n: the number of digits of n has steps.
pub(crate) const ROUNDED_LOG: f64 = 0.1;
/// Divisor of the probability of another power for memory, where other powers are rarer.
pub(crate) const MEMORY_POWER_DIVISOR: f64 = 2.0;

// What a step costs. The logarithms of costs have Student's t with `FREEDOM` as their prior, so a
// program that repeats its work very often is possible.

/// Nanoseconds that a step of another power takes: with an exponent below 1, and with an exponent
/// of at least 1.
pub(crate) const POWER_STEP_NS: [f64; 2] = [8.0, 2.0];
/// Bytes that a step of another power takes.
pub(crate) const POWER_STEP_BYTES: f64 = 16.0;
/// Nanoseconds that a step of an exponential without a name of its own takes.
pub(crate) const BASE_STEP_NS: f64 = 5.0;
/// Counterpart of [`BASE_STEP_NS`] for memory, in bytes.
pub(crate) const BASE_STEP_BYTES: f64 = 16.0;
/// Milliseconds in a nanosecond.
pub(crate) const NS: f64 = 1e-6;
/// Approximate number of instructions in a nanosecond.
pub(crate) const INSTRUCTIONS_PER_NS: f64 = 3.0;
/// MiB in a byte.
pub(crate) const BYTE: f64 = 1.0 / 1_048_576.0;
/// Scale of the logarithm of a step's cost, for time and for the instructions of the whole run.
pub(crate) const STEP_SPREAD: f64 = 1.8;
/// Counterpart of [`STEP_SPREAD`] for the instructions of a line.
pub(crate) const LINE_STEP_SPREAD: f64 = 2.0;
/// Counterpart of [`STEP_SPREAD`] for memory.
pub(crate) const MEMORY_STEP_SPREAD: f64 = 1.3;

// Linear work in a program of a higher class.

/// Linear work in addition to the work of a class.
#[derive(Debug, Clone, Copy)]
pub(crate) struct LinearWork {
    /// Cost of an element: nanoseconds, or bytes of memory.
    pub(crate) step: f64,
    /// Scale of the logarithm of an element's cost.
    pub(crate) spread: f64,
    /// Probability that there is no linear work.
    pub(crate) absent: f64,
}

/// Linear work of reading the input.
pub(crate) const READING: LinearWork = LinearWork { step: 80.0, spread: 1.0, absent: 0.1 };
/// Linear work of filling an array, in a program without input.
pub(crate) const FILLING: LinearWork = LinearWork { step: 4.0, spread: 1.5, absent: 0.5 };
/// Linear work of a single line.
pub(crate) const LINE_LINEAR: LinearWork = LinearWork { step: 8.0, spread: 2.0, absent: 0.7 };
/// Linear part of memory.
pub(crate) const MEMORY_LINEAR: LinearWork = LinearWork { step: 8.0, spread: 1.0, absent: 0.4 };
/// Shares of the value at the largest size that are linear work. Their log-odds are about 1 apart.
pub(crate) const LINEAR_SHARES: [f64; 8] = [0.05, 0.12, 0.27, 0.5, 0.73, 0.88, 0.95, 0.98];
/// Steps of the search for the share between two of `LINEAR_SHARES`. They find the share to within
/// 0.3 % of the interval.
pub(crate) const PEAK_STEPS: usize = 12;
/// Largest fall from a peak to the point where the width of the peak is measured, in logarithms of
/// a weight.
pub(crate) const MOST_FALL: f64 = 2.0;
/// Smallest distance from a peak to the point where the width of the peak is measured, in log-odds.
pub(crate) const LEAST_REACH: f64 = 1e-3;
/// Stride through `LINEAR_SHARES` for other powers, steep classes and rounded sizes, which are
/// rare.
pub(crate) const RARE_STRIDE: usize = 3;

// The input.

/// Approximate number of bytes of an element of an input.
pub(crate) const ELEMENT_BYTES: f64 = 6.0;
/// Shares of the cost of reading that depend on bytes instead of elements, because longer numbers
/// take longer to read.
pub(crate) const BYTES_SHARES: [f64; 8] = [0.0, 0.1, 0.2, 0.3, 0.42, 0.55, 0.75, 1.0];
/// This share in a program that does more than read.
pub(crate) const BYTES_SHARE: f64 = 0.3;
/// A class whose rank is this close to the input's exponent is taken for the cost of reading the
/// input.
pub(crate) const READING_RANK: f64 = 0.05;
/// A program does more than read if the rank of its class is above the input's exponent by more
/// than this.
pub(crate) const ABOVE_READING_RANK: f64 = 0.08;
/// Factor of the spread of a step's cost in a program that does little but read, because the cost
/// is less certain there.
pub(crate) const READING_SPREAD: f64 = 1.2;
/// Exponent of n below which the reading of an input is assumed to take no time.
pub(crate) const LEAST_INPUT_EXPONENT: f64 = 0.8;
/// Smallest size whose input is long enough to show how inputs grow.
pub(crate) const LEAST_LENGTH_SIZE: u64 = 10;
/// Exponent of n by which longer numbers lengthen an input beyond its number of elements.
pub(crate) const DIGITS_EXPONENT: f64 = 0.05;
/// An exponent of n that is this close to a multiple of one half is taken for that multiple.
pub(crate) const NEAR_EXPONENT: f64 = 0.25;

// Scatter of the measurements.

/// Scatter between sizes, beyond the interval of the repetitions, as a share of the time.
pub(crate) const TIME_SCATTER: f64 = 0.006;
/// Counterpart of [`TIME_SCATTER`] for short times, in milliseconds.
pub(crate) const TIME_SCATTER_MS: f64 = 0.012;
/// Upper limit of the scatter, as a share of the time, because few repetitions give wide intervals.
pub(crate) const MOST_TIME_SCATTER: f64 = 0.05;
/// Width of an interval of 95 %, in standard deviations.
pub(crate) const WIDTH_DEVIATIONS: f64 = 4.0;
/// Minimum scatter of peak resident sets, in MiB.
pub(crate) const RESIDENT_SCATTER_MB: f64 = 0.08;
/// Minimum number of pages in a batch. Since Linux 6.2, each processor adds to the counters of a
/// resident set in batches, and `ru_maxrss` reads the counters without the pages that are not yet
/// added (Linux, `compute_batch_value` in `lib/percpu_counter.c`). Every run of a size has the same
/// error, so repetitions do not lower it.
pub(crate) const BATCH_PAGES: f64 = 32.0;
/// A batch also has at least this many pages for each processor of the host (same source).
pub(crate) const BATCH_PAGES_EACH: f64 = 2.0;
/// Number of batches by which a peak resident set can be wrong: one counter of anonymous pages and
/// one of file pages, each on two processors. A program with one thread rarely runs on more.
pub(crate) const MISSED_BATCHES: f64 = 4.0;
/// MiB in a page.
pub(crate) const PAGE_MB: f64 = 4096.0 / 1_048_576.0;
/// Scatter of anonymous resident memory, in MiB: four pages. The memory is counted exactly, but
/// stacks and buffers begin at random addresses.
pub(crate) const ANONYMOUS_SCATTER_MB: f64 = 4.0 * PAGE_MB;
/// Memory is reported as constant only if growth by this many bytes for each n would have been
/// seen.
pub(crate) const LEAST_ELEMENT_BYTES: f64 = 1.0;
/// Bytes for each n of a set of bits, such as `vector<bool>`. Memory that rises by so much is not
/// reported as constant, although its rise is within the scatter.
pub(crate) const BIT_BYTES: f64 = 0.125;
/// Number of resolutions that a bit for each n must amount to. Less is not looked for.
pub(crate) const VISIBLE_BITS: f64 = 2.0;
/// Scatter of mapped memory, in MiB, because the heap grows by 132 KiB at a time.
pub(crate) const MAPPED_SCATTER_MB: f64 = 0.07;
/// Scatter of the heap's peak, in MiB. The peak is exact, but a few of its bytes depend on the
/// length of a name or a number.
pub(crate) const HEAP_SCATTER_MB: f64 = 16.0 / 1_048_576.0;
/// Scatter of every kind of memory between sizes, as a share of the value.
pub(crate) const MEMORY_SCATTER: f64 = 0.003;
/// Scatter of an exact count, as a share of the count: one iteration more or less.
pub(crate) const COUNT_SCATTER: f64 = 2e-4;
/// Counterpart of [`COUNT_SCATTER`] for small counts, in instructions.
pub(crate) const COUNT_SCATTER_INSTRUCTIONS: f64 = 3.0;
/// Scatter of the count of a whole run, in instructions: n and the result have more or fewer digits
/// to read and to print.
pub(crate) const NUMBER_INSTRUCTIONS: f64 = 300.0;

// Scatter around a curve, as a share of the grown part.

/// Scatter of time.
pub(crate) const TIME_ERRORS: &[(f64, f64)] = &[(0.15, 0.25), (0.04, 0.35), (0.01, 0.4)];
/// Scatter of the instructions of the whole run.
pub(crate) const COUNT_ERRORS: &[(f64, f64)] = &[(0.1, 0.3), (0.01, 0.4), (0.001, 0.3)];
/// Scatter of the instructions of a line.
pub(crate) const LINE_ERRORS: &[(f64, f64)] = &[(0.1, 0.3), (0.01, 0.35), (0.001, 0.35)];
/// Relative scatter about log n and log² n, for every kind of value. An algorithm that walks the L
/// binary digits of n takes between L and 2 L steps. If the numbers of steps were uniformly
/// distributed, their standard deviation would be 0.19 of the mean; for powers of ten it is about
/// 0.1.
pub(crate) const DIGITS_ERROR: f64 = 0.15;
/// Scatter of memory. Vectors double their capacity, so a value can be off by a factor of two.
pub(crate) const MEMORY_ERRORS: &[(f64, f64)] = &[(0.3, 0.35), (0.06, 0.3), (0.01, 0.35)];

// Drift: steps cost more as n grows, because caches miss. A value is an exponent of n.

/// Drift of time.
pub(crate) const TIME_DRIFTS: &[(f64, f64)] = &[(0.25, 0.2), (0.08, 0.35), (0.02, 0.45)];
/// Drift of the instructions of a line.
pub(crate) const LINE_DRIFTS: &[(f64, f64)] = &[(0.03, 0.2), (0.0, 0.8)];
/// No drift, for memory and for the instructions of the whole run: caches change no counts, and a
/// linear cost that drifts is n log n.
pub(crate) const NO_DRIFT: &[(f64, f64)] = &[(0.0, 1.0)];
/// Minimum drift of the other powers. It covers the exponents between two of `POWERS`.
pub(crate) const POWER_DRIFT: f64 = 0.04;
/// Mean of the prior of drift, in its standard deviations.
pub(crate) const DRIFT_MEAN: f64 = 0.6;
/// Distance in ln n from the largest size down to the point where drift is 0.
pub(crate) const DRIFT_CENTRE: f64 = 1.5;
/// Distance in ln n from this point down to the point where drift ends.
pub(crate) const DRIFT_REACH: f64 = 3.0;

// Work of a lower order, which is done or saved: for example, a loop that begins at the weight of
// an item saves work.

/// Sizes, for counts, as shares of the largest, where this work equals the class's own work. A
/// program in `bench/growth/look` needed the three smallest shares.
pub(crate) const COUNT_LOWER: &[(f64, f64)] =
    &[(0.03, 0.05), (0.005, 0.06), (7e-4, 0.06), (1e-4, 0.05), (0.0, 0.78)];
/// Counterpart for time and memory, which show less detail than counts do.
pub(crate) const NO_LOWER: &[(f64, f64)] = &[(0.0, 1.0)];

// A constant part that varies from input to input.

/// Standard deviation of this part, as a share of the range of all values. Shared machines are
/// slower at times.
pub(crate) const FLOOR_NOISE: f64 = 0.3;
/// Upper limit of this standard deviation, as a share of the constant part.
pub(crate) const MAX_FLOOR_NOISE: f64 = 0.1;
/// Probability that the constant part varies.
pub(crate) const FLOOR_NOISE_PROBABILITY: f64 = 0.15;
/// Probability that the constant part is more than the start-up, because a program does the same
/// work, or holds the same memory, at every size.
pub(crate) const FIXED_WORK_PROBABILITY: f64 = 0.1;

// A size that exceeded its limit.

/// Probability that the size exceeded the limit for a reason other than its class.
pub(crate) const OTHER_REASONS: f64 = 0.02;
/// Standard deviation of the logarithm of a value that was not measured.
pub(crate) const UNSEEN_SPREAD: f64 = 0.25;

// Fitting.

/// Degrees of freedom of Student's t, because a size in a series can be an outlier, and a program
/// can repeat its work very often.
pub(crate) const FREEDOM: f64 = 5.0;
/// Power of 1 + z²/`FREEDOM` that divides the density of this distribution: (`FREEDOM` + 1) / 2.
pub(crate) const TAIL_POWER: i32 = 3;
/// Density of this distribution at 0: 8 / (3π√5).
pub(crate) const DENSITY_AT_0: f64 = 0.379_606_689_822_494_44;
/// Number of passes that compute the weights.
pub(crate) const PASSES: usize = 3;
/// Number of steps of the numerical integral over the grown part.
pub(crate) const INTEGRAL_STEPS: u32 = 24;
/// Number of scales below the prior's median at which this integral begins.
pub(crate) const INTEGRAL_REACH: f64 = 4.0;
/// If the grown part is further above 0 than this many standard deviations, the likelihood is
/// narrow and needs no integral.
pub(crate) const NARROW: f64 = 6.0;
/// Standard deviation of the prior of the constant part, as a multiple of its mean.
pub(crate) const FLOOR_SPREAD: f64 = 3.0;
/// Precision of a fixed parameter, in units of its scale.
pub(crate) const PINNED: f64 = 1e8;
/// A curve is not fitted if it would need a step that is cheaper than the median of the prior by
/// more than this many scales of the prior.
pub(crate) const IMPOSSIBLE: f64 = 7.0;
/// A curve is not tried with less scatter if, with the widest scatter, the logarithm of its weight
/// is lower than that of the best curve by this much.
pub(crate) const HOPELESS: f64 = 12.0;
/// Minimum weight of a curve in intervals and predictions.
pub(crate) const LEAST_WEIGHT: f64 = 1e-4;
/// Quantiles of the error that an interval uses, in standard deviations.
pub(crate) const ERROR_QUANTILES: [f64; 5] = [-1.645, -0.674, 0.0, 0.674, 1.645];
/// Probabilities. Quantiles of a predicted value: its interval begins at the first, and ends at the
/// last.
pub(crate) const PREDICTED_QUANTILES: [f64; 3] = [0.025, 0.5, 0.975];
/// The largest value that is predicted, in the unit of the series.
pub(crate) const LARGEST_VALUE: f64 = 1e15;
/// Largest size at which a limit is predicted to be met. No task has larger inputs.
pub(crate) const LARGEST_REACH: f64 = 1e12;
/// Relative precision of the size at which a limit is met.
pub(crate) const REACH_PRECISION: f64 = 0.002;
/// Scale of the prior of the logarithm of the grown part, for the curve that is drawn.
pub(crate) const DRAWN_SPREAD: f64 = 10.0;
/// Scatter around the curve that is drawn, as a share of the grown part.
pub(crate) const DRAWN_ERROR: f64 = 0.05;
