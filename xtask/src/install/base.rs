//! The base of the sandbox image: from a registry, else from Debian's packages.

use crate::install::{debian, packages};
use crate::steps::failure::Failure;
use crate::steps::shell::{command, pipe, privileged, succeeds, target};
use crate::steps::step::Steps;
use std::process::Command;

/// Image that `sandbox-image/Dockerfile` builds on by default.
pub const BASE: &str = "swiftsolve/base:bookworm";
/// Name of the same image in a registry.
const UPSTREAM: &str = "debian:bookworm-slim";
/// Debian's name of the release.
const SUITE: &str = "bookworm";
/// Packages that the base needs, so that the image is built on it without a network.
const INCLUDE: &str = "--include=g++,binutils,time,libc6-dev";
/// Maximum time for a registry to hand over the base, in seconds.
const PULL_SECONDS: &str = "120";

/// `cargo xtask image`.
pub(crate) fn run() -> Result<(), Failure> {
    let mut steps = Steps::default();
    steps.take("install packages", || packages::ensure(&packages::DOCKER))?;
    steps.take("docker daemon", crate::install::engine::ensure)?;
    steps.take("base image", ensure)
}

/// Makes the base image unless the daemon has it.
pub(crate) fn ensure() -> Result<(), Failure> {
    if succeeds(&mut command("docker", ["image", "inspect", BASE])) {
        println!("{BASE} is there");
        return Ok(());
    }
    println!("pulling {UPSTREAM}");
    let pull = [PULL_SECONDS, "docker", "pull", "--quiet", UPSTREAM];
    if succeeds(&mut command("timeout", pull)) {
        return run_docker(&["tag", UPSTREAM, BASE]);
    }
    println!("no registry hands it over: making it from Debian's packages");
    from_packages()
}

fn from_packages() -> Result<(), Failure> {
    pack(&debian::own_arch()?, &mut command("docker", ["import", "-", BASE]))
}

/// Makes the base from Debian's packages for `arch`, and hands it as an archive to `taker`'s stdin.
pub fn pack(arch: &str, taker: &mut Command) -> Result<(), Failure> {
    let tree = target("xtask")?.join("base");
    let tree = tree.to_string_lossy();
    debian::make(&tree, SUITE, arch, INCLUDE)?;
    pipe(&mut privileged("tar", ["-C", &tree, "-c", "."]), taker)?;
    debian::remove(&tree)
}

fn run_docker(args: &[&str]) -> Result<(), Failure> {
    crate::steps::shell::run(&mut command("docker", args))
}
