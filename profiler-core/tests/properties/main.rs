//! What holds for every input, and not only for the examples beside the code: statistics,
//! schedules, requests, and every parser of text or frames that come from inside a sandbox.

#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, reason = "a test may fail")]
#![allow(clippy::float_cmp, reason = "where equal is written, not a bit may differ")]
#![allow(
    clippy::format_push_string,
    clippy::format_collect,
    reason = "texts are put together as read"
)]

mod flags;
mod frames;
mod job;
mod sizes;

use proptest::test_runner::{Config, RngSeed};

/// The same cases in every run: a change is judged by itself, and new cases are `cargo xtask
/// fuzz`'s.
fn config() -> Config {
    Config { failure_persistence: None, rng_seed: RngSeed::Fixed(5), ..Config::default() }
}

/// Fewer of them, where one takes milliseconds.
fn few() -> Config {
    Config { cases: 32, ..config() }
}
