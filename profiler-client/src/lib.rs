//! Client of a profiler: it connects, submits jobs, watches and resumes runs, and waits for
//! reports. It uses the generated types of [`profiler_proto::v1`], and knows nothing about C++ or
//! sandboxes.
//!
//! The client repeats failed calls where that is safe, and resumes broken streams. Each event is
//! delivered once. Every submission has a `request_id`, so no job runs twice.

#![forbid(unsafe_code)]

mod client;
mod connection;
mod credentials;
mod error;
mod event;
mod notice;
mod retry;
mod run;
pub mod spec;
mod tls_fault;
mod watch;

pub use client::Client;
pub use credentials::Credentials;
pub use error::{Error, Violation};
pub use event::Event;
pub use notice::Notice;
pub use profiler_proto::v1;
pub use run::Run;
pub use tls_fault::TlsFault;
pub use tonic_types::ErrorInfo;
