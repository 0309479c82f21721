//! `cargo xtask codegen`. The generator is a program of its own, so that the other tasks do not wait
//! for a compiler of .proto files to be built.

use std::path::Path;
use std::process::Command;
use std::io;

/// The generator's package.
const GENERATOR: &str = "profiler-codegen";

/// Writes the bindings of the .proto files into `out`; without one, to where the committed ones lie.
pub fn generate(out: Option<&Path>) -> io::Result<()> {
    let status = Command::new(env!("CARGO"))
        .args(["run", "--quiet", "--package", GENERATOR, "--"])
        .args(out)
        .status()?;
    match status.success() {
        true => Ok(()),
        false => Err(io::Error::other(format!("{GENERATOR} failed: {status}"))),
    }
}
