//! Messages that are written in the engine. A field is never given another number or meaning, so a
//! newer program reads what an older one wrote.

use profiler_proto::v1;
use prost::Message;

/// Origin of a run: the data that each gateway needs besides its events. It is written with the job
/// and with the first event.
#[derive(Clone, PartialEq, Message)]
pub struct Origin {
    /// The row of the run as it was accepted.
    #[prost(message, optional, tag = "1")]
    pub run: Option<v1::Run>,
    /// Owner of the run, who sees it.
    #[prost(string, tag = "2")]
    pub owner: String,
    /// SHA-256 of the job's message.
    #[prost(bytes = "vec", tag = "3")]
    pub digest: Vec<u8>,
    /// The pool that it waits for.
    #[prost(string, tag = "4")]
    pub pool: String,
    /// Action when its last call ends.
    #[prost(enumeration = "v1::OnDisconnect", tag = "5")]
    pub on_disconnect: i32,
    /// Time limit from its start on, in milliseconds; 0 if there is none.
    #[prost(uint64, tag = "6")]
    pub time_limit_ms: u64,
    /// Kind of the caller's identity.
    #[prost(string, tag = "7")]
    pub class: String,
    /// The number of its job in the queue; 0 before it is queued.
    #[prost(uint64, tag = "8")]
    pub job_sequence: u64,
    /// The blob that holds its job; empty if the job is small.
    #[prost(string, tag = "9")]
    pub job_blob: String,
    /// Number of pieces of the blob.
    #[prost(uint32, tag = "10")]
    pub job_pieces: u32,
}

impl Origin {
    /// Returns the ID of the run; empty if the message is broken.
    pub fn run_id(&self) -> &str {
        self.run.as_ref().map_or("", |run| run.run_id.as_str())
    }

    /// Returns the caller of the run; empty if the message is broken.
    pub fn caller(&self) -> &str {
        self.run.as_ref().map_or("", |run| run.caller.as_str())
    }
}

/// Bytes, or the pieces that hold them.
#[derive(Clone, PartialEq, Message)]
pub(crate) struct Body {
    #[prost(bytes = "vec", tag = "1")]
    pub(crate) inline: Vec<u8>,
    /// Name of the pieces of bytes that are too large for a message.
    #[prost(string, tag = "2")]
    pub(crate) blob: String,
    /// Number of pieces.
    #[prost(uint32, tag = "3")]
    pub(crate) pieces: u32,
}

/// A job in the queue.
#[derive(Clone, PartialEq, Message)]
pub(crate) struct QueuedJob {
    #[prost(message, optional, tag = "1")]
    pub(crate) origin: Option<Origin>,
    /// A [`v1::Job`].
    #[prost(message, optional, tag = "2")]
    pub(crate) job: Option<Body>,
    /// Encoded defaults of the gateway for the fields that the job omits.
    #[prost(bytes = "vec", tag = "3")]
    pub(crate) defaults: Vec<u8>,
}

/// An entry of a log: an event, or a note, which watchers do not get.
#[derive(Clone, PartialEq, Message)]
pub(crate) struct Logged {
    /// A [`v1::Event`]; a note has none.
    #[prost(message, optional, tag = "1")]
    pub(crate) event: Option<Body>,
    /// The origin of the run, with its first event.
    #[prost(message, optional, tag = "2")]
    pub(crate) origin: Option<Origin>,
    /// The number of the event, or of the one before the note.
    #[prost(uint64, tag = "3")]
    pub(crate) number: u64,
    /// Writer of the entry: one attempt of one worker, or one act of a gateway.
    #[prost(string, tag = "4")]
    pub(crate) claim: String,
    /// The attempt that is under way; 0 before the first.
    #[prost(uint32, tag = "5")]
    pub(crate) attempt: u32,
    /// Whether the run has ended.
    #[prost(bool, tag = "6")]
    pub(crate) is_last: bool,
    /// The worker of the attempt.
    #[prost(string, tag = "7")]
    pub(crate) worker: String,
    /// Number of attempts that their workers handed back so far.
    #[prost(uint32, tag = "8")]
    pub(crate) handed_back: u32,
    /// Whether somebody deleted the run.
    #[prost(bool, tag = "9")]
    pub(crate) is_deleted: bool,
}

/// The claim of a request ID.
#[derive(Clone, PartialEq, Message)]
pub(crate) struct RequestClaim {
    #[prost(message, optional, tag = "1")]
    pub(crate) origin: Option<Origin>,
}

/// State of a worker.
#[derive(Clone, PartialEq, Message)]
pub struct WorkerState {
    /// Its name: that of the host, and a part that differs between workers of a host.
    #[prost(string, tag = "1")]
    pub worker: String,
    /// The host's name.
    #[prost(string, tag = "2")]
    pub host: String,
    /// The fingerprint of what determines the speed of programs there.
    #[prost(string, tag = "3")]
    pub pool: String,
    /// The processor.
    #[prost(string, tag = "4")]
    pub cpu_model: String,
    /// The kernel.
    #[prost(string, tag = "5")]
    pub kernel: String,
    /// Duration of a fixed piece of work there, in milliseconds.
    #[prost(double, tag = "6")]
    pub calibration_ms: f64,
    /// Number of runs that it measures at one time.
    #[prost(uint32, tag = "7")]
    pub cores: u32,
    /// The runs under way.
    #[prost(string, repeated, tag = "8")]
    pub runs: Vec<String>,
    /// Reason for taking no more jobs; empty if it takes them.
    #[prost(string, tag = "9")]
    pub draining: String,
    /// Runs that ended here.
    #[prost(uint64, tag = "10")]
    pub ended: u64,
    /// Runs that were lost here: another had taken them over.
    #[prost(uint64, tag = "11")]
    pub fenced: u64,
    /// The version of the program.
    #[prost(string, tag = "12")]
    pub version: String,
}

/// Report of a gateway on its callers.
#[derive(Clone, PartialEq, Message)]
pub struct Holds {
    /// Identifier that tells the gateway from others.
    #[prost(string, tag = "1")]
    pub gateway: String,
    /// The runs that they hold.
    #[prost(string, repeated, tag = "2")]
    pub runs: Vec<String>,
    /// Those that they let go for good.
    #[prost(string, repeated, tag = "3")]
    pub released: Vec<String>,
}
