//! `cargo xtask codegen`. The generator is a program of its own, so that the other tasks do not wait
//! for a compiler of .proto files to be built.

use std::io;
use std::path::Path;
use std::process::Command;

/// The generator's package.
const GENERATOR: &str = "profiler-codegen";

/// Writes the bindings of the .proto files into `out`; without one, to where the committed ones lie.
pub(crate) fn generate(out: Option<&Path>) -> io::Result<()> {
    let status = Command::new(env!("CARGO"))
        .args(["run", "--quiet", "--package", GENERATOR, "--"])
        .args(out)
        .status()?;
    if status.success() {
        return Ok(());
    }
    Err(io::Error::other(format!("{GENERATOR} failed: {status}")))
}
