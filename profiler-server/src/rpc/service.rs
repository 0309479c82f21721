//! The calls of `ProfilerService`.

use super::caller;
use super::deadline::Deadline;
use super::export;
use super::health::HealthMonitor;
use super::infer::{self, InferenceTurns};
use super::limits::{MAX_PAGE_RUNS, UNSENT_DOCUMENT_MIB, UNSENT_EVENTS_MIB, UNSENT_RUNS_MIB};
use super::message_limit::Held;
use super::message_limit::unsent::Unsent;
use super::status::CallError;
use super::watch::{Place, Watch, Watches};
use crate::config::Config;
use crate::identity::{Caller, INSECURE};
use crate::measurers::Measurers;
use crate::permits::Permits;
use crate::runs::{Attachment, LiveRuns, Refusal, Submission};
use crate::store::Store;
use crate::telemetry::metrics::Metrics;
use crate::telemetry::run_record::Requester;
use futures::{Stream, StreamExt};
use profiler_core::limits::{MAX_GENERATED_BYTES, MAX_INPUT_BYTES, MAX_SIZES, MAX_SOURCE_BYTES};
use profiler_export::Ending;
use profiler_proto::v1::event::Kind;
use profiler_proto::v1::profiler_service_server::ProfilerService;
use profiler_proto::v1::{self, get_run_response, profile_response};
use profiler_wire as wire;
use prost::Message;
use sha2::{Digest, Sha256};
use std::pin::Pin;
use tokio::sync::watch;
use tokio::task::spawn_blocking;
use tonic::{Request, Response, Status};
use uuid::Uuid;

pub(crate) struct Service {
    pub(crate) settings: watch::Receiver<Config>,
    pub(crate) health: HealthMonitor,
    pub(crate) measurers: Measurers,
    pub(crate) store: Store,
    pub(crate) runs: LiveRuns,
    pub(crate) metrics: Metrics,
    /// Places for calls that watch runs; see [`MAX_WATCHES`](super::limits::MAX_WATCHES).
    pub(crate) watches: Watches,
    /// Permits for making documents; see [`MAX_EXPORTS`](super::limits::MAX_EXPORTS).
    pub(crate) exports: Permits,
    /// Turns of inferences.
    pub(crate) inferences: InferenceTurns,
}

type EventStream<Response> = Pin<Box<dyn Stream<Item = Result<Response, Status>> + Send>>;

impl Service {
    async fn submit(
        &self,
        job: Option<v1::Job>,
        requester: Requester,
        held: Option<Held>,
    ) -> Result<Attachment, CallError> {
        let mut job = job.unwrap_or_default();
        if let Some(code) = &mut job.code {
            // The profiler does not use these fields, so they are no part of the job's identity.
            (code.timestamp_utc, code.model_version, code.seed) = (None, None, None);
        }
        let message = job.encode_to_vec();
        let digest = Sha256::digest(&message).into();
        let request_id = job.request_id.clone();
        let on_disconnect = job.on_disconnect();
        #[cfg(feature = "fleet")]
        let same_pool_as = job.same_pool_as.clone();
        let defaults = self.settings.borrow().defaults.clone();
        let encoded = defaults.encode_to_vec();
        // Checking the input specs can take half a second.
        let checked = spawn_blocking(move || wire::job(job, &defaults)).await;
        let job = checked.map_err(|_| CallError::LostRun)??;
        let submission = Submission {
            job,
            digest,
            message,
            defaults: encoded,
            #[cfg(feature = "fleet")]
            same_pool_as,
            request_id,
            on_disconnect,
            requester,
        };
        let submitted = self.runs.submit(submission).await;
        // From now on, the queue counts the job.
        drop(held);
        Ok(submitted.inspect_err(|refusal| self.metrics.refused(refusal))?)
    }

    /// Returns a stored run that `caller` sees, and the kind of its newest event.
    async fn run_and_last_event(
        &self,
        run_id: &str,
        caller: &Caller,
    ) -> Result<(v1::Run, Option<Kind>), CallError> {
        let store = self.store.read_by(&caller.name);
        let run = store.run(run_id, &caller.viewer()).await?;
        let run = run.ok_or_else(|| Refusal::UnknownRun(run_id.to_owned()))?;
        let before_last = run.last_sequence.saturating_sub(1);
        let last = store.events(run_id, before_last, 1).await?;
        Ok((run, last.into_iter().next().and_then(|event| event.kind)))
    }

    fn watch(
        &self,
        attachment: Attachment,
        (deadline, unsent): (Deadline, Unsent),
        seen: u64,
        place: Place,
    ) -> Watch {
        let store = self.store.read_by(place.caller());
        Watch::new(attachment, store, deadline, seen).with_place(place, unsent)
    }
}

#[tonic::async_trait]
impl ProfilerService for Service {
    type ProfileStreamStream = EventStream<v1::ProfileStreamResponse>;
    type WatchRunStream = EventStream<v1::WatchRunResponse>;

    async fn profile(
        &self,
        request: Request<v1::ProfileRequest>,
    ) -> Result<Response<v1::ProfileResponse>, Status> {
        let ending = (Deadline::from_request(&request), Unsent::of(&request));
        let requester = caller::requester(&request)?;
        let place = self.watches.take(&requester.caller)?;
        let held = request.extensions().get::<Held>().cloned();
        let attachment = self.submit(request.into_inner().job, requester, held).await?;
        let event = self.watch(attachment, ending, 0, place).last_event().await?;
        let ending = match event.kind {
            Some(Kind::Finished(report)) => profile_response::Ending::Report(report),
            Some(Kind::Failed(error)) => profile_response::Ending::Error(error),
            _ => return Err(CallError::LostRun.into()),
        };
        let answer = v1::ProfileResponse { run_id: event.run_id, ending: Some(ending) };
        Ok(Response::new(answer))
    }

    async fn profile_stream(
        &self,
        request: Request<v1::ProfileStreamRequest>,
    ) -> Result<Response<Self::ProfileStreamStream>, Status> {
        let ending = (Deadline::from_request(&request), Unsent::of(&request));
        let requester = caller::requester(&request)?;
        let mut meter = self.metrics.stream();
        let place = self.watches.take(&requester.caller)?;
        let held = request.extensions().get::<Held>().cloned();
        let attachment = self.submit(request.into_inner().job, requester, held).await?;
        let events = self
            .watch(attachment, ending, 0, place)
            .into_stream()
            .map(move |item| Ok(v1::ProfileStreamResponse { event: Some(meter.sent(item?)) }));
        Ok(Response::new(Box::pin(events)))
    }

    async fn watch_run(
        &self,
        request: Request<v1::WatchRunRequest>,
    ) -> Result<Response<Self::WatchRunStream>, Status> {
        let ending = (Deadline::from_request(&request), Unsent::of(&request));
        let caller = caller::of(&request)?;
        let v1::WatchRunRequest { run_id, after_sequence } = request.into_inner();
        let mut meter = self.metrics.stream();
        let place = self.watches.take(&caller.name)?;
        let attached = self.runs.attach(run_id, caller.viewer()).await;
        let attachment = attached.map_err(CallError::from)?;
        let events = self
            .watch(attachment, ending, after_sequence, place)
            .into_stream()
            .map(move |item| Ok(v1::WatchRunResponse { event: Some(meter.sent(item?)) }));
        Ok(Response::new(Box::pin(events)))
    }

    async fn get_run(
        &self,
        request: Request<v1::GetRunRequest>,
    ) -> Result<Response<v1::GetRunResponse>, Status> {
        let (caller, unsent) = (caller::of(&request)?, Unsent::of(&request));
        unsent.hold(self.watches.room(&caller.name, UNSENT_EVENTS_MIB).await?);
        let run_id = request.into_inner().run_id;
        let (run, last) = self.run_and_last_event(&run_id, &caller).await?;
        let ending = last.and_then(Ending::from_event).map(|ending| match ending {
            Ending::Report(report) => get_run_response::Ending::Report(*report),
            Ending::Error(error) => get_run_response::Ending::Error(*error),
        });
        Ok(Response::new(v1::GetRunResponse { run: Some(run), ending }))
    }

    async fn list_runs(
        &self,
        request: Request<v1::ListRunsRequest>,
    ) -> Result<Response<v1::ListRunsResponse>, Status> {
        let (caller, unsent) = (caller::of(&request)?, Unsent::of(&request));
        let v1::ListRunsRequest { page_size, page_token } = request.into_inner();
        let most = if page_size == 0 { MAX_PAGE_RUNS } else { page_size.min(MAX_PAGE_RUNS) };
        let before = Some(page_token).filter(|token| !token.is_empty());
        if before.as_ref().is_some_and(|token| Uuid::try_parse(token).is_err()) {
            let problem = "must be the next_page_token of the previous answer";
            return Err(CallError::invalid("page_token", problem.into()).into());
        }
        unsent.hold(self.watches.room(&caller.name, UNSENT_RUNS_MIB).await?);
        let runs = self
            .store
            .read_by(&caller.name)
            .runs(&caller.viewer(), before, most)
            .await
            .map_err(CallError::from)?;
        let is_full = u32::try_from(runs.len()).is_ok_and(|count| count == most);
        let last = runs.last().filter(|_| is_full);
        let next_page_token = last.map(|run| run.run_id.clone()).unwrap_or_default();
        Ok(Response::new(v1::ListRunsResponse { runs, next_page_token }))
    }

    async fn cancel_run(
        &self,
        request: Request<v1::CancelRunRequest>,
    ) -> Result<Response<v1::CancelRunResponse>, Status> {
        let (viewer, requester) = (caller::of(&request)?.viewer(), caller::requester(&request)?);
        let run_id = request.into_inner().run_id;
        self.runs.cancel(run_id.clone(), viewer).await.map_err(CallError::from)?;
        requester.log("a caller cancelled a run", &run_id);
        Ok(Response::new(v1::CancelRunResponse {}))
    }

    async fn delete_run(
        &self,
        request: Request<v1::DeleteRunRequest>,
    ) -> Result<Response<v1::DeleteRunResponse>, Status> {
        let (viewer, requester) = (caller::of(&request)?.viewer(), caller::requester(&request)?);
        let run_id = request.into_inner().run_id;
        let run = self.store.run(&run_id, &viewer).await.map_err(CallError::from)?;
        let run = run.ok_or_else(|| CallError::from(Refusal::UnknownRun(run_id.clone())))?;
        if run.ended_time.is_none() {
            return Err(CallError::StillLive(run_id).into());
        }
        self.runs.delete(run_id.clone(), viewer).await.map_err(CallError::from)?;
        requester.log("a caller deleted a run", &run_id);
        Ok(Response::new(v1::DeleteRunResponse {}))
    }

    async fn export_run(
        &self,
        request: Request<v1::ExportRunRequest>,
    ) -> Result<Response<v1::ExportRunResponse>, Status> {
        let (caller, unsent) = (caller::of(&request)?, Unsent::of(&request));
        let v1::ExportRunRequest { run_id, format } = request.into_inner();
        let format = export::parse_format(format)?;
        unsent.hold(self.watches.room(&caller.name, UNSENT_DOCUMENT_MIB).await?);
        let (_, last) = self.run_and_last_event(&run_id, &caller).await?;
        let ending = last.and_then(Ending::from_event).ok_or(CallError::NotEnded(run_id))?;
        let exports = &self.exports;
        Ok(Response::new(export::make_document(ending, format, exports, &caller.name).await?))
    }

    async fn infer_inputs(
        &self,
        request: Request<v1::InferInputsRequest>,
    ) -> Result<Response<v1::InferInputsResponse>, Status> {
        let caller = caller::of(&request)?;
        let held = request.extensions().get::<Held>().cloned();
        let samples = request.into_inner().samples;
        infer::check(&samples)?;
        let turn = self.inferences.take(&caller.name).await?;
        Ok(Response::new(infer::infer(samples, turn, held).await?))
    }

    async fn get_capabilities(
        &self,
        _: Request<v1::GetCapabilitiesRequest>,
    ) -> Result<Response<v1::GetCapabilitiesResponse>, Status> {
        let health = self.health.check();
        let config = self.settings.borrow();
        // In a fleet, each report says what its worker does not enforce.
        let pool = self.measurers.pool.as_ref();
        let mut not_enforced = pool.map(|pool| pool.backend().not_enforced()).unwrap_or_default();
        not_enforced.extend(config.identity.insecure.then(|| INSECURE.into()));
        // Settings and limits are far below the maximum of the type.
        let count = |n: usize| u32::try_from(n).unwrap_or(u32::MAX);
        Ok(Response::new(v1::GetCapabilitiesResponse {
            version: env!("CARGO_PKG_VERSION").into(),
            backend: self.measurers.name.into(),
            not_enforced,
            serving: health.is_ok(),
            not_serving_reason: health.err().unwrap_or_default(),
            max_source_bytes: MAX_SOURCE_BYTES as u64,
            max_input_bytes: MAX_INPUT_BYTES as u64,
            max_sizes: count(MAX_SIZES),
            max_queued: count(config.max_queued),
            concurrency: count(self.measurers.cores().unwrap_or(config.concurrency)),
            unsupported_fields: Vec::new(),
            max_retained_runs: config.retention.runs,
            max_generated_input_bytes: MAX_GENERATED_BYTES,
        }))
    }
}

#[cfg(test)]
mod tests;
