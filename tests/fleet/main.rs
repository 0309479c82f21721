//! A fleet of real processes on a real engine: gateways and workers that are killed, stopped and
//! drained while they work. Whatever happens, every event of a run is told once, in order, and the
//! last one is right.

#![allow(clippy::panic, clippy::expect_used, reason = "a test fails by panicking")]

mod gateways;
mod scene;
mod workers;
