//! An open stream of a run's events.

use crate::error::Error;
use crate::retry::Failure;
use profiler_proto::v1::{self, ProfileStreamResponse, WatchRunResponse};
use tonic::Streaming;

/// An open stream of events.
#[derive(Debug)]
pub(crate) enum Stream {
    Submission(Streaming<ProfileStreamResponse>),
    Watch(Streaming<WatchRunResponse>),
}

impl Stream {
    pub(crate) async fn message(&mut self) -> Result<v1::Event, Failure> {
        let event = match self {
            Self::Submission(stream) => stream.message().await?.map(|answer| answer.event),
            Self::Watch(stream) => stream.message().await?.map(|answer| answer.event),
        };
        let event = event.ok_or_else(|| {
            Failure::gone("the profiler's stream ended without a last event".into())
        });
        Ok(event?.ok_or(Error::Incomplete("event"))?)
    }
}
