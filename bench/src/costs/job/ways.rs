//! Ways to get the runtimes of a program at all sizes.

use super::programs::Case;
use crate::failure::Failure;
use profiler_client::Run;
use profiler_client::v1::event::Kind;
use profiler_tests::swiftprof::{Served, swiftprof};
use std::fmt::{self, Display, Formatter};
use std::fs::{self, File, Permissions};
use std::os::unix::fs::PermissionsExt;
use std::path::Path;
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};
use tempfile::TempDir;

/// A way to get the runtimes of a program at all sizes.
pub(super) enum Way<'a> {
    /// g++ once, and one run for each size.
    ByHand,
    /// The original plan: `docker run` for the compile, and for each size.
    Plan,
    /// `swiftprof run`.
    CommandLine { backend: &'static str, is_cached: bool },
    /// A server whose sandboxes wait for the next job.
    Service { backend: &'static str, server: &'a Served, is_cached: bool },
}

/// Times of a run since its submission.
#[derive(Debug, Clone, Copy)]
pub(super) struct Stages {
    pub(super) compiled: Duration,
    pub(super) measured: Duration,
    pub(super) ended: Duration,
}

impl Display for Way<'_> {
    fn fmt(&self, to: &mut Formatter<'_>) -> fmt::Result {
        let cached = |is_cached: &bool| if *is_cached { ", compiled before" } else { "" };
        match self {
            Self::ByHand => write!(to, "g++ once, 1 run a size"),
            Self::Plan => write!(to, "the plan: docker run, 1 run a size"),
            Self::CommandLine { backend, is_cached } => {
                write!(to, "{backend}, command line{}", cached(is_cached))
            }
            Self::Service { backend, is_cached, .. } => {
                write!(to, "{backend}, service{}", cached(is_cached))
            }
        }
    }
}

impl Way<'_> {
    /// Prepares what a way finds ready in the long run: the cached binary, and waiting sandboxes.
    pub(super) async fn get_ready(&self, case: &Case) -> Result<(), Failure> {
        match self {
            Self::CommandLine { is_cached: true, .. } | Self::Service { is_cached: true, .. } => {
                self.run(case, "cached").await?;
            }
            _ => {}
        }
        if let Self::Service { server, .. } = self {
            server.until_warm().await;
        }
        Ok(())
    }

    /// Profiles the program. `tag` is new for a program that must be compiled. Returns the stages
    /// of the service.
    pub(super) async fn run(&self, case: &Case, tag: &str) -> Result<Option<Stages>, Failure> {
        match self {
            Self::ByHand => by_hand(case).map(|()| None),
            Self::Plan => plan(case).map(|()| None),
            Self::CommandLine { backend, is_cached } => {
                let tag = if *is_cached { "cached" } else { tag };
                command_line(case, backend, tag).await.map(|()| None)
            }
            Self::Service { server, is_cached, .. } => {
                let job = case.job(if *is_cached { "cached" } else { tag });
                watched(server.client().await.submit(job).await?).await.map(Some)
            }
        }
    }
}

/// Watches a run to its end.
pub(super) async fn watched(mut run: Run) -> Result<Stages, Failure> {
    let begun = Instant::now();
    let mut stages =
        Stages { compiled: Duration::ZERO, measured: Duration::ZERO, ended: Duration::ZERO };
    while let Some(event) = run.next().await? {
        match event.kind {
            Kind::Compiled(_) => stages.compiled = begun.elapsed(),
            Kind::SizeMeasured(_) => stages.measured = begun.elapsed(),
            Kind::Failed(error) => return Err(error.message.into()),
            _ => {}
        }
    }
    stages.ended = begun.elapsed();
    Ok(stages)
}

fn by_hand(case: &Case) -> Result<(), Failure> {
    let folder = folder_with(case)?;
    let mut compile = Command::new("g++");
    compile.args(["-O2", "-std=c++17", "main.cpp", "-o", "main.out"]).current_dir(&folder);
    succeed(&mut compile)?;
    for input in 0..case.inputs.len() {
        let mut run = Command::new(folder.path().join("main.out"));
        succeed(run.stdin(File::open(folder.path().join(input.to_string()))?))?;
    }
    Ok(())
}

fn plan(case: &Case) -> Result<(), Failure> {
    let folder = folder_with(case)?;
    fs::set_permissions(&folder, Permissions::from_mode(0o777))?;
    let compile = ["/usr/bin/g++", "-O2", "-std=c++17", "main.cpp", "-o", "main.out"];
    succeed(&mut docker_run(folder.path(), &compile))?;
    for input in 0..case.inputs.len() {
        let mut run = docker_run(folder.path(), &["/usr/local/bin/sandbox-run", "./main.out"]);
        succeed(run.stdin(File::open(folder.path().join(input.to_string()))?))?;
    }
    Ok(())
}

/// Makes the `docker run` of the original plan, document 000, to the letter.
fn docker_run(code: &Path, program: &[&str]) -> Command {
    let mut run = Command::new("docker");
    run.args(["run", "--rm", "--interactive", "--network", "none", "--pids-limit", "64"])
        .args(["--memory", "512m", "--env", "SANDBOX_MEM_MB=512", "--user", "10001:10001"])
        .args(["--workdir", "/code", "--volume"])
        .arg(format!("{}:/code", code.display()))
        .args(["--entrypoint", program[0], sandbox_image::DEFAULT_TAG])
        .args(&program[1..]);
    run
}

async fn command_line(case: &Case, backend: &str, tag: &str) -> Result<(), Failure> {
    let folder = tempfile::tempdir()?;
    let source = folder.path().join("main.cpp");
    fs::write(&source, case.source(tag))?;
    let sizes: Vec<String> = case.sizes.iter().map(u64::to_string).collect();
    let mut command = swiftprof(&["run", "--backend", backend, "--sizes", &sizes.join(",")]);
    command.arg(source);
    if let Some(spec) = case.spec() {
        command.arg("--input-spec").arg(spec);
    }
    let status = command.stdout(Stdio::null()).stderr(Stdio::null()).status().await?;
    if status.success() { Ok(()) } else { Err(format!("swiftprof run: {status}").into()) }
}

/// A folder with the source, and the input of each size.
fn folder_with(case: &Case) -> Result<TempDir, Failure> {
    let folder = tempfile::tempdir()?;
    fs::write(folder.path().join("main.cpp"), case.source(""))?;
    for (at, input) in case.inputs.iter().enumerate() {
        fs::write(folder.path().join(at.to_string()), input)?;
    }
    Ok(folder)
}

fn succeed(command: &mut Command) -> Result<(), Failure> {
    let status = command.stdout(Stdio::null()).stderr(Stdio::null()).status()?;
    if status.success() { Ok(()) } else { Err(format!("{command:?}: {status}").into()) }
}
