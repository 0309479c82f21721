//! Builds the runner, the counter and the generator, so that a host embeds exactly the programs
//! that it was built with.
//!
//! All are static, so that they run with any image's libc. Static linking applies to a whole
//! compilation, and cargo cannot apply it to one member of a workspace. Hence a second cargo with
//! its own target folders.
//!
//! These folders are the same for every profile of the outer build. So an optimized build, an
//! instrumented one and clippy share one compilation of the programs.

use source_hash::Sources;
use std::env::{self, VarError};
use std::error::Error;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

/// The programs: the folder of each, and its relocation model. The counter is position-independent,
/// so that the kernel places it far from the addresses that programs are linked to.
const PROGRAMS: [(&str, &str); 3] =
    [("runner", "static"), ("generator", "static"), ("counter", "pic")];

/// The folder for building the programs, relative to the workspace. Programs of the same relocation
/// model share a target folder in it.
const TARGET: &str = "target/sandbox-programs";
/// Settings of the outer build (clippy, coverage). They must not affect sandbox programs, and would
/// cause everything to be compiled again.
const OUTER_BUILD: [&str; 5] = [
    "RUSTC_WRAPPER",
    "RUSTC_WORKSPACE_WRAPPER",
    "RUSTC_BOOTSTRAP",
    "RUSTFLAGS",
    "LLVM_PROFILE_FILE",
];

fn main() -> Result<(), Box<dyn Error>> {
    let here = PathBuf::from(env::var("CARGO_MANIFEST_DIR")?);
    let out = PathBuf::from(env::var("OUT_DIR")?);
    let workspace = here.join("..");
    let hashing = ["libs/protocol/build.rs", "libs/source-hash"].map(|path| workspace.join(path));
    for source in Sources::of_sandbox_programs(&workspace).paths().chain(hashing) {
        println!("cargo::rerun-if-changed={}", source.display());
    }
    let target = workspace.join(TARGET);
    for (folder, model) in PROGRAMS {
        let (package, target) = (format!("swiftprof-{folder}"), target.join(model));
        build(&here.join(folder), model, &target)?;
        fs::copy(target.join(triple()?).join("runner").join(&package), out.join(&package))?;
    }
    Ok(())
}

/// The platform of the programs. A build for musl carries those that are built for glibc, because
/// the tests run them, and they are static as well.
fn triple() -> Result<String, VarError> {
    Ok(env::var("TARGET")?.replace("-musl", "-gnu"))
}

fn build(folder: &Path, model: &str, target: &Path) -> Result<(), Box<dyn Error>> {
    let flags = format!("-Ctarget-feature=+crt-static\x1f-Crelocation-model={model}");
    let mut cargo = Command::new(env::var("CARGO")?);
    cargo
        .args(["build", "--profile", "runner", "--locked", "--target", &triple()?])
        .arg("--manifest-path")
        .arg(folder.join("Cargo.toml"))
        .arg("--target-dir")
        .arg(target)
        .env("CARGO_ENCODED_RUSTFLAGS", flags);
    for variable in OUTER_BUILD {
        cargo.env_remove(variable);
    }
    let status = cargo.status()?;
    if !status.success() {
        return Err(format!("building {}: {status}", folder.display()).into());
    }
    Ok(())
}
