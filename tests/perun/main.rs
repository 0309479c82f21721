//! Profiles against the real Perun, which runs as a separate process.

#![allow(
    clippy::expect_used,
    clippy::panic,
    clippy::unwrap_used,
    reason = "a test fails by panicking"
)]

mod accept;
mod commands;
mod runs;
mod selftest;
mod store;

use profiler_test_support::require;
use std::path::{Path, PathBuf};

/// The Python that has Perun.
const PYTHON: &str = "PROFILER_TEST_PERUN_PYTHON";

/// The variable with the folder of Perun's configuration. Perun makes its folder in the home on
/// first use, and two Peruns that begin at once fail there; so each gets a folder of its own.
const CONFIGURATION: &str = "PERUN_CONFIG_DIR";

/// The Python that has Perun; without it the test is skipped, or fails where Perun is required.
fn python() -> Option<String> {
    require::tool("perun", PYTHON)
}

/// A file of this folder.
fn path(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("perun").join(name)
}
