//! `cargo xtask demo`: a real program in a real sandbox, with one command.

mod fleet;

use crate::install::packages::{TOOLCHAIN, announce};
use crate::install::{base, engine, tools};
use crate::steps::background::Background;
use crate::steps::failure::Failure;
use crate::steps::shell::{command, root, run as sh, target};
use crate::steps::step::Steps;
// A profile that builds quickly. The runner, which measures, has a profile of its own.
use crate::test::PROFILE;
use std::fs;
use std::path::{Path, PathBuf};
use std::time::Instant;

/// Options of cargo that select the demo's program.
const SWIFTPROF: [&str; 6] =
    ["--profile", PROFILE, "--package", "profiler-cli", "--bin", "swiftprof"];
/// Leaves out the service, the fleet and Arrow, which take half of the build.
const SMALL: &str = "--no-default-features";
/// The program that is measured.
const EXAMPLE: &str = "examples/sort.cpp";

/// The classic tasks: NAME.cpp, NAME.yaml, and NAME.interactor.cpp where there is one.
const TASKS: &str = "examples/tasks";

/// `cargo xtask demo`; with `all`, of all classic tasks.
pub(crate) fn run(all: bool) -> Result<(), Failure> {
    timed(|steps| {
        prepare(steps, &[SMALL])?;
        if !all {
            // Times alone do not reliably tell n log n from n.
            let words = ["run", EXAMPLE, "--backend", "auto", "--growth", "full"];
            return steps.take("profile", || swiftprof(&words));
        }
        steps.take("profile the tasks", || specs()?.iter().try_for_each(|spec| task(spec)))
    })
}

/// `cargo xtask demo --fleet`.
pub(crate) fn run_fleet() -> Result<(), Failure> {
    timed(|steps| {
        prepare(steps, &[])?;
        let nats = steps.take("NATS server", tools::prebuilt)?.join("nats-server");
        let swiftprof = target(PROFILE)?.join("swiftprof");
        steps.take("fleet", || fleet::show(&nats, &swiftprof, &root().join(EXAMPLE)))
    })
}

/// Takes steps, and prints how long they took.
fn timed(take: impl FnOnce(&mut Steps) -> Result<(), Failure>) -> Result<(), Failure> {
    let (begun, mut steps) = (Instant::now(), Steps::default());
    take(&mut steps)?;
    steps.summarise();
    println!("{:8.1} s  all", begun.elapsed().as_secs_f64());
    Ok(())
}

/// Builds swiftprof, and gets what sandboxes need in the background.
fn prepare(steps: &mut Steps, features: &[&str]) -> Result<(), Failure> {
    let missing = announce(&TOOLCHAIN)?;
    let packages = (!missing.is_empty()).then(|| {
        let waiting = format!("waiting for apt-get, which installs {missing}");
        (Background::begin("install packages", move || missing.install()), waiting)
    });
    // The demo starts no Docker daemon. If none answers, it runs natively and needs no image.
    let base = engine::answers().then(|| Background::begin("base image", base::ensure));
    let compile = || cargo("build", features, &[]);
    let mut built = steps.take("build swiftprof", compile);
    if let Some((packages, waiting)) = packages {
        wait(packages, &waiting)?;
        // The linker may have been missing while its package was unpacked.
        built = built.or_else(|_| steps.take("build swiftprof again", compile));
    }
    built?;
    if let Some(base) = base {
        wait(base, "waiting for docker, which gets the base image")?;
        steps.take("sandbox image", || cargo("run", features, &["image", "build"]))?;
    }
    Ok(())
}

/// Waits for a step in the background, and says so.
fn wait(step: Background<()>, waiting: &str) -> Result<(), Failure> {
    if !step.has_ended() {
        println!("{waiting}");
    }
    step.finish()
}

/// The specs of all tasks, in order.
fn specs() -> Result<Vec<PathBuf>, Failure> {
    let list = fs::read_dir(root().join(TASKS)).map_err(Failure::file(format!("list {TASKS}")))?;
    let mut specs: Vec<_> = list.flatten().map(|entry| entry.path()).collect();
    specs.retain(|path| path.extension().is_some_and(|kind| kind == "yaml"));
    specs.sort_unstable();
    Ok(specs)
}

/// Prints what a task shows, and profiles its program.
fn task(spec: &Path) -> Result<(), Failure> {
    let program = spec.with_extension("cpp");
    let source = fs::read_to_string(&program);
    let source = source.map_err(Failure::file(format!("read {}", program.display())))?;
    for line in source.lines().map_while(|line| line.strip_prefix("// ")) {
        println!("{line}");
    }
    let interactor = spec.with_extension("interactor.cpp");
    let [program, spec, other] = [&program, spec, &interactor].map(|path| path.to_string_lossy());
    let mut words = vec!["run", &program, "--input-spec", &spec];
    if interactor.exists() {
        words.extend(["--interactor", &other]);
    }
    swiftprof(&words)
}

/// Calls swiftprof as `cargo xtask demo` builds it.
fn swiftprof(words: &[&str]) -> Result<(), Failure> {
    cargo("run", &[SMALL], words)
}

fn cargo(task: &str, features: &[&str], words: &[&str]) -> Result<(), Failure> {
    let mut cargo = command("cargo", [task]);
    cargo.args(SWIFTPROF).args(features);
    if !words.is_empty() {
        cargo.arg("--").args(words);
    }
    sh(&mut cargo)
}
