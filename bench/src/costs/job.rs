//! The cost of one job of seven sizes, compared with the plan's literal procedure.

use crate::failure::Failure;
use crate::tools::series::{self, Series};
use profiler_core::build::BinaryCache;
use profiler_core::cancel::cancel_signal;
use profiler_core::job::{Draft, Job};
use profiler_core::job::{EXTRA_CORNER_CASES, INPUT_SCALES};
use profiler_core::report::{Events, Step};
use profiler_core::sandbox::Cores;
use profiler_core::sandbox::{Choice, Instance, Pool};
use profiler_core::{Profiler, run_job};
use profiler_proto::v1::event::Kind;
use std::fs;
use std::io::Write;
use std::os::unix::fs::PermissionsExt;
use std::path::Path;
use std::process::{Command, Stdio};
use std::time::{Duration, Instant, SystemTime};
use tokio::time::sleep;

/// The README's program.
const SOURCE: &str = include_str!("../../../examples/sort.cpp");
/// Rounds.
const ROUNDS: usize = 5;
/// Longer than a pool takes to start a sandbox.
const REFILL: Duration = Duration::from_secs(1);
/// Successive parts of a job.
const PARTS: [&str; 5] = [
    "taking the sandbox",
    "building",
    "timing the sizes, with start-up",
    "checking the input, more sizes",
    "counting",
];

/// Prints the cost of a job, and of its parts where nothing is started or compiled for it.
pub(crate) async fn run() -> Result<(), Failure> {
    let mut rows = vec![Series::new("the plan: docker run, 1 run a size")];
    let mut profilers = Vec::new();
    let mut parts_of = Vec::new();
    let folder = tempfile::tempdir()?;
    for choice in [Choice::Docker, Choice::Native] {
        let selected = choice.select(sandbox_image::DEFAULT_TAG, Instance::fresh(), |_| {}).await?;
        selected.backend.precompile(&mut |_| {}).await;
        let name = selected.backend.name();
        rows.push(Series::new(format!("{name}, sandbox started for it")));
        rows.push(Series::new(format!("{name}, sandbox waiting")));
        rows.push(Series::new(format!("{name}, waiting, compiled before")));
        let warm = Pool::new(selected.backend.clone(), 1).with_cores(Cores::of_this_host(1));
        let cold = Pool::new(selected.backend, 0).with_cores(Cores::of_this_host(1));
        let cache = BinaryCache::in_folder(folder.path().join(name));
        let whole = Series::new(format!("{name}, waiting, compiled before"));
        parts_of.push([vec![whole], PARTS.map(Series::new).into()].concat());
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
        for ([cold, warm, caching], parts) in profilers.iter().zip(&mut parts_of) {
            add(profiled(cold).await?.iter().sum());
            // The pool refills when it is idle, and does not report when it has.
            sleep(REFILL).await;
            add(profiled(warm).await?.iter().sum());
            sleep(REFILL).await;
            // In the first round this fills the cache.
            profiled(caching).await?;
            sleep(REFILL).await;
            let took = profiled(caching).await?;
            let whole = took.iter().sum();
            add(whole);
            parts.iter_mut().zip([&[whole], &took[..]].concat()).for_each(|(part, t)| part.add(t));
        }
    }
    series::print(
        "sort.cpp at seven sizes; ours: a warm-up, a probe, and 5 repetitions or more a size",
        &rows,
    );
    for parts in &parts_of {
        println!();
        series::print("the parts of one of these jobs", parts);
    }
    Ok(())
}

/// Runs a job, and returns the duration of each of [`PARTS`].
async fn profiled(profiler: &Profiler) -> Result<[Duration; PARTS.len()], Failure> {
    let mut draft = Draft::new("bench", SOURCE);
    draft.request.input_bounds = [("n".to_owned(), INPUT_SCALES[4].cast_signed())].into();
    let job = Job::try_from(draft)?;
    // The queue holds all events of a job.
    let (mut events, mut watcher) = Events::new("bench");
    let (_stopper, mut stopped) = cancel_signal();
    let begun = SystemTime::now();
    let done = run_job(&job, profiler, &mut events, &mut stopped, std::future::ready(())).await;
    let ended = SystemTime::now();
    let report = done.map_err(|error| error.message)?;
    if !report.sizes.iter().all(|size| size.runtime_ms().is_finite()) {
        return Err("a size did not end OK".into());
    }
    let mut timed = None;
    while let Ok(event) = watcher.try_recv() {
        if let Some(Kind::SizeMeasured(_)) = event.kind {
            timed = event.time;
        }
    }
    let &[(Step::Build, building), (Step::Measure, measuring), (Step::Analyse, analysing)] =
        events.steps()
    else {
        return Err("the job had other steps".into());
    };
    let timed: SystemTime = timed.ok_or("no size was measured")?.try_into()?;
    let ends = [building, measuring, timed, analysing, ended];
    let mut since = begun;
    Ok(ends.map(|end| end.duration_since(std::mem::replace(&mut since, end)).unwrap_or_default()))
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
