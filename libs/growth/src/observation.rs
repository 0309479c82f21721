//! The observations that growth is classified from.

use crate::constants::{NUMBER_INSTRUCTIONS, OTHER_WORK};
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

/// Measurements that growth is classified from.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
pub enum Effort {
    /// Measurements that the job makes anyway.
    Timed,
    /// The measurements of `Timed`, counts at the job's own sizes, and a few more sizes if too few
    /// ended OK.
    #[default]
    Counted,
    /// The measurements of `Counted`, separate builds, counts by line, and more sizes.
    Full,
}

/// All observations of a program. They are plain figures, so that saved observations can be
/// classified as well.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Observed {
    /// Measurements that were made for growth.
    pub effort: Effort,
    /// The sizes, in any order. If a size has several results, the worst one is used.
    pub sizes: Vec<SizeObservation>,
    /// Exact counts, in any order, at most one for each size.
    pub counts: Vec<Counts>,
    /// Counts at primes next to sizes of `counts`, if the input is n alone.
    #[serde(default)]
    pub primes: Vec<Counts>,
    /// Whether sizes with small factors were counted, and no prime next to them could be.
    #[serde(default)]
    pub lacks_primes: bool,
    /// Reason why the program's instructions cannot be counted, such as "it starts a thread";
    /// absent if they can be counted, or if no count was asked for.
    #[serde(default)]
    pub uncountable: Option<String>,
    /// Exact peaks of the live heap, in MiB, by rising size.
    pub heaps: Vec<(u64, f64)>,
    /// Time of an empty program, in milliseconds.
    pub start_up_ms: Option<f64>,
    /// Peak resident set of an empty program, in MiB.
    pub start_up_mb: Option<f64>,
    /// Number of processors of the host, which decides how exact peak resident sets are; 2 if
    /// unknown.
    #[serde(default)]
    pub processors: Option<u32>,
    /// Whether the input contains more than the size.
    pub reads: bool,
    /// The task's bound on the size.
    pub n_max: Option<u64>,
    /// The task's time limit, in milliseconds.
    pub time_limit_ms: f64,
    /// The timeout of the runs that exceeded the limit, in milliseconds.
    pub timeout_ms: f64,
    /// The memory limit, in MiB.
    pub memory_limit_mb: f64,
    /// Time that was spent on growth alone, in milliseconds.
    pub spent_ms: f64,
}

impl Observed {
    /// Observations where nothing was timed and nothing is limited.
    pub fn without_times(sizes: Vec<SizeObservation>) -> Self {
        Self {
            effort: Effort::Full,
            sizes,
            counts: Vec::new(),
            primes: Vec::new(),
            lacks_primes: false,
            uncountable: None,
            heaps: Vec::new(),
            start_up_ms: None,
            start_up_mb: None,
            processors: None,
            reads: true,
            n_max: None,
            time_limit_ms: f64::INFINITY,
            timeout_ms: f64::INFINITY,
            memory_limit_mb: f64::INFINITY,
            spent_ms: 0.0,
        }
    }
}

/// Observations at one size with one input.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct SizeObservation {
    /// The size.
    pub size: u64,
    /// The headline, in milliseconds; absent unless the size ended OK.
    pub runtime_ms: Option<f64>,
    /// The width of the headline's interval, in milliseconds.
    pub width_ms: f64,
    /// Share of the processor time that the kernel takes, apart from providing memory; absent if it
    /// is unknown.
    #[serde(default)]
    pub kernel_share: Option<f64>,
    /// The peak resident set, in MiB; absent unless the size ended OK.
    pub peak_memory_mb: Option<f64>,
    /// The largest resident set without the pages of files, in MiB. It is exact.
    #[serde(default)]
    pub anonymous_mb: Option<f64>,
    /// `VmData` + `VmStk`, in MiB.
    pub data_stack_mb: Option<f64>,
    /// Length of the input, in bytes.
    pub input_bytes: Option<u64>,
    /// Whether the size exceeded the time limit.
    pub over_time: bool,
    /// Whether the size exceeded the memory limit.
    pub over_memory: bool,
    /// Whether the size was measured for growth alone.
    pub extra: bool,
}

/// Instructions at one size.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct Counts {
    /// The size.
    pub size: u64,
    /// Instructions of the whole run.
    pub instructions: Option<u64>,
    /// Instructions of the program's own code, including inlined library code.
    pub own: Option<u64>,
    /// Instructions by source line, including the library code that a line calls.
    pub lines: BTreeMap<u32, u64>,
}

impl Counts {
    /// Ratio of the instructions executed here to those of `other`, at a size next to this one;
    /// `None` if the work is about the same. Instructions of the program's own code are compared,
    /// if they were counted.
    pub fn other_work(&self, other: &Self) -> Option<f64> {
        let here = self.work()? as f64;
        let there = other.work()? as f64;
        let [less, more] = [here.min(there), here.max(there)];
        let differs = more - less > NUMBER_INSTRUCTIONS && more > OTHER_WORK * less;
        differs.then_some(here / there.max(1.0))
    }

    /// The best known count of the program's work.
    pub(crate) fn work(&self) -> Option<u64> {
        self.own.or(self.instructions)
    }
}

impl Observed {
    /// The task's bound on the size, unless the job itself measured it and it ended OK.
    pub(crate) fn unmeasured_bound(&self) -> Option<u64> {
        let is_ok = |size: &SizeObservation| {
            size.runtime_ms.is_some() && !size.over_time && !size.over_memory
        };
        self.n_max.filter(|&bound| {
            let mut at_bound = self.sizes.iter().filter(|size| !size.extra && size.size >= bound);
            at_bound.clone().next().is_none() || !at_bound.all(is_ok)
        })
    }

    /// The worst result of each size, by rising size.
    pub(crate) fn worst_by_size(&self) -> Vec<SizeObservation> {
        let mut sizes: BTreeMap<u64, SizeObservation> = BTreeMap::new();
        for observation in &self.sizes {
            let worst = sizes.entry(observation.size).or_insert_with(|| SizeObservation {
                size: observation.size,
                ..SizeObservation::default()
            });
            if good(observation.runtime_ms) > good(worst.runtime_ms) {
                (worst.runtime_ms, worst.width_ms) = (observation.runtime_ms, observation.width_ms);
                worst.kernel_share = observation.kernel_share;
            }
            worst.peak_memory_mb = most(worst.peak_memory_mb, observation.peak_memory_mb);
            worst.anonymous_mb = most(worst.anonymous_mb, observation.anonymous_mb);
            worst.data_stack_mb = most(worst.data_stack_mb, observation.data_stack_mb);
            worst.input_bytes = worst.input_bytes.max(observation.input_bytes);
            worst.over_time |= observation.over_time;
            worst.over_memory |= observation.over_memory;
            worst.extra |= observation.extra;
        }
        sizes.into_values().collect()
    }
}

fn good(value: Option<f64>) -> Option<f64> {
    value.filter(|v| v.is_finite() && *v >= 0.0)
}

fn most(a: Option<f64>, b: Option<f64>) -> Option<f64> {
    [good(a), good(b)].into_iter().flatten().reduce(f64::max)
}
