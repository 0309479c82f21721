//! Properties of every input, in addition to the examples next to the code: statistics, schedules,
//! requests, and every parser of text or frames from inside a sandbox.

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

/// The same cases in every run, so that a failure points to the change. `cargo xtask fuzz` finds
/// new cases.
fn config() -> Config {
    Config { failure_persistence: None, rng_seed: RngSeed::Fixed(5), ..Config::default() }
}

/// Fewer cases, for properties that take milliseconds each.
fn few() -> Config {
    Config { cases: 32, ..config() }
}
