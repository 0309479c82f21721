//! Code that the tests of several crates share. It depends on no crate of this workspace.
//!
//! [`require`] decides what happens if a test's tools are missing; [`wait`] polls for something
//! that sends no event; [`elf`] makes headers of executables; [`nats`] starts the engine of a
//! fleet, and [`wire`] puts a proxy in front of it.

#![forbid(unsafe_code)]
#![allow(clippy::expect_used, reason = "a test fails by panicking")]

pub mod elf;
pub mod nats;
pub mod require;
pub mod wait;
pub mod wire;
