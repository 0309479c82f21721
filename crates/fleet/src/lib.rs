//! Many hosts as one service, over NATS `JetStream`, which this crate calls the engine. No other
//! crate talks to the engine.
//!
//! # The parts
//!
//! ```text
//!  callers ──▶ gateway ──claim, job, accepted──▶ ┌──────────┐ ◀──take── worker (a host's cores)
//!                 ▲                              │ JetStream│             │
//!                 └──────── every event ─────────│          │ ◀──started, │ compiled, … finished
//!                                                └──────────┘
//! ```
//!
//! Each run has a [log](RunLog): its events in order, on a subject of its own. **The log decides.**
//! An event is appended only directly after the last event that its writer saw, so of two competing
//! writers one loses, and stops. The queue, the leases and the engine's removal of duplicate
//! messages only make it rare that two writers compete.
//!
//! A [gateway](Gateway) claims a caller's request ID, queues the job, and appends `accepted`. A
//! [worker](Worker) takes a job while it holds its [lease](Lease), and appends what happens. Every
//! gateway [follows](Fleet::follow) all logs, so a run can be watched at any of them.
//!
//! Workers report to the gateways' [roster](Roster), not to each other. The gateways tell each pool
//! a digest, with which a worker [compares](Peers) its speed.

#![forbid(unsafe_code)]

mod blobs;
mod connection;
mod error;
mod follow;
mod gateway;
mod log;
mod messages;
mod names;
mod roster;
mod worker;

pub use connection::limits::{LogLimits, MAX_JOBS_PER_CALLER};
#[cfg(feature = "simulated")]
pub use connection::simulated;
pub use connection::{Credentials, Fleet, wait_for_engine};
pub use error::FleetError;
pub use follow::Followed;
pub use gateway::retention::LogFigures;
pub use gateway::{Cancelled, Gateway, NewRun, Submitted};
pub use log::{Fenced, RunLog, Settlement, Standing};
pub use messages::{Action, Holds, Order, Origin, WorkerState};
pub use roster::drift::{CALIBRATION_BOUND, DRIFTED, NOISY, has_drifted};
pub use roster::peers::{Peers, Speed};
pub use roster::{Queue, Roster, Seen, choose_pool};
pub use worker::{Interrupted, LEASE, Lease, Receipt, StopRequests, Taken, Worker};
