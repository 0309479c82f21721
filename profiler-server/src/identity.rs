//! Identities of callers, and their permissions.
//!
//! A call has the first of these identities that it shows:
//!
//! 1. the name in a client certificate of a trusted authority: the first URI, else the first DNS
//!    name;
//! 2. the name of a bearer token;
//! 3. the user whose process opened the connection: on a socket file always, on the loopback where
//!    the server has neither tokens nor an authority for clients;
//! 4. the IP address, on a server that was started with `insecure`.
//!
//! A call that shows none of them fails with `UNAUTHENTICATED`. `Access` holds the data that
//! callers are checked against, and [`Peer`] the evidence that a connection shows.

mod access;
mod caller;
mod certificate;
mod files;
mod loopback;
mod peer;
mod reload;
mod tls;
mod tokens;

pub(crate) use access::{Access, INSECURE, check_address};
pub use access::{AccessError, Denied, Wanted, check};
pub use caller::{Caller, MAX_NAME_BYTES, Scope};
pub use peer::Peer;
pub(crate) use reload::follow;
