//! `cargo xtask build` and `cargo xtask dist`: one recipe for every target that is handed out.

mod archive;
mod target;

use crate::steps::failure::Failure;
use crate::steps::shell::{command, output, root, run};
use crate::steps::step::Steps;
use std::env::consts::ARCH;
use std::fs;
use std::path::{Path, PathBuf};
pub(crate) use target::{Target, named};

/// The target of 64-bit ARM.
pub(crate) const ARM: &str = "aarch64-unknown-linux-gnu";
/// The program that is handed out, and its package.
const PROGRAM: &str = "swiftprof";
const PACKAGE: &str = "profiler-cli";
/// The version of the whole workspace.
const VERSION: &str = env!("CARGO_PKG_VERSION");
/// What lies next to the program in an archive, relative to the repository's root.
const DOCUMENTS: [&str; 2] = ["CHANGELOG.md", "README.md"];
/// The folder of an archive that holds shell completions and man pages.
const GENERATED: &str = "completions-and-man-pages";
/// Where archives are written, below the repository's root.
const FOLDER: &str = "target/dist";
/// The checksums of all archives, as `sha256sum --check` reads them.
const SUMS: &str = "SHA256SUMS";

/// `cargo xtask build --target TRIPLE`: the release build for one target.
pub(crate) fn build(triple: Option<&str>) -> Result<(), Failure> {
    let program = build_for(triple.map_or_else(target::of_host, named)?, false)?;
    println!("{}", program.display());
    Ok(())
}

/// `cargo xtask dist`: an archive for each target of this machine's architecture, and the
/// checksums. The same commit gives the same archives.
pub(crate) fn dist() -> Result<(), Failure> {
    let targets = target::of_architecture(ARCH)?;
    // Before minutes of building, rather than after.
    targets.iter().try_for_each(|target| target.check())?;
    let folder = root().join(FOLDER);
    let _ = fs::remove_dir_all(&folder);
    let seconds = output(&mut command("git", ["log", "-1", "--format=%ct"]))?;
    let mut steps = Steps::default();
    let mut names = Vec::new();
    for target in targets {
        let program = steps.take(target.triple, || build_for(target, false))?;
        let name = format!("{PROGRAM}-{VERSION}-{}", target.triple);
        let content = folder.join(&name);
        gather(&content, &program)?;
        names.push(archive::write(&content, seconds.trim())?);
        fs::remove_dir_all(&content).map_err(Failure::file(content.to_string_lossy()))?;
    }
    let sums = output(command("sha256sum", &names).current_dir(&folder))?;
    fs::write(folder.join(SUMS), &sums).map_err(Failure::file(SUMS))?;
    print!("\nin {FOLDER}:\n{sums}");
    Ok(())
}

/// Checks the workspace for ARM. The programs of a sandbox are built, because a host embeds them.
pub(crate) fn check_arm() -> Result<(), Failure> {
    let target = named(ARM)?;
    if !target.has_library()? {
        run(&mut command("rustup", ["target", "add", target.triple]))?;
    }
    target.check()?;
    let words = ["check", "--workspace", "--locked", "--target", target.triple];
    run(command("cargo", words).envs(target.variables()))
}

/// Builds for a target; returns the program.
pub(crate) fn build_for(target: &Target, is_debug: bool) -> Result<PathBuf, Failure> {
    target.check()?;
    let words = ["build", "--locked", "--package", PACKAGE, "--bin", PROGRAM];
    let mut cargo = command("cargo", words);
    cargo.args(["--target", target.triple]).envs(target.variables());
    if !is_debug {
        cargo.arg("--release");
    }
    run(&mut cargo)?;
    let profile = if is_debug { "debug" } else { "release" };
    Ok(root().join("target").join(target.triple).join(profile).join(PROGRAM))
}

/// Copies what an archive holds into an empty folder. The program writes its completions and man
/// pages itself, so they fit.
fn gather(folder: &Path, program: &Path) -> Result<(), Failure> {
    fs::create_dir_all(folder).map_err(Failure::file(format!("make {}", folder.display())))?;
    let documents = DOCUMENTS.map(|name| root().join(name));
    for from in documents.iter().map(PathBuf::as_path).chain([program]) {
        let to = folder.join(from.file_name().unwrap_or_default());
        fs::copy(from, to).map_err(Failure::file(format!("copy {}", from.display())))?;
    }
    run(command(program, ["generate"]).arg(folder.join(GENERATED)))
}
