//! A process of workers whose sandboxes run nothing: they take jobs, and append the events of a
//! default job.

pub mod host;

use crate::failure::Failure;
use crate::jobs::{failed, signature, steps};
use crate::journal::Journal;
use crate::model::history::{Signature, Told};
use clap::Args;
use futures::future::try_join_all;
use profiler_fleet::{
    Credentials, Fenced, Fleet, Lease, Peers, Roster, RunLog, Settlement, Taken, Worker,
    WorkerState,
};
use profiler_proto::v1::event::Kind;
use profiler_proto::v1::{self, ErrorCode};
use std::io::{Read, Write, stdin};
use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, SystemTime};
use tokio::sync::watch;
use tokio::task::JoinSet;
use tokio::time::sleep;

/// The pause after something failed.
const RETRY_PAUSE: Duration = Duration::from_millis(100);

/// Time over which the hosts of a process begin to report, because those of a fleet do not report
/// all at once.
const SPREAD: Duration = Duration::from_secs(3);

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
    /// Runs at one time on a host.
    #[arg(long)]
    cores: usize,
    /// Hosts in the process, each with a connection of its own.
    #[arg(long, default_value_t = 1)]
    hosts: usize,
    /// Every host hears all hosts, and not the digest of its pool.
    #[arg(long)]
    hears_all: bool,
    /// The events after the compilation share an entry, as those of a brief job do.
    #[arg(long)]
    shares: bool,
    /// Length of a run.
    #[arg(long, default_value_t = 0)]
    length_ms: u64,
    /// The file of what it was told.
    #[arg(long)]
    journal: Option<PathBuf>,
}

/// State shared by the tasks of a host.
struct Host {
    worker: Worker,
    state: watch::Sender<WorkerState>,
    journal: Arc<Journal>,
    name: String,
    length: Duration,
    shares: bool,
    claims: AtomicU64,
    peers: Peers,
    /// Reports of all hosts, which are only heard.
    _roster: Roster,
}

/// Works until stdin ends.
pub async fn run(args: WorkerArgs) -> Result<(), Failure> {
    std::thread::spawn(|| {
        // It ends at the latest with the parent.
        let _ = stdin().read_to_end(&mut Vec::new());
        std::process::exit(0);
    });
    let journal = Arc::new(Journal::open(args.journal.as_deref())?);
    let joined = (0..args.hosts).map(|number| Host::join(&args, number, &journal));
    let mut tasks = JoinSet::new();
    for (number, host) in try_join_all(joined).await?.into_iter().map(Arc::new).enumerate() {
        for _ in 0..args.cores {
            tasks.spawn(Arc::clone(&host).work());
        }
        tasks.spawn(host.say(SPREAD.mul_f64(number as f64 / args.hosts as f64)));
    }
    // Whoever started the process waits for a line.
    println!("ready");
    std::io::stdout().flush()?;
    while tasks.join_next().await.is_some() {}
    Ok(())
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
    async fn join(
        args: &WorkerArgs,
        number: usize,
        journal: &Arc<Journal>,
    ) -> Result<Self, Failure> {
        let fleet = loop {
            match Fleet::join(&args.url, &Credentials::default()).await {
                Ok(fleet) => break fleet,
                Err(_) => sleep(RETRY_PAUSE).await,
            }
        };
        let name =
            if args.hosts == 1 { args.name.clone() } else { format!("{}.{number}", args.name) };
        let (peers, roster) = (Peers::default(), Roster::default());
        if args.hears_all {
            roster.hear(&fleet).await?;
        } else {
            peers.hear(&fleet, &args.pool).await?;
        }
        let state = WorkerState {
            worker: name.clone(),
            pool: args.pool.clone(),
            cores: u32::try_from(args.cores)?,
            ..WorkerState::default()
        };
        Ok(Self {
            worker: Worker::new(fleet, name.clone(), args.pool.clone()),
            state: watch::channel(state).0,
            journal: Arc::clone(journal),
            name,
            length: Duration::from_millis(args.length_ms),
            shares: args.shares,
            claims: AtomicU64::new(0),
            peers,
            _roster: roster,
        })
    }

    async fn say(self: Arc<Self>, after: Duration) {
        sleep(after).await;
        loop {
            // It ends only when the engine fails.
            let _ = self.worker.say(self.state.subscribe()).await;
            sleep(RETRY_PAUSE).await;
        }
    }

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
        self.state.send_modify(|state| state.runs.push(run.clone()));
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
        self.state.send_modify(|state| {
            state.runs.retain(|known| *known != run);
            state.ended += 1;
        });
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
        if self.shares && self.peers.read_shared() {
            sleep(self.length).await;
            let event = |kind| v1::Event {
                time: Some(SystemTime::now().into()),
                kind: Some(kind),
                ..v1::Event::default()
            };
            let mut events: Vec<_> = kinds.into_iter().map(event).collect();
            let measured = events.split_off(1);
            log.append_all(events).await?;
            log.append_all(measured).await?;
            return Ok(Ended::Done);
        }
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
