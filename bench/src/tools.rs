//! Tools that several benchmarks share.

pub(crate) mod backend_args;
pub(crate) mod busy_loops;
pub(crate) mod host_load;
pub(crate) mod processor_time;
pub(crate) mod programs;
pub(crate) mod series;
pub(crate) mod spread;
