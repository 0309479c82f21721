//! `cargo xtask msrv`: the workspace is checked with the oldest Rust version that it claims to
//! support.

use crate::steps::failure::Failure;
use crate::steps::shell::{command, run as sh};

/// The `rust-version` of the workspace.
const OLDEST: &str = env!("CARGO_PKG_RUST_VERSION");

/// Installs that version, and checks every target with it.
pub(crate) fn run() -> Result<(), Failure> {
    sh(&mut command("rustup", ["toolchain", "install", OLDEST, "--profile", "minimal"]))?;
    let words = ["run", OLDEST, "cargo", "check", "--workspace", "--all-targets", "--locked"];
    sh(command("rustup", words).args(["--target-dir", "target/msrv"]))
}
