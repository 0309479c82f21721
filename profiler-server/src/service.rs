//! The RPCs of `ProfilerService`.

use crate::config::Config;
use crate::deadline::Deadline;
use crate::runs::{Run, Runs};
use crate::status::Refusal;
use crate::wire;
use futures::Stream;
use profiler_core::error::ErrorCode;
use profiler_core::event::EventKind;
use profiler_core::limits::{MAX_INPUT_BYTES, MAX_SIZES, MAX_SOURCE_BYTES};
use profiler_core::sandbox::Pool;
use profiler_proto::v1::profile_response::Ending;
use profiler_proto::v1::profiler_service_server::ProfilerService;
use profiler_proto::v1::{self, ProfileStreamResponse};
use std::pin::Pin;
use std::time::Duration;
use tokio::time::sleep;
use tonic::{Request, Response, Status};

/// A stream on which nothing happens says so this often.
const HEARTBEAT: Duration = Duration::from_secs(5);

/// The service.
pub(crate) struct Service {
    pub(crate) config: Config,
    pub(crate) pool: Pool,
    pub(crate) runs: Runs,
}

impl Service {
    async fn submit(&self, job: Option<v1::Job>) -> Result<Run, Refusal> {
        let job = wire::job(job.unwrap_or_default(), &self.config.defaults)?;
        let health = self.pool.health().borrow().clone();
        health.map_err(Refusal::NoSandbox)?;
        self.runs.submit(job).await
    }
}

#[tonic::async_trait]
impl ProfilerService for Service {
    type ProfileStreamStream =
        Pin<Box<dyn Stream<Item = Result<ProfileStreamResponse, Status>> + Send>>;

    async fn profile(
        &self,
        request: Request<v1::ProfileRequest>,
    ) -> Result<Response<v1::ProfileResponse>, Status> {
        let deadline = Deadline::of(&request);
        let mut run = self.submit(request.into_inner().job).await?;
        tokio::select! {
            ending = ending(&mut run) => Ok(Response::new(v1::ProfileResponse {
                ending: Some(ending?),
                run_id: run.id.clone(),
            })),
            () = deadline.passed() => {
                run.stopper.stop(ErrorCode::Deadline);
                Err(Refusal::Deadline.into())
            }
        }
    }

    async fn profile_stream(
        &self,
        request: Request<v1::ProfileStreamRequest>,
    ) -> Result<Response<Self::ProfileStreamStream>, Status> {
        let deadline = Deadline::of(&request);
        let run = self.submit(request.into_inner().job).await?;
        let watch = Watch { run, deadline, sequence: 0, rest: Rest::Events };
        let events = futures::stream::unfold(watch, async |mut watch| {
            let next = watch.next().await?;
            Some((next, watch))
        });
        Ok(Response::new(Box::pin(events)))
    }

    type WatchRunStream = Pin<Box<dyn Stream<Item = Result<v1::WatchRunResponse, Status>> + Send>>;

    async fn watch_run(
        &self,
        _: Request<v1::WatchRunRequest>,
    ) -> Result<Response<Self::WatchRunStream>, Status> {
        Err(Status::unimplemented("unsupported"))
    }

    async fn get_run(
        &self,
        _: Request<v1::GetRunRequest>,
    ) -> Result<Response<v1::GetRunResponse>, Status> {
        Err(Status::unimplemented("unsupported"))
    }

    async fn list_runs(
        &self,
        _: Request<v1::ListRunsRequest>,
    ) -> Result<Response<v1::ListRunsResponse>, Status> {
        Err(Status::unimplemented("unsupported"))
    }

    async fn cancel_run(
        &self,
        request: Request<v1::CancelRunRequest>,
    ) -> Result<Response<v1::CancelRunResponse>, Status> {
        self.runs.cancel(request.into_inner().run_id).await?;
        Ok(Response::new(v1::CancelRunResponse {}))
    }

    async fn get_capabilities(
        &self,
        _: Request<v1::GetCapabilitiesRequest>,
    ) -> Result<Response<v1::GetCapabilitiesResponse>, Status> {
        let health = self.pool.health().borrow().clone();
        let backend = self.pool.backend();
        // The settings and limits are small: none is near the end of its type.
        let count = |n: usize| u32::try_from(n).unwrap_or(u32::MAX);
        Ok(Response::new(v1::GetCapabilitiesResponse {
            version: env!("CARGO_PKG_VERSION").into(),
            backend: backend.name().into(),
            not_enforced: backend.not_enforced(),
            serving: health.is_ok(),
            not_serving_reason: health.err().map(|fault| fault.to_string()).unwrap_or_default(),
            max_source_bytes: MAX_SOURCE_BYTES as u64,
            max_input_bytes: MAX_INPUT_BYTES as u64,
            max_sizes: count(MAX_SIZES),
            max_queued: count(self.config.max_queued),
            concurrency: count(self.config.concurrency),
            unsupported_fields: wire::UNSUPPORTED.map(Into::into).into(),
            max_retained_runs: 0,
        }))
    }
}

/// A run's last event.
async fn ending(run: &mut Run) -> Result<Ending, Refusal> {
    while let Some(event) = run.events.recv().await {
        match event.kind {
            EventKind::Finished(report) => {
                return Ok(Ending::Report(wire::report(&report, run.raw_samples)));
            }
            EventKind::Failed(error) => {
                return match Refusal::of_ending(error.code) {
                    Some(refusal) => Err(refusal),
                    None => Ok(Ending::Error(wire::error(&error, run.raw_samples))),
                };
            }
            EventKind::Accepted { .. }
            | EventKind::Compiled(_)
            | EventKind::SizeMeasured(_)
            | EventKind::Heartbeat { .. } => {}
        }
    }
    Err(Refusal::LostRun)
}

/// Somebody who watches a run. Dropped with the stream, it ends a run that is not over.
struct Watch {
    run: Run,
    deadline: Deadline,
    /// Of the last event.
    sequence: u64,
    rest: Rest,
}

/// What is still to be sent.
enum Rest {
    Events,
    Status(Refusal),
    Nothing,
}

impl Watch {
    async fn next(&mut self) -> Option<Result<ProfileStreamResponse, Status>> {
        match std::mem::replace(&mut self.rest, Rest::Nothing) {
            Rest::Nothing => None,
            Rest::Status(refusal) => Some(Err(refusal.into())),
            Rest::Events => {
                let event = self.event().await;
                let answer = event.map(|event| ProfileStreamResponse { event: Some(event) });
                Some(answer.map_err(Status::from))
            }
        }
    }

    /// The next event or sign of life. A refusal is the end.
    async fn event(&mut self) -> Result<v1::Event, Refusal> {
        let event = tokio::select! {
            biased;
            event = self.run.events.recv() => event.ok_or(Refusal::LostRun)?,
            () = self.deadline.passed() => {
                self.run.stopper.stop(ErrorCode::Deadline);
                return Err(Refusal::Deadline);
            }
            () = sleep(HEARTBEAT) => {
                self.rest = Rest::Events;
                let place = *self.run.place.borrow();
                return Ok(wire::heartbeat(&self.run.id, self.sequence, place));
            }
        };
        self.sequence = event.sequence;
        self.rest = match &event.kind {
            EventKind::Finished(_) => Rest::Nothing,
            EventKind::Failed(error) => {
                Refusal::of_ending(error.code).map_or(Rest::Nothing, Rest::Status)
            }
            EventKind::Accepted { .. }
            | EventKind::Compiled(_)
            | EventKind::SizeMeasured(_)
            | EventKind::Heartbeat { .. } => Rest::Events,
        };
        Ok(wire::event(&event, self.run.raw_samples))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{backend::stuck, deadline};
    use futures::StreamExt;
    use tokio::time::Instant;
    use v1::event::Kind;

    /// A caller's patience.
    const PATIENCE: Duration = Duration::from_secs(3);

    fn service() -> Service {
        let (config, pool) = (Config::default(), stuck());
        let runs = Runs::new(pool.clone(), config.concurrency, config.max_queued);
        Service { config, pool, runs }
    }

    fn job() -> v1::Job {
        let code = v1::CodeMessage {
            task_id: "hello".into(),
            code_cpp: "int main() {}".into(),
            ..v1::CodeMessage::default()
        };
        v1::Job { code: Some(code), ..v1::Job::default() }
    }

    /// A request as it comes in from a caller with [`PATIENCE`].
    fn impatient<T>(message: T) -> Request<T> {
        let mut headers = Request::new(());
        headers.set_timeout(PATIENCE);
        let (metadata, extensions, ()) = deadline::stamp(headers).unwrap().into_parts();
        Request::from_parts(metadata, extensions, message)
    }

    #[tokio::test(start_paused = true)]
    async fn a_call_ends_with_its_deadline() {
        let request = impatient(v1::ProfileRequest { job: Some(job()) });
        let status = service().profile(request).await.unwrap_err();
        assert_eq!(status.code(), tonic::Code::DeadlineExceeded);
    }

    #[tokio::test(start_paused = true)]
    async fn a_call_ends_before_tonics_own_timer() {
        let begin = Instant::now();
        let request = impatient(v1::ProfileRequest { job: Some(job()) });
        let _ = service().profile(request).await;
        assert!(begin.elapsed() < PATIENCE, "{:?}", begin.elapsed());
    }

    #[tokio::test(start_paused = true)]
    async fn a_stream_ends_with_its_deadline() {
        let request = impatient(v1::ProfileStreamRequest { job: Some(job()) });
        let service = service();
        let events = service.profile_stream(request).await.unwrap().into_inner();
        let last = events.collect::<Vec<_>>().await.pop().unwrap();
        assert_eq!(last.unwrap_err().code(), tonic::Code::DeadlineExceeded);
    }

    #[tokio::test(start_paused = true)]
    async fn a_silent_stream_shows_that_it_lives() {
        let request = Request::new(v1::ProfileStreamRequest { job: Some(job()) });
        let service = service();
        let mut events = service.profile_stream(request).await.unwrap().into_inner();
        let _accepted = events.next().await;
        let event = events.next().await.unwrap().unwrap().event.unwrap();
        let heartbeat = Kind::Heartbeat(v1::Heartbeat { queue_position: 0 });
        assert_eq!((event.sequence, event.kind), (1, Some(heartbeat)));
    }

    #[tokio::test(start_paused = true)]
    async fn a_waiting_stream_ends_as_unavailable_at_shutdown() {
        let service = service();
        let request = || Request::new(v1::ProfileStreamRequest { job: Some(job()) });
        let _first = service.profile_stream(request()).await.unwrap();
        let second = service.profile_stream(request()).await.unwrap().into_inner();
        let (events, ()) = tokio::join!(second.collect::<Vec<_>>(), service.runs.drain(PATIENCE));
        assert_eq!(events.last().unwrap().as_ref().unwrap_err().code(), tonic::Code::Unavailable);
    }
}
