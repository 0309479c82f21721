//! `cargo xtask build` and `cargo xtask dist`: one recipe for every target that is handed out.

mod archive;
mod content;
mod deb;
mod deployment;
mod image;
mod layout;
mod sandbox;
mod sbom;
mod target;
mod wheel;

use crate::install::{engine, packages};
use crate::steps::failure::Failure;
use crate::steps::shell::{command, output, root, run};
use crate::steps::step::Steps;
use crate::test::PROFILE;
use content::Content;
use std::env::consts::ARCH;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;
use target::{PACKAGE, PROGRAM, VERSION};
pub use target::{Target, named};

/// The target of 64-bit ARM.
pub const ARM: &str = "aarch64-unknown-linux-gnu";
/// Files next to the program in an archive, relative to the repository's root.
const DOCUMENTS: [&str; 2] = ["CHANGELOG.md", "README.md"];
/// Folder where packages are written, below the repository's root.
const FOLDER: &str = "target/dist";
/// Maximum size of a program that is handed out, in bytes. A build for glibc has 28 MB.
const MAX_PROGRAM_BYTES: u64 = 35_000_000;
/// The checksums of all packages, as `sha256sum --check` reads them.
const SUMS: &str = "SHA256SUMS";

/// `cargo xtask build --target TRIPLE`: the release build for one target.
pub(crate) fn build(triple: Option<&str>) -> Result<(), Failure> {
    let program = build_for(triple.map_or_else(target::of_host, named)?, Build::HandedOut)?;
    println!("{}", program.display());
    Ok(())
}

/// `cargo xtask dist`: an archive for one target, or for each static one. A static program is also
/// packed as a Debian package, a wheel and an image. The image of the sandboxes, the files for
/// Compose and Kubernetes, and the checksums come with them. The same commit gives the same
/// packages, but not the same image of the sandboxes, which Docker makes.
pub(crate) fn dist(triple: Option<&str>) -> Result<(), Failure> {
    let targets = match triple {
        Some(triple) => vec![named(triple)?],
        None => target::handed_out(),
    };
    // Check this before minutes of building, rather than after.
    target::check(&targets)?;
    let folder = root().join(FOLDER);
    let _ = fs::remove_dir_all(&folder);
    let mut steps = Steps::default();
    let make = |target: &&'static Target| {
        Ok((*target, steps.take(target.triple, || build_for(target, Build::HandedOut))?))
    };
    let built: Vec<_> = targets.iter().map(make).collect::<Result<_, Failure>>()?;
    // One of the programs can run on this machine.
    let runnable = built.iter().find(|(target, _)| target.triple.starts_with(ARCH));
    let (_, runnable) =
        runnable.ok_or_else(|| Failure::Missing(format!("swiftprof is not built for {ARCH}")))?;
    // All packed files get the time of the commit, in seconds after the epoch.
    let seconds = output(&mut command("git", ["log", "-1", "--format=%ct"]))?;
    let seconds = seconds.trim();
    let mut names = Vec::new();
    for (target, program) in &built {
        names.extend(pack(&folder, target, program, runnable, seconds)?);
    }
    names.extend(deployment::write(&folder, seconds)?);
    // A container often has no Docker. Everything else is complete then.
    let engine = packages::ensure(&packages::DOCKER).and_then(|()| engine::ensure());
    if engine.is_ok() {
        names.extend(sandbox::write(runnable, &folder, seconds)?);
    }
    let sums = output(command("sha256sum", &names).current_dir(&folder))?;
    fs::write(folder.join(SUMS), &sums).map_err(Failure::file(SUMS))?;
    print!("\nin {FOLDER}:\n{sums}");
    if let Err(failure) = engine {
        println!("without the sandbox image, which Docker makes: {failure}");
    }
    Ok(())
}

/// Writes all packages of a target to a folder; returns their names.
fn pack(
    folder: &Path,
    target: &Target,
    program: &Path,
    runnable: &Path,
    seconds: &str,
) -> Result<Vec<String>, Failure> {
    let to = folder.join(format!("{PROGRAM}-{VERSION}-{}", target.triple));
    let documents = DOCUMENTS.map(|name| root().join(name));
    let content = Content::gather(to, program, runnable, &documents, seconds)?;
    let mut names = vec![archive::write(&content.folder, &content.seconds)?];
    // A dynamic program needs the glibc that it was linked to, which these packages do not promise.
    if target.is_static() {
        names.push(deb::write(&content, target, folder)?);
        names.push(wheel::write(&content, target, folder)?);
        names.push(image::write(&content, target, folder)?);
    }
    fs::remove_dir_all(&content.folder).map_err(Failure::file("remove what was packed"))?;
    Ok(names)
}

/// Makes the command that checks packages for ARM, with these words.
pub(crate) fn arm_check(words: &[&str]) -> Result<Command, Failure> {
    let target = named(ARM)?;
    if !target.has_library()? {
        run(&mut command("rustup", ["target", "add", target.triple]))?;
    }
    target::check(&[target])?;
    let mut check = command("cargo", ["check", "--profile", PROFILE]);
    check.args(words).args(["--locked", "--target", target.triple]).envs(target.variables());
    Ok(check)
}

/// Purpose of a build.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Build {
    /// Build for users.
    HandedOut,
    /// Build for an emulated guest.
    Guest {
        /// Whether it is a debug build, which takes less time.
        is_debug: bool,
    },
}

impl Build {
    fn is_release(self) -> bool {
        self != Self::Guest { is_debug: true }
    }

    /// Adds the options and variables of a build for `target`.
    pub fn configure(self, cargo: &mut Command, target: &Target) {
        cargo.args(["--target", target.triple]).envs(target.variables());
        if self != Self::HandedOut {
            cargo.envs([EMULATED]);
        }
        if self.is_release() {
            cargo.arg("--release");
        }
    }
}

/// The variable that makes a build wait longer, as `profiler_core::limits::PATIENCE` says.
const EMULATED: (&str, &str) = ("SWIFTPROF_EMULATED", "1");

/// Builds for a target; returns the program.
pub fn build_for(target: &Target, build: Build) -> Result<PathBuf, Failure> {
    target::check(&[target])?;
    let words = ["build", "--locked", "--package", PACKAGE, "--bin", PROGRAM];
    let mut cargo = command("cargo", words);
    build.configure(&mut cargo, target);
    run(&mut cargo)?;
    let profile = if build.is_release() { "release" } else { "debug" };
    let program = root().join("target").join(target.triple).join(profile).join(PROGRAM);
    let bytes = fs::metadata(&program).map_err(Failure::file("look at the program"))?.len();
    if matches!(build, Build::HandedOut) && bytes > MAX_PROGRAM_BYTES {
        return Err(Failure::TooLarge { bytes, most: MAX_PROGRAM_BYTES });
    }
    Ok(program)
}
