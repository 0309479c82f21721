//! Limits on the content of a message. Its bytes are counted while they arrive, before any of them
//! is decoded and before the message is in memory as a whole. A message that is refused therefore
//! costs the server little, and the bytes of a long one never keep a thread from other calls. A
//! message that takes too long to arrive is refused as well.
//!
//! tonic ends a call whose message is too long as `OUT_OF_RANGE`. The service itself never uses
//! that code, so it is replaced here.

mod arriving;
mod field_limits;
pub(crate) mod unsent;
mod walk;

pub(crate) use arriving::{Arriving, Held};
pub use field_limits::most_elements;
use unsent::Unsent;
pub use walk::{Refused, Walk};

use super::limits::ARRIVAL_LIMIT;
use super::status::CallError;
use crate::identity::Caller;
use futures::future::MapOk;
use futures::{FutureExt, StreamExt, TryFutureExt, stream};
use http_body_util::{BodyStream, StreamBody};
use prost_reflect::{DescriptorPool, MessageDescriptor};
use std::task::{Context, Poll};
use tokio::time::sleep;
use tonic::body::Body;
use tonic::codegen::{Service, http};
use tonic::server::NamedService;
use tonic::{Code, Status};

/// The header that has the status in a response without a message.
const STATUS: &str = "grpc-status";
/// Bytes before a message of gRPC: whether it is compressed, and its length.
const PREFIX_BYTES: usize = 5;
/// Prefix that violations leave out: they name a field by its path within the job.
const JOB: &str = "job.";

/// A service that refuses messages by the limits of their fields.
#[derive(Debug, Clone)]
pub(crate) struct MessageLimit<Inner> {
    pub(crate) inner: Inner,
    pub(crate) descriptors: &'static DescriptorPool,
    pub(crate) arriving: Arriving,
}

impl<Inner> MessageLimit<Inner> {
    /// Returns the type of message that a method takes. The path is `/SERVICE/METHOD`.
    fn input(&self, path: &str) -> Option<MessageDescriptor> {
        let (service, method) = path.strip_prefix('/')?.split_once('/')?;
        let service = self.descriptors.get_service_by_name(service)?;
        service.methods().find(|one| one.name() == method).map(|method| method.input())
    }
}

impl<Inner: NamedService> NamedService for MessageLimit<Inner> {
    const NAME: &'static str = Inner::NAME;
}

type Request = http::Request<Body>;
type Response = http::Response<Body>;

impl<Inner> Service<Request> for MessageLimit<Inner>
where
    Inner: Service<Request, Response = Response>,
{
    type Response = Response;
    type Error = Inner::Error;
    type Future = MapOk<Inner::Future, Box<dyn FnOnce(Response) -> Response + Send>>;

    fn poll_ready(&mut self, context: &mut Context<'_>) -> Poll<Result<(), Inner::Error>> {
        self.inner.poll_ready(context)
    }

    fn call(&mut self, mut request: Request) -> Self::Future {
        let unsent = Unsent::default();
        request.extensions_mut().insert(unsent.clone());
        let request = match self.input(request.uri().path()) {
            Some(kind) => {
                let caller = request.extensions().get::<Caller>();
                let held = self.arriving.of(caller.map_or("", |caller| caller.name.as_str()));
                request.extensions_mut().insert(held.clone());
                request.map(|body| limited(body, kind, held))
            }
            // tonic answers that there is no such method.
            None => request,
        };
        self.inner.call(request).map_ok(Box::new(move |response| unsent.send(name_limit(response))))
    }
}

fn name_limit(response: Response) -> Response {
    let code = response.headers().get(STATUS).map(|code| Code::from_bytes(code.as_bytes()));
    if code == Some(Code::OutOfRange) {
        return Status::from(CallError::MessageTooLong).into_http();
    }
    response
}

/// Ends a body, whose messages are of this kind, at the first byte that breaks a limit, or when it
/// has taken too long to arrive. Its bytes count in `held`.
fn limited(body: Body, kind: MessageDescriptor, held: Held) -> Body {
    let message = Walk::new(kind.clone(), 0);
    let mut messages = Messages { kind, prefix: Vec::new(), message, left: 0 };
    let mut frames = BodyStream::new(body).map(move |frame| {
        let frame = frame?;
        if let Some(bytes) = frame.data_ref() {
            held.add(bytes.len())?;
            messages.take(bytes)?;
        }
        Ok(frame)
    });
    let mut late = Box::pin(sleep(ARRIVAL_LIMIT));
    Body::new(StreamBody::new(stream::poll_fn(move |context| {
        if late.poll_unpin(context).is_ready() {
            return Poll::Ready(Some(Err(Status::from(CallError::SlowMessage))));
        }
        frames.poll_next_unpin(context)
    })))
}

impl From<Refused> for Status {
    fn from(refused: Refused) -> Self {
        match refused {
            Refused::Malformed => Self::invalid_argument("the message is malformed"),
            Refused::Field { path, problem } => {
                CallError::invalid(path.strip_prefix(JOB).unwrap_or(&path), problem).into()
            }
        }
    }
}

/// The messages of one body, one after the other.
struct Messages {
    kind: MessageDescriptor,
    prefix: Vec<u8>,
    message: Walk,
    /// Number of bytes of the message that have not arrived.
    left: usize,
}

impl Messages {
    fn take(&mut self, mut bytes: &[u8]) -> Result<(), Refused> {
        while !bytes.is_empty() {
            let wanted = if self.left > 0 { self.left } else { PREFIX_BYTES - self.prefix.len() };
            let (these, rest) = bytes.split_at(wanted.min(bytes.len()));
            bytes = rest;
            if self.left > 0 {
                self.message.take(these)?;
                self.left -= these.len();
                continue;
            }
            self.prefix.extend(these);
            if let &[_, a, b, c, d] = self.prefix.as_slice() {
                let length = u32::from_be_bytes([a, b, c, d]);
                self.prefix.clear();
                self.left = length as usize;
                self.message = Walk::new(self.kind.clone(), length.into());
            }
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests;
