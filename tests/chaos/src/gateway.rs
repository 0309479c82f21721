//! A gateway process. It does what its stdin asks, follows all logs, and writes down what it is
//! asked for, what it answers and what it is given. The next process goes on in the same journal,
//! as a gateway does that is started again with its store.

pub(crate) mod host;
pub(crate) mod requests;

use crate::failure::Failure;
use crate::jobs::{self, entry};
use crate::journal::Journal;
use crate::model::history::Answer;
use clap::Args;
use futures::StreamExt;
use nix::sys::signal::{Signal, kill};
use nix::unistd::Pid;
use profiler_fleet::{Cancelled, Credentials, Fleet, Gateway, LogLimits, Submitted};
use profiler_proto::v1::ErrorCode;
use requests::{Asked, Reply};
use std::io::{BufRead, Write, stdin, stdout};
use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::thread;
use std::time::Duration;
use tokio::sync::mpsc;
use tokio::time::sleep;

/// The pause after something failed.
const RETRY_PAUSE: Duration = Duration::from_millis(100);

/// A gateway process.
#[derive(Debug, Args)]
pub struct GatewayArgs {
    #[arg(long)]
    url: String,
    /// The pool of all runs.
    #[arg(long)]
    pool: String,
    #[arg(long)]
    journal: PathBuf,
}

/// State shared by the tasks of the process.
struct Process {
    gateway: Gateway,
    pool: String,
    journal: Journal,
    /// The position of the last event that it was given.
    given: AtomicU64,
    /// The process kills itself this many microseconds after its next submission begins. With 0 it
    /// does not.
    dies_after: AtomicU64,
}

/// Serves until stdin ends.
pub async fn run(args: GatewayArgs) -> Result<(), Failure> {
    let (journal, given) = Journal::resume(&args.journal)?;
    let (line, mut lines) = mpsc::unbounded_channel();
    thread::spawn(move || {
        for read in stdin().lock().lines() {
            if read.is_ok_and(|read| line.send(read).is_ok()) {
                continue;
            }
            break;
        }
        // It ends at the latest with the parent.
        std::process::exit(0);
    });
    let fleet = loop {
        match Fleet::prepare(&args.url, &Credentials::default(), LogLimits::default()).await {
            Ok(fleet) => break fleet,
            Err(_) => sleep(RETRY_PAUSE).await,
        }
    };
    let process = Arc::new(Process {
        gateway: Gateway::new(fleet),
        pool: args.pool,
        journal,
        given: AtomicU64::new(given),
        dies_after: AtomicU64::new(0),
    });
    tokio::spawn(Arc::clone(&process).follow(given));
    let minding = Arc::clone(&process);
    tokio::spawn(async move { minding.gateway.recall_forgotten_jobs().await });
    while let Some(line) = lines.recv().await {
        let (call, asked) = requests::call(&line)?;
        let asked = Asked::parse(asked)?;
        let process = Arc::clone(&process);
        tokio::spawn(async move {
            if let Some(reply) = Box::pin(process.answer(asked)).await {
                // One write, so that lines of two tasks do not mix.
                stdout().write_all(format!("{call} {reply}\n").as_bytes())?;
            }
            Ok::<_, Failure>(())
        });
    }
    Ok(())
}

impl Process {
    async fn follow(self: Arc<Self>, after: u64) {
        let mut events = self.gateway.fleet().follow(after);
        while let Some(followed) = events.next().await {
            let entry = entry(&followed);
            self.journal.given(&entry);
            self.given.store(entry.position, Ordering::Relaxed);
        }
    }

    async fn answer(&self, asked: Asked) -> Option<Reply> {
        match asked {
            Asked::Submit { run, caller, request } => {
                Some(self.submit(&run, &caller, &request).await)
            }
            Asked::Cancel { run, job_sequence, claim } => {
                Some(self.cancel(&run, job_sequence, &claim).await)
            }
            Asked::Where => Some(Reply::At(self.given.load(Ordering::Relaxed))),
            Asked::Die { after } => {
                let micros = u64::try_from(after.as_micros()).unwrap_or(u64::MAX);
                self.dies_after.store(micros.max(1), Ordering::Relaxed);
                None
            }
        }
    }

    async fn submit(&self, run: &str, caller: &str, request: &str) -> Reply {
        self.journal.asked(&Answer { request: request.into(), run: run.into() });
        let dies_after = self.dies_after.swap(0, Ordering::Relaxed);
        if dies_after > 0 {
            thread::spawn(move || {
                thread::sleep(Duration::from_micros(dies_after));
                // Nothing of this process runs after it.
                kill(Pid::this(), Signal::SIGKILL)
            });
        }
        match self.gateway.submit(jobs::run(run, caller, request, &self.pool)).await {
            Ok(Submitted::Run(origin) | Submitted::Ended(origin)) => {
                let run = origin.run_id().to_owned();
                self.journal.answered(&Answer { request: request.into(), run: run.clone() });
                Reply::Run { run, job_sequence: origin.job_sequence }
            }
            Ok(Submitted::QueueFull) => Reply::Full,
            Ok(Submitted::OtherJob) | Err(_) => Reply::Failed,
        }
    }

    async fn cancel(&self, run: &str, job_sequence: u64, claim: &str) -> Reply {
        self.journal.stops(run);
        let code = ErrorCode::Cancelled;
        let failure = || jobs::failed(claim, code);
        match self.gateway.cancel(run, job_sequence, code, failure).await {
            Ok(Cancelled::Stopping) => Reply::Stopping,
            Ok(Cancelled::Ended) => {
                self.journal.ended(run, claim);
                Reply::Ended
            }
            Ok(Cancelled::TooLate) => Reply::TooLate,
            Err(_) => Reply::Failed,
        }
    }
}
