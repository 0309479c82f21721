//! `cargo xtask bench`: a release build of the benchmarks, for figures from a debug build mean
//! nothing.

use crate::steps::failure::Failure;
use crate::steps::shell::{command, run as sh};

/// `cargo xtask bench NAME`. Some start `swiftprof`, which is in the same folder.
pub(crate) fn run(words: &[String]) -> Result<(), Failure> {
    let packages = ["--package", "profiler-bench", "--package", "profiler-cli"];
    sh(command("cargo", ["build", "--release", "--quiet", "--bins"]).args(packages))?;
    let cargo = ["run", "--release", "--quiet", "--package", "profiler-bench", "--"];
    sh(command("cargo", cargo).args(words))
}
