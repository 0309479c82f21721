//! The test binaries of the workspace: built by cargo, run by [`Suites`](super::suites::Suites).

use super::instrument;
use crate::steps::failure::Failure;
use crate::steps::shell::{command, output, root};
use serde_json::Value;
use std::fs;
use std::path::{Path, PathBuf};

/// The package whose lines are counted.
pub(crate) const COVERED: &str = "profiler-core";
/// Suites of the package `tests` that need a real sandbox and take minutes. `--quick` leaves them
/// out.
const SLOW: [&str; 9] =
    ["cli", "faults", "fleet", "grpcurl", "input_check", "perun", "probe", "serve", "telemetry"];
/// Suites that judge times and memory: nothing else may run meanwhile.
const MEASURING: [&str; 5] = ["documents", "cli", "perun", "probe", "conformance"];
/// Suites that judge what an attack achieves. What it achieves once is achieved, so a failed test
/// does not run again.
const ATTACKING: [&str; 2] = ["probe", "conformance"];
/// Run in this order; what is not listed runs before. The longest suite is last.
const LAST: [&str; 11] = [
    "service",
    "fleet",
    "input_check",
    "grpcurl",
    "serve",
    "faults",
    "documents",
    "cli",
    "perun",
    "probe",
    "conformance",
];

/// Which tests to build.
pub(crate) enum Selection<'a> {
    /// The unit tests of these packages.
    Units(&'a [String]),
    /// Everything, programs and examples included.
    Workspace,
    /// The same without the tests of the package whose lines are counted.
    WithoutCovered,
    /// That package, instrumented.
    Covered,
}

/// A test binary.
#[derive(Debug)]
pub(crate) struct Binary {
    pub(crate) package: String,
    pub(crate) name: String,
    pub(crate) executable: PathBuf,
    /// The package's folder, which tests run in.
    pub(crate) folder: PathBuf,
    kind: String,
    /// Whether it takes the options of Rust's own test harness.
    pub(crate) has_harness: bool,
}

/// What is built of a whole workspace. Cargo unifies features over the packages of one command. So
/// one command builds programs, examples and tests: another one with fewer packages would compile
/// most dependencies again.
const ALL: [&str; 6] = ["--workspace", "--bins", "--examples", "--tests", "--features", FEATURES];
/// Traces are for few, and have a test.
pub(crate) const FEATURES: &str = "profiler-cli/otlp,profiler-tests/otlp";

/// Builds test binaries, and returns them in the order in which they run.
pub(crate) fn build(selection: &Selection<'_>) -> Result<Vec<Binary>, Failure> {
    let json = ["--message-format", "json"];
    let mut cargo = match selection {
        Selection::Units(packages) => {
            let mut cargo = command("cargo", ["test", "--no-run", "--lib", "--bins"]);
            cargo.args(packages.iter().flat_map(|package| ["--package", package]));
            cargo
        }
        Selection::Workspace => command("cargo", ["build"].iter().chain(&ALL)),
        Selection::WithoutCovered => {
            command("cargo", ["build", "--exclude", COVERED].iter().chain(&ALL))
        }
        Selection::Covered => {
            let mut cargo = command("cargo", ["test", "--no-run", "--package", COVERED]);
            instrument::members(&mut cargo)?;
            cargo
        }
    };
    cargo.args(json);
    let messages = output(&mut cargo)?;
    let messages = messages.lines().filter_map(|line| serde_json::from_str::<Value>(line).ok());
    let mut binaries = Vec::new();
    for message in messages {
        let is_test = message["profile"]["test"].as_bool() == Some(true);
        let Some(executable) = message["executable"].as_str().filter(|_| is_test) else { continue };
        binaries.push(Binary::read(&message, executable.into())?);
    }
    let place =
        |binary: &Binary| LAST.iter().position(|name| *name == binary.name).map(|at| at + 1);
    binaries.sort_by_key(|binary| (place(binary), binary.package.clone(), binary.name.clone()));
    Ok(binaries)
}

impl Binary {
    fn read(message: &Value, executable: PathBuf) -> Result<Self, Failure> {
        let text = |value: &Value| value.as_str().unwrap_or_default().to_owned();
        let manifest = PathBuf::from(text(&message["manifest_path"]));
        let name = text(&message["target"]["name"]);
        let folder: PathBuf = manifest.parent().unwrap_or(&manifest).into();
        let package = folder.strip_prefix(root()).unwrap_or(&folder).display().to_string();
        let has_harness = has_harness(&manifest, &name)?;
        let kind = text(&message["target"]["kind"][0]);
        Ok(Self { package, name, executable, folder, kind, has_harness })
    }

    /// Whether its tests are next to the code that they test.
    pub(crate) fn is_unit(&self) -> bool {
        self.kind != "test"
    }

    /// Whether it must run alone.
    pub(crate) fn measures(&self) -> bool {
        MEASURING.contains(&self.name.as_str())
    }

    /// Whether a failed test runs again.
    pub(crate) fn may_fail_by_accident(&self) -> bool {
        self.has_harness && !ATTACKING.contains(&self.name.as_str())
    }

    /// A binary for a test of the runner.
    #[cfg(test)]
    pub(crate) fn stated(name: &str, executable: PathBuf) -> Self {
        let folder = executable.parent().map(PathBuf::from).unwrap_or_default();
        let (package, kind) = (String::new(), "test".into());
        Self { package, name: name.into(), executable, folder, kind, has_harness: true }
    }

    /// Whether `--quick` runs it.
    pub(crate) fn is_quick(&self) -> bool {
        !SLOW.contains(&self.name.as_str())
    }
}

/// Whether a target has Rust's own harness: its manifest does not say `harness = false`.
fn has_harness(manifest: &Path, name: &str) -> Result<bool, Failure> {
    let text = fs::read_to_string(manifest)
        .map_err(Failure::file(format!("read {}", manifest.display())))?;
    let parsed: toml::Table = toml::from_str(&text)
        .map_err(|cause| Failure::Missing(format!("{}: {cause}", manifest.display())))?;
    let targets = parsed.get("test").and_then(toml::Value::as_array).into_iter().flatten();
    let own =
        targets.filter(|target| target.get("name").and_then(toml::Value::as_str) == Some(name));
    let mut harness = own.filter_map(|target| target.get("harness")?.as_bool());
    Ok(harness.next().unwrap_or(true))
}
