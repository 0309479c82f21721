//! Measures every call of a service, from its headers to its status.

use super::metrics::Metrics;
use futures::TryFutureExt;
use futures::future::MapOk;
use http_body::{Body as HttpBody, Frame};
use http_body_util::BodyExt;
use std::task::{Context, Poll};
use tokio::time::Instant;
use tonic::Code;
use tonic::body::Body;
use tonic::codegen::http::HeaderMap;
use tonic::codegen::{Bytes, Service, StdError as BoxError, http};
use tonic::server::NamedService;

/// The header or trailer with the status of a call.
const STATUS: &str = "grpc-status";
/// The methods that have a label of their own, as `SERVICE/METHOD`. If every path had one, callers
/// could create labels without bound.
const METHODS: [&str; 10] = [
    "swiftsolve.profiler.v1.ProfilerService/Profile",
    "swiftsolve.profiler.v1.ProfilerService/ProfileStream",
    "swiftsolve.profiler.v1.ProfilerService/WatchRun",
    "swiftsolve.profiler.v1.ProfilerService/GetRun",
    "swiftsolve.profiler.v1.ProfilerService/ListRuns",
    "swiftsolve.profiler.v1.ProfilerService/CancelRun",
    "swiftsolve.profiler.v1.ProfilerService/DeleteRun",
    "swiftsolve.profiler.v1.ProfilerService/ExportRun",
    "swiftsolve.profiler.v1.ProfilerService/InferInputs",
    "swiftsolve.profiler.v1.ProfilerService/GetCapabilities",
];
/// Label of a method that does not exist, by the conventions of OpenTelemetry.
const OTHER: &str = "_OTHER";

type Request = http::Request<Body>;
type Response = http::Response<Body>;

/// A service whose calls are measured.
#[derive(Debug, Clone)]
pub(crate) struct MeasuredCalls<Inner> {
    pub(crate) inner: Inner,
    pub(crate) metrics: Metrics,
}

impl<Inner: NamedService> NamedService for MeasuredCalls<Inner> {
    const NAME: &'static str = Inner::NAME;
}

impl<Inner, Content> Service<Request> for MeasuredCalls<Inner>
where
    Inner: Service<Request, Response = http::Response<Content>>,
    Content: HttpBody<Data = Bytes> + Send + 'static,
    Content::Error: Into<BoxError>,
{
    type Response = Response;
    type Error = Inner::Error;
    type Future = MapOk<Inner::Future, Box<dyn FnOnce(Inner::Response) -> Response + Send>>;

    fn poll_ready(&mut self, context: &mut Context<'_>) -> Poll<Result<(), Inner::Error>> {
        self.inner.poll_ready(context)
    }

    fn call(&mut self, request: Request) -> Self::Future {
        let path = request.uri().path().trim_start_matches('/');
        let method = METHODS.into_iter().find(|method| *method == path).unwrap_or(OTHER);
        let metrics = self.metrics.clone();
        // A call that its caller abandons has no status of its own.
        let mut meter = Meter { metrics, method, begun: Instant::now(), code: Code::Cancelled };
        self.inner.call(request).map_ok(Box::new(move |response: Inner::Response| {
            meter.read(response.headers());
            response.map(|body| {
                Body::new(body.map_frame(move |frame: Frame<Bytes>| {
                    if let Some(trailers) = frame.trailers_ref() {
                        meter.read(trailers);
                    }
                    frame
                }))
            })
        }))
    }
}

/// Meter of a call. It is dropped with the body of the response, and then reports the call.
struct Meter {
    metrics: Metrics,
    method: &'static str,
    begun: Instant,
    code: Code,
}

impl Meter {
    /// Reads the status of the call from headers or trailers, if they have it.
    fn read(&mut self, headers: &HeaderMap) {
        if let Some(code) = headers.get(STATUS) {
            self.code = Code::from_bytes(code.as_bytes());
        }
    }
}

impl Drop for Meter {
    fn drop(&mut self) {
        self.metrics.call(self.method, self.code, self.begun.elapsed());
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use profiler_proto::json::descriptors;
    use std::collections::BTreeSet;

    #[test]
    fn every_method_has_its_label() {
        let service = "swiftsolve.profiler.v1.ProfilerService";
        let service = descriptors().unwrap().get_service_by_name(service).unwrap();
        let declared: BTreeSet<String> = service
            .methods()
            .map(|method| format!("{}/{}", service.full_name(), method.name()))
            .collect();
        assert_eq!(METHODS.map(String::from).into_iter().collect::<BTreeSet<_>>(), declared);
    }
}
