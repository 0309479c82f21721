//! The endpoint for agents: one path of plain HTTP, whose callers are identified like those of
//! gRPC.

use super::caller;
use super::message_limit::{Arriving, Held};
use super::status::CallError;
use crate::connections::in_process::Opened;
use crate::identity::Access;
use futures::StreamExt;
use futures::future::BoxFuture;
use http_body::Body as HttpBody;
use http_body_util::{BodyExt, BodyStream, StreamBody};
use std::convert::Infallible;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
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
    /// The bytes of all messages, those over gRPC too.
    pub(crate) arriving: Arriving,
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
                let held = self.arriving.of(&caller.name);
                let exceeds = Arc::new(AtomicBool::new(false));
                parts.extensions.insert(caller);
                let body = counted(body, held.clone(), exceeds.clone());
                let answer = (self.answer)(http::Request::from_parts(parts, body));
                Box::pin(async move {
                    let answered = answer.await;
                    // The answer only knows that the body could not be read.
                    if exceeds.load(Ordering::Relaxed) {
                        return Ok(refusal(&CallError::TooManyBytes));
                    }
                    // A tool goes on while its answer is sent.
                    Ok(answered.map(|body| {
                        Body::new(body.map_frame(move |frame| {
                            let _until_the_end = &held;
                            frame
                        }))
                    }))
                })
            }
            Err(refused) => Box::pin(async move { Ok(refusal(&refused)) }),
        }
    }
}

/// Counts a body in `held` while it arrives. If there are too many bytes, the body fails, and
/// `exceeds` becomes true.
fn counted<Content>(body: Content, held: Held, exceeds: Arc<AtomicBool>) -> Body
where
    Content: HttpBody<Data = Bytes> + Send + 'static,
    Content::Error: Into<BoxError>,
{
    let frames = BodyStream::new(body.map_err(Into::into)).map(move |frame| {
        let frame = frame?;
        if let Some(bytes) = frame.data_ref() {
            held.add(bytes.len()).inspect_err(|_| exceeds.store(true, Ordering::Relaxed))?;
        }
        Ok::<_, BoxError>(frame)
    });
    Body::new(StreamBody::new(frames))
}

fn refusal(refused: &CallError) -> http::Response<Body> {
    let mut response = http::Response::new(Body::new(refused.to_string()));
    let headers = response.headers_mut();
    headers.insert(CONTENT_TYPE, TEXT);
    *response.status_mut() = match refused {
        CallError::Denied(_) => {
            headers.insert(WWW_AUTHENTICATE, CHALLENGE);
            StatusCode::UNAUTHORIZED
        }
        CallError::TooManyBytes => StatusCode::TOO_MANY_REQUESTS,
        _ => StatusCode::BAD_REQUEST,
    };
    response
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::config::Identity;
    use crate::identity::{Caller, Peer, Scope};
    use futures::FutureExt;

    /// Length of a request, in bytes.
    const BYTES: usize = 1 << 20;

    #[tokio::test]
    async fn messages_of_agents_count_among_those_that_arrive() {
        // Reads the request, and answers for as long as somebody reads that.
        let answer: Answer = Arc::new(|request| {
            async {
                let read = request.into_body().collect().await;
                let mut response = http::Response::new(Body::new("all of it".to_owned()));
                if read.is_err() {
                    *response.status_mut() = StatusCode::INTERNAL_SERVER_ERROR;
                }
                response
            }
            .boxed()
        });
        let access = Arc::new(Access::load(Identity::default()).unwrap());
        let arriving = Arriving::default();
        let mut gate = AgentGate { answer, access, arriving: arriving.clone() };
        let (owner, name) = ("token a".to_owned(), "a".to_owned());
        let caller = Caller { owner, name, scopes: Scope::USUAL.into(), may_name: false };
        let mut call = async || {
            let mut request = http::Request::new(Body::new("x".repeat(BYTES)));
            request.extensions_mut().insert(Peer::unknown().known_as(caller.clone()));
            gate.call(request).await.unwrap()
        };
        let answered = call().await;
        assert_eq!(answered.status(), StatusCode::OK);
        let others = arriving.of("a");
        while others.add(BYTES).is_ok() {}
        assert_eq!(call().await.status(), StatusCode::TOO_MANY_REQUESTS);
        drop(answered);
        assert_eq!(others.add(BYTES), Ok(()), "the call was counted until its answer was sent");
        drop(others);
        assert_eq!(call().await.status(), StatusCode::OK);
    }
}
