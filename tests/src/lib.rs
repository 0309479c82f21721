//! Tests of contracts across crates and backends.
//!
//! `programs/` holds small C++ programs, ordinary and hostile, and [`model`] says how each must
//! end. [`rows`] makes tests of its rows. [`harness`] profiles programs in this process, and
//! [`remains`] looks for anything they leave.
//! [`server`] serves the fake backend in this process; [`swiftprof`] runs the real server as a
//! process. [`traces`] finds what that server leaves on the host, and [`campaign`] kills it again
//! and again. [`jobs`] holds jobs to submit.

#![forbid(unsafe_code)]
#![allow(
    clippy::panic,
    clippy::expect_used,
    clippy::missing_panics_doc,
    reason = "a test fails by panicking"
)]

pub mod campaign;
pub mod harness;
pub mod jobs;
pub mod model;
pub mod remains;
pub mod rows;
pub mod server;
pub mod specs;
pub mod swiftprof;
pub mod traces;
