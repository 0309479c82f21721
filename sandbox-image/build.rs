//! Builds the runner, the counter and the generator, so that the program that starts sandboxes
//! carries the ones it was built with.
//!
//! All must be static, to run under any image's libc; that is a flag of the whole compilation which
//! cargo cannot give to one member of a workspace, hence a cargo of its own, with target folders of
//! its own inside this crate's `OUT_DIR`.

use std::error::Error;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::{env, fs};

/// What lives in a sandbox: the package, its folder, and the flags it is compiled with. The counter
/// is relocatable, so that the kernel puts it far from where programs are linked to.
const PROGRAMS: [(&str, &str, &str); 3] = [
    ("swiftprof-runner", "runner", "-Ctarget-feature=+crt-static\x1f-Crelocation-model=static"),
    (
        "swiftprof-generator",
        "generator",
        "-Ctarget-feature=+crt-static\x1f-Crelocation-model=static",
    ),
    ("swiftprof-counter", "counter", "-Ctarget-feature=+crt-static\x1f-Crelocation-model=pic"),
];

fn main() -> Result<(), Box<dyn Error>> {
    let here = PathBuf::from(env::var("CARGO_MANIFEST_DIR")?);
    let out = PathBuf::from(env::var("OUT_DIR")?);
    let sources = [
        "runner",
        "protocol",
        "hook",
        "counter/src",
        "counter/Cargo.toml",
        "generator",
        "../crates/decode/src",
        "../crates/decode/Cargo.toml",
        "../crates/statistics/src",
        "../crates/statistics/Cargo.toml",
        "../crates/input/src",
        "../crates/input/Cargo.toml",
        "../Cargo.toml",
        "../Cargo.lock",
    ];
    for source in sources {
        println!("cargo::rerun-if-changed={}", here.join(source).display());
    }
    for (package, folder, flags) in PROGRAMS {
        build(package, &here.join(folder), &out.join(folder), flags)?;
        let built = out.join(folder).join(env::var("TARGET")?).join("runner").join(package);
        fs::copy(built, out.join(package))?;
    }
    Ok(())
}

fn build(package: &str, source: &Path, target: &Path, flags: &str) -> Result<(), Box<dyn Error>> {
    let mut cargo = Command::new(env::var("CARGO")?);
    cargo
        .args(["build", "--profile", "runner", "--package", package, "--locked"])
        .args(["--target", &env::var("TARGET")?])
        .arg("--manifest-path")
        .arg(source.join("Cargo.toml"))
        .arg("--target-dir")
        .arg(target)
        .env("CARGO_ENCODED_RUSTFLAGS", flags);
    // Whatever wraps the compiler outside (clippy, coverage) has no business in the sandbox.
    for wrapper in ["RUSTC_WRAPPER", "RUSTC_WORKSPACE_WRAPPER", "RUSTFLAGS", "LLVM_PROFILE_FILE"] {
        cargo.env_remove(wrapper);
    }
    let status = cargo.status()?;
    if !status.success() {
        return Err(format!("building {package}: {status}").into());
    }
    Ok(())
}
