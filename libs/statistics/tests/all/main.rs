//! Properties that hold for every series, in addition to the examples in the unit tests.

#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, reason = "a test may fail")]
#![allow(clippy::float_cmp, reason = "where equal is written, not a bit may differ")]

mod headline;
mod summary;

use proptest::test_runner::{Config, RngSeed};

/// The same cases in every run, so a failure is caused by a change.
fn config() -> Config {
    Config { failure_persistence: None, rng_seed: RngSeed::Fixed(5), ..Config::default() }
}
