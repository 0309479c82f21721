//! The cost of runs, jobs, compiling, counting and inputs, compared with the plain command.

pub(crate) mod compile;
pub(crate) mod executions;
pub(crate) mod generate;
pub(crate) mod instructions;
pub(crate) mod job;
pub(crate) mod overhead;
pub(crate) mod test_cases;
pub(crate) mod throughput;
