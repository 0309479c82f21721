//! The measurements that only growth needs, and the time that they may take.

use crate::job::Job;
use crate::limits::GROWTH_BUDGET;
use crate::report::SizeResult;
use profiler_growth::{Counts, Effort};
use runner_protocol::Sample;
use std::time::Duration;

/// Counting by line needs the time of this many compilations: one with debug information, and about
/// as much for the counting.
const LINES_BUILDS: u32 = 3;
/// The smallest counted size. Below it, constant costs dominate.
pub(super) const LEAST_COUNTED: u32 = 4;

/// The measurements that only growth needs.
#[derive(Debug, Default)]
pub(crate) struct ExtraRuns {
    pub(super) sizes: Vec<SizeResult>,
    pub(super) counts: Vec<Counts>,
    pub(super) heaps: Vec<(u32, f64)>,
    /// How long they may take together.
    pub(super) allowed: Duration,
    pub(super) spent: Duration,
}

impl ExtraRuns {
    /// Whether a build that counts by line, and counting with it, fit into the time. Without one,
    /// compiling took `compile`.
    pub(crate) fn has_time_for_lines(&self, compile: Duration) -> bool {
        let left = self.allowed.saturating_sub(self.spent);
        !left.is_zero() && LINES_BUILDS * compile <= left
    }
}

/// The job's own measurements.
#[derive(Debug, Clone, Copy)]
pub(crate) struct KnownSizes<'a> {
    pub(crate) sizes: &'a [SizeResult],
    /// The runs of the empty program.
    pub(crate) start_up: &'a [Sample],
    /// The time that all of it took, without compiling.
    pub(crate) took: Duration,
}

/// Whether a job needs measurements only for growth.
pub(crate) fn is_measured(job: &Job) -> bool {
    job.growth != Effort::Timed && job.interactor.is_none()
}

/// How long measurements that only growth needs may take, after a job that `took` so long.
pub(super) fn allowed(job: &Job, took: Duration) -> Duration {
    match job.growth {
        Effort::Timed => Duration::ZERO,
        Effort::Counted => took.mul_f64(job.growth_share),
        Effort::Full => GROWTH_BUDGET,
    }
}
