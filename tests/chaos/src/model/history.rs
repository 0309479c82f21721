//! A history of a fleet, as each witness tells it.

/// The kind of an event, as far as the rules care.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Act {
    /// The first event.
    Accepted,
    /// A worker began the run, in this attempt.
    Started(u32),
    /// A worker began the run again, in this attempt.
    Restarted(u32),
    /// Something was done.
    Step,
    /// The last event.
    Ended,
}

/// An event in a log.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Entry {
    /// Its position in the stream.
    pub(crate) position: u64,
    pub(crate) run: String,
    pub(crate) number: u64,
    pub(crate) act: Act,
    /// The worker that began the attempt, as the log says.
    pub(crate) worker: String,
    /// The claim of the writer, which each attempt and each act of a gateway has for itself, and
    /// what it did. Empty where the fleet's crate wrote the event.
    pub(crate) signed: Signature,
    /// The request ID, with the first event.
    pub(crate) request: String,
    /// A hash of the whole event.
    pub(crate) hash: u64,
}

/// A mark that a writer puts into its events. No two events have the same.
#[derive(Debug, Clone, Default, PartialEq, Eq, Hash)]
pub(crate) struct Signature {
    pub(crate) claim: String,
    pub(crate) step: u64,
}

impl Signature {
    /// The last step of a run that nothing stopped.
    pub(crate) const REPORT: u64 = 9;

    /// Whether it is a report's.
    pub(crate) fn is_report(&self) -> bool {
        !self.claim.is_empty() && self.step == Self::REPORT
    }
}

/// An append that a worker heard to be stored, as it wrote it down at once.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Told {
    pub(crate) run: String,
    pub(crate) number: u64,
    pub(crate) position: u64,
    pub(crate) signed: Signature,
}

/// A submission: a request ID and a run. A gateway is asked for a run, and answers with that or
/// with the first run of the request ID.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Answer {
    /// Empty if there was none.
    pub(crate) request: String,
    pub(crate) run: String,
}

/// A run that a gateway ended, as it wrote down before it answered so.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct EndedBy {
    pub(crate) run: String,
    /// The claim of the last event.
    pub(crate) claim: String,
}

/// All that is known at the end.
#[derive(Debug, Clone, Default)]
pub(crate) struct History {
    /// The stream from its beginning, as it was read after everything was healed.
    pub(crate) log: Vec<Entry>,
    /// The appends that workers were told of.
    pub(crate) told: Vec<Told>,
    /// The runs that workers began, once for each attempt.
    pub(crate) begun: Vec<String>,
    /// The events that each gateway delivered while it all happened. One that is started again goes
    /// on where it was.
    pub(crate) delivered: Vec<Vec<Entry>>,
    /// The submissions that gateways began. Their gateway may have been lost within them.
    pub(crate) asked: Vec<Answer>,
    /// The answers that gateways gave, and those that callers heard.
    pub(crate) answers: Vec<Answer>,
    /// The runs that gateways began to cancel.
    pub(crate) stops: Vec<String>,
    /// The runs that gateways ended.
    pub(crate) ended: Vec<EndedBy>,
}
