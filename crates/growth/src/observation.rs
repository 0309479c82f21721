//! What growth is told from.

use std::collections::BTreeMap;

/// What growth is classified from.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum Effort {
    /// What the job measures anyway.
    #[default]
    Timed,
    /// Builds, counts and sizes of its own as well.
    Full,
}

/// Everything about a program that its growth is told from: plain figures, so that saved ones will
/// do.
#[derive(Debug, Clone, PartialEq)]
pub struct Observed {
    /// What was measured for it.
    pub effort: Effort,
    /// The sizes, in any order; of several results of one size the worst counts.
    pub sizes: Vec<SizeObservation>,
    /// Exact counts, in any order, at most one for each size.
    pub counts: Vec<Counts>,
    /// The most that was live on the heap, in MiB, exactly; by size, rising.
    pub heaps: Vec<(u32, f64)>,
    /// What an empty program takes, in milliseconds.
    pub start_up_ms: Option<f64>,
    /// Its peak resident set, in MiB.
    pub start_up_mb: Option<f64>,
    /// Whether the input holds more than the size.
    pub reads: bool,
    /// The bound of the size.
    pub n_max: Option<u32>,
    /// What a run may take in the end, in milliseconds.
    pub time_limit_ms: f64,
    /// The time that ended the runs that met the limit, in milliseconds.
    pub timeout_ms: f64,
    /// The memory limit, in MiB.
    pub memory_limit_mb: f64,
    /// How long was measured for growth alone, in milliseconds.
    pub spent_ms: f64,
}

/// What was seen at one size with one input.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct SizeObservation {
    /// The size.
    pub size: u32,
    /// The headline, in milliseconds; absent unless the size ended OK.
    pub runtime_ms: Option<f64>,
    /// The width of its interval, in milliseconds.
    pub width_ms: f64,
    /// The peak resident set, in MiB; absent unless the size ended OK.
    pub peak_memory_mb: Option<f64>,
    /// `VmData` + `VmStk`, in MiB.
    pub data_stack_mb: Option<f64>,
    /// How long the input was.
    pub input_bytes: Option<u64>,
    /// Whether it met the time limit.
    pub over_time: bool,
    /// Whether it met the memory limit.
    pub over_memory: bool,
    /// Whether it is one that was measured for growth alone.
    pub extra: bool,
}

/// Instructions at one size.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Counts {
    /// The size.
    pub size: u32,
    /// Of the whole run.
    pub instructions: Option<u64>,
    /// Those in the program's own code, what it inlines from libraries included.
    pub own: Option<u64>,
    /// By line of the source, what a line calls in libraries included.
    pub lines: BTreeMap<u32, u64>,
}

impl Observed {
    /// The worst of each size, rising.
    pub(crate) fn worst_by_size(&self) -> Vec<SizeObservation> {
        let mut sizes: BTreeMap<u32, SizeObservation> = BTreeMap::new();
        for seen in &self.sizes {
            let worst = sizes.entry(seen.size).or_insert_with(|| SizeObservation {
                size: seen.size,
                ..SizeObservation::default()
            });
            if good(seen.runtime_ms) > good(worst.runtime_ms) {
                (worst.runtime_ms, worst.width_ms) = (seen.runtime_ms, seen.width_ms);
            }
            worst.peak_memory_mb = most(worst.peak_memory_mb, seen.peak_memory_mb);
            worst.data_stack_mb = most(worst.data_stack_mb, seen.data_stack_mb);
            worst.input_bytes = worst.input_bytes.max(seen.input_bytes);
            worst.over_time |= seen.over_time;
            worst.over_memory |= seen.over_memory;
            worst.extra |= seen.extra;
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
