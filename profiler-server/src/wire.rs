//! The only mapping between the domain and the wire. The server and the command line both use it.

mod report;
mod request;

pub use report::{error, event, heartbeat, report, size};
pub use request::{UNSUPPORTED, job};
