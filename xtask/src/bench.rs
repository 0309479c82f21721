//! `cargo xtask bench`: a release build of the benchmarks, for figures from a debug build mean
//! nothing.

use crate::error::Failure;
use crate::shell::{command, run as sh};

/// `cargo xtask bench NAME`.
pub(crate) fn run(words: &[String]) -> Result<(), Failure> {
    let cargo = ["run", "--release", "--quiet", "--package", "profiler-bench", "--"];
    sh(command("cargo", cargo).args(words))
}
