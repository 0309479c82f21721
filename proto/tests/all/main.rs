//! The contract on the wire, and its form in files.

#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, reason = "a test may fail")]

mod drift;
mod file;
mod frozen;
mod json;
mod schema;
mod task;
