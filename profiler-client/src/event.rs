//! The events of a run.

use crate::Error;
use profiler_proto::v1;
use profiler_proto::v1::event::Kind;
use std::time::SystemTime;

/// An event of a run.
#[derive(Debug, Clone, PartialEq)]
pub struct Event {
    /// The number of the event, from 1, without gaps. A heartbeat has the number of the event
    /// before it.
    pub sequence: u64,
    /// The time of the event, by the profiler's clock.
    pub time: SystemTime,
    /// The kind of event.
    pub kind: Kind,
}

impl TryFrom<v1::Event> for Event {
    type Error = Error;

    fn try_from(event: v1::Event) -> Result<Self, Error> {
        let time = event.time.and_then(|time| time.try_into().ok());
        Ok(Self {
            sequence: event.sequence,
            time: time.ok_or(Error::Incomplete("time"))?,
            kind: event.kind.ok_or(Error::Incomplete("kind of event"))?,
        })
    }
}
