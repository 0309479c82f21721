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

/// Error message of a run whose pipeline panicked. The panic itself is in the worker's log.
const PANICKED: &str = "the profiler itself failed: see the worker's log";

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
            let written = write(&mut log, emitted, &shared.settings.host);
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

/// Writes every event to the log, as it comes.
async fn write(
    log: &mut RunLog,
    mut emitted: mpsc::Receiver<v1::Event>,
    host: &str,
) -> Result<(), Fenced> {
    while let Some(event) = emitted.recv().await {
        if let Some(kind) = event.kind {
            log.append(named(kind, host)).await?;
        }
    }
    Ok(())
}

/// Writes the name of the host into the report of an event.
fn named(mut kind: Kind, host: &str) -> Kind {
    let name = |report: &mut v1::ProfileReport| {
        if let Some(facts) = &mut report.host {
            facts.name = Some(host.to_owned());
        }
    };
    let report = match &mut kind {
        Kind::Finished(report) => Some(report),
        Kind::Failed(error) => error.partial.as_mut(),
        _ => None,
    };
    if let Some(report) = report {
        name(report);
        report.turns.iter_mut().for_each(name);
    }
    kind
}

/// Stops the run when somebody asks.
async fn obey(stop: &mut StopRequests, fleet: &Fleet, canceller: &Canceller) -> Infallible {
    loop {
        canceller.cancel(stop.asked(fleet).await);
    }
}
