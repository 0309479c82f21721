//! What a caller is told of a message that is too long to be read. tonic ends such a call before any
//! of ours sees it, and calls it `OUT_OF_RANGE`, which this service never says itself.

use crate::status::Refusal;
use futures::TryFutureExt;
use futures::future::MapOk;
use std::task::{Context, Poll};
use tonic::body::Body;
use tonic::codegen::{Service, http};
use tonic::server::NamedService;
use tonic::{Code, Status};

/// The header of a call that ended without an answer.
const STATUS: &str = "grpc-status";

/// A service whose callers are told of a limit that their message met.
#[derive(Debug, Clone)]
pub(crate) struct Oversized<Inner>(pub(crate) Inner);

impl<Inner: NamedService> NamedService for Oversized<Inner> {
    const NAME: &'static str = Inner::NAME;
}

type Answer = http::Response<Body>;

impl<Inner, Request> Service<Request> for Oversized<Inner>
where
    Inner: Service<Request, Response = Answer>,
{
    type Response = Answer;
    type Error = Inner::Error;
    type Future = MapOk<Inner::Future, fn(Answer) -> Answer>;

    fn poll_ready(&mut self, context: &mut Context<'_>) -> Poll<Result<(), Inner::Error>> {
        self.0.poll_ready(context)
    }

    fn call(&mut self, request: Request) -> Self::Future {
        self.0.call(request).map_ok(told)
    }
}

fn told(answer: Answer) -> Answer {
    let code = answer.headers().get(STATUS).map(|code| Code::from_bytes(code.as_bytes()));
    if code == Some(Code::OutOfRange) {
        return Status::from(Refusal::MessageTooLong).into_http();
    }
    answer
}
