//! What the client does by itself when its server refuses, breaks off, falls silent or goes away.
//! No test sleeps: the clock stands still (`scene`).

#![allow(
    clippy::expect_used,
    clippy::panic,
    clippy::unwrap_used,
    reason = "a test fails by panicking"
)]

mod ending;
mod line;
mod scene;
mod server;
mod stream;
mod submission;
