//! One process, from its start until everything that it started is gone.

pub(crate) mod context;
pub(crate) mod exec_args;
pub(crate) mod measure;
pub(crate) mod memory_reader;
pub(crate) mod origin;
pub(crate) mod outputs;
pub(crate) mod run_program;
pub(crate) mod runner;
pub(crate) mod spawn;
pub(crate) mod spec;
pub(crate) mod sweep;
pub(crate) mod tracer;
