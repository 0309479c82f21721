//! A fleet whose parts fail at random while jobs flow, and the rules that every history of it must
//! obey.
//!
//! [`trial`] lets processes of [`worker`] and [`gateway`], their wires and the servers of
//! [`engine`] fail. Each process writes a `journal` of what it does, and the `model` checks all
//! journals against the logs. The benchmark of a fleet starts the same workers and servers.

#![forbid(unsafe_code)]

pub mod engine;
mod failure;
pub mod gateway;
pub mod jobs;
mod journal;
mod model;
pub mod trial;
pub mod worker;
