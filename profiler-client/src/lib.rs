//! Calls a profiler: connect, submit, watch, wait, cancel. It speaks the generated types of
//! [`profiler_proto::v1`] and knows nothing of C++ or of sandboxes.

#![forbid(unsafe_code)]

mod client;
mod error;
mod run;

pub use client::Client;
pub use error::{Error, Violation};
pub use profiler_proto::v1;
pub use run::{Event, Run};
