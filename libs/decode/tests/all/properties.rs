//! Properties of every input of the parsers, in addition to the examples next to the code.

#![allow(clippy::float_cmp, reason = "where equal is written, not a bit may differ")]
#![allow(
    clippy::format_push_string,
    clippy::format_collect,
    reason = "texts are put together as read"
)]

mod diagnostics;
mod gnu_time;
mod hot_lines;

use proptest::test_runner::{Config, RngSeed};

/// The same cases in every run; the fuzzer finds new ones.
fn config() -> Config {
    Config { failure_persistence: None, rng_seed: RngSeed::Fixed(5), ..Config::default() }
}

/// Fewer cases, for properties that take milliseconds each.
fn few() -> Config {
    Config { cases: 32, ..config() }
}
