use super::*;
use crate::identity::Scope;
use crate::rpc::deadline;
use crate::rpc::limits::{MAX_EXPORTS, MAX_OWN_UNSENT_MIB, MAX_WATCHES};
use crate::store::Viewer;
use futures::FutureExt;
use profiler_core::Profiler;
use profiler_core::sandbox::fake::stuck_pool;
use std::time::Duration;
use tokio::time::Instant;

/// Time that a caller waits.
const PATIENCE: Duration = Duration::from_secs(3);

fn service() -> Service {
    let (config, profiler, store) =
        (Config::default(), Profiler::new(stuck_pool(), None), Store::in_memory().unwrap());
    let pool = profiler.pool.clone();
    let (concurrency, max_queued) = (config.concurrency, config.max_queued);
    let metrics = Metrics::new(pool.backend().name());
    let quota = config.quota.clone();
    let (profiler, kept) = (profiler, store.clone());
    let runs = LiveRuns::start(profiler, kept, metrics.clone(), concurrency, max_queued, quota);
    let watches = Watches::new(MAX_WATCHES);
    let exports = Permits::new(MAX_EXPORTS, 1);
    let inferences = InferenceTurns::default();
    let settings = watch::channel(config).1;
    let health = HealthMonitor::new(pool.health(), store.health());
    let measurers = Measurers::here(pool);
    Service { settings, health, measurers, store, runs, metrics, watches, exports, inferences }
}

fn job() -> v1::Job {
    let code = v1::CodeMessage {
        task_id: "hello".into(),
        code_cpp: "int main() {}".into(),
        ..v1::CodeMessage::default()
    };
    v1::Job { code: Some(code), ..v1::Job::default() }
}

/// A request that has passed the gate.
fn admitted<T>(message: T) -> Request<T> {
    let (owner, name) = ("uid 7".into(), "uid 7".into());
    let caller = Caller { owner, name, scopes: Scope::USUAL.into(), may_name: false };
    let mut request = Request::new(message);
    request.extensions_mut().insert(caller);
    request
}

/// A request from a caller with [`PATIENCE`], after its headers arrived.
fn impatient<T>(message: T) -> Request<T> {
    let mut headers = admitted(());
    headers.set_timeout(PATIENCE);
    let (metadata, extensions, ()) = deadline::stamp(headers).unwrap().into_parts();
    Request::from_parts(metadata, extensions, message)
}

#[tokio::test(start_paused = true)]
async fn call_ends_with_its_deadline() {
    let request = impatient(v1::ProfileRequest { job: Some(job()) });
    let status = service().profile(request).await.unwrap_err();
    assert_eq!(status.code(), tonic::Code::DeadlineExceeded);
}

#[tokio::test(start_paused = true)]
async fn call_ends_before_tonics_own_timer() {
    let begin = Instant::now();
    let request = impatient(v1::ProfileRequest { job: Some(job()) });
    let _ = service().profile(request).await;
    assert!(begin.elapsed() < PATIENCE, "{:?}", begin.elapsed());
}

#[tokio::test(start_paused = true)]
async fn stream_ends_with_its_deadline() {
    let request = impatient(v1::ProfileStreamRequest { job: Some(job()) });
    let service = service();
    let events = service.profile_stream(request).await.unwrap().into_inner();
    let last = events.collect::<Vec<_>>().await.pop().unwrap();
    assert_eq!(last.unwrap_err().code(), tonic::Code::DeadlineExceeded);
}

#[tokio::test(start_paused = true)]
async fn stream_without_events_sends_heartbeats() {
    let request = admitted(v1::ProfileStreamRequest { job: Some(job()) });
    let service = service();
    let mut events = service.profile_stream(request).await.unwrap().into_inner();
    let _accepted = events.next().await;
    let event = events.next().await.unwrap().unwrap().event.unwrap();
    let heartbeat = Kind::Heartbeat(v1::Heartbeat { queue_position: 0 });
    assert_eq!((event.sequence, event.kind), (1, Some(heartbeat)));
}

#[tokio::test]
async fn watch_too_many_is_refused_before_its_job_is_accepted() {
    let service = Service { watches: Watches::new(0), ..service() };
    let request = admitted(v1::ProfileRequest { job: Some(job()) });
    let refused = service.profile(request).await.unwrap_err();
    assert_eq!(refused.code(), tonic::Code::ResourceExhausted);
    assert!(service.store.runs(&Viewer::Everyone, None, 1).await.unwrap().is_empty());
}

#[tokio::test(start_paused = true)]
async fn stream_of_a_waiting_run_ends_as_unavailable_at_shutdown() {
    let service = service();
    let request = || admitted(v1::ProfileStreamRequest { job: Some(job()) });
    let _first = service.profile_stream(request()).await.unwrap();
    let second = service.profile_stream(request()).await.unwrap().into_inner();
    let (events, ()) = tokio::join!(second.collect::<Vec<_>>(), service.runs.drain(PATIENCE));
    assert_eq!(events.last().unwrap().as_ref().unwrap_err().code(), tonic::Code::Unavailable);
}

#[tokio::test]
async fn listed_runs_take_room_until_they_are_sent() {
    let (service, unsent) = (service(), Unsent::default());
    let mut request = admitted(v1::ListRunsRequest::default());
    request.extensions_mut().insert(unsent.clone());
    service.list_runs(request).await.unwrap();
    let has_room = || service.watches.room("uid 7", MAX_OWN_UNSENT_MIB).now_or_never().is_some();
    assert!(!has_room());
    drop(unsent);
    assert!(has_room());
}
