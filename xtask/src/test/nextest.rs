//! Tests that cargo-nextest runs. Groups, retries and limits are data in `.config/nextest.toml`.

use super::results::Results;
use crate::install::tools;
use crate::steps::failure::Failure;
use crate::steps::shell::{root, run};
use std::fs;
use std::process::Command;

/// Cargo's profile of every build that tests, for artifacts that all tiers share.
pub(crate) const PROFILE: &str = "ci";

/// `cargo nextest run` with a profile of nextest's.
pub(crate) fn run_with(profile: &str) -> Result<Command, Failure> {
    tools::cargo(["nextest", "run", "--cargo-profile", PROFILE, "--profile", profile])
}

/// Runs such a command, and adds its results, also if tests failed.
pub(crate) fn count(
    results: &mut Results,
    profile: &str,
    nextest: &mut Command,
) -> Result<(), Failure> {
    let written = root().join("target/nextest").join(profile).join("junit.xml");
    // An earlier run's results must not count if nextest ends before it writes.
    let _ = fs::remove_file(&written);
    let ran = run(nextest);
    if written.exists() {
        results.read(&written)?;
    }
    ran
}
