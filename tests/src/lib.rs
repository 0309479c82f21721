//! What must hold across crates and backends.
//!
//! `programs/` holds small C++ programs, ordinary and hostile; [`model`] says what must come out of
//! each; [`harness`] profiles them in this process, and [`remains`] looks for what they leave;
//! [`server`] serves the fake in this process, and [`swiftprof`] the real thing in a process of its
//! own; [`traces`] sees what that leaves on the host, and [`campaign`] kills it again and again;
//! [`jobs`] has what is submitted.

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
pub mod server;
pub mod specs;
pub mod swiftprof;
pub mod traces;
