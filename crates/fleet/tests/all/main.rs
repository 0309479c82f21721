//! Gateways and workers against a real NATS server, and against a simulated engine.

#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, reason = "a test may fail")]

mod engine;
mod rights;
mod scenarios;
mod seeds;
