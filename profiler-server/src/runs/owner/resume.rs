//! Runs that waited when the last server ended. They wait again, in the order of their acceptance.

use super::{Admitted, Owner};
use crate::runs::GRACE;
use crate::store::{WaitingJob, WaitingRun};
use crate::telemetry::logging::TARGET;
use crate::telemetry::metrics::class_named;
use crate::telemetry::run_record::Requester;
use profiler_core::job::Job;
use profiler_proto::v1;
use profiler_wire::{self as wire, Defaults};
use prost::Message;
use std::collections::{HashMap, VecDeque};
use std::mem;
use std::time::Duration;
use tokio::task::spawn_blocking;
use tokio::time::{Instant, sleep};

/// Time for which the jobs of waiting runs are checked before the server answers. systemd ends a
/// server that does not answer, and the next one would check the same jobs again.
const CHECK_LIMIT: Duration = Duration::from_secs(10);
/// Time for which the server holds a run whose submitter may come back: a client tries for
/// [`GRACE`], and other servers of the host may start at the same time.
const RETURN_LIMIT: Duration = GRACE.saturating_add(Duration::from_secs(30));

impl Owner {
    /// Puts the waiting runs of the last server into the queue. A run that cannot wait again ends
    /// as interrupted.
    pub(super) async fn resume(&mut self) {
        let mut found = match self.store.waiting().await {
            Ok(found) => found,
            Err(error) => {
                tracing::error!(target: TARGET, %error, "the waiting runs cannot be read");
                return;
            }
        };
        let jobs = check(&mut found).await;
        let mut count = 0_u32;
        for (waiting, job) in found.into_iter().zip(jobs) {
            let run_id = waiting.run.run_id.clone();
            let too_long = || Err("the jobs take too long to check".into());
            let taken_up = job.unwrap_or_else(too_long).and_then(|job| self.take_up(waiting, job));
            if let Err(why) = taken_up {
                tracing::warn!(target: TARGET, run_id, why, "a run cannot wait again");
                self.metrics.runs_interrupted(1);
                // If the store fails now, the next server tries again.
                let _ = self.store.interrupt(&run_id).await;
            } else {
                count += 1;
            }
        }
        if count > 0 {
            tracing::info!(target: TARGET, count, "runs of the last server wait again");
        }
    }

    fn take_up(&mut self, found: WaitingRun, checked: CheckedJob) -> Result<(), String> {
        let WaitingRun { run, owner, waiting } = found;
        let CheckedJob { job, on_disconnect } = checked;
        let reserved = self.queue.reserve(&run.caller, job.bytes(), job.is_brief());
        let reservation = reserved.map_err(|refusal| refusal.to_string())?;
        let requester = Requester {
            owner,
            caller: run.caller,
            class: class_named(&waiting.class),
            peer: waiting.peer,
            #[cfg(feature = "otlp")]
            parent: None,
        };
        let admitted = Admitted {
            run_id: run.run_id,
            job,
            on_disconnect,
            requester,
            is_kept: true,
            resumed_after: Some(run.last_sequence),
        };
        let attachment = self.start(admitted, reservation);
        tokio::spawn(async move {
            sleep(RETURN_LIMIT).await;
            drop(attachment);
        });
        Ok(())
    }
}

/// Checks the jobs of waiting runs until [`CHECK_LIMIT`] has passed. The others are `None`.
async fn check(found: &mut [WaitingRun]) -> Vec<Option<Result<CheckedJob, String>>> {
    let began = Instant::now();
    let mut order = CheckOrder::of(found.iter().map(|waiting| waiting.run.caller.as_str()));
    let mut jobs: Vec<_> = found.iter().map(|_| None).collect();
    while began.elapsed() < CHECK_LIMIT
        && let Some((caller, at)) = order.next()
    {
        let since = Instant::now();
        jobs[at] = Some(CheckedJob::read(&mut found[at].waiting).await);
        order.charge(caller, since.elapsed());
    }
    jobs
}

struct CheckedJob {
    job: Job,
    on_disconnect: v1::OnDisconnect,
}

impl CheckedJob {
    /// Takes the message out, so that no two copies of all jobs are in memory.
    async fn read(waiting: &mut WaitingJob) -> Result<Self, String> {
        let job =
            v1::Job::decode(&*mem::take(&mut waiting.job)).map_err(|broken| broken.to_string())?;
        let defaults = Defaults::decode(&*waiting.defaults).map_err(|broken| broken.to_string())?;
        let on_disconnect = job.on_disconnect();
        let checked = spawn_blocking(move || wire::job(job, &defaults)).await;
        let job = checked.map_err(|panic| panic.to_string())?.map_err(|bad| bad.to_string())?;
        Ok(Self { job, on_disconnect })
    }
}

/// Order in which the jobs of waiting runs are checked: the next one is of the caller whose jobs
/// have taken the least time. So many runs of one caller leave time for those of another.
struct CheckOrder {
    /// The positions of each caller's runs that are left, and the time that its other runs took.
    callers: Vec<(VecDeque<usize>, Duration)>,
}

impl CheckOrder {
    /// The order of runs of these callers.
    fn of<'a>(callers_of_runs: impl Iterator<Item = &'a str>) -> Self {
        let (mut numbers, mut callers) = (HashMap::new(), Vec::new());
        for (at, name) in callers_of_runs.enumerate() {
            let number = *numbers.entry(name).or_insert(callers.len());
            if number == callers.len() {
                callers.push((VecDeque::new(), Duration::ZERO));
            }
            callers[number].0.push_back(at);
        }
        Self { callers }
    }

    /// Takes the next run. Returns its caller's number and its position.
    fn next(&mut self) -> Option<(usize, usize)> {
        let left = self.callers.iter_mut().enumerate().filter(|(_, (runs, _))| !runs.is_empty());
        let (number, (runs, _)) = left.min_by_key(|(_, (_, took))| *took)?;
        Some((number, runs.pop_front()?))
    }

    /// Notes how long a run of a caller took to check.
    fn charge(&mut self, caller: usize, took: Duration) {
        self.callers[caller].1 += took;
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::config::Quota;
    use crate::runs::{LiveRuns, Progress, Submission};
    use crate::store::{Retention, Store, Viewer};
    use crate::telemetry::metrics::{Metrics, Reading};
    use profiler_core::Profiler;
    use profiler_core::sandbox::fake::stuck_pool;
    use profiler_proto::v1::ErrorCode;
    use std::path::Path;
    use tokio::time::timeout;

    /// Longer than a store takes to close.
    const PATIENCE: Duration = Duration::from_secs(20);

    fn submission(request_id: &str) -> Submission {
        let code = v1::CodeMessage {
            task_id: "hello".into(),
            code_cpp: "int main() {}".into(),
            ..v1::CodeMessage::default()
        };
        let job = v1::Job { code: Some(code), ..v1::Job::default() };
        Submission {
            message: job.encode_to_vec(),
            defaults: Defaults::default().encode_to_vec(),
            #[cfg(feature = "fleet")]
            same_pool_as: String::new(),
            job: wire::job(job, &Defaults::default()).unwrap(),
            digest: [0; 32],
            request_id: request_id.into(),
            on_disconnect: v1::OnDisconnect::Cancel,
            requester: Requester::named("test"),
        }
    }

    /// Opens the store once the last server has closed it, and starts a server that never measures.
    async fn start(folder: &Path) -> (LiveRuns, Store, Metrics) {
        let opened = async {
            loop {
                match Store::open(Some(folder.into()), Retention::default()).await {
                    Ok(store) => return store,
                    Err(_) => tokio::time::sleep(Duration::from_millis(10)).await,
                }
            }
        };
        let metrics = Metrics::new("fake");
        let store = timeout(PATIENCE, opened).await.unwrap().measured(metrics.clone());
        let profiler = Profiler::new(stuck_pool(), None);
        let quota = Quota::default();
        let runs = LiveRuns::start(profiler, store.clone(), metrics.clone(), 1, 9, quota);
        (runs, store, metrics)
    }

    #[test]
    fn many_runs_of_one_caller_leave_time_for_those_of_another() {
        let callers = ["many", "many", "many", "few", "many", "few", "last"];
        let mut order = CheckOrder::of(callers.into_iter());
        let mut checked = Vec::new();
        while let Some((caller, at)) = order.next() {
            // A run of "many" takes three times as long as another.
            let took = if callers[at] == "many" { 3 } else { 1 };
            order.charge(caller, Duration::from_secs(took));
            checked.push(at);
        }
        assert_eq!(checked, [0, 3, 6, 5, 1, 2, 4]);
    }

    async fn code(store: &Store, run_id: &str) -> ErrorCode {
        store.run(run_id, &Viewer::Everyone).await.unwrap().unwrap().error_code()
    }

    #[tokio::test]
    async fn waiting_run_survives_a_drain() {
        let folder = tempfile::tempdir().unwrap();
        let (runs, store, _) = start(folder.path()).await;
        let first = runs.submit(submission("first")).await.unwrap();
        let mut second = runs.submit(submission("second")).await.unwrap();
        let is_stored = |progress: &Progress| *progress == Progress::Stored(1);
        second.progress.wait_for(is_stored).await.unwrap();
        runs.drain(Duration::ZERO).await;
        assert_eq!(*second.progress.borrow(), Progress::Left);
        assert_eq!(code(&store, &first.run_id).await, ErrorCode::Interrupted);
        drop((runs, store));
        let (runs, store, _) = start(folder.path()).await;
        let again = runs.submit(submission("second")).await.unwrap();
        assert_eq!(again.run_id, second.run_id);
        assert_eq!(*again.progress.borrow(), Progress::Stored(1));
        assert_eq!(*again.queue_position.borrow(), 0, "it is the first one now");
        assert_eq!(store.events(&again.run_id, 0, 9).await.unwrap().len(), 1, "accepted once");
    }

    /// The server that begins counts and logs what the last one has lost.
    #[tokio::test]
    async fn run_that_had_begun_is_lost_with_its_server() {
        let folder = tempfile::tempdir().unwrap();
        let (runs, store, _) = start(folder.path()).await;
        let first = runs.submit(submission("first")).await.unwrap();
        let second = runs.submit(submission("second")).await.unwrap();
        let third = runs.submit(submission("third")).await.unwrap();
        runs.cancel(third.run_id.clone(), Viewer::Everyone).await.unwrap();
        let mut ended = third.progress.clone();
        ended.wait_for(|progress| matches!(progress, Progress::Ended(_))).await.unwrap();
        // The tasks end without a last event, as they do when the server is killed.
        drop((runs, store));
        let (runs, store, metrics) = start(folder.path()).await;
        assert_eq!(code(&store, &first.run_id).await, ErrorCode::Interrupted);
        let page = metrics.page(&Reading::default()).unwrap();
        assert!(page.contains("profiler_runs_total{ending=\"interrupted\"} 1\n"), "{page}");
        assert_eq!(runs.count().await, 1, "the third one has ended");
        let watched = runs.attach(second.run_id.clone(), Viewer::Everyone).await.unwrap();
        assert!(watched.hold.is_some(), "its submitter comes back by watching");
    }

    #[tokio::test(start_paused = true)]
    async fn run_whose_submitter_stays_away_ends() {
        let store = Store::in_memory().unwrap();
        let run = submission("a").to_row("00000000-0000-7000-8000-000000000000");
        let waiting = submission("a").to_waiting();
        store.accept(run.clone(), "test".into(), [0; 32], waiting).await.unwrap();
        let began = tokio::time::Instant::now();
        let (profiler, metrics) = (Profiler::new(stuck_pool(), None), Metrics::new("fake"));
        let runs = LiveRuns::start(profiler, store, metrics, 1, 9, Quota::default());
        let mut attached = runs.attach(run.run_id, Viewer::Everyone).await.unwrap();
        attached.hold = None;
        attached
            .progress
            .wait_for(|progress| matches!(progress, Progress::Ended(_)))
            .await
            .unwrap();
        assert!(began.elapsed() >= RETURN_LIMIT, "{:?}", began.elapsed());
    }
}
