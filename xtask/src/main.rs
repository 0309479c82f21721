//! `cargo xtask`. The tasks are a library, so that other programs can install and build in the same
//! way.

#![forbid(unsafe_code)]

use std::process::ExitCode;

fn main() -> ExitCode {
    xtask::main()
}
