//! Tests that cargo-nextest runs. Groups, retries and limits are data in `.config/nextest.toml`.
//! For its options that replace cargo, see <https://nexte.st/docs/ci-features/archiving/>.

use super::results::Results;
use crate::install::tools;
use crate::steps::failure::Failure;
use crate::steps::shell::{command, output, root, run, target};
use std::fs;
use std::path::PathBuf;
use std::process::Command;

/// Cargo's profile of all test builds, so that all tiers share artifacts.
pub(crate) const PROFILE: &str = "ci";

/// Makes the command `cargo nextest run` with one of nextest's profiles.
pub(crate) fn run_with(profile: &str) -> Result<Command, Failure> {
    tools::cargo(["nextest", "run", "--cargo-profile", PROFILE, "--profile", profile])
}

/// Built tests. They run without cargo, which would wait for the other builds.
pub(crate) struct Built {
    binaries: PathBuf,
    workspace: PathBuf,
}

impl Built {
    /// Finds the tests that cargo builds for the options that `choose` adds.
    pub(crate) fn find(choose: impl FnOnce(&mut Command) -> &mut Command) -> Result<Self, Failure> {
        let folder = target("nextest")?;
        let keep = |name: &str, mut command: Command| {
            let path = folder.join(name);
            fs::write(&path, output(&mut command)?)
                .map_err(Failure::file(format!("write {}", path.display())))?;
            Ok(path)
        };
        let words = ["nextest", "list", "--cargo-profile", PROFILE, "--message-format", "json"];
        let mut list = tools::cargo(words)?;
        choose(list.args(["--list-type", "binaries-only"]));
        let metadata = command("cargo", ["metadata", "--format-version", "1", "--locked"]);
        let binaries = keep("binaries.json", list)?;
        Ok(Self { binaries, workspace: keep("workspace.json", metadata)? })
    }

    /// Makes the command `cargo nextest run` for these tests, with one of nextest's profiles.
    pub(crate) fn run_with(&self, profile: &str) -> Result<Command, Failure> {
        let mut run = tools::cargo(["nextest", "run", "--profile", profile])?;
        run.arg("--binaries-metadata").arg(&self.binaries);
        run.arg("--cargo-metadata").arg(&self.workspace);
        Ok(run)
    }
}

/// Runs a command of nextest, and adds its results, even if tests failed.
pub(crate) fn count(
    results: &mut Results,
    profile: &str,
    nextest: &mut Command,
) -> Result<(), Failure> {
    let written = root().join("target/nextest").join(profile).join("junit.xml");
    // An earlier run's results must not count if nextest ends before it writes.
    let _ = fs::remove_file(&written);
    let ran = run(nextest);
    if written.exists() {
        results.read(&written)?;
    }
    ran
}
