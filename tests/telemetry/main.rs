//! Operator's view of a server: metrics that a real Prometheus reads, its alerts and its
//! dashboard, the log, and traces.

#![allow(clippy::expect_used, clippy::panic, reason = "a test fails by panicking")]

mod alerts;
mod log;
mod prometheus;
mod scrapes;
#[cfg(feature = "otlp")]
mod traces;
