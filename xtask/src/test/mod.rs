//! The three tiers of tests: `cargo xtask check`, `cargo xtask test --quick` and `cargo xtask
//! test`.

pub(crate) mod binaries;
mod changed;
mod coverage;
mod instrument;
mod suites;
pub(crate) mod undefended;

use crate::checks::{dependencies, python, wire};
use crate::fuzz;
use crate::install::packages::{self, ARM, CLOCK, DOCKER, PYTHON, TOOLCHAIN};
use crate::install::{base, engine, tools};
use crate::release;
use crate::steps::background::Background;
use crate::steps::failure::Failure;
use crate::steps::shell::{command, end_children, give_way, root, run as sh, target, watch};
use crate::steps::step::Steps;
use crate::steps::tally::Tally;
use crate::tidy;
use binaries::{Binary, FEATURES, Selection, build};
use std::path::PathBuf;
use suites::Suites;

/// Tools that the tests get in environment variables.
struct Tools {
    grpcurl: Option<PathBuf>,
    nats: Option<PathBuf>,
    perun: Option<PathBuf>,
    prometheus: Option<PathBuf>,
}

/// `cargo xtask check`: format, lints, the rules of the house, and the unit tests of what changed.
pub(crate) fn check() -> Result<(), Failure> {
    timed(|steps, suites| {
        let packages = changed::packages()?;
        println!("changed: {}", packages.join(" "));
        steps.take("format", format)?;
        steps.take("tidy", || tidy::check(&root()))?;
        if packages.is_empty() {
            return Ok(());
        }
        steps.take("clippy", || {
            let mut clippy = command("cargo", ["clippy", "--quiet", "--all-targets"]);
            for package in &packages {
                clippy.args(["--package", package]);
            }
            sh(clippy.args(["--", "-Dwarnings"]))
        })?;
        let units = steps.take("build unit tests", || build(&Selection::Units(&packages)))?;
        steps.take("unit tests", || suites.run(&units, &[]))
    })
}

/// `cargo xtask test --quick`: every crate on the fake backend, the contract checks, and one row of
/// each group of the table of hostile programs.
pub(crate) fn quick() -> Result<(), Failure> {
    timed(|steps, suites| {
        steps.take("install packages", || packages::ensure(&TOOLCHAIN))?;
        steps.take("format", format)?;
        steps.take("tidy", || tidy::check(&root()))?;
        let all = steps.take("build tests", || build(&Selection::Workspace))?;
        let (units, others): (Vec<_>, Vec<_>) = all.into_iter().partition(Binary::is_unit);
        steps.take("unit tests", || suites.run(&units, &[]))?;
        let quick: Vec<_> = others.into_iter().filter(Binary::is_quick).collect();
        let one_row = [("PROFILER_TEST_ROWS".into(), "first".into())];
        steps.take("contract tests and one row a group", || suites.run(&quick, &one_row))
    })
}

/// `cargo xtask test`: every check and every test, with everything installed that they need.
pub(crate) fn run() -> Result<(), Failure> {
    timed(all)
}

fn timed(task: impl FnOnce(&mut Steps, &mut Suites) -> Result<(), Failure>) -> Result<(), Failure> {
    let mut steps = Steps::default();
    let mut suites = Suites::read()?;
    let done = task(&mut steps, &mut suites);
    if done.is_err() {
        end_children();
    }
    steps.summarise();
    suites.summarise();
    done
}

fn all(steps: &mut Steps, suites: &mut Suites) -> Result<(), Failure> {
    let needs = || TOOLCHAIN.iter().chain(&DOCKER).chain(&PYTHON).chain(&CLOCK).chain(&ARM);
    steps.take("install packages", || packages::ensure(needs()))?;
    let llvm = steps.take("rust components", tools::rust_components)?;
    steps.prepare("docker daemon", "docker", engine::ensure)?;
    // What is installed waits for the network and the disk, and the checks for the processor.
    let image = Background::begin("base image", base::ensure);
    let python = Background::begin("python environments", python::prepare);
    let perun = Background::begin("perun", tools::perun);
    let grpcurl = Background::begin("grpcurl", tools::grpcurl);
    let nats = Background::begin("nats", tools::nats);
    let prometheus = Background::begin("prometheus", tools::prometheus);
    steps.take("format", format)?;
    steps.take("tidy", || tidy::check(&root()))?;
    let buf = steps.take("buf", tools::buf)?;
    steps.take("buf lint", || wire::lint(&buf))?;
    steps.take("buf breaking", || wire::breaking(&buf))?;
    let tests = steps.take("build tests", || build(&Selection::WithoutCovered))?;
    let (units, others): (Vec<_>, Vec<_>) = tests.into_iter().partition(Binary::is_unit);
    let (measuring, waiting): (Vec<_>, Vec<_>) = others.into_iter().partition(Binary::measures);
    steps.take("unit tests", || suites.run(&units, &[]))?;
    steps.take("documentation's examples", || doc_tests(&mut suites.tally))?;
    steps.prepare("base image", "docker", || image.finish())?;
    steps.prepare("sandbox image", "docker", || {
        sh(&mut command(target("debug")?.join("swiftprof"), ["image", "build"]))
    })?;
    // The other builds use the time in which the next suites wait.
    let builds = Background::begin("lints and other builds", builds);
    let grpcurl = steps.prepare("grpcurl", "grpcurl", || grpcurl.finish())?;
    let nats = steps.prepare("nats", "nats", || nats.finish())?;
    let perun = steps.prepare("perun", "perun", || perun.finish())?;
    let prometheus = steps.prepare("prometheus", "prometheus", || prometheus.finish())?;
    let tools = Tools { grpcurl, nats, perun, prometheus }.variables();
    steps.take("python environments", || python.finish())?;
    steps.take("python client", || python::check(&mut suites.tally))?;
    steps.take("contract and fault tests", || suites.run(&waiting, &tools))?;
    let covered = steps.take("rest of the background", || builds.finish())?;
    steps.take("covered tests", || coverage::count(suites, &covered, &llvm))?;
    steps.take("tests that measure", || suites.run(&measuring, &tools))
}

/// Everything that is built besides the tests. Returns the instrumented tests.
fn builds() -> Result<Vec<Binary>, Failure> {
    give_way()?;
    // The check for ARM is without the feature.
    let features = ["--features", FEATURES];
    let clippy = ["clippy", "--workspace", "--all-targets"].iter().chain(&features);
    sh(command("cargo", clippy).args(["--", "-Dwarnings"]))?;
    // Without the feature `fleet`, which releases have.
    let alone =
        ["clippy", "--package", "profiler-cli", "--no-default-features", "--", "-Dwarnings"];
    sh(&mut command("cargo", alone))?;
    let words = ["doc", "--workspace", "--no-deps"];
    sh(command("cargo", words).env("RUSTDOCFLAGS", "-Dwarnings"))?;
    release::check_arm()?;
    fuzz::seeds()?;
    dependencies::deny()?;
    build(&Selection::Covered)
}

fn format() -> Result<(), Failure> {
    cargo(&["fmt", "--all", "--check"])?;
    cargo(&["fmt", "--manifest-path", "fuzz/Cargo.toml", "--check"])
}

fn doc_tests(tally: &mut Tally) -> Result<(), Failure> {
    let doc_tests = command("cargo", ["test", "--workspace", "--doc"]);
    watch(doc_tests, |line| tally.see(line))
}

impl Tools {
    fn variables(&self) -> Vec<(String, String)> {
        let tools = [
            ("PROFILER_TEST_GRPCURL", &self.grpcurl),
            ("PROFILER_TEST_NATS", &self.nats),
            ("PROFILER_TEST_PERUN_PYTHON", &self.perun),
            ("PROFILER_TEST_PROMETHEUS", &self.prometheus),
        ];
        let found = tools.into_iter().filter_map(|(name, path)| {
            Some((name.to_owned(), path.as_ref()?.to_string_lossy().into_owned()))
        });
        found.collect()
    }
}

fn cargo(words: &[&str]) -> Result<(), Failure> {
    sh(&mut command("cargo", words))
}
