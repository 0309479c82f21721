//! The only mapping between the domain and the wire. The server and the command line both use it.

#![forbid(unsafe_code)]

mod advice;
mod allocations;
mod evidence;
mod figures;
mod growth;
mod hotspots;
mod report;
mod request;
mod spec;
mod worst;

pub use evidence::evidence;
pub use report::{
    code, ended_early, error, error_code, event, heartbeat, interrupted, outcome, report, size,
};
pub use request::{BRIEF_PRECISION, Defaults, MAX_REQUEST_ID_BYTES, job, job_of};
pub use spec::{spec, spec_message};
pub use worst::worst;
