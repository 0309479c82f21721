//! The calls: what arrives over gRPC, and what each caller gets back.
//!
//! [`service`] answers each call of `ProfilerService`. A call that submits a run or watches one
//! reads the events of the run through a [`watch`]. A call that cannot be answered ends with a
//! [`status`]; the failure of a *program* is never a status, but is in the last event of its run.

pub(crate) mod agents;
pub mod caller;
pub(crate) mod deadline;
pub(crate) mod export;
pub(crate) mod gate;
pub(crate) mod health;
pub(crate) mod infer;
pub(crate) mod limits;
pub mod message_limit;
pub(crate) mod service;
pub mod status;
pub(crate) mod watch;

#[cfg(test)]
mod tests;
