//! The tools over HTTP. No state of the protocol outlives a request.

use super::callers::Callers;
use super::handler::Handler;
use super::values::{Counted, TooManyValues};
use futures::FutureExt;
use profiler_server::{Agents, InProcess};
use rmcp::transport::streamable_http_server::session::never::NeverSessionManager;
use rmcp::transport::streamable_http_server::{StreamableHttpServerConfig, StreamableHttpService};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use tonic::body::Body;
use tonic::codegen::http::{Request, Response, StatusCode};

/// Maximum number of bytes of a request. `compare` takes two sources of 1 MiB and a spec. Escaping
/// may make a source twice as long.
const MAX_REQUEST_BYTES: usize = 5 << 20;

/// Creates the server for the agents of a service. Each agent sees what its caller sees.
pub fn agents() -> Agents {
    let (service, opened) = InProcess::new();
    let handler = Handler::OfCallers(Arc::new(Callers::new(service)));
    let config = StreamableHttpServerConfig::default()
        .with_legacy_session_mode(false)
        // A browser sends the origin of a page. No page may call the tools, whichever name of this
        // host it was loaded from, so the names need not be configured.
        .enforce_origin_validation()
        .disable_allowed_hosts()
        .with_max_request_body_bytes(MAX_REQUEST_BYTES);
    let manager = Arc::new(NeverSessionManager::default());
    let service = StreamableHttpService::new(move || Ok(handler.clone()), manager, config);
    let answer = Arc::new(move |request: Request<Body>| {
        let service = service.clone();
        async move {
            let exceeds = Arc::new(AtomicBool::new(false));
            let request = request.map(|body| Counted::new(body, exceeds.clone()));
            let response = service.handle(request).await.map(Body::new);
            // The SDK answers that it could not read the body.
            if exceeds.load(Ordering::Relaxed) { too_large() } else { response }
        }
        .boxed()
    });
    Agents { answer, opened }
}

fn too_large() -> Response<Body> {
    let mut response = Response::new(Body::new(TooManyValues.to_string()));
    *response.status_mut() = StatusCode::PAYLOAD_TOO_LARGE;
    response
}

#[cfg(test)]
mod tests {
    use super::*;
    use tonic::codegen::http::header::{ACCEPT, CONTENT_TYPE, HOST};

    async fn status(body: String) -> StatusCode {
        let request = Request::post("/mcp")
            .header(HOST, "localhost")
            .header(ACCEPT, "application/json, text/event-stream")
            .header(CONTENT_TYPE, "application/json")
            .body(Body::new(body))
            .unwrap();
        (agents().answer)(request).await.status()
    }

    #[tokio::test]
    async fn request_with_too_many_values_is_too_large() {
        for body in ["[".repeat(1_000_000), format!("[{}0]", r#"{"":1},"#.repeat(600_000))] {
            assert_eq!(status(body).await, StatusCode::PAYLOAD_TOO_LARGE);
        }
        // This is no request either, but it is read.
        let few = format!("[{}0]", r#"{"":1},"#.repeat(600));
        assert_eq!(status(few).await, StatusCode::UNSUPPORTED_MEDIA_TYPE);
    }
}
