//! The domain of the profiler: a C++ program becomes figures.
//!
//! `pipeline` is the way of the data; each step it calls is a room of its own. This crate knows no
//! transport: wire types stop at the server and the client.

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

pub use pipeline::{Profiler, run_job};
