//! The operations of the engine that a fleet uses. Everything that decides is above them, so it
//! also runs over a simulated engine.

use bytes::Bytes;
use futures::Stream;
use futures::future::BoxFuture;
use std::time::{Duration, SystemTime};

/// The answer of the engine.
pub(crate) type Answer<'a, T> = BoxFuture<'a, Result<T, EngineError>>;

/// Error of an operation.
#[derive(Debug, Clone, thiserror::Error)]
#[error("{text}")]
pub(crate) struct EngineError {
    pub(crate) why: Why,
    pub(crate) text: String,
}

/// Reason why an operation failed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Why {
    /// Another message has been stored since the one that the writer saw last.
    Overtaken,
    /// The stream has no room.
    Full,
    /// Nobody listens.
    Nobody,
    /// The stream does not exist.
    Absent,
    /// Any other reason. The operation may have succeeded.
    Other,
}

impl EngineError {
    #[expect(clippy::needless_pass_by_value, reason = "it maps errors")]
    pub(crate) fn other(text: impl ToString) -> Self {
        Self { why: Why::Other, text: text.to_string() }
    }
}

/// A stream of the engine.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum StreamName {
    /// The logs and the claims.
    Logs,
    /// The queue.
    Jobs,
    /// The large bytes.
    Blobs,
}

/// A message to be stored.
#[derive(Debug, Clone, Default)]
pub(crate) struct Put {
    pub(crate) payload: Bytes,
    /// Name by which the engine recognizes the message if it is sent again.
    pub(crate) name: Option<String>,
    /// Position of the last message of the subject, or the engine refuses the message.
    pub(crate) after: Option<u64>,
}

impl Put {
    pub(crate) fn of(payload: impl Into<Bytes>) -> Self {
        Self { payload: payload.into(), ..Self::default() }
    }
}

/// A stored message.
#[derive(Debug, Clone)]
pub(crate) struct Stored {
    pub(crate) position: u64,
    pub(crate) subject: String,
    pub(crate) payload: Bytes,
}

/// State of a stream.
#[derive(Debug, Clone, Copy)]
pub(crate) struct StreamState {
    /// Time at which it was made, in nanoseconds. No other stream was made then.
    pub(crate) created: i64,
    /// Position of its last message, which may be gone.
    pub(crate) last: u64,
    /// Size of its messages, in bytes.
    pub(crate) bytes: u64,
    /// Maximum size of its messages, in bytes. A larger message is refused.
    pub(crate) limit: Option<u64>,
    /// Time of its oldest message.
    pub(crate) oldest: Option<SystemTime>,
}

/// A consumer of jobs to be made.
#[derive(Debug, Clone)]
pub(crate) struct NewConsumer {
    pub(crate) name: String,
    pub(crate) subject: String,
    /// Time without a renewal after which a job is given out again.
    pub(crate) ack_wait: Duration,
    /// Time without use after which the engine deletes the consumer.
    pub(crate) idle: Duration,
}

/// A job that the queue gave out.
#[derive(Debug, Clone)]
pub(crate) struct Job {
    pub(crate) position: u64,
    pub(crate) payload: Bytes,
    /// Address for acknowledgements.
    pub(crate) reply: Option<String>,
}

/// Acknowledgement of a job.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Word {
    /// Still under way.
    Progress,
    /// Ended.
    Done,
    /// Handed back, for somebody else.
    HandBack,
}

/// A message that is not stored.
#[derive(Debug, Clone)]
pub(crate) struct Heard {
    pub(crate) payload: Bytes,
    pub(crate) reply: Option<String>,
}

/// The operations of a connection to the engine.
pub(crate) trait Engine: Send + Sync {
    /// Whether the connection is there now.
    fn is_connected(&self) -> bool;
    /// Sends a message to whoever listens.
    fn publish(&self, subject: String, payload: Bytes) -> Answer<'_, ()>;
    /// Waits until the engine has everything that was sent.
    fn flush(&self) -> Answer<'_, ()>;
    /// Sends a message, and waits until somebody answers.
    fn request(&self, subject: String, payload: Bytes) -> Answer<'_, ()>;
    /// Listens to a subject. Of the listeners with one group, each message gets to one.
    fn listen(&self, subject: String, group: Option<&str>) -> Answer<'_, Box<dyn Listening>>;

    /// Stores a message in the stream of its subject, and returns its position.
    fn store(&self, subject: String, put: Put) -> Answer<'_, u64>;
    /// Reads the last message of a subject from the leader.
    fn last<'a>(&'a self, of: StreamName, subject: &'a str) -> Answer<'a, Option<Stored>>;
    /// Reads the first message of a subject at or after a position. In the subject, `*` stands for
    /// any word.
    fn next<'a>(
        &'a self,
        of: StreamName,
        subject: &'a str,
        from: u64,
    ) -> Answer<'a, Option<Stored>>;
    /// Reads the message at a position.
    fn at(&self, of: StreamName, position: u64) -> Answer<'_, Option<Stored>>;
    /// Removes the message at a position, if it is there.
    fn remove(&self, from: StreamName, position: u64) -> Answer<'_, ()>;
    /// Makes the streams that are missing.
    fn make_streams(&self) -> Answer<'_, ()>;
    /// Asks for the state of a stream.
    fn state(&self, of: StreamName) -> Answer<'_, StreamState>;
    /// Asks for the subjects of the queue that match, each with the number of its jobs.
    fn subjects(&self, matching: String) -> Answer<'_, Vec<(String, usize)>>;
    /// Reads the logs after a position.
    fn read_logs(&self, after: u64, silence: Duration) -> Answer<'_, Box<dyn LogReader>>;

    /// Makes a consumer, unless it exists.
    fn make_consumer(&self, new: NewConsumer) -> Answer<'_, ()>;
    /// Finds a consumer.
    fn consumer<'a>(&'a self, name: &'a str) -> Answer<'a, Box<dyn Consumer>>;
    /// Returns whether a consumer has jobs that wait or are under way.
    fn has_jobs<'a>(&'a self, consumer: &'a str) -> Answer<'a, bool>;
    /// Deletes a consumer.
    fn delete_consumer<'a>(&'a self, name: &'a str) -> Answer<'a, ()>;
    /// Acknowledges a job, and waits until the queue confirms it.
    fn acknowledge(&self, reply: String, word: Word) -> Answer<'_, ()>;
}

/// A subscription, which ends when it is dropped.
pub(crate) trait Listening: Stream<Item = Heard> + Send + Sync + Unpin {
    /// Ends after what has arrived.
    fn drain(&mut self) -> Answer<'_, ()>;
}

/// A reader of the logs, in their order.
pub(crate) trait LogReader: Send {
    /// Waits for the next entry; `None` at the end. It may come twice.
    fn next(&mut self) -> BoxFuture<'_, Option<Result<Stored, EngineError>>>;
    /// Fails if the engine does not know the reader.
    fn check(&mut self) -> Answer<'_, ()>;
}

/// A consumer of jobs.
pub(crate) trait Consumer: Send + Sync {
    /// Fetches a job, if one waits.
    fn fetch(&self) -> Answer<'_, Option<Job>>;
}
