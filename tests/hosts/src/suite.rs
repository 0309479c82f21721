//! The suite of hostile programs: its build for a guest, how rows of it are run, and how its last
//! line is read. Nothing else here knows the suite.

use super::machine::PROGRAMS;
use serde_json::Value;
use std::path::PathBuf;
use xtask::release::{Build, Target};
use xtask::steps::failure::Failure;
use xtask::steps::shell::{command, output};

/// The suite's name.
pub(super) const NAME: &str = "conformance";

/// Values of `PROFILER_TEST_ROWS`: the first row of each group, the same with all rows about
/// memory, and all rows and checks.
pub(super) const FIRST: &str = "first";
pub(super) const MEMORY: &str = "memory";
pub(super) const ALL: &str = "all";

/// Builds the suite; returns the program.
pub(super) fn build(target: &Target, build: Build) -> Result<PathBuf, Failure> {
    let words = ["test", "--no-run", "--package", "profiler-tests", "--test", NAME];
    let mut cargo = command("cargo", words);
    build.configure(&mut cargo, target);
    let messages = output(cargo.args(["--message-format", "json"]))?;
    let messages = messages.lines().filter_map(|line| serde_json::from_str::<Value>(line).ok());
    let mut tests = messages.filter(|message| message["profile"]["test"] == true);
    let program = tests.find_map(|message| Some(message["executable"].as_str()?.into()));
    program.ok_or_else(|| Failure::Missing(format!("cargo built no {NAME}")))
}

/// The command that runs `rows` on `backend`.
pub(super) fn run(rows: &str, backend: &str) -> String {
    format!(
        "env PROFILER_TEST_ROWS={rows} PROFILER_TEST_REQUIRE={backend} {PROGRAMS}/{NAME} {backend}::"
    )
}

/// The counts of the suite's last line with the rows that failed, and whether it passed with at
/// least one row.
pub(super) fn judge(printed: &str) -> (String, bool) {
    let said = printed.lines().find_map(|line| line.strip_prefix("test result: "));
    let said = said.unwrap_or_default();
    let is_right = said.starts_with("ok.") && !said.starts_with("ok. 0 passed");
    let has_failed = |line: &&str| line.starts_with("test ") && line.ends_with("FAILED");
    let failed: Vec<_> = printed.lines().filter(has_failed).collect();
    let counts = said.split("; 0 ignored").next().unwrap_or_default();
    ([&[counts], &failed[..]].concat().join(", "), is_right)
}
