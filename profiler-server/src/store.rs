//! The store: every accepted run and every event, written before the event is sent.
//!
//! The store is an `SQLite` database in a folder that one server at a time may use. A commit is in
//! the kernel's hands when it returns. So a server that is killed at any moment loses nothing that
//! a caller has received. A host that loses power may lose the last moments, but the database stays
//! consistent.
//!
//! One task (`owner`) owns the connection and does its work on blocking threads. Everything else
//! holds a [`Store`], which sends it work. The rows of a run are removed by `retention` alone.

mod database;
mod event_rows;
mod fault;
mod handle;
mod owner;
mod retention;
mod run_rows;
mod schema;
mod time;

#[cfg(test)]
mod tests;

pub use database::OpenError;
pub use fault::StoreFault;
pub(crate) use fault::StoreHealth;
pub use handle::Store;
pub use retention::{MAX_RETAINED_BYTES, MAX_RETAINED_RUNS};
