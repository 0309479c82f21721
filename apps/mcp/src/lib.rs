//! The profiler as tools of an agent: a server of the Model Context Protocol, over stdio, and over
//! HTTP as a part of the service.
//!
//! ```text
//! stdin ── sdk ── arguments ──> tools ── session ──> profiler_client ──> service
//!           │                     │
//! stdout <──┴─────── answer <─────┴── summary, explain, resources
//! ```
//!
//! Nothing is measured here: every tool asks a service. An answer is at most
//! [`MAX_TEXT_BYTES`] of text, at most [`MAX_STRUCTURED_BYTES`] of structured content, and links to
//! the rest.

#![forbid(unsafe_code)]

mod arguments;
mod explain;
mod failure;
mod job;
mod remedies;
mod resources;
mod sdk;
mod session;
mod summary;
mod tool_result;
mod tools;

pub use sdk::{ServeError, agents, serve};
pub use session::{DEFAULT_ANSWER_LIMIT, Session};
pub use tool_result::{MAX_STRUCTURED_BYTES, MAX_TEXT_BYTES};
