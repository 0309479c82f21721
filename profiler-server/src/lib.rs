//! The gRPC service over `profiler-core`.
//!
//! The modules, from the top down: [`serve`] runs the whole server. `rpc` answers calls.
//! [`identity`] identifies callers. `measurers` are the sandboxes of this host, or a fleet. `runs`
//! owns the live runs. [`store`] keeps every run and its events. [`telemetry`] informs the
//! operator. [`config`] holds the settings, and `permits` what callers take turns for. A module
//! imports only modules below it.

#![forbid(unsafe_code)]

pub mod config;
mod connections;
pub mod identity;
mod measurers;
mod permits;
mod rpc;
mod runs;
mod server;
pub mod store;
pub mod telemetry;

pub use config::{Config, LogFormat};
pub use connections::in_process::{InProcess, Opened};
pub use connections::listener::{Address, AddressError, BindError, Listener, SocketFile};
pub use identity::{Caller, Peer};
pub use measurers::Measuring;
#[cfg(feature = "fleet")]
pub use measurers::gateway::FleetGateway;
#[cfg(feature = "fleet")]
pub use measurers::worker::{WorkError, WorkerSettings, find_place, work};
pub use rpc::agents::Agents;
pub use rpc::limits::MAX_MESSAGE_BYTES;
pub use rpc::{caller, message_limit, status};
pub use runs::{DETACHED_LIMIT, GRACE};
pub use server::{Reload, ServeError, serve, systemd};
pub use store::Store;
pub use telemetry::logging;
