//! The measurements that only growth needs, and the time that they may take.

use crate::job::Job;
use crate::limits::{BRIEF_COUNTING, GROWTH_BUDGET};
use crate::report::MeasuredSize;
use profiler_growth::{Counts, Effort};
use runner_protocol::Sample;
use std::time::Duration;

/// The smallest counted size. Below it, constant costs dominate.
pub(super) const LEAST_COUNTED: u64 = 4;
/// Expected overhead and slow-down of a run that is counted as a whole.
pub(super) const COUNT_START: Duration = Duration::from_millis(4);
pub(super) const COUNT_SLOWER: u32 = 2;
/// Expected overhead of a run that is counted in a forked process.
pub(super) const FORK_START: Duration = Duration::from_millis(2);

/// The measurements that only growth needs.
#[derive(Debug, Default)]
pub(crate) struct ExtraRuns {
    pub(super) sizes: Vec<MeasuredSize>,
    pub(super) counts: Vec<Counts>,
    /// Counts at primes next to counted sizes.
    pub(super) primes: Vec<Counts>,
    /// Whether sizes with small factors were counted, and no prime next to them could be.
    pub(super) lacks_primes: bool,
    /// Whether the counts were refused: two counts of a size differed, or one contradicted the
    /// timed runs. Then no count is evidence.
    pub(super) refuses_counts: bool,
    /// Reason why the program's instructions cannot be counted; `None` if they can, or if counting
    /// was not tried.
    pub(super) uncountable: Option<String>,
    pub(super) heaps: Vec<(u64, f64)>,
    /// Total time that these measurements may take.
    pub(super) allowed: Duration,
    pub(super) spent: Duration,
}

impl ExtraRuns {
    /// Whether there is a size to count, and time for it. A job whose input is missing gets no
    /// time.
    pub(crate) fn can_count(&self, sizes: &[MeasuredSize]) -> bool {
        self.allowed > self.spent && sizes.iter().chain(&self.sizes).any(MeasuredSize::is_ok)
    }

    /// Sets the time that these measurements may take. `took` is the time of all measurements so
    /// far, these included.
    #[must_use]
    pub(crate) fn allowing(self, job: &Job, sizes: &[MeasuredSize], took: Duration) -> Self {
        let allowed = allowed(job, sizes, took.saturating_sub(self.spent));
        Self { allowed, ..self }
    }

    pub(super) fn refuse_counts(&mut self) {
        self.counts.clear();
        self.primes.clear();
        self.refuses_counts = true;
    }
}

/// The job's own measurements.
#[derive(Debug, Clone, Copy)]
pub(crate) struct KnownSizes<'a> {
    pub(crate) sizes: &'a [MeasuredSize],
    /// The runs of the empty program.
    pub(crate) start_up: &'a [Sample],
    /// Time that these measurements took, without compiling.
    pub(crate) took: Duration,
}

/// Whether a job needs measurements that serve growth alone.
pub(crate) fn is_measured(job: &Job) -> bool {
    job.options.growth != Effort::Timed && job.interactor.is_none()
}

/// Returns the time that measurements for growth alone may take: a share of what the job's own took
/// or, in a brief job, the same share of the first pass over `sizes` and a fixed time.
pub(super) fn allowed(job: &Job, sizes: &[MeasuredSize], took: Duration) -> Duration {
    match job.options.growth {
        Effort::Timed => Duration::ZERO,
        Effort::Counted if job.brief_precision().is_some() => {
            let first_pass: Duration = sizes.iter().map(MeasuredSize::first_run).sum();
            first_pass.mul_f64(job.growth_share) + BRIEF_COUNTING
        }
        Effort::Counted => took.mul_f64(job.growth_share),
        Effort::Full => GROWTH_BUDGET,
    }
}
