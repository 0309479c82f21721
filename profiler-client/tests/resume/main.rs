//! What the client does by itself when its server refuses, disconnects, falls silent or goes away.
//! No test sleeps, because the clock is paused (`scene`).

#![allow(
    clippy::expect_used,
    clippy::panic,
    clippy::unwrap_used,
    reason = "a test fails by panicking"
)]

mod ending;
mod line;
mod restart;
mod scene;
mod server;
mod stream;
mod submission;
