//! Parsers of the compiler's output, and properties of all parsers.

#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, reason = "a test may fail")]

mod errors;
mod properties;
