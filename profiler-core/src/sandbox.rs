//! Sandboxes. Each holds a runner and can be destroyed. Backends differ only in how they start the
//! runner. From then on, all communication follows `runner_protocol`.

mod backend;
mod channel;
mod cores;
pub mod docker;
mod facts;
#[cfg(any(test, feature = "fake"))]
pub mod fake;
pub mod native;
mod ownership;
mod pool;
mod select;
pub mod user_folders;

pub use backend::{Backend, Lease, Progress, Sandbox};
pub use channel::Channel;
pub use cores::{CoreReservation, Cores};
pub use facts::FilesRead;
pub use ownership::Instance;
pub use pool::{Pool, Starts};
pub use select::{Choice, Selected};
