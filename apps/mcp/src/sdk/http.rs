//! The tools over HTTP. No state of the protocol outlives a request.

use super::callers::Callers;
use super::handler::Handler;
use futures::FutureExt;
use profiler_server::{Agents, InProcess};
use rmcp::transport::streamable_http_server::session::never::NeverSessionManager;
use rmcp::transport::streamable_http_server::{StreamableHttpServerConfig, StreamableHttpService};
use std::sync::Arc;
use tonic::body::Body;

/// Maximum size of a request, in bytes. `compare` takes two sources of 1 MiB and a spec. Escaping
/// can make a source twice as long.
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
    let answer = Arc::new(move |request| {
        let service = service.clone();
        async move { service.handle(request).await.map(Body::new) }.boxed()
    });
    Agents { answer, opened }
}
