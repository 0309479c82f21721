//! The kinds of runs: each file answers one request of the host.

pub(crate) mod allocations;
pub(crate) mod batch;
pub(crate) mod check;
pub(crate) mod compile;
pub(crate) mod count;
pub(crate) mod generate;
pub(crate) mod interactive;
pub(crate) mod memory_probe;
pub(crate) mod profile;
pub(crate) mod tools;
pub(crate) mod trace;
pub(crate) mod warm_up_child;
