//! The acts of gateways and workers against a real NATS server.

#![allow(clippy::panic, clippy::expect_used, reason = "a test fails by panicking")]

mod losses;
mod queue;
mod runs;
mod scene;
