//! Steps the clock by hours, for the server only: a preloaded library changes the time that the
//! server sees. Nothing may depend on it except the timestamps of events and reports.

use crate::scene::PATIENCE;
use profiler_client::Error;
use profiler_client::v1::event::Kind;
use profiler_proto::Word;
use profiler_tests::jobs;
use profiler_tests::swiftprof::Served;
use profiler_tests::traces::Program;
use std::env::consts::ARCH;
use std::fs;
use std::path::Path;
use std::time::{Duration, Instant, SystemTime};
use tempfile::TempDir;
use tokio::time::timeout;

/// Size of a step, in seconds.
const STEP_SECONDS: i64 = 5 * 3600;
/// Smallest difference of timestamps after a step.
const SEEN: Duration = Duration::from_secs(4 * 3600);
/// The program's time.
const COMPUTES_MS: u32 = 100;
/// Maximum measured time on a busy machine.
const MEASURED_BELOW_MS: f64 = 200.0;
/// A deadline after the end of the compile.
const DEADLINE: Duration = Duration::from_secs(6);
/// Maximum time from a run's deadline to its end, on a machine that stands still for seconds. A
/// step of the clock is much longer.
const ENDED_WITHIN: Duration = Duration::from_secs(10);

/// The path of libfaketime on Debian.
fn library() -> String {
    format!("/usr/lib/{ARCH}-linux-gnu/faketime/libfaketime.so.1")
}

/// Whether the library is there.
pub(crate) fn is_installed() -> Result<(), String> {
    let library = library();
    Path::new(&library).exists().then_some(()).ok_or(format!("there is no {library}"))
}

/// A clock that can be stepped.
struct Clock(TempDir);

impl Clock {
    fn new() -> Self {
        let clock = Self(tempfile::tempdir().expect("a folder"));
        clock.step_to(0);
        clock
    }

    /// Steps the clock to `seconds` from the real time.
    fn step_to(&self, seconds: i64) {
        let made = self.0.path().join("new");
        fs::write(&made, format!("{seconds:+}\n")).expect("a file");
        fs::rename(made, self.0.path().join("offset")).expect("a file");
    }

    async fn serve(&self, backend: &str) -> Served {
        let offset = self.0.path().join("offset").display().to_string();
        let settings = [
            ("LD_PRELOAD", &*library()),
            ("FAKETIME_TIMESTAMP_FILE", &offset),
            ("FAKETIME_NO_CACHE", "1"),
            ("FAKETIME_DONT_FAKE_MONOTONIC", "1"),
        ];
        Served::start(backend, &settings).await
    }
}

pub(crate) async fn jumps_during_a_run(backend: &'static str) {
    let clock = Clock::new();
    let served = clock.serve(backend).await;
    let (mut job, name) = jobs::computing_ms(COMPUTES_MS);
    job.input_sizes = vec![1, 2, 3];
    let mut run = served.client().await.submit(job).await.expect("accepted");
    Program::started(&name).await;
    clock.step_to(STEP_SECONDS);
    let mut stamps: Vec<(u64, SystemTime)> = Vec::new();
    let report = loop {
        let next = timeout(PATIENCE, run.next()).await.expect("it goes on");
        let event = next.expect("the status is OK").expect("an ending");
        stamps.push((event.sequence, event.time));
        match event.kind {
            Kind::SizeMeasured(_) => clock.step_to(-STEP_SECONDS),
            Kind::Finished(report) => break report,
            Kind::Failed(error) => panic!("{}: {}", error.code().word(), error.message),
            Kind::Accepted(_)
            | Kind::Started(_)
            | Kind::Restarted(_)
            | Kind::CoreAwaited(_)
            | Kind::Compiled(_)
            | Kind::Heartbeat(_) => {}
        }
    };
    let figures = &report.runtime_ms;
    assert!(figures.iter().all(|&ms| ms < MEASURED_BELOW_MS), "{figures:?}");
    assert!(stamps.is_sorted_by_key(|&(sequence, _)| sequence), "{stamps:?}");
    // The timestamps come from the stepped clock, so the steps did happen.
    let steps = || stamps.windows(2).map(|pair| (pair[0].1, pair[1].1));
    let jumped = |from: SystemTime, to| to > from + SEEN;
    assert!(steps().any(|(from, to)| jumped(from, to)), "forwards: {stamps:?}");
    assert!(steps().any(|(from, to)| jumped(to, from)), "backwards: {stamps:?}");
    assert!(served.stop().await.success());
}

pub(crate) async fn jumps_before_a_deadline(backend: &'static str) {
    let clock = Clock::new();
    let served = clock.serve(backend).await;
    let begun = Instant::now();
    let (job, name) = jobs::endless();
    let client = served.client().await.with_run_timeout(DEADLINE);
    let run = client.submit(job).await.expect("accepted");
    let program = Program::running(&name).await;
    clock.step_to(STEP_SECONDS);
    let ended = tokio::spawn(run.wait());
    tokio::time::sleep_until((begun + DEADLINE / 2).into()).await;
    clock.step_to(-STEP_SECONDS);
    let ended = ended.await.expect("no panic");
    assert!(matches!(ended, Err(Error::Deadline)), "{ended:?}");
    let took = program.gone().await - begun;
    println!("    over after {} ms", took.as_millis());
    assert!((DEADLINE..DEADLINE + ENDED_WITHIN).contains(&took), "{took:?}");
    assert!(served.stop().await.success());
}
