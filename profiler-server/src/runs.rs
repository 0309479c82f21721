//! The live runs. One task owns them all; everything else holds a [`Runs`] and asks it.

use crate::admission::Line;
use crate::attachment::{Hold, Holders, OnDisconnect};
use crate::name::Names;
use crate::record::{Progress, record};
use crate::status::Refusal;
use crate::store::Store;
use futures::future;
use profiler_core::cancel::{CancelToken, Canceller, cancel_signal};
use profiler_core::error::ErrorCode;
use profiler_core::job::Job;
use profiler_core::report::{EventKind, Events};
use profiler_core::run_job;
use profiler_core::sandbox::Pool;
use profiler_proto::v1;
use std::time::{Duration, SystemTime};
use tokio::sync::{mpsc, oneshot, watch};
use tokio::task::{self, JoinError, JoinSet};
use tokio::time::timeout;

#[cfg(test)]
mod model;
#[cfg(test)]
mod tests;

/// Most questions that wait for the owner.
const MAX_ASKS: usize = 64;
/// How long interrupted runs may take to end.
const INTERRUPT_LIMIT: Duration = Duration::from_secs(1);

/// A handle on the owner of the live runs. When the last one is gone, so are the runs.
#[derive(Debug, Clone)]
pub(crate) struct Runs(mpsc::Sender<Ask>);

/// What a caller submits.
#[derive(Debug, Clone)]
pub(crate) struct Submission {
    pub(crate) job: Job,
    /// Tells this job from another under the same request id.
    pub(crate) digest: [u8; 32],
    /// Empty if the caller gave none.
    pub(crate) request_id: String,
    pub(crate) on_disconnect: OnDisconnect,
    pub(crate) caller: String,
}

/// A call's view of a run.
#[derive(Debug)]
pub(crate) struct Attached {
    pub(crate) run_id: String,
    pub(crate) progress: watch::Receiver<Progress>,
    /// How many runs are in front of this one; 0 once it runs.
    pub(crate) place: watch::Receiver<u32>,
    /// `None` for a call that the run does not live by.
    pub(crate) hold: Option<Hold>,
}

#[derive(Debug)]
enum Ask {
    Submit(Box<Submission>, oneshot::Sender<Result<Attached, Refusal>>),
    Attach(String, oneshot::Sender<Result<Attached, Refusal>>),
    Cancel(String, oneshot::Sender<Result<(), Refusal>>),
    /// No more runs; answered once none is left.
    Close(oneshot::Sender<()>),
    Interrupt,
}

impl Runs {
    /// Starts the owner. Its runs get their sandboxes from `pool` and are kept in `store`.
    pub(crate) fn new(pool: Pool, store: Store, concurrency: usize, max_queued: usize) -> Self {
        let (asks, asked) = mpsc::channel(MAX_ASKS);
        let line = Line::new(concurrency, max_queued);
        let names = Names::after(None);
        let owner = Owner { pool, store, names, line, tasks: JoinSet::new(), closing: Vec::new() };
        tokio::spawn(owner.keep(asked));
        Self(asks)
    }

    /// Accepts a job, or says why not. One that was submitted before under its request id is the same
    /// run.
    pub(crate) async fn submit(&self, submission: Submission) -> Result<Attached, Refusal> {
        self.ask(|answer| Ask::Submit(Box::new(submission), answer)).await?
    }

    /// Attaches to a run that is live or kept.
    pub(crate) async fn attach(&self, run_id: String) -> Result<Attached, Refusal> {
        self.ask(|answer| Ask::Attach(run_id, answer)).await?
    }

    /// Ends a run.
    pub(crate) async fn cancel(&self, run_id: String) -> Result<(), Refusal> {
        self.ask(|answer| Ask::Cancel(run_id, answer)).await?
    }

    /// Accepts no more runs and lets the live ones end; those that have not within `limit` are
    /// interrupted.
    pub(crate) async fn drain(&self, limit: Duration) {
        if timeout(limit, self.ask(Ask::Close)).await.is_err() {
            let _ = self.0.send(Ask::Interrupt).await;
            let _ = timeout(INTERRUPT_LIMIT, self.ask(Ask::Close)).await;
        }
    }

    async fn ask<T>(&self, ask: impl FnOnce(oneshot::Sender<T>) -> Ask) -> Result<T, Refusal> {
        let (answer, answered) = oneshot::channel();
        let gone = |_| Refusal::ShuttingDown;
        self.0.send(ask(answer)).await.map_err(|_| Refusal::ShuttingDown)?;
        answered.await.map_err(gone)
    }
}

impl Submission {
    /// What is kept of it.
    fn as_run(&self, run_id: &str) -> v1::Run {
        v1::Run {
            run_id: run_id.to_owned(),
            request_id: self.request_id.clone(),
            caller: self.caller.clone(),
            task_id: self.job.task_id.clone(),
            iteration: self.job.iteration,
            state: v1::RunState::Queued.into(),
            accepted_time: Some(SystemTime::now().into()),
            ..v1::Run::default()
        }
    }
}

/// A run in the line.
#[derive(Clone)]
struct Live {
    run_id: String,
    stopper: Canceller,
    holders: Holders,
    on_disconnect: OnDisconnect,
    progress: watch::Receiver<Progress>,
    place: watch::Receiver<u32>,
}

impl Live {
    fn attached(&self, hold: Option<Hold>) -> Attached {
        Attached {
            run_id: self.run_id.clone(),
            progress: self.progress.clone(),
            place: self.place.clone(),
            hold,
        }
    }
}

/// The task that owns the live runs.
struct Owner {
    pool: Pool,
    store: Store,
    names: Names,
    line: Line<(task::Id, Live)>,
    /// Each run's task holds the run's place in the line for as long as it lives.
    tasks: JoinSet<()>,
    /// Who waits for the end of all runs. Once there is one, none is accepted.
    closing: Vec<oneshot::Sender<()>>,
}

impl Owner {
    async fn keep(mut self, mut asked: mpsc::Receiver<Ask>) {
        let newest = self.store.runs(None, 1).await.unwrap_or_default().pop();
        self.names = Names::after(newest.as_ref().map(|run| run.run_id.as_str()));
        loop {
            if self.line.is_empty() && !self.closing.is_empty() {
                for closed in self.closing.drain(..) {
                    // Whoever does not wait any more needs no answer; below as well.
                    let _ = closed.send(());
                }
                asked.close();
            }
            tokio::select! {
                ask = asked.recv() => match ask {
                    Some(ask) => self.answer(ask).await,
                    None => return,
                },
                Some(ended) = self.tasks.join_next_with_id() => self.left(ended).await,
            }
        }
    }

    async fn answer(&mut self, ask: Ask) {
        match ask {
            Ask::Submit(submission, answer) => drop(answer.send(self.submit(*submission).await)),
            Ask::Attach(run_id, answer) => drop(answer.send(self.attach(&run_id).await)),
            Ask::Cancel(run_id, answer) => drop(answer.send(self.cancel(run_id))),
            Ask::Close(closed) => self.closing.push(closed),
            Ask::Interrupt => {
                self.line.iter().for_each(|(_, live)| live.stopper.cancel(ErrorCode::Interrupted));
            }
        }
    }

    /// A run's task has ended.
    async fn left(&mut self, ended: Result<(task::Id, ()), JoinError>) {
        let (id, panicked) = match ended {
            Ok((id, ())) => (id, false),
            Err(lost) => (lost.id(), true),
        };
        let left = self.line.leave(|(task, _)| *task == id);
        if let Some((_, run)) = left.filter(|_| panicked) {
            // What cannot be kept now is ended by the next server.
            let _ = self.store.interrupt(&run.run_id).await;
        }
    }

    async fn submit(&mut self, submission: Submission) -> Result<Attached, Refusal> {
        let before = match submission.request_id.as_str() {
            "" => None,
            request_id => self.store.request(request_id).await?,
        };
        if let Some((run_id, digest)) = before {
            if digest != submission.digest {
                return Err(Refusal::RequestIdTaken(submission.request_id));
            }
            return match self.find(&run_id) {
                Some(live) => Ok(live.attached(Some(live.holders.hold()))),
                None => self.kept(&run_id).await,
            };
        }
        if !self.closing.is_empty() {
            return Err(Refusal::ShuttingDown);
        }
        let health = self.pool.health().borrow().clone();
        health.map_err(Refusal::NoSandbox)?;
        self.store.health().borrow().clone()?;
        let ticket = self.line.ticket(&submission.caller, submission.job.bytes())?;
        let run_id = self.names.next();
        self.store.begin(submission.as_run(&run_id), submission.digest).await?;
        let (stopper, stop) = cancel_signal();
        let (report, progress) = watch::channel(Progress::Stored(0));
        let live = Live {
            run_id,
            stopper,
            holders: Holders::none(),
            on_disconnect: submission.on_disconnect,
            progress,
            place: ticket.place(),
        };
        let attached = live.attached(Some(live.holders.hold()));
        let (pool, store) = (self.pool.clone(), self.store.clone());
        let conducted = conduct(live.clone(), submission.job, pool, store, stop, report);
        let task = self.tasks.spawn(conducted).id();
        self.line.enter((task, live), ticket);
        Ok(attached)
    }

    async fn attach(&self, run_id: &str) -> Result<Attached, Refusal> {
        let Some(live) = self.find(run_id) else {
            return self.kept(run_id).await;
        };
        let holds = live.on_disconnect == OnDisconnect::Grace;
        Ok(live.attached(holds.then(|| live.holders.watch())))
    }

    /// A run that is over.
    async fn kept(&self, run_id: &str) -> Result<Attached, Refusal> {
        let unknown = || Refusal::UnknownRun(run_id.to_owned());
        let run = self.store.run(run_id).await?.ok_or_else(unknown)?;
        Ok(Attached {
            run_id: run.run_id,
            progress: watch::channel(Progress::Ended(run.last_sequence)).1,
            place: watch::channel(0).1,
            hold: None,
        })
    }

    fn find(&self, run_id: &str) -> Option<&Live> {
        self.line.iter().map(|(_, live)| live).find(|live| live.run_id == run_id)
    }

    fn cancel(&self, run_id: String) -> Result<(), Refusal> {
        let live = self.find(&run_id).ok_or(Refusal::NotUnderWay(run_id))?;
        live.stopper.cancel(ErrorCode::Cancelled);
        Ok(())
    }
}

/// One run from its acceptance until its last event is stored.
async fn conduct(
    live: Live,
    job: Job,
    pool: Pool,
    store: Store,
    mut stopped: CancelToken,
    report: watch::Sender<Progress>,
) {
    let Live { run_id, stopper, holders, on_disconnect, mut place, .. } = live;
    let (mut events, said) = Events::new(&run_id);
    let recorded = record(said, job.raw_samples, store.clone(), stopper.clone(), report);
    let conducted = async move {
        let queue_position = *place.borrow();
        events.emit(EventKind::Accepted { queue_position }).await;
        let turn = async {
            // A place that is gone is nobody's turn: then the owner is gone, and this task with it.
            let _ = place.wait_for(|&place| place == 0).await;
            // It is said for those who ask, and the run does not depend on it.
            let _ = store.started(&run_id).await;
        };
        // What it returns is its last event as well.
        let _ = run_job(&job, &pool, &mut events, &mut stopped, turn).await;
    };
    tokio::select! {
        ((), ()) = future::join(conducted, recorded) => {}
        never = holders.watch_over(on_disconnect, stopper) => match never {},
    }
}
