//! The store: every accepted run and every event, written before the event is sent.
//!
//! The store is an `SQLite` database in a folder that one server at a time may use. When a commit
//! returns, the kernel has its bytes. A server that is killed at any moment therefore loses nothing
//! that a caller has received. If the host loses power, the last writes may be lost, but the
//! database stays consistent.
//!
//! One task (`owner`) owns the connection that writes, and does its work on blocking threads. What
//! callers read comes from `readers`, so that no write waits for them. Everything else holds a
//! [`Store`], which sends both their work. An operator looks after the same folder through a
//! [`StateFolder`], whether a server uses it or not. Only ended runs are deleted.

mod database;
mod fault;
mod handle;
mod lock;
mod maintenance;
mod owner;
mod readers;
mod retention;
mod rows;
mod schema;
mod time;

#[cfg(test)]
mod tests;

pub use database::OpenError;
pub use fault::StoreFault;
pub(crate) use fault::StoreHealth;
pub use handle::Store;
pub use maintenance::{CallerUsage, StateError, StateFolder, Usage, Verification};
pub use retention::{Extent, Retention};
#[cfg(feature = "fleet")]
pub(crate) use rows::followed::FollowFrom;
pub(crate) use rows::runs::Viewer;
pub(crate) use rows::waiting::{WaitingJob, WaitingRun};
use rows::{events as event_rows, runs as run_rows, waiting as waiting_rows};
