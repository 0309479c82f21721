//! A worker process whose sandboxes run nothing: it takes jobs, and appends the events of a default
//! job.

pub mod host;

use crate::failure::Failure;
use crate::jobs::{failed, signature, steps};
use crate::journal::Journal;
use crate::model::history::{Signature, Told};
use clap::Args;
use profiler_fleet::{
    Credentials, Fenced, Fleet, Lease, RunLog, Settlement, Taken, Worker, WorkerState,
};
use profiler_proto::v1::ErrorCode;
use profiler_proto::v1::event::Kind;
use std::io::{Read, Write, stdin};
use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;
use tokio::sync::watch;
use tokio::task::JoinSet;
use tokio::time::sleep;

/// The pause after something failed.
const RETRY_PAUSE: Duration = Duration::from_millis(100);

/// Every third run goes on after its lease is lost, as a worker does that is stopped between its
/// look at the lease and its append.
const CARELESS: u64 = 3;

/// A worker process.
#[derive(Debug, Args)]
pub struct WorkerArgs {
    #[arg(long)]
    url: String,
    /// A name that none before it had.
    #[arg(long)]
    name: String,
    #[arg(long)]
    pool: String,
    /// Runs at one time.
    #[arg(long)]
    cores: usize,
    /// Length of a run.
    #[arg(long, default_value_t = 0)]
    length_ms: u64,
    /// The file of what it was told.
    #[arg(long)]
    journal: Option<PathBuf>,
}

/// State shared by the tasks of the process.
struct Host {
    worker: Worker,
    journal: Journal,
    name: String,
    length: Duration,
    claims: AtomicU64,
}

/// Works until stdin ends.
pub async fn run(args: WorkerArgs) -> Result<(), Failure> {
    std::thread::spawn(|| {
        // It ends at the latest with the parent.
        let _ = stdin().read_to_end(&mut Vec::new());
        std::process::exit(0);
    });
    let journal = Journal::open(args.journal.as_deref())?;
    let fleet = loop {
        match Fleet::join(&args.url, &Credentials::default()).await {
            Ok(fleet) => break fleet,
            Err(_) => sleep(RETRY_PAUSE).await,
        }
    };
    let state = WorkerState {
        worker: args.name.clone(),
        pool: args.pool.clone(),
        cores: u32::try_from(args.cores)?,
        ..WorkerState::default()
    };
    let (_state, said) = watch::channel(state);
    let host = Arc::new(Host {
        worker: Worker::new(fleet, args.name.clone(), args.pool),
        journal,
        name: args.name,
        length: Duration::from_millis(args.length_ms),
        claims: AtomicU64::new(0),
    });
    let mut tasks = JoinSet::new();
    for _ in 0..args.cores {
        tasks.spawn(Arc::clone(&host).work());
    }
    // Whoever started the process waits for a line.
    println!("ready");
    std::io::stdout().flush()?;
    loop {
        // It ends only when the engine fails.
        let _ = host.worker.say(said.clone()).await;
        sleep(RETRY_PAUSE).await;
    }
}

/// Returns once a lease is lost that its worker heeds.
async fn lost(lease: &Lease, is_careless: bool) {
    lease.lost().await;
    if is_careless {
        std::future::pending::<()>().await;
    }
}

/// An ending of a run here.
enum Ended {
    Done,
    Fenced,
    LeaseLost,
}

impl Host {
    async fn work(self: Arc<Self>) {
        loop {
            let interrupted = |_: Option<&_>, _| failed("", ErrorCode::Interrupted);
            match self.worker.take(interrupted, std::future::pending()).await {
                Ok(None) => {}
                // A job and its events are large.
                Ok(Some(taken)) => Box::pin(self.finish(taken)).await,
                Err(_) => sleep(RETRY_PAUSE).await,
            }
        }
    }

    async fn finish(&self, mut taken: Taken) {
        let run = taken.origin.run_id().to_owned();
        self.journal.begun(&run);
        self.note(&run, &taken.log, Signature::default());
        let number = self.claims.fetch_add(1, Ordering::Relaxed);
        let claim = format!("{}/{number}", self.name);
        let is_careless = number.is_multiple_of(CARELESS);
        let ended = tokio::select! {
            done = self.append_steps(&run, &claim, &mut taken.log) => done,
            () = lost(&taken.lease, is_careless) => Ok(Ended::LeaseLost),
            // What was about to be appended is dropped, as the rest of the run is.
            code = taken.stop.asked(self.worker.fleet()) => {
                let ending = Kind::Failed(failed(&claim, code));
                self.append(&run, &mut taken.log, ending).await.map(|()| Ended::Done)
            }
        };
        let ended = ended.unwrap_or(Ended::Fenced);
        match ended {
            Ended::Done => {}
            Ended::Fenced => self.journal.fenced(&run),
            Ended::LeaseLost => self.journal.lease_lost(&run),
        }
        // A job that is not acknowledged comes again, and its log says that it has ended.
        let settlement =
            if matches!(ended, Ended::Done) { Settlement::Done } else { Settlement::Lost };
        let _ = self.worker.settle(taken.receipt, taken.lease, settlement).await;
    }

    async fn append_steps(
        &self,
        run: &str,
        claim: &str,
        log: &mut RunLog,
    ) -> Result<Ended, Fenced> {
        let kinds: Vec<Kind> = steps(claim).collect();
        let pause = self.length.div_f64(kinds.len() as f64);
        for kind in kinds {
            if !pause.is_zero() {
                sleep(pause).await;
            }
            self.append(run, log, kind).await?;
        }
        Ok(Ended::Done)
    }

    async fn append(&self, run: &str, log: &mut RunLog, kind: Kind) -> Result<(), Fenced> {
        let signed = signature(&kind);
        log.append(kind).await?;
        self.note(run, log, signed);
        Ok(())
    }

    /// Notes that the last event of the log is stored, as the log says.
    fn note(&self, run: &str, log: &RunLog, signed: Signature) {
        let standing = log.standing();
        let (number, position) = (standing.number, standing.position);
        self.journal.told(&Told { run: run.to_owned(), number, position, signed });
    }
}
