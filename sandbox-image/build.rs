//! Builds the runner, so that the program that starts sandboxes carries the one it was built with.
//!
//! The runner must be static, to run under any image's libc; that is a flag of the whole compilation
//! which cargo cannot give to one member of a workspace, hence a cargo of its own, with a target
//! folder of its own inside this crate's `OUT_DIR`.

use std::error::Error;
use std::path::PathBuf;
use std::process::Command;
use std::{env, fs};

fn main() -> Result<(), Box<dyn Error>> {
    let here = PathBuf::from(env::var("CARGO_MANIFEST_DIR")?);
    let out = PathBuf::from(env::var("OUT_DIR")?);
    let target = env::var("TARGET")?;
    for source in ["runner", "protocol", "../Cargo.lock"] {
        println!("cargo::rerun-if-changed={}", here.join(source).display());
    }
    let mut cargo = Command::new(env::var("CARGO")?);
    cargo
        .args(["build", "--profile", "runner", "--package", "swiftprof-runner", "--locked"])
        .args(["--target", &target])
        .arg("--manifest-path")
        .arg(here.join("runner/Cargo.toml"))
        .arg("--target-dir")
        .arg(out.join("runner"))
        .env(
            "CARGO_ENCODED_RUSTFLAGS",
            "-Ctarget-feature=+crt-static\x1f-Crelocation-model=static",
        );
    // Whatever wraps the compiler outside (clippy, coverage) has no business in the sandbox.
    for wrapper in ["RUSTC_WRAPPER", "RUSTC_WORKSPACE_WRAPPER", "RUSTFLAGS", "LLVM_PROFILE_FILE"] {
        cargo.env_remove(wrapper);
    }
    let status = cargo.status()?;
    if !status.success() {
        return Err(format!("building the runner: {status}").into());
    }
    let built = out.join("runner").join(target).join("runner/swiftprof-runner");
    fs::copy(built, out.join("swiftprof-runner"))?;
    Ok(())
}
