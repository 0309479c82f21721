//! Jobs over the fake sandbox, and properties of what crosses the crate's border.

#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, reason = "a test may fail")]

mod pipeline;
mod properties;
