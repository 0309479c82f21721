//! The traces of runs, sent as OTLP over gRPC.
//!
//! A run is one span, and each of its steps is a span below it. All spans are made after the run
//! has ended, from the times at which its steps began: a run makes no span while its program is
//! measured. The SDK sends the spans on a thread of its own. The variables `OTEL_*` are those of
//! OpenTelemetry's SDK.

use super::logging::TARGET;
use super::metrics::FINISHED;
use super::run_record::RunRecord;
use opentelemetry::propagation::{Extractor, TextMapPropagator};
use opentelemetry::trace::{
    Span, SpanContext, SpanKind, Status, TraceContextExt, Tracer, TracerProvider,
};
use opentelemetry::{Context, KeyValue, global};
use opentelemetry_otlp::{
    ExporterBuildError, OTEL_EXPORTER_OTLP_ENDPOINT, OTEL_EXPORTER_OTLP_TRACES_ENDPOINT,
    SpanExporter,
};
use opentelemetry_sdk::Resource;
use opentelemetry_sdk::propagation::TraceContextPropagator;
use opentelemetry_sdk::trace::SdkTracerProvider;
use profiler_core::report::Step;
use std::env;
use std::time::SystemTime;
use tokio::task::spawn_blocking;
use tokio::time::Instant;
use tonic::metadata::{KeyRef, MetadataMap};

/// The variable that names the service, and the name if it is not set.
const SERVICE: (&str, &str) = ("OTEL_SERVICE_NAME", "swiftprof");
/// Instrumentation scope of the spans.
const SCOPE: &str = "profiler-server";

/// Destination of the traces of runs, for the whole process.
#[derive(Debug)]
pub struct Traces(SdkTracerProvider);

impl Traces {
    /// Sends traces to the endpoint that the environment names; `None` if it names none. Needs a
    /// tokio runtime.
    ///
    /// # Errors
    /// If a variable of OpenTelemetry cannot be used.
    pub fn of_environment() -> Result<Option<Self>, ExporterBuildError> {
        let names = [OTEL_EXPORTER_OTLP_TRACES_ENDPOINT, OTEL_EXPORTER_OTLP_ENDPOINT];
        let is_named =
            names.into_iter().any(|name| env::var_os(name).is_some_and(|it| !it.is_empty()));
        is_named.then(|| Ok(Self::of(SpanExporter::builder().with_tonic().build()?))).transpose()
    }

    fn of(exporter: SpanExporter) -> Self {
        let (variable, name) = SERVICE;
        let resource = Resource::builder()
            .with_attribute(KeyValue::new("service.version", env!("CARGO_PKG_VERSION")));
        let resource = match env::var_os(variable) {
            Some(_) => resource,
            None => resource.with_service_name(name),
        };
        let provider = SdkTracerProvider::builder()
            .with_resource(resource.build())
            .with_batch_exporter(exporter)
            .build();
        global::set_tracer_provider(provider.clone());
        Self(provider)
    }

    /// Sends the remaining spans, and waits for the answer as long as the SDK does.
    pub async fn end(self) {
        // The runtime does the sending, so its thread must not wait.
        let ended = spawn_blocking(move || self.0.shutdown()).await;
        if let Ok(Err(error)) = ended {
            tracing::warn!(target: TARGET, "cannot send the last traces: {error}");
        }
    }
}

/// Returns the caller's span, as the metadata name it (W3C Trace Context).
pub(crate) fn parent(metadata: &MetadataMap) -> Option<SpanContext> {
    let empty = Context::new();
    let found = TraceContextPropagator::new().extract_with_context(&empty, &Headers(metadata));
    let parent = found.span().span_context().clone();
    parent.is_valid().then_some(parent)
}

impl RunRecord {
    /// Sends the trace of the run, which ends now.
    pub(super) fn trace(&self) {
        let (ended, now) = (SystemTime::now(), Instant::now());
        let accepted = ended - (now - self.accepted);
        let tracer = global::tracer_provider().tracer(SCOPE);
        let parent = match &self.requester.parent {
            Some(parent) => Context::new().with_remote_span_context(parent.clone()),
            None => Context::new(),
        };
        let span = tracer
            .span_builder("run")
            .with_kind(SpanKind::Server)
            .with_start_time(accepted)
            .with_attributes([
                KeyValue::new("profiler.run_id", self.run_id.clone()),
                KeyValue::new("profiler.task_id", self.task.clone()),
                KeyValue::new("profiler.ending", self.ending),
            ])
            .start_with_context(&tracer, &parent);
        let context = parent.with_span(span);
        let mut steps = vec![("queued", accepted)];
        let turn = self.began.map(|began| ended - (now - began));
        // A run that built ahead of its turn already had its sandbox.
        let started = |at: &SystemTime| self.steps.first().is_none_or(|(_, first)| at <= first);
        steps.extend(turn.filter(started).map(|at| ("start", at)));
        steps.extend(self.steps.iter().map(|&(step, began)| (name(step), began)));
        let ends = steps.iter().skip(1).map(|&(_, began)| began).chain([ended]);
        for (&(name, began), ended) in steps.iter().zip(ends) {
            let step = tracer.span_builder(name).with_start_time(began);
            step.start_with_context(&tracer, &context).end_with_timestamp(ended);
        }
        let span = context.span();
        if self.ending != FINISHED {
            span.set_status(Status::error(self.ending));
        }
        span.end_with_timestamp(ended);
    }
}

fn name(step: Step) -> &'static str {
    match step {
        Step::Build => "build",
        Step::Measure => "measure",
        Step::Analyse => "analyse",
    }
}

struct Headers<'a>(&'a MetadataMap);

impl Extractor for Headers<'_> {
    fn get(&self, key: &str) -> Option<&str> {
        self.0.get(key)?.to_str().ok()
    }

    fn keys(&self) -> Vec<&str> {
        let text = |key| match key {
            KeyRef::Ascii(key) => Some(key.as_str()),
            KeyRef::Binary(_) => None,
        };
        self.0.keys().filter_map(text).collect()
    }
}
