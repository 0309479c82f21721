//! The endpoint for agents: one path of plain HTTP, whose callers are identified like those of
//! gRPC.

use super::caller;
use super::status::CallError;
use crate::connections::in_process::Opened;
use crate::identity::Access;
use futures::future::BoxFuture;
use http_body::Body as HttpBody;
use std::convert::Infallible;
use std::sync::Arc;
use std::task::{Context, Poll};
use tonic::body::Body;
use tonic::codegen::http::header::{CONTENT_TYPE, HeaderValue, WWW_AUTHENTICATE};
use tonic::codegen::http::{self, StatusCode};
use tonic::codegen::{Bytes, Service, StdError as BoxError};

/// Path at which agents are answered.
pub(crate) const PATH: &str = "/mcp";
/// Challenge to a caller without an identity: the scheme that it could use (RFC 6750).
const CHALLENGE: HeaderValue = HeaderValue::from_static("Bearer");
const TEXT: HeaderValue = HeaderValue::from_static("text/plain; charset=utf-8");

/// Function that answers a request of an agent. Among the extensions of the request are the
/// [`Peer`](crate::identity::Peer) and the [`Caller`](crate::identity::Caller).
pub(crate) type Answer =
    Arc<dyn Fn(http::Request<Body>) -> BoxFuture<'static, http::Response<Body>> + Send + Sync>;

/// Endpoint that answers agents, at `/mcp`.
pub struct Agents {
    /// The function that answers a request.
    pub answer: Answer,
    /// The connections over which the answers call the service.
    pub opened: Opened,
}

/// Service that answers only the agents of identified callers.
#[derive(Clone)]
pub(crate) struct AgentGate {
    pub(crate) answer: Answer,
    pub(crate) access: Arc<Access>,
}

impl<Content> Service<http::Request<Content>> for AgentGate
where
    Content: HttpBody<Data = Bytes> + Send + 'static,
    Content::Error: Into<BoxError>,
{
    type Response = http::Response<Body>;
    type Error = Infallible;
    type Future = BoxFuture<'static, Result<Self::Response, Infallible>>;

    fn poll_ready(&mut self, _context: &mut Context<'_>) -> Poll<Result<(), Infallible>> {
        Poll::Ready(Ok(()))
    }

    fn call(&mut self, request: http::Request<Content>) -> Self::Future {
        let (mut parts, body) = request.into_parts();
        // Scopes are checked later, in the calls that an answer makes.
        let caller = caller::identify(&self.access, &parts.extensions, &parts.headers)
            .and_then(|caller| caller::with_given_name(caller, &parts.headers));
        match caller {
            Ok(caller) => {
                parts.extensions.insert(caller);
                let answer = (self.answer)(http::Request::from_parts(parts, Body::new(body)));
                Box::pin(async { Ok(answer.await) })
            }
            Err(refused) => Box::pin(async move { Ok(refusal(&refused)) }),
        }
    }
}

fn refusal(refused: &CallError) -> http::Response<Body> {
    let mut response = http::Response::new(Body::new(refused.to_string()));
    let headers = response.headers_mut();
    headers.insert(CONTENT_TYPE, TEXT);
    if matches!(refused, CallError::Denied(_)) {
        headers.insert(WWW_AUTHENTICATE, CHALLENGE);
        *response.status_mut() = StatusCode::UNAUTHORIZED;
    } else {
        *response.status_mut() = StatusCode::BAD_REQUEST;
    }
    response
}
