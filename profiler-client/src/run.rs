//! A run under way.

use crate::{Client, Error};
use profiler_proto::v1::event::Kind;
use profiler_proto::v1::{ProfileReport, ProfileStreamResponse};
use std::time::SystemTime;
use tokio::time::{Instant, timeout_at};
use tonic::Streaming;

/// Something that happened to a run.
#[derive(Debug, Clone, PartialEq)]
pub struct Event {
    /// Rises by one from event to event, from 1; a heartbeat repeats the number before it.
    pub sequence: u64,
    /// When it happened, by the profiler's clock.
    pub time: SystemTime,
    /// What happened.
    pub kind: Kind,
}

/// A run under way. Dropping it ends the run.
#[derive(Debug)]
pub struct Run {
    id: String,
    client: Client,
    events: Streaming<ProfileStreamResponse>,
    deadline: Option<Instant>,
    /// The event that accepted the run, until it has been read.
    first: Option<Event>,
}

impl Run {
    /// Waits for the first event, which names the run.
    pub(crate) async fn accepted(
        client: Client,
        mut events: Streaming<ProfileStreamResponse>,
        deadline: Option<Instant>,
    ) -> Result<Self, Error> {
        let answer = events.message().await?.ok_or(Error::Incomplete("event"))?;
        let (id, event) = open(answer)?;
        Ok(Self { id, client, events, deadline, first: Some(event) })
    }

    /// The run's name.
    pub fn id(&self) -> &str {
        &self.id
    }

    /// The next thing that happens, from the acceptance on; `None` after the last event.
    pub async fn next(&mut self) -> Result<Option<Event>, Error> {
        if let Some(event) = self.first.take() {
            return Ok(Some(event));
        }
        let message = self.events.message();
        let answer = match self.deadline {
            Some(at) => timeout_at(at, message).await.map_err(|_| Error::Deadline)?,
            None => message.await,
        };
        answer?.map(|answer| Ok(open(answer)?.1)).transpose()
    }

    /// Waits for the report. A run that ended early is [`Error::Sandbox`].
    pub async fn wait(mut self) -> Result<ProfileReport, Error> {
        while let Some(event) = self.next().await? {
            let ended = match event.kind {
                Kind::Finished(report) => Ok(report),
                Kind::Failed(error) => Err(Error::Sandbox(Box::new(error))),
                Kind::Accepted(_)
                | Kind::Compiled(_)
                | Kind::SizeMeasured(_)
                | Kind::Heartbeat(_) => continue,
            };
            // A stream that is dropped before its end is reset, and what still arrives on many such
            // streams ends the connection. What comes behind the ending says nothing new.
            let _ = self.next().await;
            return ended;
        }
        Err(Error::Incomplete("ending"))
    }

    /// Ends the run. Its last event, with what was measured until then, is still to be read.
    pub async fn cancel(&self) -> Result<(), Error> {
        self.client.cancel(&self.id).await
    }
}

/// The run's name and the event in an answer of the profiler.
fn open(answer: ProfileStreamResponse) -> Result<(String, Event), Error> {
    let event = answer.event.ok_or(Error::Incomplete("event"))?;
    let time = event.time.and_then(|time| time.try_into().ok());
    let opened = Event {
        sequence: event.sequence,
        time: time.ok_or(Error::Incomplete("time"))?,
        kind: event.kind.ok_or(Error::Incomplete("kind of event"))?,
    };
    Ok((event.run_id, opened))
}
