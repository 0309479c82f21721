//! `cargo xtask codegen`. The generator is a program of its own, so that the other tasks do not
//! wait for a compiler of .proto files to be built.

use crate::steps::failure::Failure;
use crate::steps::shell::{command, run as sh};

/// Regenerates the committed bindings and descriptor set of the wire.
pub(crate) fn run() -> Result<(), Failure> {
    sh(&mut command("cargo", ["run", "--quiet", "--package", "profiler-codegen"]))
}
