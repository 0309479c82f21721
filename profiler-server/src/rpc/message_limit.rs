//! The status of a call whose message is too long. tonic ends such a call as `OUT_OF_RANGE` before
//! the service sees it. The service itself never uses that code, so it is replaced here.

use super::status::CallError;
use futures::TryFutureExt;
use futures::future::MapOk;
use std::task::{Context, Poll};
use tonic::body::Body;
use tonic::codegen::{Service, http};
use tonic::server::NamedService;
use tonic::{Code, Status};

/// The header of a response without a message.
const STATUS: &str = "grpc-status";

/// A service that names the limit of messages in its statuses.
#[derive(Debug, Clone)]
pub(crate) struct MessageLimit<Inner>(pub(crate) Inner);

impl<Inner: NamedService> NamedService for MessageLimit<Inner> {
    const NAME: &'static str = Inner::NAME;
}

type Response = http::Response<Body>;

impl<Inner, Request> Service<Request> for MessageLimit<Inner>
where
    Inner: Service<Request, Response = Response>,
{
    type Response = Response;
    type Error = Inner::Error;
    type Future = MapOk<Inner::Future, fn(Response) -> Response>;

    fn poll_ready(&mut self, context: &mut Context<'_>) -> Poll<Result<(), Inner::Error>> {
        self.0.poll_ready(context)
    }

    fn call(&mut self, request: Request) -> Self::Future {
        self.0.call(request).map_ok(name_limit)
    }
}

fn name_limit(response: Response) -> Response {
    let code = response.headers().get(STATUS).map(|code| Code::from_bytes(code.as_bytes()));
    if code == Some(Code::OutOfRange) {
        return Status::from(CallError::MessageTooLong).into_http();
    }
    response
}
