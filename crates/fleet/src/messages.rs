//! Messages that are stored in the engine or sent through it. A field never changes its number or
//! meaning, so a newer program can read the messages of an older one.

use profiler_proto::v1;
use prost::Message;

/// Origin of a run: the data that each gateway needs besides the run's events. It is written with
/// the job and with the first event.
#[derive(Clone, PartialEq, Message)]
pub struct Origin {
    /// The row of the run as it was accepted.
    #[prost(message, optional, tag = "1")]
    pub run: Option<v1::Run>,
    /// Owner of the run, who can see it.
    #[prost(string, tag = "2")]
    pub owner: String,
    /// SHA-256 of the job's message.
    #[prost(bytes = "vec", tag = "3")]
    pub digest: Vec<u8>,
    /// Pool whose workers can take the run.
    #[prost(string, tag = "4")]
    pub pool: String,
    /// Action when the last call that holds the run ends.
    #[prost(enumeration = "v1::OnDisconnect", tag = "5")]
    pub on_disconnect: i32,
    /// Time limit in milliseconds, counted from the run's start; 0 for no limit.
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
    /// Whether the caller chose the pool, so that the run cannot move to another one.
    #[prost(bool, tag = "11")]
    pub is_bound: bool,
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
    /// Name of the pieces, if the bytes are too large for a message.
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
    /// An encoded [`v1::Event`]; absent from a note.
    #[prost(message, optional, tag = "1")]
    pub(crate) event: Option<Body>,
    /// The origin of the run; present with its first event, and in the note that it moved to
    /// another pool.
    #[prost(message, optional, tag = "2")]
    pub(crate) origin: Option<Origin>,
    /// The number of the last event. In a note, the number of the event before it.
    #[prost(uint64, tag = "3")]
    pub(crate) number: u64,
    /// Identifier of the append that stored the entry: that of its writer, and a number.
    #[prost(string, tag = "4")]
    pub(crate) claim: String,
    /// The number of the current attempt; 0 before the first.
    #[prost(uint32, tag = "5")]
    pub(crate) attempt: u32,
    /// Whether the run has ended.
    #[prost(bool, tag = "6")]
    pub(crate) is_last: bool,
    /// The worker that wrote the entry; empty if a gateway wrote it.
    #[prost(string, tag = "7")]
    pub(crate) worker: String,
    /// Number of attempts that lost no worker so far: handed back, or left in an outage of the
    /// engine.
    #[prost(uint32, tag = "8")]
    pub(crate) handed_back: u32,
    /// Whether somebody deleted the run.
    #[prost(bool, tag = "9")]
    pub(crate) is_deleted: bool,
    /// The number of the job whose worker measures the run, or that was moved; 0 if it is that of
    /// the first event.
    #[prost(uint64, tag = "10")]
    pub(crate) job_sequence: u64,
    /// Further events, directly after the first one. `number` is that of the last.
    #[prost(message, repeated, tag = "11")]
    pub(crate) more: Vec<Body>,
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
    /// Name of the worker: the host's name, and a part that differs between workers of a host.
    #[prost(string, tag = "1")]
    pub worker: String,
    /// The host's name.
    #[prost(string, tag = "2")]
    pub host: String,
    /// Fingerprint of everything that determines the speed of programs on the host.
    #[prost(string, tag = "3")]
    pub pool: String,
    /// The processor.
    #[prost(string, tag = "4")]
    pub cpu_model: String,
    /// The kernel.
    #[prost(string, tag = "5")]
    pub kernel: String,
    /// Duration of a fixed piece of work on the host, in milliseconds.
    #[prost(double, tag = "6")]
    pub calibration_ms: f64,
    /// Number of runs that the worker can measure at the same time.
    #[prost(uint32, tag = "7")]
    pub cores: u32,
    /// The runs under way.
    #[prost(string, repeated, tag = "8")]
    pub runs: Vec<String>,
    /// Reason why the worker takes no more jobs; empty while it takes jobs.
    #[prost(string, tag = "9")]
    pub draining: String,
    /// Number of runs that ended on this worker.
    #[prost(uint64, tag = "10")]
    pub ended: u64,
    /// Number of runs that another worker took over from this one.
    #[prost(uint64, tag = "11")]
    pub fenced: u64,
    /// The version of the program.
    #[prost(string, tag = "12")]
    pub version: String,
}

/// Digest of a pool: what its workers have to know of each other. It grows with the workers whose
/// speed differs, not with the pool.
#[derive(Clone, PartialEq, Message)]
pub(crate) struct PoolDigest {
    /// Identifier that distinguishes the gateway from others.
    #[prost(string, tag = "1")]
    pub(crate) gateway: String,
    /// Number of workers that the gateway hears.
    #[prost(uint32, tag = "2")]
    pub(crate) workers: u32,
    /// Lower median of the workers' calibrations, in milliseconds.
    #[prost(double, tag = "3")]
    pub(crate) calibration_ms: f64,
    /// Workers that are to leave the pool because of their speed, or to stay away from it.
    #[prost(string, repeated, tag = "4")]
    pub(crate) leaving: Vec<String>,
    /// Whether the gateway reads entries of a log that have several events.
    #[prost(bool, tag = "5")]
    pub(crate) reads_shared: bool,
}

/// Report of a gateway on the runs that its callers keep alive by an open call.
#[derive(Clone, PartialEq, Message)]
pub struct Holds {
    /// Identifier that distinguishes the gateway from others.
    #[prost(string, tag = "1")]
    pub gateway: String,
    /// Runs that its callers hold.
    #[prost(string, repeated, tag = "2")]
    pub runs: Vec<String>,
    /// Runs that its callers have released for good.
    #[prost(string, repeated, tag = "3")]
    pub released: Vec<String>,
}

/// Order of an operator to workers.
#[derive(Clone, PartialEq, Message)]
pub struct Order {
    /// Action of each worker that is meant.
    #[prost(enumeration = "Action", tag = "1")]
    pub action: i32,
    /// Host or worker that is meant; empty for all.
    #[prost(string, tag = "2")]
    pub host: String,
    /// Pool that is meant; empty for all.
    #[prost(string, tag = "3")]
    pub pool: String,
}

/// Action that an operator orders.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, prost::Enumeration)]
#[repr(i32)]
pub enum Action {
    /// An action of a later version, which is ignored.
    Unknown = 0,
    /// End, as after SIGTERM.
    Drain = 1,
    /// Take no jobs.
    Pause = 2,
    /// Take jobs again.
    Resume = 3,
}

impl Order {
    /// Whether the order is for this worker.
    pub fn is_for(&self, state: &WorkerState) -> bool {
        let is_host = self.host.is_empty() || [&state.host, &state.worker].contains(&&self.host);
        is_host && (self.pool.is_empty() || self.pool == state.pool)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn order_is_for_a_host_a_worker_or_a_pool() {
        let state = WorkerState {
            worker: "a-1".into(),
            host: "a".into(),
            pool: "p".into(),
            ..WorkerState::default()
        };
        let order = |host: &str, pool: &str| {
            let (host, pool) = (host.into(), pool.into());
            Order { host, pool, ..Order::default() }.is_for(&state)
        };
        assert!(order("a", "") && order("a-1", "") && order("", "p") && order("", ""));
        assert!(!order("a-2", "") && !order("", "q") && !order("a", "q"));
    }
}
