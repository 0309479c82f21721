//! The three tiers of tests: `cargo xtask check`, `cargo xtask test --quick` and `cargo xtask
//! test`.

mod budget;
mod changed;
mod coverage;
mod nextest;
mod results;
pub(crate) mod undefended;

use crate::checks::{dependencies, python, wire};
use crate::fuzz;
use crate::install::packages::{self, ARM, CLOCK, DOCKER, PYTHON, TOOLCHAIN};
use crate::install::{base, engine, tools};
use crate::release;
use crate::steps::background::{self, Background};
use crate::steps::busy::Ticks;
use crate::steps::failure::Failure;
use crate::steps::shell::{command, end_children, give_way, root, run as sh, target};
use crate::steps::step::Steps;
use crate::tidy;
use budget::Budget;
pub(crate) use nextest::PROFILE;
use nextest::{Built, count, run_with};
use results::Results;
use std::path::PathBuf;
use std::process::Command;
use std::time::Instant;

/// All packages, with the rarely used features that have tests.
const WORKSPACE: [&str; 3] = ["--workspace", "--features", "profiler-cli/otlp,profiler-tests/otlp"];
/// Packages whose code depends on the architecture. All others call only safe interfaces.
const SANDBOX_PROGRAMS: [&str; 6] = [
    "--package",
    "swiftprof-counter",
    "--package",
    "swiftprof-generator",
    "--package",
    "swiftprof-runner",
];
/// The command line as the demo builds it, with the programs of a sandbox.
const COMMAND_LINE: [&str; 3] = ["--package", "profiler-cli", "--no-default-features"];
/// Variable that selects which rows of the table of hostile programs run; see `tests/README.md`.
const ROWS: &str = "PROFILER_TEST_ROWS";

/// `cargo xtask check`: format, lints, the rules of the house, and the unit tests of what changed.
pub(crate) fn check() -> Result<(), Failure> {
    timed("check", |steps, results| {
        let packages = changed::packages()?;
        println!("changed: {}", packages.join(" "));
        steps.take("format", || sh(&mut command("cargo", ["fmt", "--all", "--check"])))?;
        steps.take("tidy", || tidy::check(&root()))?;
        if packages.is_empty() {
            return Ok(());
        }
        let chosen = || packages.iter().flat_map(|package| ["--package", package]);
        steps.take("build", || sh(build().args(chosen())))?;
        steps.take("test tools", tools::prebuilt)?;
        steps.take("unit tests", || {
            let words = chosen().chain(["--lib", "--bins", "--no-tests", "pass"]);
            count(results, "default", run_with("default")?.args(words).envs(lints()))
        })
    })
}

/// `cargo xtask test --quick`: every crate on the fake backend, the contract checks, and one row of
/// each group of the table of hostile programs.
pub(crate) fn quick() -> Result<(), Failure> {
    timed("quick", |steps, results| {
        steps.take("packages", || packages::ensure(TOOLCHAIN.iter().chain(&PYTHON)))?;
        steps.take("test tools", tools::prebuilt)?;
        steps.take("format", || sh(&mut command("cargo", ["fmt", "--all", "--check"])))?;
        steps.take("tidy", || tidy::check(&root()))?;
        steps.take("build tests", || sh(build().args(WORKSPACE)))?;
        steps.take("tests", || {
            let mut nextest = run_with("quick")?;
            nextest.args(WORKSPACE).envs(lints()).env(ROWS, "first");
            count(results, "quick", &mut nextest)
        })
    })
}

/// `cargo xtask test`: every check and every test, with everything installed that they need. With
/// `all`, also the checks that decide about few changes.
pub(crate) fn run(all: bool) -> Result<(), Failure> {
    timed("test", |steps, results| whole(steps, results, all))
}

/// Runs a tier, and prints its times and results in any case.
fn timed(
    tier: &str,
    task: impl FnOnce(&mut Steps, &mut Results) -> Result<(), Failure>,
) -> Result<(), Failure> {
    let budget = Budget::read(tier)?;
    let (begun, ticks) = (Instant::now(), Ticks::now());
    let (mut steps, mut results) = (Steps::default(), Results::default());
    let done = task(&mut steps, &mut results);
    // Asked before the other checks are ended, because their failures mean nothing afterwards.
    let done = background::failed_check().map_or(done, Err);
    if done.is_err() {
        end_children();
    }
    let suites = results.suites().iter().map(|(name, took)| (name.as_str(), *took));
    budget::print("suite (sum of its tests)", &budget.suites, suites);
    results.print_slowest();
    budget::print("step", &budget.steps, steps.taken());
    budget::print("tier", &[(tier.into(), budget.minutes)].into(), [(tier, begun.elapsed())]);
    println!("processors {} % busy", ticks.busy_percent());
    println!("\n{results}");
    done
}

fn whole(steps: &mut Steps, results: &mut Results, all: bool) -> Result<(), Failure> {
    let needs = || TOOLCHAIN.iter().chain(&DOCKER).chain(&PYTHON).chain(&CLOCK).chain(&ARM);
    steps.take("packages", || packages::ensure(needs()))?;
    steps.take("rust components", tools::rust_components)?;
    steps.prepare("docker daemon", "docker", engine::ensure)?;
    // Installing waits for the network and the disk, and the checks for the processor.
    let prebuilt = Background::begin("test tools", tools::prebuilt);
    let image = Background::begin("base image", base::ensure);
    let python = Background::begin_check("python lints", python::lint);
    let perun = Background::begin("perun", tools::perun);
    let testlib = Background::begin("testlib", tools::testlib);
    let grpcurl = Background::begin("grpcurl", tools::grpcurl);
    let prometheus = Background::begin("prometheus", tools::prometheus);
    // The quickest checks come first, so that a slip is known early.
    steps.take("format", || sh(&mut command("cargo", ["fmt", "--all", "--check"])))?;
    steps.take("tidy", || tidy::check(&root()))?;
    let prebuilt = steps.take("test tools", || prebuilt.finish())?;
    steps.take("buf", || wire::check(&prebuilt.join("buf")))?;
    steps.take("deny", dependencies::deny)?;
    let built = steps.take("build tests", || {
        sh(build().args(WORKSPACE))?;
        Built::find(|list| list.args(WORKSPACE).envs(lints()))
    })?;
    steps.prepare("base image", "docker", || image.finish())?;
    steps.prepare("sandbox image", "docker", || {
        sh(&mut command(target(PROFILE)?.join("swiftprof"), ["image", "build"]))
    })?;
    steps.take("fuzz seeds", fuzz::seeds)?;
    // The other builds use the time in which tests wait.
    let builds = Background::begin_check("other builds", builds);
    let tools = [
        ("PROFILER_TEST_GRPCURL", steps.prepare("grpcurl", "grpcurl", || grpcurl.finish())?),
        ("PROFILER_TEST_NATS", Some(prebuilt.join("nats-server"))),
        ("PROFILER_TEST_PERUN_PYTHON", steps.prepare("perun", "perun", || perun.finish())?),
        ("PROFILER_TEST_TESTLIB", steps.prepare("testlib", "testlib", || testlib.finish())?),
        (
            "PROFILER_TEST_PROMETHEUS",
            steps.prepare("prometheus", "prometheus", || prometheus.finish())?,
        ),
    ];
    let tools: Vec<_> = tools.into_iter().filter_map(|(name, path)| Some((name, path?))).collect();
    let tests = |results: &mut Results, profile| {
        count(results, profile, built.run_with(profile)?.envs(tools.clone()))
    };
    steps.take("python lints", || python.finish())?;
    steps.take("tests", || tests(results, "ci"))?;
    steps.take("python client", || python::test(|file| results.read(file)))?;
    steps.take("hostile programs", || tests(results, "hostile"))?;
    steps.take("rest of the other builds", || builds.finish())?;
    steps.take("tests that run alone", || tests(results, "alone"))?;
    if !all {
        return Ok(());
    }
    steps.take("rest of the hostile programs", || tests(results, "rest"))?;
    steps.take("ARM", || sh(release::arm_check(&COMMAND_LINE)?.envs(lints())))?;
    steps.take("coverage", coverage::check)
}

/// Makes the command that builds all targets and fails on a lint. One command builds the whole
/// workspace, because cargo unifies features over the packages of a command: a second one with
/// fewer packages would compile most dependencies again.
fn build() -> Command {
    let mut cargo = command("cargo", ["build", "--profile", PROFILE, "--all-targets"]);
    cargo.envs(lints());
    cargo
}

/// Returns the variable that sets the compiler of the workspace's packages: a script that lints as
/// well. All builds have it, because another compiler would compile these packages again.
pub(crate) fn lints() -> [(&'static str, PathBuf); 1] {
    [("RUSTC_WORKSPACE_WRAPPER", root().join("xtask/rustc-with-lints"))]
}

/// Builds everything besides what tests run.
fn builds() -> Result<(), Failure> {
    give_way()?;
    // The examples in documentation, which nextest does not run.
    let words = ["test", "--profile", PROFILE, "--doc", "--quiet"];
    sh(command("cargo", words).args(WORKSPACE).envs(lints()))?;
    // Without the lints: the documentation of these packages alone lacks the targets of some links.
    sh(&mut release::arm_check(&SANDBOX_PROGRAMS)?)
}
