//! `cargo xtask demo`: a real program in a real sandbox, with one command.

use crate::error::Failure;
use crate::packages::{TOOLCHAIN, ensure};
use crate::shell::{command, run as sh};
use crate::step::Steps;
use crate::{base, engine};

/// How `swiftprof` is run; the demo measures, so it is a release build.
const SWIFTPROF: [&str; 7] =
    ["run", "--release", "--package", "profiler-cli", "--bin", "swiftprof", "--"];
/// The program that is measured.
const EXAMPLE: &str = "examples/sort.cpp";

/// `cargo xtask demo`.
pub(crate) fn run() -> Result<(), Failure> {
    let mut steps = Steps::default();
    steps.take("install packages", || ensure(&TOOLCHAIN))?;
    // The demo starts no daemon: where none answers, the native sandbox does the same.
    if engine::answers() {
        steps.take("base image", base::ensure)?;
        steps.take("sandbox image", || swiftprof(&["image", "build"]))?;
    }
    steps.take("profile", || swiftprof(&["run", EXAMPLE, "--backend", "auto"]))
}

fn swiftprof(words: &[&str]) -> Result<(), Failure> {
    sh(&mut command("cargo", SWIFTPROF.iter().chain(words)))
}
