//! The client against servers that tests script.

#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, reason = "a test may fail")]

mod connect;
mod resume;
mod spec;
mod tls;
mod tree;
