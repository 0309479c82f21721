//! Builds the runner, the counter and the generator, so that a host embeds exactly the programs
//! that it was built with.
//!
//! All are static, so that they run with any image's libc. Static linking applies to a whole
//! compilation, and cargo cannot apply it to one member of a workspace. Hence a second cargo with
//! its own target folders.
//!
//! These folders are the same for every profile of the outer build. So an optimized build, an
//! instrumented one and clippy share one compilation of the programs.

use std::env::{self, VarError};
use std::error::Error;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

/// A program that lives in a sandbox.
struct Program {
    package: &'static str,
    folder: &'static str,
    linking: &'static Linking,
}

/// Link options of a program. Programs with the same options share a target folder.
struct Linking {
    folder: &'static str,
    flags: &'static str,
}

const STATIC: Linking = Linking {
    folder: "static",
    flags: "-Ctarget-feature=+crt-static\x1f-Crelocation-model=static",
};
/// Position-independent, so that the kernel places the counter far from the addresses that programs
/// are linked to.
const STATIC_PIE: Linking = Linking {
    folder: "static-pie",
    flags: "-Ctarget-feature=+crt-static\x1f-Crelocation-model=pic",
};

const PROGRAMS: [Program; 3] = [
    Program { package: "swiftprof-runner", folder: "runner", linking: &STATIC },
    Program { package: "swiftprof-generator", folder: "generator", linking: &STATIC },
    Program { package: "swiftprof-counter", folder: "counter", linking: &STATIC_PIE },
];

/// The folder for building the programs, relative to the workspace.
const TARGET: &str = "target/sandbox-programs";
/// Settings of the outer build (clippy, coverage). They must not affect sandbox programs, and would
/// have everything compiled again.
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
    let sources = [
        "runner",
        "../libs/protocol",
        "hook",
        "counter/src",
        "counter/Cargo.toml",
        "generator",
        "../libs/decode/src",
        "../libs/decode/Cargo.toml",
        "../libs/statistics/src",
        "../libs/statistics/Cargo.toml",
        "../libs/input/src",
        "../libs/input/Cargo.toml",
        "../libs/source-hash",
        "../Cargo.toml",
        "../Cargo.lock",
    ];
    for source in sources {
        println!("cargo::rerun-if-changed={}", here.join(source).display());
    }
    let target = here.join("..").join(TARGET);
    for program in PROGRAMS {
        let target = target.join(program.linking.folder);
        build(&program, &here, &target)?;
        let built = target.join(triple()?).join("runner").join(program.package);
        fs::copy(built, out.join(program.package))?;
    }
    Ok(())
}

/// The platform of the programs. A build for musl carries those that are built for glibc, because the
/// tests run them, and they are static as well.
fn triple() -> Result<String, VarError> {
    Ok(env::var("TARGET")?.replace("-musl", "-gnu"))
}

fn build(program: &Program, here: &Path, target: &Path) -> Result<(), Box<dyn Error>> {
    let Program { package, folder, linking } = program;
    let mut cargo = Command::new(env::var("CARGO")?);
    cargo
        .args(["build", "--profile", "runner", "--package", package, "--locked"])
        .args(["--target", &triple()?])
        .arg("--manifest-path")
        .arg(here.join(folder).join("Cargo.toml"))
        .arg("--target-dir")
        .arg(target)
        .env("CARGO_ENCODED_RUSTFLAGS", linking.flags);
    for variable in OUTER_BUILD {
        cargo.env_remove(variable);
    }
    let status = cargo.status()?;
    if !status.success() {
        return Err(format!("building {package}: {status}").into());
    }
    Ok(())
}
