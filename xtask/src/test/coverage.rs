//! Share of the core's lines that its own tests execute, measured by cargo-llvm-cov.

use super::nextest::PROFILE;
use crate::install::{engine, tools};
use crate::steps::failure::Failure;
use crate::steps::shell::{root, run};

/// The package whose lines are counted.
const COVERED: &str = "profiler-core";
/// Minimum share of lines that tests execute, in percent.
const LEAST_PERCENT: &str = "90";
/// Test files of the package, which would raise the share.
const TESTS: &str = "/profiler-core/(tests/|src/(.*/)?tests[./])";
/// Folders of other packages.
const OTHERS: &str = "(apps|crates|libs|proto|sandbox-image)/";
/// Folder whose code runs only if a Docker daemon answers.
const DOCKER: &str = "/sandbox/docker/";

/// Runs the core's tests instrumented, and fails if they execute too few lines.
pub(crate) fn check() -> Result<(), Failure> {
    let others = format!("^{}/{OTHERS}", root().display());
    let docker = (!engine::answers()).then_some(DOCKER);
    let ignored = [&others, TESTS].into_iter().chain(docker).collect::<Vec<_>>().join("|");
    let words = ["llvm-cov", "nextest", "--package", COVERED, "--cargo-profile", PROFILE];
    let report = ["--summary-only", "--fail-under-lines", LEAST_PERCENT];
    let options = ["--ignore-filename-regex", &ignored];
    run(&mut tools::cargo(words.into_iter().chain(report).chain(options))?)
}
