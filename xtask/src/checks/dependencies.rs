//! Dependencies: what `deny.toml` asks of their licences and sources, and the oldest Rust that
//! builds everything.

use crate::install::tools;
use crate::steps::failure::Failure;
use crate::steps::shell::{command, run};

/// The `rust-version` of the workspace.
const OLDEST: &str = env!("CARGO_PKG_RUST_VERSION");

/// `cargo xtask deny`.
pub(crate) fn deny() -> Result<(), Failure> {
    // Advisories are left out: their database needs a network that not every machine has.
    run(&mut tools::cargo(["deny", "check", "bans", "licenses", "sources"])?)
}

/// `cargo xtask msrv`: installs the oldest supported Rust, and checks every target with it.
pub(crate) fn msrv() -> Result<(), Failure> {
    run(&mut command("rustup", ["toolchain", "install", OLDEST, "--profile", "minimal"]))?;
    let words = ["run", OLDEST, "cargo", "check", "--workspace", "--all-targets", "--locked"];
    run(command("rustup", words).args(["--target-dir", "target/msrv"]))
}
