//! Measures what only the growth class needs, and classifies growth.
//!
//! With `growth: counted`, instructions are counted at the job's own sizes, by line or for whole
//! runs. If few of them ended OK, sizes below the first failure are added. Together, this takes at
//! most a share of the time that the job's own measurements took. In a brief job, it takes at most
//! the same share of the first run of each size, plus a fixed time.
//!
//! With `growth: full`, sizes are added between the requested ones, and above them if the bound and
//! the inputs allow it. Then instructions are counted at some of all these sizes, by line or for
//! whole runs, and the heap's peak is recorded there. A separate time budget covers everything but
//! compiling the build that records.
//!
//! If the input is n alone, instructions are also counted at a few primes: the usual sizes have
//! only small factors, and the work can depend on them.
//!
//! Additional sizes are measured on the measured core, right after the job's own and before
//! everything that is not timed. Counting and recording run after that core is released, and
//! counting in a sandbox in which nothing was timed. None of the results is added to the report's
//! sizes.

mod classify;
mod counts;
mod extra_runs;
mod extra_sizes;
mod primes;

pub(crate) use classify::{classify, classify_partial, worked_in_kernel_ms};
pub(crate) use counts::{count, record};
pub(crate) use extra_runs::{ExtraRuns, KnownSizes, is_measured};
pub(crate) use extra_sizes::measure;
