//! The only mapping between the domain and the wire. The server and the command line both use it.

mod advice;
mod allocations;
mod evidence;
mod figures;
mod growth;
mod hotspots;
mod report;
mod request;
mod spec;
mod spec_message;
mod worst;

pub use evidence::evidence;
pub(crate) use report::interrupted;
#[cfg(feature = "fleet")]
pub(crate) use report::{code, ended_early, error_code};
pub use report::{error, event, heartbeat, outcome, report, size};
pub use request::{MAX_REQUEST_ID_BYTES, job, job_of};
pub use spec::spec;
pub use spec_message::spec_message;
pub use worst::worst;
