//! The endpoint for agents: one path of plain HTTP, whose callers are identified like those of
//! gRPC.

use super::caller;
use super::message_limit::unsent::Unsent;
use super::message_limit::{Arriving, Held};
use super::status::CallError;
use crate::connections::in_process::Opened;
use crate::identity::Access;
use futures::StreamExt;
use futures::future::BoxFuture;
use http_body::{Body as HttpBody, Frame};
use http_body_util::{BodyExt, BodyStream, StreamBody};
use std::convert::Infallible;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::task::{Context, Poll};
use tonic::Status;
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
                    Ok(sent(answered, held))
                })
            }
            Err(refused) => Box::pin(async move { Ok(refusal(&refused)) }),
        }
    }
}

/// Sends an answer in pieces, and counts it in `held` until it is sent. The answer is cut off if
/// there are too many bytes, or if the caller takes no piece for too long.
fn sent(answered: http::Response<Body>, held: Held) -> http::Response<Body> {
    let answered = answered.map(|body| counted(body, held, Arc::default()));
    Unsent::default().send(answered).map(|body| {
        Body::new(StreamBody::new(BodyStream::new(body).map(|frame| match frame?.into_data() {
            Ok(data) => Ok(Frame::data(data)),
            // A status after the body, which only callers of gRPC read.
            Err(_) => Err(Status::from(CallError::SlowWatcher)),
        })))
    })
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
    use crate::rpc::limits::SLOW_WATCHER_LIMIT;
    use futures::FutureExt;
    use tokio::task::yield_now;
    use tokio::time::sleep;

    /// Length of a request or an answer, in bytes.
    const BYTES: usize = 1 << 20;

    /// Number of answers that have no room together.
    const UNREAD: usize = 256;

    /// A gate before an answer of this length, which reads the request.
    fn gate(answer_bytes: usize, arriving: &Arriving) -> AgentGate {
        let answer: Answer = Arc::new(move |request| {
            async move {
                let read = request.into_body().collect().await;
                let mut response = http::Response::new(Body::new("x".repeat(answer_bytes)));
                if read.is_err() {
                    *response.status_mut() = StatusCode::INTERNAL_SERVER_ERROR;
                }
                response
            }
            .boxed()
        });
        let access = Arc::new(Access::load(Identity::default()).unwrap());
        AgentGate { answer, access, arriving: arriving.clone() }
    }

    /// Sends a request of this length.
    async fn call(gate: &mut AgentGate, bytes: usize) -> http::Response<Body> {
        let (owner, name) = ("token a".to_owned(), "a".to_owned());
        let caller = Caller { owner, name, scopes: Scope::USUAL.into(), may_name: false };
        let mut request = http::Request::new(Body::new("x".repeat(bytes)));
        request.extensions_mut().insert(Peer::unknown().known_as(caller));
        gate.call(request).await.unwrap()
    }

    #[tokio::test]
    async fn messages_of_agents_count_among_those_that_arrive() {
        let arriving = Arriving::default();
        let mut gate = gate(BYTES, &arriving);
        let answered = call(&mut gate, BYTES).await;
        assert_eq!(answered.status(), StatusCode::OK);
        let others = arriving.of("a");
        while others.add(BYTES).is_ok() {}
        assert_eq!(call(&mut gate, BYTES).await.status(), StatusCode::TOO_MANY_REQUESTS);
        drop(answered);
        // The task that sends the answer notices that.
        yield_now().await;
        assert_eq!(others.add(BYTES), Ok(()), "the call was counted until its answer was sent");
        drop(others);
        assert_eq!(call(&mut gate, BYTES).await.status(), StatusCode::OK);
    }

    #[tokio::test]
    async fn answers_that_agents_do_not_read_are_counted() {
        let arriving = Arriving::default();
        let mut gate = gate(BYTES, &arriving);
        let mut unread = Vec::new();
        while unread.len() < UNREAD && arriving.of("a").add(BYTES).is_ok() {
            unread.push(call(&mut gate, 1).await);
            yield_now().await;
        }
        let next = call(&mut gate, 1).await;
        assert_eq!(next.status(), StatusCode::OK);
        assert!(next.into_body().collect().await.is_err(), "it is cut off");
        let read = unread.pop().unwrap().into_body().collect().await.unwrap();
        assert_eq!(read.to_bytes().len(), BYTES);
        let next = call(&mut gate, 1).await;
        assert_eq!(next.into_body().collect().await.unwrap().to_bytes().len(), BYTES);
    }

    #[tokio::test(start_paused = true)]
    async fn answer_that_an_agent_does_not_take_is_cut_off() {
        let arriving = Arriving::default();
        let answered = call(&mut gate(BYTES, &arriving), 1).await;
        sleep(SLOW_WATCHER_LIMIT * 2).await;
        assert!(answered.into_body().collect().await.is_err());
    }
}
