//! `cargo xtask test`: installs what is missing, then checks and tests everything.

use crate::checks::{python, wire};
use crate::fuzz;
use crate::install::packages::{self, CLOCK, DOCKER, PYTHON, TOOLCHAIN};
use crate::install::tools::Tarpaulin;
use crate::install::{base, engine, tools};
use crate::steps::failure::Failure;
use crate::steps::shell::{command, run as sh, target, watch};
use crate::steps::step::Steps;
use crate::steps::tally::Tally;
use std::env;
use std::ffi::OsString;
use std::path::{Path, PathBuf};

/// What the core's lines are covered at least, in percent.
const COVERAGE_PERCENT: &str = "90";
/// Whose lines are counted.
const COVERED: &str = "profiler-core/src/*";
/// How long one test binary may take, in seconds.
const BINARY_SECONDS: &str = "2400";
/// Where the instrumented build lies: beside the plain one, so that neither evicts the other.
const COVERAGE_TARGET: &str = "target/coverage";

/// Tools that are handed to the tests.
struct Tools {
    grpcurl: Option<PathBuf>,
    perun: Option<PathBuf>,
    tarpaulin: PathBuf,
}

/// `cargo xtask test`.
pub(crate) fn run() -> Result<(), Failure> {
    let mut steps = Steps::default();
    let mut tally = Tally::default();
    let done = all(&mut steps, &mut tally);
    steps.summarise();
    println!("\n{tally}");
    done
}

fn all(steps: &mut Steps, tally: &mut Tally) -> Result<(), Failure> {
    let needs = || TOOLCHAIN.iter().chain(&DOCKER).chain(&PYTHON).chain(&CLOCK);
    steps.take("install packages", || packages::ensure(needs()))?;
    let tarpaulin = steps.take("begin cargo-tarpaulin", Tarpaulin::begin)?;
    steps.prepare("docker daemon", "docker", engine::ensure)?;
    steps.prepare("base image", "docker", base::ensure)?;
    let grpcurl = steps.prepare("grpcurl", "grpcurl", tools::grpcurl)?;
    let perun = steps.prepare("perun", "perun", tools::perun)?;
    let buf = steps.take("buf", tools::buf)?;
    checks(steps, &buf)?;
    steps.take("build swiftprof and the examples", || {
        let packages = ["build", "--package", "profiler-cli", "--package", "profiler-client"];
        cargo(&[&packages[..], &["--bins", "--examples"]].concat())
    })?;
    steps.prepare("sandbox image", "docker", || {
        let words = ["run", "--package", "profiler-cli", "--bin", "swiftprof"];
        cargo(&[&words[..], &["--", "image", "build"]].concat())
    })?;
    steps.take("fuzz targets over their seeds", fuzz::seeds)?;
    steps.take("python client", || python::check(tally))?;
    let tarpaulin = steps.take("finish cargo-tarpaulin", || tarpaulin.finish())?;
    let tools = Tools { grpcurl, perun, tarpaulin };
    steps.take("tests and coverage", || tests(&tools, tally))
}

/// What can be said without running anything of ours.
fn checks(steps: &mut Steps, buf: &Path) -> Result<(), Failure> {
    steps.take("rust components", tools::rust_components)?;
    steps.take("format", || {
        cargo(&["fmt", "--all", "--check"])?;
        cargo(&["fmt", "--manifest-path", "fuzz/Cargo.toml", "--check"])
    })?;
    steps.take("buf lint", || wire::lint(buf))?;
    steps.take("buf breaking", || wire::breaking(buf))?;
    steps.take("clippy", || {
        let words = ["clippy", "--workspace", "--all-targets", "--", "-Dwarnings"];
        cargo(&words)
    })?;
    steps.take("documentation", || {
        let words = ["doc", "--workspace", "--no-deps"];
        sh(command("cargo", words).env("RUSTDOCFLAGS", "-Dwarnings"))
    })
}

/// Every test of the workspace, once, with the core's coverage counted on the way: what is built
/// and run for the coverage is the same as `cargo test --workspace`, so it is not done twice.
fn tests(tools: &Tools, tally: &mut Tally) -> Result<(), Failure> {
    let mut tarpaulin = command("cargo", ["tarpaulin", "--engine", "llvm", "--workspace"]);
    tarpaulin
        .args(["--include-files", COVERED, "--fail-under", COVERAGE_PERCENT])
        .args(["--timeout", BINARY_SECONDS, "--out", "stdout"])
        .args(["--target-dir", COVERAGE_TARGET, "--skip-clean"])
        .args(["--no-fail-fast", "--color", "never"])
        .env("PATH", with_folder(&tools.tarpaulin)?);
    // The instrumented build has no programs beside its tests.
    tarpaulin.env("PROFILER_TEST_SWIFTPROF", target("debug")?.join("swiftprof"));
    for (variable, path) in
        [("PROFILER_TEST_GRPCURL", &tools.grpcurl), ("PROFILER_TEST_PERUN_PYTHON", &tools.perun)]
    {
        if let Some(path) = path {
            tarpaulin.env(variable, path);
        }
    }
    watch(tarpaulin, |line| tally.see(line))
}

fn with_folder(folder: &Path) -> Result<OsString, Failure> {
    let path = env::var_os("PATH").unwrap_or_default();
    let folders = [folder.to_owned()].into_iter().chain(env::split_paths(&path));
    env::join_paths(folders).map_err(|bad| Failure::Missing(bad.to_string()))
}

fn cargo(words: &[&str]) -> Result<(), Failure> {
    sh(&mut command("cargo", words))
}
