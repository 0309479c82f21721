//! The mapping from requests to jobs, and the events that a server makes itself. The server, the
//! command line and the tools for agents use both.

#![forbid(unsafe_code)]

mod event;
mod request;

pub use event::{ended_early, heartbeat, interrupted};
pub use request::{BRIEF_PRECISION, Defaults, MAX_REQUEST_ID_BYTES, job, job_of};
