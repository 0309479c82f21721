//! Share of the core's lines that its own tests execute, measured by cargo-llvm-cov.

use super::nextest::{PROFILE, count as count_results};
use super::results::Results;
use crate::install::{engine, tools};
use crate::steps::failure::Failure;
use crate::steps::shell::{root, run};
use std::process::Command;

/// The package whose lines are counted. Its tests run instrumented, and in no other suite.
pub(crate) const COVERED: &str = "profiler-core";
/// Minimum share of its lines, in percent.
const LEAST_PERCENT: &str = "90";
/// Files of it that are tests, which would raise the share.
const TESTS: &str = "/profiler-core/(tests/|src/(.*/)?tests[./])";
/// Folders of other packages.
const OTHERS: &str = "(crates|proto|sandbox-image)/";
/// Folder whose code runs only where a Docker daemon answers.
const DOCKER: &str = "/sandbox/docker/";

/// Makes the command for the instrumented tests.
fn tests() -> Result<Command, Failure> {
    let words = ["llvm-cov", "nextest", "--no-report", "--package", COVERED, "--cargo-profile"];
    tools::cargo(words.into_iter().chain([PROFILE, "--profile", "covered"]))
}

/// Builds the instrumented tests. cargo-llvm-cov has no option for that, so no test is selected.
pub(crate) fn build() -> Result<(), Failure> {
    run(tests()?.args(["--filterset", "none()", "--no-tests", "pass"]))
}

/// Runs the instrumented tests, and fails if they execute too few lines.
pub(crate) fn count(results: &mut Results) -> Result<(), Failure> {
    count_results(results, "covered", &mut tests()?)?;
    let others = format!("^{}/{OTHERS}", root().display());
    let docker = (!engine::answers()).then_some(DOCKER);
    let ignored = [&others, TESTS].into_iter().chain(docker).collect::<Vec<_>>().join("|");
    let words = ["llvm-cov", "report", "--summary-only", "--fail-under-lines", LEAST_PERCENT];
    let options = ["--profile", PROFILE, "--ignore-filename-regex", &ignored];
    run(&mut tools::cargo(words.into_iter().chain(options))?)
}
