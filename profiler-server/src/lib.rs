//! The gRPC service over `profiler-core`.
//!
//! The rooms, from the top down: [`serve`] runs the whole server. `rpc` answers calls. `runs` owns
//! the live runs. [`store`] keeps every run and its events. [`wire`] maps the domain to messages
//! and back. [`config`] holds the settings. A room imports only rooms below it.

#![forbid(unsafe_code)]

pub mod config;
mod connections;
mod listener;
pub mod logging;
mod rpc;
mod runs;
mod server;
pub mod store;
mod termination;
pub mod wire;

pub use config::Config;
pub use listener::{Address, AddressError, BindError, Listener, SocketFile};

pub use rpc::limits::MAX_MESSAGE_BYTES;
pub use rpc::{caller, message_limit, status};
pub use runs::{DETACHED_LIMIT, GRACE};
pub use server::{Reload, ServeError, serve, systemd};
pub use store::Store;
pub use termination::{StopSignal, Termination};
