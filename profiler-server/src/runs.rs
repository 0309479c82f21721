//! The live runs. One task owns them all; everything else holds a [`Runs`] and asks it.

use crate::admission::Line;
use crate::status::Refusal;
use profiler_core::error::ErrorCode;
use profiler_core::event::{Event, EventKind, Events};
use profiler_core::job::Job;
use profiler_core::run;
use profiler_core::sandbox::Pool;
use profiler_core::stop::{self, Stopped, Stopper};
use std::time::Duration;
use tokio::sync::{mpsc, oneshot, watch};
use tokio::task::{self, JoinSet};
use tokio::time::timeout;
use uuid::Uuid;

/// Most questions that wait for the owner.
const MAX_ASKS: usize = 64;
/// How long interrupted runs may take to end.
const INTERRUPT_LIMIT: Duration = Duration::from_secs(1);

/// A handle on the owner of the live runs. When the last one is gone, so are the runs.
#[derive(Debug, Clone)]
pub(crate) struct Runs(mpsc::Sender<Ask>);

/// A run, as its caller holds it. Dropping it ends the run if it is not over: so it ends when a
/// handler or a stream is dropped because its caller went away.
#[derive(Debug)]
pub(crate) struct Run {
    pub(crate) id: String,
    pub(crate) events: mpsc::Receiver<Event>,
    /// How many runs are in front of this one; 0 once it runs.
    pub(crate) place: watch::Receiver<u32>,
    pub(crate) stopper: Stopper,
    /// Whether the caller asked for the raw samples.
    pub(crate) raw_samples: bool,
}

impl Drop for Run {
    fn drop(&mut self) {
        self.stopper.stop(ErrorCode::Cancelled);
    }
}

#[derive(Debug)]
enum Ask {
    Submit(Box<Job>, oneshot::Sender<Result<Run, Refusal>>),
    Cancel(String, oneshot::Sender<Result<(), Refusal>>),
    /// No more runs; answered once none is left.
    Close(oneshot::Sender<()>),
    Interrupt,
}

impl Runs {
    /// Starts the owner. Its runs get their sandboxes from `pool`.
    pub(crate) fn new(pool: Pool, concurrency: usize, max_queued: usize) -> Self {
        let (asks, asked) = mpsc::channel(MAX_ASKS);
        let owner = Owner {
            pool,
            line: Line::new(concurrency, max_queued),
            tasks: JoinSet::new(),
            closing: Vec::new(),
        };
        tokio::spawn(owner.keep(asked));
        Self(asks)
    }

    /// Accepts a job, or says why not.
    pub(crate) async fn submit(&self, job: Job) -> Result<Run, Refusal> {
        self.ask(|answer| Ask::Submit(Box::new(job), answer)).await?
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

/// A run in the line.
struct Live {
    run_id: String,
    task: task::Id,
    stopper: Stopper,
}

/// The task that owns the live runs.
struct Owner {
    pool: Pool,
    line: Line<Live>,
    /// Each run's task holds the run's place in the line for as long as it lives.
    tasks: JoinSet<()>,
    /// Who waits for the end of all runs. Once there is one, none is accepted.
    closing: Vec<oneshot::Sender<()>>,
}

impl Owner {
    async fn keep(mut self, mut asked: mpsc::Receiver<Ask>) {
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
                    Some(ask) => self.answer(ask),
                    None => return,
                },
                Some(ended) = self.tasks.join_next_with_id() => {
                    let id = ended.map_or_else(|lost| lost.id(), |(id, ())| id);
                    self.line.leave(|live| live.task == id);
                }
            }
        }
    }

    fn answer(&mut self, ask: Ask) {
        match ask {
            Ask::Submit(job, answer) => drop(answer.send(self.submit(*job))),
            Ask::Cancel(run_id, answer) => drop(answer.send(self.cancel(run_id))),
            Ask::Close(closed) => self.closing.push(closed),
            Ask::Interrupt => {
                self.line.iter().for_each(|live| live.stopper.stop(ErrorCode::Interrupted));
            }
        }
    }

    fn submit(&mut self, job: Job) -> Result<Run, Refusal> {
        if !self.closing.is_empty() {
            return Err(Refusal::ShuttingDown);
        }
        let ticket = self.line.ticket()?;
        let run_id = Uuid::now_v7().to_string();
        let (events, watcher) = Events::new(&run_id);
        let (stopper, stop) = stop::stop_signal();
        let run = Run {
            id: run_id.clone(),
            events: watcher,
            place: ticket.place(),
            stopper: stopper.clone(),
            raw_samples: job.raw_samples,
        };
        let conducted = conduct(job, self.pool.clone(), events, stop, ticket.place());
        let task = self.tasks.spawn(conducted).id();
        let live = Live { run_id, task, stopper };
        self.line.enter(live, ticket);
        Ok(run)
    }

    fn cancel(&self, run_id: String) -> Result<(), Refusal> {
        match self.line.iter().find(|live| live.run_id == run_id) {
            Some(live) => live.stopper.stop(ErrorCode::Cancelled),
            None => return Err(Refusal::UnknownRun(run_id)),
        }
        Ok(())
    }
}

/// One run from its acceptance to its last event.
async fn conduct(
    job: Job,
    pool: Pool,
    mut events: Events,
    mut stopped: Stopped,
    mut place: watch::Receiver<u32>,
) {
    let queue_position = *place.borrow();
    events.emit(EventKind::Accepted { queue_position }).await;
    let turn = async {
        // A place that is gone is nobody's turn: then the owner is gone, and this task with it.
        let _ = place.wait_for(|&place| place == 0).await;
    };
    // What it returns is its last event as well.
    let _ = run::conduct(&job, &pool, &mut events, &mut stopped, turn).await;
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::backend::stuck;
    use profiler_core::job::Draft;

    fn job() -> Job {
        let draft =
            Draft { task_id: "hello".into(), source: b"int main() {}".into(), ..Draft::default() };
        draft.try_into().unwrap()
    }

    async fn last(mut run: Run) -> EventKind {
        loop {
            let event = run.events.recv().await.expect("a last event");
            if event.kind.is_last() {
                return event.kind;
            }
        }
    }

    #[tokio::test]
    async fn a_run_whose_caller_goes_away_makes_room() {
        let runs = Runs::new(stuck(), 1, 2);
        let _first = runs.submit(job()).await.unwrap();
        let second = runs.submit(job()).await.unwrap();
        let mut third = runs.submit(job()).await.unwrap();
        drop(second);
        assert!(third.place.wait_for(|&place| place == 1).await.is_ok());
    }

    #[tokio::test(start_paused = true)]
    async fn what_does_not_end_in_time_is_interrupted() {
        let runs = Runs::new(stuck(), 1, 1);
        let _first = runs.submit(job()).await.unwrap();
        let second = runs.submit(job()).await.unwrap();
        runs.drain(Duration::from_secs(10)).await;
        let EventKind::Failed(error) = last(second).await else { panic!("finished") };
        assert_eq!(error.code, ErrorCode::Interrupted);
    }

    #[tokio::test]
    async fn nothing_is_accepted_once_the_server_ends() {
        let runs = Runs::new(stuck(), 1, 1);
        runs.drain(Duration::ZERO).await;
        assert_eq!(runs.submit(job()).await.unwrap_err(), Refusal::ShuttingDown);
    }
}
