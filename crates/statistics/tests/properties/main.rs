//! What holds for every series of figures, and not only for the examples beside the code.

#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, reason = "a test may fail")]
#![allow(clippy::float_cmp, reason = "where equal is written, not a bit may differ")]

mod headline;
mod summary;

use proptest::test_runner::{Config, RngSeed};

/// The same cases in every run: a change is judged by itself.
fn config() -> Config {
    Config { failure_persistence: None, rng_seed: RngSeed::Fixed(5), ..Config::default() }
}
