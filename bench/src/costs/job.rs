//! The cost of one job of seven sizes, compared with the plan's literal procedure.

use crate::failure::Failure;
use crate::tools::series::{self, Series};
use profiler_core::build::BinaryCache;
use profiler_core::cancel::cancel_signal;
use profiler_core::job::{Draft, Job};
use profiler_core::job::{EXTRA_CORNER_CASES, INPUT_SCALES};
use profiler_core::report::Events;
use profiler_core::sandbox::Cores;
use profiler_core::sandbox::{Choice, Instance, Pool};
use profiler_core::{Profiler, run_job};
use std::fs;
use std::io::Write;
use std::os::unix::fs::PermissionsExt;
use std::path::Path;
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};
use tokio::time::sleep;

/// The README's program.
const SOURCE: &str = include_str!("../../../examples/sort.cpp");
/// Rounds.
const ROUNDS: usize = 5;
/// Longer than a pool takes to start a sandbox.
const REFILL: Duration = Duration::from_secs(1);

/// Prints the cost of a job.
pub(crate) async fn run() -> Result<(), Failure> {
    let mut rows = vec![Series::new("the plan: docker run, 1 run a size")];
    let mut profilers = Vec::new();
    let folder = tempfile::tempdir()?;
    for choice in [Choice::Docker, Choice::Native] {
        let selected = choice.select(sandbox_image::DEFAULT_TAG, Instance::fresh(), |_| {}).await?;
        let name = selected.backend.name();
        rows.push(Series::new(format!("{name}, sandbox started for it")));
        rows.push(Series::new(format!("{name}, sandbox waiting")));
        rows.push(Series::new(format!("{name}, waiting, compiled before")));
        let warm = Pool::new(selected.backend.clone(), 1).with_cores(Cores::of_this_host(1));
        let cold = Pool::new(selected.backend, 0).with_cores(Cores::of_this_host(1));
        let cache = BinaryCache::in_folder(folder.path().join(name));
        profilers.push([
            Profiler::new(cold, None),
            Profiler::new(warm.clone(), None),
            Profiler::new(warm, Some(cache)),
        ]);
    }
    for _ in 0..ROUNDS {
        let mut row = rows.iter_mut();
        let mut add = |took| row.next().into_iter().for_each(|series| series.add(took));
        add(literal()?);
        for [cold, warm, caching] in &profilers {
            add(profiled(cold).await?);
            // The pool refills when it is idle, and does not report when it has.
            sleep(REFILL).await;
            add(profiled(warm).await?);
            sleep(REFILL).await;
            // In the first round this fills the cache.
            profiled(caching).await?;
            sleep(REFILL).await;
            add(profiled(caching).await?);
        }
    }
    series::print(
        "sort.cpp at seven sizes; ours: a warm-up, a probe, and 5 repetitions or more a size",
        &rows,
    );
    Ok(())
}

async fn profiled(profiler: &Profiler) -> Result<Duration, Failure> {
    let bounds = [("n".to_owned(), INPUT_SCALES[4].cast_signed())].into();
    let draft =
        Draft { task_id: "bench".into(), source: SOURCE.into(), bounds, ..Draft::default() };
    let job = Job::try_from(draft)?;
    // Nothing receives the events: the queue holds all events of a job.
    let (mut events, _watcher) = Events::new("bench");
    let (_stopper, mut stopped) = cancel_signal();
    let begun = Instant::now();
    let report = run_job(&job, profiler, &mut events, &mut stopped, std::future::ready(())).await?;
    let took = begun.elapsed();
    let all_ok = report.sizes.iter().all(|size| size.runtime_ms().is_finite());
    if all_ok { Ok(took) } else { Err("a size did not end OK".into()) }
}

/// Document 000 to the letter: one container for the compile, and one for each size, which runs the
/// plan's script.
fn literal() -> Result<Duration, Failure> {
    let folder = tempfile::tempdir()?;
    fs::set_permissions(folder.path(), fs::Permissions::from_mode(0o777))?;
    fs::write(folder.path().join("main.cpp"), SOURCE)?;
    let begun = Instant::now();
    let compile = ["-O2", "-std=c++17", "main.cpp", "-o", "main.out"];
    docker_run(folder.path(), "/usr/bin/g++", &compile, "")?;
    for size in EXTRA_CORNER_CASES.iter().chain(&INPUT_SCALES) {
        docker_run(
            folder.path(),
            "/usr/local/bin/sandbox-run",
            &["./main.out"],
            &format!("{size}\n"),
        )?;
    }
    Ok(begun.elapsed())
}

fn docker_run(code: &Path, program: &str, arguments: &[&str], input: &str) -> Result<(), Failure> {
    let mut run = Command::new("docker")
        .args(["run", "--rm", "--interactive", "--network", "none", "--pids-limit", "64"])
        .args(["--memory", "512m", "--env", "SANDBOX_MEM_MB=512", "--user", "sandbox"])
        .args(["--workdir", "/code", "--volume"])
        .arg(format!("{}:/code", code.display()))
        .args(["--entrypoint", program, sandbox_image::DEFAULT_TAG])
        .args(arguments)
        .stdin(Stdio::piped())
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .spawn()?;
    if let Some(mut stdin) = run.stdin.take() {
        stdin.write_all(input.as_bytes())?;
    }
    let status = run.wait()?;
    if status.success() { Ok(()) } else { Err(format!("docker run {program}: {status}").into()) }
}
