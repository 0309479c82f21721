//! Code that the tests of several crates share. It depends on no crate of this workspace.
//!
//! [`require`] decides what happens where a test's tools are missing; [`wait`] polls for something
//! that sends no event.

#![forbid(unsafe_code)]
#![allow(clippy::panic, reason = "a test fails by panicking")]

pub mod require;
pub mod wait;
