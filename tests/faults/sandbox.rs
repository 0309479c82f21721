//! Somebody kills, removes or pauses a sandbox while it waits for a job, compiles, or runs.

use crate::scene::{error, works};
use nix::sys::signal::{Signal, kill};
use nix::unistd::Pid;
use profiler_client::v1::{ErrorCode, Job};
use profiler_tests::jobs;
use profiler_tests::swiftprof::Served;
use profiler_tests::traces::{self, COMPILER, Program, inside};
use std::time::{Duration, Instant};

/// Maximum time from the kill or stop of a sandbox to the end of its run. A kill is noticed at
/// once, a stopped runner every 500 ms; the rest is for a machine that stands still for seconds.
const ENDED_WITHIN: Duration = Duration::from_secs(8);

/// Fault injected into the sandbox.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Fault {
    /// `docker kill`.
    ContainerKilled,
    /// `docker rm --force`.
    ContainerRemoved,
    /// `docker pause`, for ever.
    ContainerPaused,
    /// SIGKILL to pid 1 of the sandbox.
    RunnerKilled,
    /// SIGSTOP to pid 1 of the sandbox, for ever.
    RunnerStopped,
    /// SIGKILL to the process that holds a native sandbox.
    LauncherKilled,
}

/// Moment of the fault.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Moment {
    /// All sandboxes wait, and no job comes until the fault was noticed.
    Idle,
    /// The sandbox waits for the next job, which comes at once.
    Waiting,
    Compiling,
    Running,
}

impl Fault {
    pub(crate) async fn does(self, sandbox: &str) {
        let daemon = async || traces::daemon(None).await.expect("a daemon answers");
        match self {
            Self::ContainerKilled => {
                daemon().await.kill_container(sandbox, None).await.expect("killed");
            }
            Self::ContainerRemoved => {
                let forced = bollard::query_parameters::RemoveContainerOptionsBuilder::default();
                let removed = daemon().await;
                let removed = removed.remove_container(sandbox, Some(forced.force(true).build()));
                // The server may remove it first.
                let _ = removed.await;
            }
            Self::ContainerPaused => {
                daemon().await.pause_container(sandbox).await.expect("paused");
            }
            Self::RunnerKilled => send(sandbox, true, Signal::SIGKILL),
            Self::RunnerStopped => send(sandbox, true, Signal::SIGSTOP),
            Self::LauncherKilled => send(sandbox, false, Signal::SIGKILL),
        }
    }
}

/// Sends a signal to pid 1 of a sandbox, or to its launcher outside the pid namespace.
fn send(sandbox: &str, to_runner: bool, signal: Signal) {
    let found = inside(sandbox);
    let wanted = |(pid, number, _): &&(u32, u32, String)| {
        if to_runner { *number == 1 } else { pid == number }
    };
    let Some((pid, ..)) = found.iter().find(wanted) else { panic!("not there: {found:?}") };
    kill(Pid::from_raw(pid.cast_signed()), signal).expect("it lives");
}

/// The waiting sandboxes, the oldest first. The next job gets the oldest one.
async fn waiting(served: &Served) -> Vec<String> {
    served.until_warm().await;
    let mut waiting = served.sandboxes().await;
    waiting.sort_by_cached_key(|sandbox| inside(sandbox).into_iter().map(|(pid, ..)| pid).min());
    waiting
}

/// A program that takes a second to compile and is in no cache.
fn slow_to_compile() -> Job {
    let source = "#include <bits/stdc++.h>\nint main() {}\n";
    let mut job = jobs::job(&format!("{source}// {}", uuid::Uuid::now_v7()));
    job.input_sizes = vec![1];
    if let Some(code) = &mut job.code {
        // No header is precompiled for a list that repeats an option.
        code.compiler_flags = vec!["-O1".into(), "-O1".into()];
    }
    job
}

pub(crate) async fn meets(backend: &'static str, fault: Fault, moment: Moment) {
    let served = Served::start(backend, &[]).await;
    let mut hit = waiting(&served).await;
    match moment {
        Moment::Idle => {
            for sandbox in &hit {
                fault.does(sandbox).await;
            }
            served.until_gone(&hit).await;
        }
        Moment::Waiting => {
            hit.truncate(1);
            fault.does(&hit[0]).await;
        }
        Moment::Compiling => {
            let client = served.client().await;
            let run = client.submit(slow_to_compile()).await.expect("accepted");
            hit = vec![served.sandbox_of(COMPILER).await];
            fault.does(&hit[0]).await;
            // It is compiled again, in another sandbox.
            run.wait().await.expect("a report");
        }
        Moment::Running => {
            let (job, name) = jobs::endless();
            let run = served.client().await.submit(job).await.expect("accepted");
            let program = Program::running(&name).await;
            hit = vec![served.sandbox_of(&name).await];
            let asked = Instant::now();
            fault.does(&hit[0]).await;
            assert_eq!(Box::pin(error(run, asked, ENDED_WITHIN)).await.code(), ErrorCode::Internal);
            program.gone().await;
        }
    }
    works(&served).await;
    served.until_gone(&hit).await;
    assert!(served.stop().await.success());
}
