//! One run on a worker: from its job to its last event, or until another worker has it.

use super::shared::Shared;
use crate::runs::end_after;
use crate::telemetry::logging::TARGET;
use crate::telemetry::metrics::class_named;
use crate::telemetry::run_record::{Requester, RunRecord};
use futures::FutureExt;
use profiler_core::cancel::{CancelToken, Canceller, cancel_signal};
use profiler_core::job::Job;
use profiler_core::report::Events;
use profiler_core::{Profiler, Turn, run_job};
use profiler_fleet::{Fenced, Fleet, Origin, RunLog, Settlement, StopRequests, Taken, Worker};
use profiler_proto::v1::{self, ErrorCode, event::Kind};
use profiler_wire::{self as wire, Defaults};
use prost::Message;
use std::convert::Infallible;
use std::future::ready;
use std::panic::AssertUnwindSafe;
use std::time::Duration;
use tokio::sync::mpsc;
use tokio::task::spawn_blocking;
use tokio::time::{Instant, timeout_at};

/// Error message of a run whose pipeline panicked. The panic itself is in the worker's log.
const PANICKED: &str = "the profiler itself failed: see the worker's log";
/// Time after an entry of the log within which events share the next entry.
const SHARED_WITHIN: Duration = Duration::from_millis(100);
/// Maximum number of events of an entry.
const MAX_SHARED: usize = 64;

/// Makes the last event of a run that lost its workers.
pub(super) fn interrupted(row: Option<&v1::Run>, known: Vec<v1::Event>) -> v1::SandboxError {
    let why = "the workers that measured it were lost";
    wire::ended_early(&row.cloned().unwrap_or_default(), known, ErrorCode::Interrupted, why)
}

/// Measures a run to its end, or until another worker has it, or until `given_up` completes.
pub(super) async fn conduct(
    worker: &Worker,
    profiler: &Profiler,
    shared: &Shared,
    given_up: impl Future<Output = ()>,
    taken: Taken,
) {
    let Taken { origin, job, defaults, mut log, lease, mut stop, receipt } = taken;
    let run_id = origin.run_id();
    shared.begin(run_id);
    let checked = spawn_blocking(move || {
        let defaults = Defaults::decode(&*defaults).map_err(|broken| broken.to_string())?;
        wire::job(job, &defaults).map_err(|bad| bad.to_string())
    });
    let job = checked.await.unwrap_or_else(|panic| Err(panic.to_string()));
    let settlement = match job {
        Ok(job) => {
            let (canceller, signal) = cancel_signal();
            // In the message, 0 means no limit.
            let limit = Some(origin.time_limit_ms).filter(|limit| *limit > 0);
            let limit = limit.map(Duration::from_millis);
            let (events, emitted) = Events::new(run_id);
            let profiler = profiler.for_owner(&origin.owner);
            let measured = measure(&job, &profiler, shared, &origin, events, signal);
            // A panic ends the run, because another worker would panic too.
            let measured = AssertUnwindSafe(measured).catch_unwind();
            let may_share = || shared.peers.read_shared();
            let written = write(&mut log, emitted, &shared.settings.host, may_share);
            let (measured, written) = (Box::pin(measured), Box::pin(written));
            // If the log refuses an event, the measuring ends too.
            let ended = async { tokio::try_join!(written, async { Ok(measured.await) }) };
            let ended = tokio::select! {
                ended = ended => ended.map(|((), measured)| measured.map(|()| Settlement::Done)),
                () = lease.lost() => Ok(Ok(Settlement::Lost)),
                () = given_up => Ok(Ok(Settlement::HandedBack)),
                never = obey(&mut stop, worker.fleet(), &canceller) => match never {},
                never = end_after(limit, ready(()), &canceller) => match never {},
            };
            match ended {
                Ok(Ok(settlement)) => settlement,
                Ok(Err(_panic)) => fail(&mut log, worker.fleet(), &origin, PANICKED).await,
                Err(Fenced) => Settlement::Lost,
            }
        }
        // The gateway has accepted the job, so its version of the program is older or newer than
        // this one.
        Err(why) => fail(&mut log, worker.fleet(), &origin, &why).await,
    };
    shared.end(run_id, settlement);
    let settlement = match settlement {
        Settlement::HandedBack => log.hand_back().await,
        other => other,
    };
    match settlement {
        Settlement::Done => {}
        Settlement::HandedBack => {
            tracing::info!(target: TARGET, run_id, "the run goes to another worker");
        }
        Settlement::Lost => tracing::warn!(target: TARGET, run_id, "the run is another worker's"),
    }
    if let Err(error) = worker.settle(receipt, lease, settlement).await {
        // The engine gives the job out again, and the log says that the run has ended.
        tracing::debug!(target: TARGET, run_id, %error, "the engine was not told of a job's end");
    }
}

/// Ends a run that swiftprof itself cannot measure, with the results that the log has.
async fn fail(log: &mut RunLog, fleet: &Fleet, origin: &Origin, why: &str) -> Settlement {
    let row = origin.run.clone().unwrap_or_default();
    let known = fleet.events_of(&row.run_id).await.unwrap_or_default();
    let known = known.into_iter().map(|followed| followed.event).collect();
    let failed = wire::ended_early(&row, known, ErrorCode::Internal, why);
    match log.append(Kind::Failed(failed)).await {
        Ok(()) => Settlement::Done,
        Err(Fenced) => Settlement::Lost,
    }
}

async fn measure(
    job: &Job,
    profiler: &Profiler,
    shared: &Shared,
    origin: &Origin,
    mut events: Events,
    mut token: CancelToken,
) {
    let run_id = events.run_id().to_owned();
    let requester = Requester {
        owner: origin.owner.clone(),
        caller: origin.caller().to_owned(),
        class: class_named(&origin.class),
        peer: "the fleet".into(),
        #[cfg(feature = "otlp")]
        parent: None,
    };
    let mut record = RunRecord::new(shared.metrics.clone(), &run_id, &job.task_id, requester);
    record.begin();
    let ended = Box::pin(run_job(job, profiler, &mut events, &mut token, Turn::now())).await;
    record.end(&ended);
    shared.learn(&ended);
}

/// Writes every event to the log. Events that come within [`SHARED_WITHIN`] after an entry share
/// the next one, if `may_share` says that gateways read that. The last event does not wait.
async fn write(
    log: &mut RunLog,
    mut emitted: mpsc::Receiver<v1::Event>,
    host: &str,
    may_share: impl Fn() -> bool,
) -> Result<(), Fenced> {
    let mut written = Instant::now();
    let mut next = emitted.recv().await;
    while let Some(event) = next.take() {
        let mut events = vec![named(event, host)];
        let waits = |events: &[v1::Event]| {
            let has_ended = events.iter().any(|it| it.kind.as_ref().is_some_and(Kind::is_last));
            !has_ended && events.len() < MAX_SHARED && may_share()
        };
        while waits(&events)
            && let Ok(Some(event)) = timeout_at(written + SHARED_WITHIN, emitted.recv()).await
        {
            events.push(named(event, host));
        }
        log.append_all(events).await?;
        written = Instant::now();
        next = emitted.recv().await;
    }
    Ok(())
}

/// Writes the name of the host into the report of an event.
fn named(mut event: v1::Event, host: &str) -> v1::Event {
    let name = |report: &mut v1::ProfileReport| {
        if let Some(facts) = &mut report.host {
            facts.name = Some(host.to_owned());
        }
    };
    let report = match &mut event.kind {
        Some(Kind::Finished(report)) => Some(report),
        Some(Kind::Failed(error)) => error.partial.as_mut(),
        _ => None,
    };
    if let Some(report) = report {
        name(report);
        report.turns.iter_mut().for_each(name);
    }
    event
}

/// Stops the run when somebody asks.
async fn obey(stop: &mut StopRequests, fleet: &Fleet, canceller: &Canceller) -> Infallible {
    loop {
        canceller.cancel(stop.asked(fleet).await);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use profiler_fleet::Gateway;
    use profiler_fleet::simulated::SimulatedEngine;
    use tokio::time::sleep;

    /// Writes eight sizes, 30 ms after each other, and a report. Returns the entries of the log.
    async fn entries(may_share: bool) -> usize {
        let engine = SimulatedEngine::new(1);
        let gateway = Gateway::new(engine.prepare().0);
        let mut log = RunLog::open(gateway.fleet(), "one", "w").await.expect("opened");
        let (events, emitted) = mpsc::channel(1);
        let emit = async move {
            for size in 1..=8 {
                sleep(Duration::from_millis(30)).await;
                let kind = Kind::SizeMeasured(v1::SizeResult { size, ..Default::default() });
                let event = v1::Event { kind: Some(kind), ..v1::Event::default() };
                events.send(event).await.expect("heard");
            }
            let kind = Some(Kind::Finished(v1::ProfileReport::default()));
            events.send(v1::Event { kind, ..v1::Event::default() }).await.expect("heard");
        };
        let written = write(&mut log, emitted, "host", || may_share);
        let ((), written) = tokio::join!(emit, written);
        written.expect("not fenced");
        let events = gateway.fleet().events_of("one").await.expect("read");
        let numbers: Vec<_> = events.iter().map(|followed| followed.event.sequence).collect();
        assert_eq!(numbers, [1, 2, 3, 4, 5, 6, 7, 8, 9]);
        engine.log_length()
    }

    #[tokio::test(start_paused = true)]
    async fn events_that_come_shortly_after_each_other_share_an_entry() {
        assert_eq!(Box::pin(entries(false)).await, 9);
        // Three sizes come in each 100 ms, and the report does not wait.
        assert_eq!(Box::pin(entries(true)).await, 3);
    }
}
