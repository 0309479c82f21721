//! Domain logic of the profiler, which turns a C++ program into figures.
//!
//! Start in `pipeline`: it calls one module for each step, in order. This crate reads a request and
//! writes a report as messages of `profiler_proto`, and knows nothing of transports.

#![forbid(unsafe_code)]

mod analyse;
pub mod build;
pub mod cancel;
pub mod error;
pub mod figures;
pub mod job;
pub mod limits;
pub mod measure;
mod pipeline;
pub mod report;
pub mod sandbox;

pub use measure::input_check::opened_file::{opened_file, updates_file, written_file};
pub use pipeline::{Profiler, Turn, run_job};
