//! `cargo xtask demo`: a real program in a real sandbox, with one command.

mod fleet;

use crate::install::packages::{TOOLCHAIN, ensure};
use crate::install::{base, engine, tools};
use crate::steps::failure::Failure;
use crate::steps::shell::{command, root, run as sh, target};
use crate::steps::step::Steps;
use std::fs;
use std::path::{Path, PathBuf};

/// How `swiftprof` is run; the demo measures, so it is a release build.
const SWIFTPROF: [&str; 7] =
    ["run", "--release", "--package", "profiler-cli", "--bin", "swiftprof", "--"];
/// The program that is measured.
const EXAMPLE: &str = "examples/sort.cpp";

/// The classic tasks: NAME.cpp, NAME.yaml, and NAME.interactor.cpp where there is one.
const TASKS: &str = "examples/tasks";

/// `cargo xtask demo`, and of `all` classic tasks.
pub(crate) fn run(all: bool) -> Result<(), Failure> {
    let mut steps = Steps::default();
    prepare(&mut steps)?;
    if !all {
        // Times alone do not tell n log n from n for sure.
        let words = ["run", EXAMPLE, "--backend", "auto", "--growth", "full"];
        return steps.take("profile", || swiftprof(&words));
    }
    steps.take("profile the tasks", || specs()?.iter().try_for_each(|spec| task(spec)))
}

/// `cargo xtask demo --fleet`.
pub(crate) fn run_fleet() -> Result<(), Failure> {
    let mut steps = Steps::default();
    prepare(&mut steps)?;
    let nats = steps.take("NATS server", tools::prebuilt)?.join("nats-server");
    let words = ["build", "--release", "--package", "profiler-cli", "--bin", "swiftprof"];
    steps.take("build", || sh(&mut command("cargo", words)))?;
    let swiftprof = target("release")?.join("swiftprof");
    steps.take("fleet", || fleet::show(&nats, &swiftprof, &root().join(EXAMPLE)))
}

/// Installs what sandboxes need.
fn prepare(steps: &mut Steps) -> Result<(), Failure> {
    steps.take("install packages", || ensure(&TOOLCHAIN))?;
    // The demo starts no daemon: where none answers, the native sandbox does the same.
    if engine::answers() {
        steps.take("base image", base::ensure)?;
        steps.take("sandbox image", || swiftprof(&["image", "build"]))?;
    }
    Ok(())
}

/// The specs of all tasks, in order.
fn specs() -> Result<Vec<PathBuf>, Failure> {
    let list = fs::read_dir(root().join(TASKS)).map_err(Failure::file(format!("list {TASKS}")))?;
    let mut specs: Vec<_> = list.flatten().map(|entry| entry.path()).collect();
    specs.retain(|path| path.extension().is_some_and(|kind| kind == "yaml"));
    specs.sort_unstable();
    Ok(specs)
}

/// Says what is to be seen of a task, and profiles its program.
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

fn swiftprof(words: &[&str]) -> Result<(), Failure> {
    sh(&mut command("cargo", SWIFTPROF.iter().chain(words)))
}
