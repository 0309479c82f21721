//! The domain of the profiler: a C++ program becomes figures.
//!
//! The way of the data is one function, `pipeline`; every room it passes is a module here. This
//! crate knows no transport: wire types stop at the server and the client.

#![forbid(unsafe_code)]

pub mod allocations;
mod answers;
mod assemble;
pub mod cache;
pub mod candidates;
pub mod compile;
pub mod cores;
mod count;
pub mod error;
pub mod event;
mod fingerprint;
pub mod folders;
mod grow;
pub mod hotspots;
pub mod job;
pub mod limits;
pub mod measure;
pub mod outcome;
mod pipeline;
pub mod report;
pub mod run;
mod runs;
pub mod sandbox;
pub mod schedule;
mod startup;
pub mod stop;
mod talk;
pub mod trial;
