//! Placeholder for runs on a server, in a build without the feature `service`.

use crate::exit::Failure;
use crate::job_request::JobRequest;
use crate::progress::Progress;
use crate::server::Server;
use profiler_proto::v1::Event;

/// Run on a server, which this build cannot have.
pub(super) enum Run {}

#[expect(clippy::unused_async, reason = "the other is async")]
pub(super) async fn submit(server: &Server, _: JobRequest, _: &Progress) -> Result<Run, Failure> {
    match *server {}
}

#[expect(clippy::unused_async, reason = "the others are async")]
impl Run {
    pub(super) fn cancel_command(&self) -> String {
        match *self {}
    }

    pub(super) async fn next(&mut self) -> Result<Event, Failure> {
        match *self {}
    }

    pub(super) fn cancel(&self) {
        match *self {}
    }

    pub(super) async fn abandon(self) {
        match self {}
    }
}
