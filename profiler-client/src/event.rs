//! What happens to a run.

use crate::Error;
use profiler_proto::v1;
use profiler_proto::v1::event::Kind;
use std::time::SystemTime;

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

impl Event {
    /// Whether nothing comes after it.
    pub(crate) fn is_last(&self) -> bool {
        matches!(self.kind, Kind::Finished(_) | Kind::Failed(_))
    }

    /// The number it must have behind an event with the number `sequence`.
    pub(crate) fn due(&self, sequence: u64) -> u64 {
        match self.kind {
            Kind::Heartbeat(_) => sequence,
            _ => sequence.saturating_add(1),
        }
    }
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
