//! Searches of the costliest input that a spec allows.

#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, reason = "a test may fail")]

mod conforms;
mod finds;
mod frozen;
mod narrow;
mod related;
mod shrinks;
mod variation;
